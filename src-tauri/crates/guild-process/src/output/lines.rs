//! Cutting a stream of bytes into lines of text, in bounded memory.

use super::LINE_BYTES_MAX;

/// What ends a line that was longer than it may be.
const MARK: &str = " … (cut: longer than 8 KiB)";

/// The line that is being read. `\n`, `\r\n` and `\r` each end a line: a progress bar that redraws
/// itself shows its last state rather than nothing.
#[derive(Debug, Default)]
pub(super) struct Lines {
    pending: Vec<u8>,
    /// The line was cut and handed out already; what follows up to its end is dropped.
    cut: bool,
    /// The last byte was `\r`: a `\n` now belongs to it.
    after_return: bool,
}

impl Lines {
    /// Takes bytes and appends the lines that they complete to `texts`.
    pub(super) fn feed(&mut self, mut bytes: &[u8], texts: &mut Vec<String>) {
        while let Some(&first) = bytes.first() {
            if std::mem::take(&mut self.after_return) && first == b'\n' {
                bytes = &bytes[1..];
                continue;
            }
            let Some(end) = memchr::memchr2(b'\n', b'\r', bytes) else {
                self.extend(bytes, texts);
                return;
            };
            self.extend(&bytes[..end], texts);
            self.after_return = bytes[end] == b'\r';
            bytes = &bytes[end + 1..];
            // A redraw often begins with `\r`, which ends no line.
            let redraw =
                self.after_return && self.pending.is_empty() && bytes.first() != Some(&b'\n');
            if !std::mem::take(&mut self.cut) && !redraw {
                texts.push(self.take());
            }
        }
    }

    /// The stream is at its end: what is left is a line too.
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
        // Bytes that are no UTF-8 grow when they are replaced.
        if text.len() > LINE_BYTES_MAX {
            return shortened(&text);
        }
        text
    }
}

fn shortened(text: &str) -> String {
    let end = text.floor_char_boundary(LINE_BYTES_MAX - MARK.len());
    format!("{}{MARK}", &text[..end])
}
