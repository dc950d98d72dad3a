//! Masks secrets in lines that arrive one by one: a member's stderr and the program's log.

use guild_api::wire::MASK;
use guild_process::Redact;
use guild_process::output::CUT_MARK;

use super::{INSIDE_MIN, SecretMatcher};

impl Redact for SecretMatcher {
    fn redact(&self, line: String) -> String {
        if let Some(head) = line.strip_suffix(CUT_MARK) {
            // The cut may divide a secret, so that the line ends with its beginning.
            let end = self.begun_at_the_end(head).unwrap_or(head.len());
            let mask = if end < head.len() { MASK } else { "" };
            return format!("{}{mask}{CUT_MARK}", self.hide(&head[..end]));
        }
        match self.hide(&line) {
            std::borrow::Cow::Borrowed(_) => line,
            std::borrow::Cow::Owned(hidden) => hidden,
        }
    }
}

impl SecretMatcher {
    /// If the text ends with the beginning of a secret, returns the offset of that beginning.
    fn begun_at_the_end(&self, text: &str) -> Option<usize> {
        let begun = |form: &String| {
            let lengths = (INSIDE_MIN..form.len()).rev();
            let mut cuts = lengths.filter(|&cut| form.is_char_boundary(cut));
            cuts.find(|&cut| text.ends_with(&form[..cut]))
        };
        let longest = self.forms.iter().filter_map(begun).max()?;
        Some(text.len() - longest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_is_hidden_also_where_the_line_was_cut() {
        let mask = SecretMatcher::new(["planted-secret".to_owned()]);
        let redact = |line: &str| mask.redact(line.to_owned());
        assert_eq!(redact("nothing here"), "nothing here");
        assert_eq!(redact("a planted-secret!"), format!("a {MASK}!"));
        for cut in ["plan", "planted", "planted-secre", "planted-secret"] {
            let line = format!("x {cut}{CUT_MARK}");
            assert_eq!(redact(&line), format!("x {MASK}{CUT_MARK}"), "{cut}");
        }
        assert_eq!(redact(&format!("x{CUT_MARK}")), format!("x{CUT_MARK}"));
    }
}
