//! The output of a server as searchable text.

use guild_model::discovery::WRITTEN_MAX;

/// The start of a stream, without terminal escapes.
#[derive(Debug)]
pub(super) struct OutputText {
    whole: String,
    /// The text without protocol messages, since a name in a message may be the server's, not a
    /// tool's.
    unspoken: String,
}

impl OutputText {
    pub(super) fn of(bytes: &[u8]) -> Self {
        let bytes = &bytes[..bytes.len().min(WRITTEN_MAX)];
        let whole = without_escapes(&String::from_utf8_lossy(bytes));
        let unspoken: Vec<&str> = whole.lines().filter(|line| !is_message(line)).collect();
        let unspoken = unspoken.join("\n");
        Self { whole, unspoken }
    }

    pub(super) fn whole(&self) -> &str {
        &self.whole
    }

    /// Returns the lines that are not protocol messages.
    pub(super) fn unspoken(&self) -> &str {
        &self.unspoken
    }
}

/// Checks whether a line is a JSON-RPC message, or the start of a truncated message.
fn is_message(line: &str) -> bool {
    let line = line.trim_start();
    line.starts_with(['{', '[']) && line.contains("\"jsonrpc\"")
}

/// Removes terminal color sequences, so that a colored word is a plain word.
fn without_escapes(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\u{1b}') {
        plain.push_str(&rest[..at]);
        rest = &rest[at + 1..];
        rest = match rest.strip_prefix('[') {
            // A CSI sequence: ESC, `[`, parameters and a final letter.
            Some(sequence) => {
                let end = sequence.find(|c: char| !matches!(c, '0'..='9' | ';' | ':' | '?'));
                let end = end.unwrap_or(sequence.len());
                let letter = sequence[end..].chars().next();
                &sequence[end + letter.map_or(0, char::len_utf8)..]
            }
            None => rest,
        };
    }
    plain.push_str(rest);
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_are_no_part_of_a_word() {
        let text = OutputText::of(b"\x1b[1;32mread_file\x1b[0m and \x1b]0;title\x07 \x1b[");
        assert_eq!(text.whole(), "read_file and ]0;title\x07 ");
    }

    #[test]
    fn messages_of_the_protocol_are_set_apart() {
        let text = OutputText::of(b"hello\n {\"jsonrpc\":\"2.0\",\"id\":1,\"error\":\nbye");
        assert_eq!(text.unspoken(), "hello\nbye");
        assert!(text.whole().contains("jsonrpc"));
    }
}
