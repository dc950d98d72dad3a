//! Splits a byte stream into lines of text, in bounded memory.

use super::LINE_BYTES_MAX;

/// The mark at the end of a truncated line.
pub const CUT_MARK: &str = " … (cut: longer than 8 KiB)";

/// Splits bytes into lines. `\n`, `\r\n` and `\r` each end a line, so that each state of a redrawn
/// progress bar becomes a line.
#[derive(Debug, Default)]
pub(super) struct LineSplitter {
    pending: Vec<u8>,
    /// Whether the current line was truncated and emitted. Its remaining bytes are then dropped.
    cut: bool,
    /// The effect of the last byte, if that byte was `\r`. A `\n` directly after it belongs to the
    /// same line end.
    after_return: Option<Return>,
}

#[derive(Debug, PartialEq, Eq)]
enum Return {
    EndedALine,
    /// The line was empty, so nothing was emitted. A redraw often begins with `\r`.
    DidNothing,
}

impl LineSplitter {
    /// Reads bytes and appends the completed lines to `texts`.
    pub(super) fn feed(&mut self, mut bytes: &[u8], texts: &mut Vec<String>) {
        while let Some(&first) = bytes.first() {
            if let Some(did) = self.after_return.take()
                && first == b'\n'
            {
                if did == Return::DidNothing {
                    texts.push(String::new());
                }
                bytes = &bytes[1..];
                continue;
            }
            let Some(end) = memchr::memchr2(b'\n', b'\r', bytes) else {
                self.extend(bytes, texts);
                return;
            };
            self.extend(&bytes[..end], texts);
            let has_line = bytes[end] == b'\n' || !self.pending.is_empty();
            let was_cut = std::mem::take(&mut self.cut);
            if bytes[end] == b'\r' {
                let ended = has_line || was_cut;
                self.after_return = Some(if ended {
                    Return::EndedALine
                } else {
                    Return::DidNothing
                });
            }
            if has_line && !was_cut {
                texts.push(self.take());
            }
            bytes = &bytes[end + 1..];
        }
    }

    /// Ends the stream, and emits the last line if it is not empty.
    pub(super) fn end(&mut self, texts: &mut Vec<String>) {
        if !self.pending.is_empty() {
            texts.push(self.take());
        }
    }

    fn extend(&mut self, bytes: &[u8], texts: &mut Vec<String>) {
        if self.cut {
            return;
        }
        let room = LINE_BYTES_MAX - self.pending.len();
        if bytes.len() <= room {
            self.pending.extend_from_slice(bytes);
            return;
        }
        self.pending.extend_from_slice(&bytes[..room]);
        let line = std::mem::take(&mut self.pending);
        texts.push(shortened(&String::from_utf8_lossy(&line)));
        self.cut = true;
    }

    fn take(&mut self) -> String {
        let text = String::from_utf8_lossy(&self.pending).into_owned();
        self.pending.clear();
        // The replacement of invalid UTF-8 can lengthen a line.
        if text.len() > LINE_BYTES_MAX {
            return shortened(&text);
        }
        text
    }
}

fn shortened(text: &str) -> String {
    let end = text.floor_char_boundary(LINE_BYTES_MAX - CUT_MARK.len());
    format!("{}{CUT_MARK}", &text[..end])
}
