//! The file format of a stderr line: `2026-01-31T12:00:00.000Z 3 1042 text`. The fields are the
//! time, the number of the member's start, the line's number, and the text.
//!
//! Colors and cursor movements are removed, and other control characters are written as `^G`, so
//! that a log can't control the terminal that displays it.

use std::fmt::Write;
use std::time::{Duration, UNIX_EPOCH};

use guild_api::wire::{LogFilter, LogLine};

/// Upper limit of start and line numbers. No member reaches it, so counting never overflows.
pub(super) const NUMBER_END: u64 = 1 << 52;

/// Appends a line with its line end.
pub(super) fn write(line: &LogLine, to: &mut String) {
    let _ = write!(to, "{} {} {} ", time(line.at_ms), line.start, line.seq);
    plain_into(&line.text, to);
    to.push('\n');
}

/// Appends a remark by Guild Hall, which is not a line of the member.
pub(super) fn write_remark(at_ms: u64, text: &str, to: &mut String) {
    let _ = writeln!(to, "{} - - ({text})", time(at_ms));
}

fn time(at_ms: u64) -> impl std::fmt::Display {
    // The end of the year 9999, the last formattable time.
    let at_ms = at_ms.min(253_402_300_799_999);
    humantime::format_rfc3339_millis(UNIX_EPOCH + Duration::from_millis(at_ms))
}

/// Parses a line of a file. `None` for a remark, a truncated line or foreign content.
pub(super) fn read(line: &[u8]) -> Option<LogLine> {
    let line = std::str::from_utf8(line).ok()?;
    let mut parts = line.splitn(4, ' ');
    let at = humantime::parse_rfc3339(parts.next()?).ok()?;
    let start = number(parts.next()?)?;
    let seq = number(parts.next()?)?;
    let at_ms = at.duration_since(UNIX_EPOCH).ok()?.as_millis();
    Some(LogLine {
        seq,
        start,
        at_ms: u64::try_from(at_ms).ok()?,
        text: parts.next()?.to_owned(),
    })
}

fn number(text: &str) -> Option<u64> {
    text.parse().ok().filter(|&number| number < NUMBER_END)
}

/// A [`LogFilter`] that is prepared for matching many lines.
pub(super) struct LogLineMatcher {
    contains: String,
    pub(super) start: Option<u64>,
}

impl LogLineMatcher {
    pub(super) fn new(filter: &LogFilter) -> Self {
        Self {
            contains: filter.contains.to_lowercase(),
            start: filter.start,
        }
    }

    pub(super) fn fits(&self, line: &LogLine) -> bool {
        self.start.is_none_or(|start| start == line.start)
            && (self.contains.is_empty()
                || plain(&line.text).to_lowercase().contains(&self.contains))
    }
}

/// Removes terminal control sequences, and writes other control characters as `^G`.
pub fn plain(text: &str) -> std::borrow::Cow<'_, str> {
    if !text.contains(|c: char| c.is_control() && c != '\t') {
        return text.into();
    }
    let mut out = String::with_capacity(text.len());
    plain_into(text, &mut out);
    out.into()
}

fn plain_into(text: &str, out: &mut String) {
    let mut rest = text;
    while let Some(at) = rest.find(|c: char| c.is_control() && c != '\t') {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        if let Some(length) = terminal_code(rest) {
            rest = &rest[length..];
            continue;
        }
        let mut chars = rest.chars();
        match chars.next() {
            Some(control @ '\0'..='\x7f') => {
                out.push('^');
                out.push(char::from(control as u8 ^ 0x40));
            }
            // C1 control characters, which terminals interpret too.
            _ => out.push(char::REPLACEMENT_CHARACTER),
        }
        rest = chars.as_str();
    }
    out.push_str(rest);
}

