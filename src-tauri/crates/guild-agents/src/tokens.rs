//! Counts the tokens of a text.
//!
//! The vocabulary is o200k, with which tool lists are usually measured. Other vocabularies differ
//! by a few percent. The vocabulary is loaded on first use, which takes a fraction of a second and
//! some megabytes. Counting is CPU-bound, so large texts must be counted outside the async runtime.

use tiktoken_rs::o200k_base_singleton;

/// Size of the pieces that are counted separately, in bytes. The tokenizer's regular expressions
/// may fail on larger texts because of too much backtracking.
const AT_ONCE: usize = 8 * 1024;

/// Counts the tokens of a text.
///
/// The count is exact, except for a text with [`AT_ONCE`] bytes without a space. Such a text is cut
/// between characters, which may add one token per cut.
pub(super) fn count(text: &str) -> usize {
    let vocabulary = o200k_base_singleton();
    parts(text)
        .map(|part| vocabulary.encode_ordinary(part).len())
        .sum()
}

/// Returns the length in bytes and the number of tokens of the longest prefix of a text that has at
/// most `max` tokens. The prefix ends between two characters. Reads little of the text after the
/// prefix.
pub(super) fn fitting(text: &str, max: usize) -> (usize, usize) {
    let vocabulary = o200k_base_singleton();
    let (mut end, mut used) = (0, 0);
    for part in parts(text) {
        let tokens = vocabulary.encode_ordinary(part);
        if tokens.len() <= max - used {
            used += tokens.len();
            end += part.len();
            continue;
        }
        let begun = vocabulary.decode_bytes(&tokens[..max - used]);
        end += begun.map_or(0, |begun| begun.len());
        return (text.floor_char_boundary(end), max);
    }
    (end, used)
}

/// Splits a text into pieces such that no token is in two of them. If possible, a piece begins with
/// the space before a word.
fn parts(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let (part, after) = rest.split_at(end_of_part(rest));
        rest = after;
        Some(part)
    })
}

fn end_of_part(text: &str) -> usize {
    if text.len() <= AT_ONCE {
        return text.len();
    }
    let bytes = text.as_bytes();
    // A space before a letter is in one token with the letter, never with the text before it.
    let between_words = |at: &usize| {
        bytes[*at] == b' '
            && bytes[*at + 1].is_ascii_alphabetic()
            && bytes[*at - 1].is_ascii_graphic()
    };
    if let Some(at) = (1..AT_ONCE).rev().find(between_words) {
        return at;
    }
    text.floor_char_boundary(AT_ONCE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_texts_have_their_known_counts() {
        for (text, tokens) in [
            ("", 0),
            ("hello world", 2),
            ("tiktoken is great!", 6),
            ("<|endoftext|>", 7),
        ] {
            assert_eq!(count(text), tokens, "{text:?}");
        }
    }

    #[test]
    fn cutting_between_words_changes_no_count() {
        let words = "Creates an issue {\"type\":\"object\"}, 12 345 — naïve  double \n lines. ";
        let long = words.repeat(1_000);
        let whole = o200k_base_singleton().encode_ordinary(&long).len();
        assert!(parts(&long).count() > 5);
        assert_eq!(parts(&long).collect::<String>(), long);
        assert_eq!(count(&long), whole);
    }

    #[test]
    fn fitting_beginning_has_the_tokens() {
        let text = "naïve words, 12 and \u{1f468}\u{200d} ".repeat(2_000);
        for max in [0, 1, 7, 500, 20_000, 1_000_000] {
            let (end, used) = fitting(&text, max);
            let counted = count(&text[..end]);
            assert!(
                used <= max && counted.abs_diff(used) <= 2,
                "{max}: {used} {counted}"
            );
            assert!(end == text.len() || used == max, "{max}: {used}");
        }
    }

    #[test]
    fn hostile_text_is_counted_too() {
        for text in [
            "a".repeat(100_000),
            format!("{}x", " ".repeat(100_000)),
            format!("{}x", "\n ".repeat(50_000)),
            "é\u{301}".repeat(30_000),
            "\u{1f468}\u{200d}".repeat(20_000),
        ] {
            let tokens = count(&text);
            assert!(tokens > 0 && tokens <= text.len(), "{tokens}");
        }
    }
}
