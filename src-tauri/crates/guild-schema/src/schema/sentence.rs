//! The first sentence of a description, for lists.

/// Maximum length of a summary, in characters.
const SUMMARY_CHARS_MAX: usize = 200;
/// Maximum length of the inspected part of a description, in characters.
const LOOKED_AT_MAX: usize = 2_000;
/// Abbreviations with a final period, which does not end a sentence.
const ABBREVIATIONS: &[&str] = &[
    "e.g", "i.e", "etc", "vs", "cf", "approx", "no", "nr", "fig", "incl", "resp", "dr", "mr",
    "mrs", "ms", "st", "max", "min", "ca",
];

/// Returns the first sentence of a description, on one line, truncated to 200 characters.
pub fn first_sentence(description: &str) -> String {
    shortened(&whole_first_sentence(description))
}

/// Returns the first sentence of a description, on one line, from its first 2,000 characters.
pub fn whole_first_sentence(description: &str) -> String {
    let mut line = String::new();
    let head: String = description
        .trim_start()
        .chars()
        .take(LOOKED_AT_MAX)
        .collect();
    let words: Vec<&str> = paragraph(&head).split_whitespace().collect();
    for (index, word) in words.iter().enumerate() {
        if !line.is_empty() {
            line.push(' ');
        }
        line.extend(word.chars().filter(|c| !c.is_control()));
        if ends_sentence(word, words.get(index + 1).copied()) {
            break;
        }
    }
    if let Some(end) = line.find(['。', '！', '？']) {
        let after = line[end..].chars().next().map_or(0, char::len_utf8);
        line.truncate(end + after);
    }
    line
}

/// Returns the text before the first empty line.
fn paragraph(text: &str) -> &str {
    let mut end = 0;
    for line in text.split_inclusive('\n') {
        if line.trim().is_empty() {
            break;
        }
        end += line.len();
    }
    &text[..end]
}

fn ends_sentence(word: &str, next: Option<&str>) -> bool {
    let bare = word.trim_end_matches(['"', '\'', ')', ']', '*', '`', '”', '’']);
    if bare.ends_with(['!', '?']) {
        return next.is_none_or(begins_sentence);
    }
    let Some(stem) = bare.strip_suffix('.') else {
        return false;
    };
    let stem = stem.trim_start_matches(['(', '[', '"', '\'', '*', '`']);
    let abbreviation = ABBREVIATIONS.contains(&stem.to_lowercase().as_str());
    let initial = stem.chars().count() == 1 && stem.chars().all(char::is_uppercase);
    !abbreviation && !initial && !stem.is_empty() && next.is_none_or(begins_sentence)
}

fn begins_sentence(word: &str) -> bool {
    !word.chars().next().is_some_and(char::is_lowercase)
}

fn shortened(line: &str) -> String {
    let Some((cut, _)) = line.char_indices().nth(SUMMARY_CHARS_MAX) else {
        return line.to_owned();
    };
    // Leaves room for the ellipsis. Cuts at the end of a word, unless that would remove more than
    // half of the line.
    let cut = line[..cut].char_indices().last().map_or(0, |(at, _)| at);
    let end = match line[..cut].rfind(' ') {
        Some(space) if space > cut / 2 => space,
        _ => cut,
    };
    format!("{}…", line[..end].trim_end_matches([',', ';', ':', ' ']))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_first_sentence_is_found() {
        for (description, expected) in [
            ("", ""),
            ("Reads a file", "Reads a file"),
            ("Reads a file. Then more.", "Reads a file."),
            ("Reads, e.g. a file. More.", "Reads, e.g. a file."),
            ("Scales by 1.5 or so. More.", "Scales by 1.5 or so."),
            ("Reads v1.5. More.", "Reads v1.5."),
            ("Reads\n a  file\n\nArgs: none", "Reads a file"),
            ("  \n Really?! Yes.", "Really?!"),
            (
                "Reads a.b.json now (see docs.) Next",
                "Reads a.b.json now (see docs.)",
            ),
            ("読みます。次です。", "読みます。"),
            (
                "Reads *.txt etc. and more. End.",
                "Reads *.txt etc. and more.",
            ),
        ] {
            assert_eq!(first_sentence(description), expected, "{description:?}");
        }
    }

    #[test]
    fn a_long_sentence_is_cut_at_a_word() {
        let cut = first_sentence(&"word ".repeat(100));
        assert!(
            cut.chars().count() <= 200 && cut.ends_with("word…"),
            "{cut}"
        );
        assert_eq!(first_sentence(&"x".repeat(500)).chars().count(), 200);
        let whole = whole_first_sentence(&"word ".repeat(100));
        assert_eq!(whole.len(), 499, "nothing of it is cut");
    }

    proptest! {
        #[test]
        fn any_text_gives_one_short_line(text in any::<String>()) {
            let line = first_sentence(&text);
            prop_assert!(line.chars().count() <= 200);
            prop_assert!(!line.chars().any(char::is_control));
        }
    }
}
