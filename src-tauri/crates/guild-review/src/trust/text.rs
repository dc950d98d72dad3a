//! Compares two texts as pieces, and makes invisible characters visible.

use std::fmt::Write as _;

use guild_api::wire::{TextPiece, TextSide};

/// Maximum number of pairs of words or lines that are compared. Larger differences are shown as a
/// whole.
const PAIRS_MAX: usize = 250_000;
/// Maximum length of a piece, in characters.
const PIECE_MAX: usize = 32_768;
/// Number of characters that are shown at each end of an unchanged piece.
const CONTEXT: usize = 1_000;

/// Returns the difference of two texts as pieces. Joined, the pieces of one side are the text of
/// that side as [`visible`] formats it, unless a piece was shortened.
pub fn pieces(old: &str, new: &str) -> Vec<TextPiece> {
    let lines = |text| -> Vec<&str> { str::split_inclusive(text, '\n').collect() };
    let (words_fit, found) = compare(&words(old), &words(new));
    if words_fit {
        found
    } else {
        compare(&lines(old), &lines(new)).1
    }
}

/// Compares words or lines. Also returns whether there were few enough for a complete comparison.
fn compare(before: &[&str], after: &[&str]) -> (bool, Vec<TextPiece>) {
    let head = before
        .iter()
        .zip(after)
        .take_while(|(old, new)| old == new)
        .count();
    let (before_rest, after_rest) = (&before[head..], &after[head..]);
    let tail = before_rest
        .iter()
        .rev()
        .zip(after_rest.iter().rev())
        .take_while(|(old, new)| old == new)
        .count();
    let old = &before_rest[..before_rest.len() - tail];
    let new = &after_rest[..after_rest.len() - tail];
    let fits = old.len().saturating_mul(new.len()) <= PAIRS_MAX;
    let mut pieces = Pieces::default();
    pieces.all(TextSide::Both, &before[..head]);
    if fits {
        pieces.differing(old, new);
    } else {
        pieces.all(TextSide::Old, old);
        pieces.all(TextSide::New, new);
    }
    pieces.all(TextSide::Both, &before_rest[before_rest.len() - tail..]);
    (fits, pieces.done())
}

#[derive(Default)]
struct Pieces(Vec<TextPiece>);

impl Pieces {
    fn push(&mut self, side: TextSide, text: &str) {
        match self.0.last_mut() {
            Some(last) if last.side == side => last.text.push_str(text),
            _ => self.0.push(TextPiece {
                side,
                text: text.to_owned(),
            }),
        }
    }

    fn all(&mut self, side: TextSide, words: &[&str]) {
        for word in words {
            self.push(side, word);
        }
    }

    /// Adds the pieces of two lists that differ, by their longest common subsequence.
    fn differing(&mut self, old: &[&str], new: &[&str]) {
        let width = new.len() + 1;
        // For each pair of offsets: the length of the longest common subsequence of the remaining
        // items.
        let mut common = vec![0_u32; (old.len() + 1) * width];
        for at in (0..old.len()).rev() {
            for other in (0..new.len()).rev() {
                common[at * width + other] = if old[at] == new[other] {
                    common[(at + 1) * width + other + 1] + 1
                } else {
                    common[(at + 1) * width + other].max(common[at * width + other + 1])
                };
            }
        }
        let (mut at, mut other) = (0, 0);
        while at < old.len() && other < new.len() {
            if old[at] == new[other] {
                self.push(TextSide::Both, old[at]);
                at += 1;
                other += 1;
            } else if common[(at + 1) * width + other] >= common[at * width + other + 1] {
                self.push(TextSide::Old, old[at]);
                at += 1;
            } else {
                self.push(TextSide::New, new[other]);
                other += 1;
            }
        }
        self.all(TextSide::Old, &old[at..]);
        self.all(TextSide::New, &new[other..]);
    }

    fn done(self) -> Vec<TextPiece> {
        let shown = |piece: TextPiece| TextPiece {
            side: piece.side,
            text: shortened(visible(&piece.text), piece.side),
        };
        self.0.into_iter().map(shown).collect()
    }
}

/// Shortens a piece for display. In an unchanged piece, the middle is omitted.
fn shortened(text: String, side: TextSide) -> String {
    let count = text.chars().count();
    let ends = match side {
        TextSide::Both if count > 3 * CONTEXT => (CONTEXT, CONTEXT),
        TextSide::Old | TextSide::New if count > PIECE_MAX => (PIECE_MAX, 0),
        _ => return text,
    };
    let head: String = text.chars().take(ends.0).collect();
    let tail: String = text.chars().skip(count - ends.1).collect();
    let left_out = count - ends.0 - ends.1;
    format!("{head} … {left_out} characters … {tail}")
}

