//! The one line of a tool in lists: its first sentence, without headings and product prefixes.

use crate::agents::search::words;
use crate::schema::first_sentence;

/// The usual limit of a stub's description, in characters. It is passed to keep a negation, or a
/// sentence that warns.
pub const BRIEF_CHARS_MAX: usize = 160;
/// The longest summary, in characters.
pub(crate) const SUMMARY_CHARS_MAX: usize = 200;
/// The longest warning that is added to a stub, in characters.
const WARNING_CHARS_MAX: usize = 100;
/// As much of a description as is searched for a warning, in bytes.
const WARNING_SEARCHED_MAX: usize = 1_500;
/// Where something was left out.
const MARK: char = '…';
/// How much a sentence keeps at least when it is cut, in characters.
const KEPT_MIN: usize = 40;
/// The words that a long sentence may be cut before: what follows only explains.
const CUT_BEFORE: &[&str] = &[
    "(",
    "-",
    "–",
    "—",
    "allowing",
    "because",
    "e.g.",
    "including",
    "returning",
    "so",
    "such",
    "using",
    "via",
];
/// The words that reverse or limit a sentence, or name a loss. They are not cut off.
const KEPT: &[&str] = &[
    "not",
    "no",
    "never",
    "cannot",
    "can't",
    "don't",
    "doesn't",
    "without",
    "except",
    "unless",
    "only",
    "delete",
    "deletes",
    "deleting",
    "remove",
    "removes",
    "removing",
    "overwrite",
    "overwrites",
    "overwriting",
    "replace",
    "replaces",
    "replacing",
    "erase",
    "erases",
    "drop",
    "drops",
    "permanently",
    "irreversible",
];
/// Beginnings of the words that warn.
const WARNING: &[&str] = &[
    "overwrit",
    "permanent",
    "irrevers",
    "undone",
    "erase",
    "destroy",
    "wipe",
    "deletes",
];
/// Tags before a description that are part of it.
const TAGS: &[&str] = &["beta", "deprecated", "experimental", "preview"];
/// The words that nothing ends with.
const LINKS: &[&str] = &[
    "a", "an", "and", "are", "as", "at", "by", "for", "from", "in", "is", "its", "of", "on", "or",
    "that", "the", "to", "with", "your",
];

/// The first sentence of a description, with `…` at its end where there is more, and the first
/// sentence that warns where the first one does not.
pub fn brief(name: &str, description: &str) -> String {
    let text = without_headings(name, description);
    let sentence = cut(&first_sentence(text));
    if is_all_of(&sentence, description) {
        return sentence;
    }
    match warning(text, &sentence) {
        Some(warning) => marked(&format!("{} {warning}", ended(&sentence))),
        None => marked(&sentence),
    }
}

/// The first sentence of a description, at most `SUMMARY_CHARS_MAX` characters, with `…` at its
/// end where there is more.
pub fn summary(description: &str) -> String {
    let sentence = first_sentence(without_headings("", description));
    match is_all_of(&sentence, description) {
        true => sentence,
        false => {
            let sentence = sentence.trim_end_matches(MARK);
            marked(within(sentence, SUMMARY_CHARS_MAX - 1))
        }
    }
}

fn marked(text: &str) -> String {
    let text = text.trim_end_matches(['.', ',', ';', ':', ' ', MARK]);
    format!("{text}{MARK}")
}

fn ended(sentence: &str) -> String {
    let text = sentence.trim_end_matches([',', ';', ':', ' ']);
    match text.ends_with(['.', '!', '?', MARK]) {
        true => text.to_owned(),
        false => format!("{text}."),
    }
}