/// Returns the length of the escape sequence at the start of the text.
fn terminal_code(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let after = match (bytes, text.chars().next()) {
        ([0x1b, ..], _) => 1,
        // CSI (control sequence introducer) as one character.
        (_, Some('\u{9b}')) => return control_sequence(bytes, '\u{9b}'.len_utf8()),
        _ => return None,
    };
    match bytes.get(after)? {
        b'[' => control_sequence(bytes, after + 1),
        // A string sequence up to BEL or ESC, such as a window title or a link.
        b']' | b'P' | b'^' | b'_' | b'X' => {
            let body = &bytes[after + 1..];
            let end = body.iter().position(|&byte| byte == 0x07 || byte == 0x1b);
            Some(match end {
                None => bytes.len(),
                Some(end) if body[end..].starts_with(b"\x1b\\") => after + 1 + end + 2,
                Some(end) if body[end] == 0x07 => after + 1 + end + 1,
                Some(end) => after + 1 + end,
            })
        }
        _ => {
            let between = bytes[after..]
                .iter()
                .take_while(|b| matches!(b, b' '..=b'/'));
            let last = after + between.count();
            matches!(bytes.get(last)?, b'0'..=b'~').then_some(last + 1)
        }
    }
}

fn control_sequence(bytes: &[u8], from: usize) -> Option<usize> {
    let parameters = bytes[from..]
        .iter()
        .take_while(|b| matches!(b, b'0'..=b'?'));
    let between = from + parameters.count();
    let intermediate = bytes[between..]
        .iter()
        .take_while(|b| matches!(b, b' '..=b'/'));
    let last = between + intermediate.count();
    matches!(bytes.get(last)?, b'@'..=b'~').then_some(last + 1)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn line(text: &str) -> LogLine {
        LogLine {
            seq: 1_042,
            start: 3,
            at_ms: 1_800_000_000_123,
            text: text.into(),
        }
    }

    #[test]
    fn a_line_is_read_as_it_was_written() {
        let mut written = String::new();
        write(&line("two  words "), &mut written);
        assert_eq!(written, "2027-01-15T08:00:00.123Z 3 1042 two  words \n");
        let read = read(written.trim_end_matches('\n').as_bytes());
        assert_eq!(read, Some(line("two  words ")));
    }

    #[test]
    fn invalid_log_line_is_none() {
        let mut remark = String::new();
        write_remark(0, "7 lines came too fast", &mut remark);
        for other in [
            remark.trim_end(),
            "",
            "cut off",
            "2027-01-15T08:00:00.123Z 3",
        ] {
            assert_eq!(read(other.as_bytes()), None, "{other:?}");
        }
    }

    #[test]
    fn a_terminal_is_not_driven() {
        for (text, shown) in [
            (
                "\u{1b}[1;31mred\u{1b}[0m \u{1b}]0;title\u{7}plain\u{1b}[2K",
                "red plain",
            ),
            ("a\u{7}b\0c\td\u{7f}", "a^Gb^@c\td^?"),
            ("\u{1b}]8;;http://x\u{1b}\\link", "link"),
            ("\u{9b}31mred", "red"),
            ("cut \u{1b}[31", "cut ^[[31"),
            ("\u{1b}(Bx", "x"),
        ] {
            assert_eq!(plain(text), shown, "{text:?}");
        }
    }

    #[test]
    fn a_search_sees_what_a_reader_sees() {
        let wanted = LogLineMatcher::new(&LogFilter {
            contains: "Red Line".into(),
            start: Some(3),
        });
        assert!(wanted.fits(&line("a \u{1b}[31mred\u{1b}[0m line")));
        assert!(!wanted.fits(&line("a blue line")));
        let elsewhere = LogLine {
            start: 2,
            ..line("red line")
        };
        assert!(!wanted.fits(&elsewhere), "another start's");
    }

    proptest! {
        /// Any text of a member stays one line without controls, and can be parsed again.
        #[test]
        fn any_text_stays_one_line(text in "[^\n\r]*") {
            let mut written = String::new();
            write(&line(&text), &mut written);
            let body = written.strip_suffix('\n').expect("a line end");
            prop_assert!(!body.contains(|c: char| c.is_control() && c != '\t'));
            let back = read(body.as_bytes()).expect("a line");
            prop_assert_eq!(back.text, plain(&text));
        }
    }
}
