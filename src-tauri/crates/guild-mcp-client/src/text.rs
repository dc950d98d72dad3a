//! Bounds texts from servers before further use.

use guild_model::messages::io_message;
use std::error::Error;

/// The longest excerpt of an answer that is shown in an error, in characters.
const EXCERPT_MAX: usize = 500;

/// The text cut to `max` characters, with an ellipsis where something was cut off.
pub(crate) fn cut_chars(text: &str, max: usize) -> String {
    match text.char_indices().nth(max) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// The text cut to `max` bytes at the most, at a character's border.
pub(crate) fn cut_bytes(text: &str, max: usize) -> String {
    text[..text.floor_char_boundary(max)].to_owned()
}

/// The beginning of an answer, for an error's text: one line, no control characters.
pub(crate) fn excerpt(bytes: &[u8]) -> String {
    // A character has at most four bytes, and one more shows that something was cut off.
    let head = &bytes[..bytes.len().min(4 * (EXCERPT_MAX + 1))];
    let text: String = String::from_utf8_lossy(head)
        .trim()
        .chars()
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect();
    cut_chars(&text, EXCERPT_MAX)
}

/// An error with all its causes, as one line; libraries keep the useful part in the last one.
pub(crate) fn causes(error: &(dyn Error + 'static)) -> String {
    let mut text = of_error(error);
    let mut source = error.source();
    while let Some(cause) = source {
        let cause_text = of_error(cause);
        if !text.contains(&cause_text) {
            text.push_str(": ");
            text.push_str(&cause_text);
        }
        source = cause.source();
    }
    cut_chars(&text, EXCERPT_MAX)
}

/// The text of an error, which names the limit of open files where that is reached.
fn of_error(error: &(dyn Error + 'static)) -> String {
    match error.downcast_ref::<std::io::Error>() {
        Some(error) => io_message(error),
        None => error.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_cut_at_a_characters_border() {
        assert_eq!(cut_chars("äöü", 3), "äöü");
        assert_eq!(cut_chars("äöü", 2), "äö…");
        assert_eq!(cut_bytes("äöü", 3), "ä");
        assert_eq!(cut_bytes("abc", 9), "abc");
    }

    #[cfg(unix)]
    #[test]
    fn causes_name_the_limit_of_open_files() {
        let refused = std::io::Error::from_raw_os_error(24);
        let wrapped = std::io::Error::other(McpFault(refused));
        assert!(
            causes(&wrapped).contains("ulimit -n"),
            "{}",
            causes(&wrapped)
        );
        let refused = std::io::Error::from_raw_os_error(24);
        assert!(causes(&refused).contains("ulimit -n"));
    }

    /// An error with a cause.
    #[derive(Debug, thiserror::Error)]
    #[error("no connection")]
    struct McpFault(#[source] std::io::Error);

    #[test]
    fn an_excerpt_is_one_line_of_bounded_length() {
        assert_eq!(excerpt(b" <html>\n\x1b[0m\xff "), "<html>  [0m\u{fffd}");
        assert_eq!(
            excerpt(&vec![b'x'; 1 << 20]).chars().count(),
            EXCERPT_MAX + 1
        );
    }
}
