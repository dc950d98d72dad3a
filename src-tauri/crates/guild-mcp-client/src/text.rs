//! Cuts text from servers to a limit before it is used.

use guild_model::messages::io_message;
use std::error::Error;

/// Limit of an excerpt in an error, in characters.
const EXCERPT_MAX: usize = 500;

/// Cuts a string to `max` characters. An ellipsis marks the cut.
pub(crate) fn cut_chars(text: &str, max: usize) -> String {
    match text.char_indices().nth(max) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// Cuts a string to at most `max` bytes, at a character boundary.
pub(crate) fn cut_bytes(text: &str, max: usize) -> String {
    text[..text.floor_char_boundary(max)].to_owned()
}

/// Returns the beginning of an answer for an error message, on one line and without control
/// characters.
pub(crate) fn excerpt(bytes: &[u8]) -> String {
    // A character has at most four bytes. One character more than the limit is read, so that a cut
    // is noticed.
    let head = &bytes[..bytes.len().min(4 * (EXCERPT_MAX + 1))];
    let text: String = String::from_utf8_lossy(head)
        .trim()
        .chars()
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect();
    cut_chars(&text, EXCERPT_MAX)
}

/// Returns an error's text with the texts of all its causes, on one line. The last cause is often
/// the most useful one.
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

/// Returns an error's text. If the limit of open files was reached, the text says so.
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
