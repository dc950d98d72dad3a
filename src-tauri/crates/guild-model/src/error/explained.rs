//! The explanations of all error codes, from `docs/errors.md`.

use super::Code;

/// The beginnings of the paragraphs in a section.
const BEGINNINGS: [&str; 2] = ["Cause. ", "Fix. "];

/// The section of `docs/errors.md` about one error code.
#[derive(Debug)]
pub struct Explained {
    /// The title of the section's chapter.
    pub chapter: &'static str,
    /// The error code that the section explains.
    pub code: &'static str,
    /// The cause and the fix, as lines.
    pub text: String,
}

/// Returns the sections of all codes, in the order of the document.
pub fn explained() -> Vec<Explained> {
    sections(include_str!("../../../../../docs/errors.md"))
}

impl Code {
    /// Returns the paragraphs that explain the cause and the fix.
    pub fn explanation(self) -> Vec<String> {
        let all = explained();
        let own = all.iter().find(|one| one.code == self.as_str());
        let mut paragraphs: Vec<String> = Vec::new();
        for line in own.iter().flat_map(|one| one.text.lines()) {
            let begins = BEGINNINGS.iter().any(|words| line.starts_with(words));
            match paragraphs.last_mut().filter(|_| !begins) {
                Some(paragraph) => {
                    paragraph.push(' ');
                    paragraph.push_str(line);
                }
                None => paragraphs.push(line.to_owned()),
            }
        }
        paragraphs
    }
}

/// Parses the sections of the document, one for each code.
fn sections(docs: &'static str) -> Vec<Explained> {
    let mut all: Vec<Explained> = Vec::new();
    let mut chapter = "";
    let mut open = false;
    for line in docs.lines() {
        if let Some(title) = line.strip_prefix("# ") {
            chapter = title;
            open = false;
        } else if let Some(code) = line.strip_prefix("## ") {
            all.push(Explained {
                chapter,
                code,
                text: String::new(),
            });
            open = true;
        } else if let Some(section) = all.last_mut().filter(|_| open) {
            section.text.push_str(&line.replace("**", ""));
            section.text.push('\n');
        }
    }
    for section in &mut all {
        section.text.truncate(section.text.trim_end().len());
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_code_has_a_cause_and_a_fix() {
        let all = explained();
        let explained: Vec<&str> = all.iter().map(|one| one.code).collect();
        let codes: Vec<&str> = Code::ALL.iter().map(|code| code.as_str()).collect();
        assert_eq!(explained, codes);
        for Explained { chapter, text, .. } in &all {
            assert!(text.starts_with("Cause. "), "{text}");
            assert!(text.contains("\nFix. "), "{text}");
            assert!(!chapter.is_empty() && !text.contains("**"), "{text}");
        }
        for code in Code::ALL {
            let paragraphs = code.explanation();
            assert!(paragraphs[0].starts_with("Cause. "), "{paragraphs:?}");
            assert!(paragraphs[1].starts_with("Fix. "), "{paragraphs:?}");
            assert!(paragraphs.iter().all(|one| !one.contains('\n')));
        }
    }
}