/// The description from its first sentence on: without headings, tags, signs, and a prefix that
/// only repeats the name.
fn without_headings<'d>(name: &str, description: &'d str) -> &'d str {
    let mut text = description.trim_start();
    loop {
        let line = text.lines().next().unwrap_or_default();
        let rest = text[line.len()..].trim_start();
        let (line, next) = (line.trim(), rest.lines().next().unwrap_or_default());
        let only_the_name = !line.ends_with('.') && repeats(name, line);
        let heading = line.starts_with('#')
            || line.starts_with("**") && line.ends_with("**")
            || only_the_name && next.ends_with('.') && next.split(' ').count() > 3;
        if !heading || rest.is_empty() {
            break;
        }
        text = rest;
    }
    text = text.trim_start_matches(|c: char| {
        !c.is_alphanumeric() && !matches!(c, '[' | '(' | '`' | '"' | '\'' | '*' | '<' | '/')
    });
    if let Some((tag, rest)) = text.strip_prefix('[').and_then(|rest| rest.split_once(']'))
        && tag.len() <= 30
        && !TAGS.contains(&tag.to_lowercase().as_str())
        && !rest.trim_start().is_empty()
        && !rest.starts_with('(')
    {
        text = rest.trim_start_matches([' ', ':', '-']);
    }
    for sign in [": ", " - ", " – ", " — "] {
        if let Some((prefix, rest)) = text.split_once(sign)
            && prefix.len() <= 40
            && !prefix.contains('\n')
            && !rest.trim_start().is_empty()
            && repeats(name, prefix)
        {
            return rest.trim_start();
        }
    }
    text
}

/// A sentence of at most [`BRIEF_CHARS_MAX`] characters, or the whole one where the end of it
/// matters. It is cut before a part that only explains, and never silently within a list.
fn cut(sentence: &str) -> String {
    let Some((end, _)) = sentence.char_indices().nth(BRIEF_CHARS_MAX) else {
        return sentence.to_owned();
    };
    let words = sentence.match_indices(' ').map(|(at, _)| at);
    let explains = |at: &usize| {
        let next = sentence[*at..]
            .split_whitespace()
            .next()
            .unwrap_or_default();
        next.starts_with('(') || sentence[..*at].ends_with(';') || CUT_BEFORE.contains(&next)
    };
    let in_brackets = |at: &usize| {
        let before = &sentence[..*at];
        before.matches('(').count() > before.matches(')').count()
    };
    let at = words
        .rev()
        .filter(|at| (KEPT_MIN..end).contains(at))
        .find(|at| explains(at) && !in_brackets(at));
    let kept = match at {
        Some(at) => &sentence[..at],
        None => within(sentence, BRIEF_CHARS_MAX - 1),
    };
    let matters = |word: &str| {
        let word = word
            .trim_matches(|c: char| !c.is_alphanumeric())
            .to_lowercase();
        KEPT.contains(&word.as_str())
    };
    if sentence[kept.len()..].split_whitespace().any(matters) {
        return sentence.to_owned();
    }
    match kept.rfind(", ") {
        // The last item may be half of one.
        Some(comma) if at.is_none() && comma >= KEPT_MIN => format!("{}, and more", &kept[..comma]),
        _ => kept.to_owned(),
    }
}

/// The first sentence after the first that warns of a loss, if the first does not.
fn warning<'d>(text: &'d str, sentence: &str) -> Option<&'d str> {
    let warns = |text: &str| {
        let text = text.to_lowercase();
        let mut words = text.split(|c: char| !c.is_alphanumeric());
        words.any(|word| WARNING.iter().any(|begin| word.starts_with(begin)))
    };
    if warns(sentence) {
        return None;
    }
    let text = &text[..text.floor_char_boundary(WARNING_SEARCHED_MAX)];
    let sentences = text.split_inclusive(['\n', '.']).map(str::trim);
    sentences
        .skip(1)
        .filter(|part| part.chars().count() <= WARNING_CHARS_MAX && part.ends_with('.'))
        .filter(|part| part.starts_with(char::is_uppercase) && !part.contains(':'))
        .find(|part| warns(part))
}

/// The text, or as many of its words as fit.
fn within(text: &str, chars: usize) -> &str {
    if text.chars().count() <= chars {
        return text;
    }
    let end = text.char_indices().nth(chars);
    let mut kept = end.map_or(text, |(end, _)| &text[..end]);
    while let Some((before, last)) = kept.rsplit_once(' ') {
        kept = before;
        let link = before.rsplit(' ').next().unwrap_or_default();
        if !LINKS.contains(&link) || last.is_empty() {
            break;
        }
    }
    kept
}