/// Splits a text into words and single other characters, in order and without gaps.
fn words(text: &str) -> Vec<&str> {
    let mut words = Vec::new();
    let mut begin = 0;
    let mut in_word = false;
    for (at, c) in text.char_indices() {
        let of_word = c.is_alphanumeric();
        if at > begin && !(in_word && of_word) {
            words.push(&text[begin..at]);
            begin = at;
        }
        in_word = of_word;
    }
    if begin < text.len() {
        words.push(&text[begin..]);
    }
    words
}

/// Checks whether a character is invisible or changes the order of other characters.
pub fn is_hidden(c: char) -> bool {
    matches!(c,
        '\0'..='\u{8}' | '\u{B}' | '\u{C}' | '\u{E}'..='\u{1F}' | '\u{7F}'..='\u{9F}'
        | '\u{AD}' | '\u{34F}' | '\u{61C}' | '\u{115F}' | '\u{1160}' | '\u{17B4}' | '\u{17B5}'
        | '\u{180B}'..='\u{180F}' | '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}'
        | '\u{2060}'..='\u{206F}' | '\u{2800}' | '\u{3164}' | '\u{FE00}'..='\u{FE0F}' | '\u{FEFF}'
        | '\u{FFA0}' | '\u{FFF0}'..='\u{FFFB}' | '\u{1BCA0}'..='\u{1BCA3}'
        | '\u{1D173}'..='\u{1D17A}' | '\u{E0000}'..='\u{E0FFF}')
}

/// Replaces invisible characters by codes such as `⟨U+200B⟩`.
pub fn visible(text: &str) -> String {
    if !text.contains(is_hidden) {
        return text.to_owned();
    }
    let mut shown = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        if is_hidden(c) {
            // Writing to a string never fails.
            let _ = write!(shown, "⟨U+{:04X}⟩", u32::from(c));
        } else {
            shown.push(c);
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn side(pieces: &[TextPiece], wanted: TextSide) -> String {
        let of = |piece: &&TextPiece| piece.side == TextSide::Both || piece.side == wanted;
        pieces
            .iter()
            .filter(of)
            .map(|piece| piece.text.as_str())
            .collect()
    }

    #[test]
    fn a_change_of_a_word_is_that_word() {
        let pieces = pieces("Reads a file.", "Reads a file, and ~/.ssh too.");
        assert_eq!(
            pieces
                .iter()
                .map(|piece| (piece.side, piece.text.as_str()))
                .collect::<Vec<_>>(),
            [
                (TextSide::Both, "Reads a file"),
                (TextSide::New, ", and ~/.ssh too"),
                (TextSide::Both, "."),
            ]
        );
    }

    #[test]
    fn a_character_that_can_not_be_seen_is_a_difference_that_can() {
        let pieces = pieces("Reads.", "Re\u{200B}ads.");
        assert!(
            side(&pieces, TextSide::New).contains("Re⟨U+200B⟩ads"),
            "{pieces:?}"
        );
    }

    #[test]
    fn long_different_texts_are_shortened() {
        let (old, new) = ("a ".repeat(40_000), "b ".repeat(40_000));
        let pieces = pieces(&old, &new);
        assert_eq!(pieces.len(), 2);
        assert!(pieces.iter().all(|piece| piece.text.len() < 40_000));
        assert!(pieces[0].text.contains("characters …"));
    }

    proptest! {
        #[test]
        fn the_pieces_of_a_side_are_its_text(old in "\\PC{0,60}[ a-c\u{200B}\n]{0,60}", new in "[ a-c\u{202E}\n]{0,60}\\PC{0,60}") {
            let pieces = pieces(&old, &new);
            prop_assert_eq!(side(&pieces, TextSide::Old), visible(&old));
            prop_assert_eq!(side(&pieces, TextSide::New), visible(&new));
            for pair in pieces.windows(2) {
                prop_assert_ne!(pair[0].side, pair[1].side);
            }
        }

        #[test]
        fn equal_texts_have_no_difference(text in "\\PC{0,100}") {
            prop_assert!(pieces(&text, &text).iter().all(|piece| piece.side == TextSide::Both));
        }

        #[test]
        fn visible_text_hides_nothing(text in any::<String>()) {
            let shown = visible(&text);
            prop_assert!(!shown.contains(is_hidden));
            prop_assert_eq!(text.contains(is_hidden), shown != text);
        }
    }
}
