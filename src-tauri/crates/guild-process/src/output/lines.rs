//! Cutting a stream of bytes into lines of text, in bounded memory.

use super::LINE_BYTES_MAX;

/// What ends a line that was longer than it may be.
pub const CUT_MARK: &str = " … (cut: longer than 8 KiB)";

/// The line that is being read. `\n`, `\r\n` and `\r` each end a line: a progress bar that redraws
/// itself shows its last state rather than nothing.
#[derive(Debug, Default)]
pub(super) struct Lines {
    pending: Vec<u8>,
    /// The line was cut and handed out already; what follows up to its end is dropped.
    cut: bool,
    /// What the last byte did, if it was `\r`; a `\n` now belongs to it.
    after_return: Option<Return>,
}

#[derive(Debug, PartialEq, Eq)]
enum Return {
    EndedALine,
    /// There was no line to end: a redraw often begins with one.
    DidNothing,
}

impl Lines {
    /// Takes bytes and appends the lines that they complete to `texts`.
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
    let end = text.floor_char_boundary(LINE_BYTES_MAX - CUT_MARK.len());
    format!("{}{CUT_MARK}", &text[..end])
}