/// Whether a text says all that the description does, however that is set in lines.
fn is_all_of(said: &str, description: &str) -> bool {
    let visible = |c: &char| !c.is_whitespace() && !c.is_control();
    let (said, all) = (said.chars(), description.chars());
    said.filter(visible).eq(all.filter(visible))
}

/// Whether a text has words, and each stands in the name in some form, or only links others.
fn repeats(name: &str, text: &str) -> bool {
    let mut in_name = Vec::new();
    words::of_name(name, |word| in_name.push(words::stem(word).into_owned()));
    let (mut all, mut some) = (true, false);
    words::of_prose(text, |word| {
        let stem = words::stem(word);
        some = true;
        all &= LINKS.contains(&word) || in_name.iter().any(|known| *known == stem);
    });
    all && some
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn brief_is_the_first_sentence() {
        for (description, said) in [
            ("", ""),
            ("Reads a file", "Reads a file"),
            ("Reads a file.", "Reads a file."),
            ("Reads a file. It has to be text.", "Reads a file…"),
            (
                "Removes all documents that match the filter from a collection. Use with care.",
                "Removes all documents that match the filter from a collection…",
            ),
            ("# Reading\n\nReads a file. Or two.", "Reads a file…"),
            ("**mm t**\nReads a file. Or two.", "Reads a file…"),
            ("[Files] Reads a file. Or two.", "Reads a file…"),
            ("[beta] Reads a file. Or two.", "[beta] Reads a file…"),
            ("📁 Reads a file. Or two.", "Reads a file…"),
            ("mm: Reads a file. Or two.", "Reads a file…"),
            (
                "Writes a file. Overwrites what is there. Ok.",
                "Writes a file. Overwrites what is there…",
            ),
        ] {
            assert_eq!(brief("mm__t", description), said, "{description:?}");
        }
    }

    #[test]
    fn brief_that_repeats_the_name_is_kept() {
        let name = "iam__delete_user";
        let said = brief(name, "Deletes an IAM user. For ever.");
        assert_eq!(said, "Deletes an IAM user…");
    }

    #[test]
    fn long_sentence_keeps_what_matters() {
        let long = format!(
            "Stores {} but does not delete the old ones",
            "many things ".repeat(12).trim()
        );
        assert!(brief("t", &long).ends_with("does not delete the old ones"));
        let list = format!(
            "Manages these kinds of things: {}",
            "alphas, betas, gammas, ".repeat(10)
        );
        assert!(
            brief("t", &list).ends_with(", and more…"),
            "{}",
            brief("t", &list)
        );
        let explained = format!(
            "Stores one thing of many kinds for all users (see {})",
            "there ".repeat(30).trim()
        );
        assert_eq!(
            brief("t", &explained),
            "Stores one thing of many kinds for all users…"
        );
    }

    #[test]
    fn summary_keeps_its_limit() {
        for words in ["word ".repeat(100), "x".repeat(500), "of ".repeat(100)] {
            let summary = summary(&words);
            assert!(summary.chars().count() <= SUMMARY_CHARS_MAX, "{summary}");
            assert!(summary.ends_with(MARK));
        }
        assert_eq!(summary("To be … or not."), "To be … or not.");
        assert_eq!(summary("Reads it. Or not."), "Reads it…");
    }

    proptest! {
        #[test]
        fn without_a_mark_it_is_everything(text in "[a-z .,(…\n]{0,300}") {
            for said in [brief("t", &text), summary(&text)] {
                prop_assert!(said.ends_with(MARK) || is_all_of(&said, &text));
            }
        }

        #[test]
        fn any_text_has_a_brief(name in any::<String>(), text in any::<String>()) {
            let most = SUMMARY_CHARS_MAX + WARNING_CHARS_MAX + 3;
            prop_assert!(brief(&name, &text).chars().count() <= most);
            prop_assert!(summary(&text).chars().count() <= SUMMARY_CHARS_MAX);
        }
    }
}
