//! The one way to the terminal. Texts that come from servers, files or registries may have control
//! characters, characters that can't be seen and characters that change the direction of others: these
//! are printed as `⟨U+202E⟩`, as the window shows them. In JSON they are written as `\u202e`, so that
//! the value stays what it is.

use std::fmt::Write as _;
use std::io::Write as _;

use guild_core::trust::visible;
use serde::de::IgnoredAny;

/// Prints a line. A closed stdout is not an error.
pub(crate) fn print_line(line: &str) -> bool {
    let mut out = std::io::stdout().lock();
    writeln!(out, "{}", safe(line))
        .and_then(|()| out.flush())
        .is_ok()
}

/// Prints a line of JSON, which may be long: it is read once, and only to escape it.
pub(crate) fn print_json(json: &str) -> bool {
    let mut out = std::io::stdout().lock();
    writeln!(out, "{}", escaped(json))
        .and_then(|()| out.flush())
        .is_ok()
}

/// Prints a line on stderr. A closed stderr is not an error.
pub(crate) fn tell(line: impl std::fmt::Display) {
    let _ = writeln!(std::io::stderr().lock(), "{}", safe(&line.to_string()));
}

/// The text with each character that a terminal hides or obeys written out. Lines stay lines.
pub(crate) fn harmless(text: &str) -> String {
    let lines = text.replace("\r\n", "\n");
    visible(&lines).replace('\r', "⟨U+000D⟩")
}

/// The text on one line.
pub(crate) fn one_line(text: &str) -> String {
    harmless(text).replace('\n', "↵")
}

/// The text as a part of a list: its further lines are indented, so that none passes for a line of
/// ours.
pub(crate) fn indented(text: &str, width: usize) -> String {
    harmless(text).replace('\n', &format!("↵\n{:width$}", ""))
}

/// A text as it may be written to a terminal; JSON keeps its meaning.
fn safe(text: &str) -> String {
    let shown = harmless(text);
    if shown != text && serde_json::from_str::<IgnoredAny>(text).is_ok() {
        return escaped(text);
    }
    shown
}

/// JSON whose strings have no such character as itself; outside of strings there is none.
fn escaped(json: &str) -> String {
    let mut escaped = String::with_capacity(json.len() + 16);
    let mut bytes = [0; 4];
    let is_plain = |byte: u8| matches!(byte, b' '..=b'~' | b'\n');
    let mut rest = json;
    while !rest.is_empty() {
        let plain = rest.bytes().position(|byte| !is_plain(byte));
        let (plain, after) = rest.split_at(plain.unwrap_or(rest.len()));
        escaped.push_str(plain);
        let mut others = after.chars();
        let Some(c) = others.next() else {
            break;
        };
        rest = others.as_str();
        let one = c.encode_utf8(&mut bytes);
        if c == '\r' {
            escaped.push(' ');
            continue;
        }
        if harmless(one) == *one {
            escaped.push(c);
            continue;
        }
        for unit in c.encode_utf16(&mut [0; 2]) {
            // Writing to a text does not fail.
            let _ = write!(escaped, "\\u{unit:04x}");
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    #[test]
    fn hidden_characters_are_written_out() {
        for (text, shown) in [
            ("plain: ä 查询 🔨\tand\nmore", "plain: ä 查询 🔨\tand\nmore"),
            ("npx \u{202E}gnp.exe", "npx ⟨U+202E⟩gnp.exe"),
            ("\u{1B}[2Jgone", "⟨U+001B⟩[2Jgone"),
            ("safe\rnot", "safe⟨U+000D⟩not"),
            ("of\r\nWindows", "of\nWindows"),
            (
                "a\u{200B}b\u{2066}c\u{E0041}",
                "a⟨U+200B⟩b⟨U+2066⟩c⟨U+E0041⟩",
            ),
        ] {
            assert_eq!(harmless(text), shown);
            assert_eq!(safe(text), shown);
        }
    }

    #[test]
    fn further_lines_pass_for_none_of_ours() {
        let args = "echo hi\n\nAccept this? [y/N] y";
        assert_eq!(one_line(args), "echo hi↵↵Accept this? [y/N] y");
        assert_eq!(
            indented(args, 4),
            "echo hi↵\n    ↵\n    Accept this? [y/N] y"
        );
    }

    #[test]
    fn json_keeps_its_value() {
        let value = json!({"a\u{202E}": "b\u{1B}\u{E0041}\u{FEFF}", "n": [1, "\r\n"]});
        for text in [value.to_string(), format!("{value:#}")] {
            let printed = safe(&text);
            assert!(printed.contains("\\u202e"), "{printed}");
            assert_eq!(printed, harmless(&printed), "nothing in it is hidden");
            let read: Value = serde_json::from_str(&printed).expect("JSON");
            assert_eq!(read, value);
        }
    }
}
