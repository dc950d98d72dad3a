//! What a stub says of its tool: as little as tells it from others, and a mark where more is known.

use crate::agents::search::words;
use crate::schema::first_sentence;

/// The longest description of a stub, in characters.
///
/// Measured over real servers: down to here the tool for a task is found as often by the stubs
/// alone as by whole first sentences.
pub const BRIEF_CHARS_MAX: usize = 52;
/// The longest summary, in characters.
pub(crate) const SUMMARY_CHARS_MAX: usize = 200;
/// Where something was left out.
const MARK: char = '…';
/// How much has to be said before a clause ends it, in characters.
const CLAUSE_FROM: usize = 16;
/// The words before which a clause ends.
const CLAUSE_WORDS: &[&str] = &[
    "along",
    "allowing",
    "and",
    "as",
    "based",
    "because",
    "by",
    "given",
    "if",
    "including",
    "optionally",
    "returning",
    "so",
    "such",
    "that",
    "using",
    "via",
    "when",
    "where",
    "which",
    "while",
    "with",
];
/// The words that nothing ends with.
const LINKS: &[&str] = &[
    "a", "an", "and", "are", "as", "at", "by", "for", "from", "in", "is", "its", "of", "on", "or",
    "that", "the", "to", "with", "your",
];

/// The first clause of a description, at most [`BRIEF_CHARS_MAX`] characters, with `…` at its end
/// where there is more. Where there is more and the clause only repeats the name: `…` alone.
pub fn brief(name: &str, description: &str) -> String {
    let sentence = first_sentence(description);
    let clause = first_clause(&sentence);
    if clause.chars().count() <= BRIEF_CHARS_MAX && is_all_of(clause, description) {
        return clause.to_owned();
    }
    let kept = within(clause, BRIEF_CHARS_MAX - 1);
    match repeats(name, kept) {
        true => MARK.to_string(),
        false => marked(kept),
    }
}

/// The first sentence of a description, at most `SUMMARY_CHARS_MAX` characters, with `…` at its
/// end where there is more.
pub fn summary(description: &str) -> String {
    let sentence = first_sentence(description);
    match is_all_of(&sentence, description) {
        true => sentence,
        false => marked(within(
            sentence.trim_end_matches(MARK),
            SUMMARY_CHARS_MAX - 1,
        )),
    }
}

fn marked(text: &str) -> String {
    let text = text.trim_end_matches(['.', ',', ';', ':', ' ', MARK]);
    format!("{text}{MARK}")
}

/// The text up to its first clause that says enough.
fn first_clause(sentence: &str) -> &str {
    let ends = |at: &usize| {
        let (before, after) = sentence.split_at(*at);
        let next = after.split_whitespace().next().unwrap_or_default();
        before.ends_with([',', ';', ':'])
            || next.starts_with('(')
            || matches!(next, "-" | "–" | "—")
            || CLAUSE_WORDS.contains(&next)
    };
    let spaces = sentence.char_indices().skip(CLAUSE_FROM);
    let spaces = spaces.filter(|(_, c)| *c == ' ').map(|(at, _)| at);
    spaces
        .into_iter()
        .find(ends)
        .map_or(sentence, |at| &sentence[..at])
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

/// Whether every word of a text stands in the name, in some form, or only links others.
fn repeats(name: &str, text: &str) -> bool {
    let mut in_name = Vec::new();
    words::of_name(name, |word| in_name.push(words::stem(word).into_owned()));
    let mut all = true;
    words::of_prose(text, |word| {
        let stem = words::stem(word);
        all &= LINKS.contains(&word) || in_name.iter().any(|known| *known == stem);
    });
    all
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_brief_is_the_first_clause_and_says_when_there_is_more() {
        for (description, said) in [
            ("", ""),
            ("Reads a file", "Reads a file"),
            ("Reads a file.", "Reads a file."),
            ("Reads a file. It has to be text.", "Reads a file…"),
            ("Reads a file by its path.", "Reads a file by its path."),
            ("Reads a whole file by its path.", "Reads a whole file…"),
            ("Reads one whole file by its path.", "Reads one whole file…"),
            ("Reads one whole file, or two.", "Reads one whole file…"),
            ("Reads one whole file (of text).", "Reads one whole file…"),
            (
                "Updates the application setting for all of the apps there are.",
                "Updates the application setting for all…",
            ),
        ] {
            assert_eq!(brief("m__t", description), said, "{description:?}");
        }
    }

    #[test]
    fn what_only_repeats_the_name_is_left_out_with_a_mark_or_whole() {
        let name = "iam__delete_user";
        assert_eq!(brief(name, "Deletes an IAM user. For ever."), "…");
        assert_eq!(brief(name, "Deletes an IAM user."), "Deletes an IAM user.");
        assert_eq!(
            brief(name, "Deletes all users. For ever."),
            "Deletes all users…"
        );
    }

    #[test]
    fn a_cut_text_is_no_longer_than_any_other() {
        for words in [
            "word ".repeat(100),
            "x".repeat(500),
            "ab ".repeat(66) + "abc",
            "of ".repeat(100),
            // One clause that leaves no room for the mark.
            format!("{}, and more", "x".repeat(BRIEF_CHARS_MAX - 1)),
        ] {
            let (brief, summary) = (brief("t", &words), summary(&words));
            assert!(brief.chars().count() <= BRIEF_CHARS_MAX, "{brief}");
            assert!(summary.chars().count() <= SUMMARY_CHARS_MAX, "{summary}");
            assert!(brief.ends_with(MARK) && (summary.ends_with(MARK) || words.len() < 100));
        }
        assert_eq!(summary(&"ab ".repeat(66)), "ab ".repeat(66).trim());
        assert_eq!(summary("To be … or not."), "To be … or not.");
        assert_eq!(summary("Reads it. Or not."), "Reads it…");
    }

    proptest! {
        #[test]
        fn without_a_mark_it_is_everything(text in "[a-z .,(…\n]{0,300}") {
            for (said, limit) in [
                (brief("t", &text), BRIEF_CHARS_MAX),
                (summary(&text), SUMMARY_CHARS_MAX),
            ] {
                prop_assert!(said.chars().count() <= limit);
                prop_assert!(said.ends_with(MARK) || is_all_of(&said, &text));
            }
        }

        #[test]
        fn any_text_has_a_brief(name in any::<String>(), text in any::<String>()) {
            prop_assert!(brief(&name, &text).chars().count() <= BRIEF_CHARS_MAX);
        }
    }
}
