//! Reads and writes messages as lines.

use bytes::Bytes;
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncWrite, AsyncWriteExt, BufReader};
use tokio::sync::mpsc;

use super::LINE_MAX;

/// A line of the program.
pub(super) enum BridgeLine {
    /// A line without its line end.
    Whole(Bytes),
    /// An oversized line, which was skipped.
    TooLong,
}

/// Reads lines. Cancel-safe.
pub(super) struct BridgeLineReader<R> {
    input: BufReader<R>,
    line: Vec<u8>,
    too_long: bool,
}

impl<R: AsyncRead + Unpin> BridgeLineReader<R> {
    pub(super) fn new(input: R) -> Self {
        Self {
            input: BufReader::with_capacity(64 << 10, input),
            line: Vec::new(),
            too_long: false,
        }
    }

    /// Returns the next non-empty line. `None` at the end of the input.
    pub(super) async fn next(&mut self) -> Option<BridgeLine> {
        loop {
            let read = self.input.fill_buf().await.unwrap_or_default();
            let (length, ended) = match memchr::memchr(b'\n', read) {
                Some(at) => (at + 1, true),
                None => (read.len(), read.is_empty()),
            };
            let at_end = read.is_empty();
            if self.line.len() + length > LINE_MAX {
                self.too_long = true;
                self.line = Vec::new();
            }
            if !self.too_long {
                self.line.extend_from_slice(&read[..length]);
            }
            self.input.consume(length);
            if !ended {
                continue;
            }
            let line = std::mem::take(&mut self.line);
            if std::mem::take(&mut self.too_long) {
                return Some(BridgeLine::TooLong);
            }
            let line = Bytes::from(line);
            let line = line.slice_ref(line.trim_ascii());
            if !line.is_empty() {
                return Some(BridgeLine::Whole(line));
            }
            if at_end {
                return None;
            }
        }
    }
}

/// Writes messages, one per line, until the queue ends or the output is closed.
pub(super) async fn write_lines(
    mut output: impl AsyncWrite + Unpin,
    mut queue: mpsc::Receiver<String>,
) {
    while let Some(message) = queue.recv().await {
        let mut line = message.into_bytes();
        for byte in &mut line {
            // A line end between tokens is white space. It can't occur inside a string.
            if matches!(byte, b'\n' | b'\r') {
                *byte = b' ';
            }
        }
        line.push(b'\n');
        let written = async {
            output.write_all(&line).await?;
            output.flush().await
        };
        if written.await.is_err() {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lines::dripping::{Drips, lines_of};

    #[test]
    fn mangled_lines_come_one_by_one_and_go_out_as_lines() {
        let runtime = tokio::runtime::Builder::new_current_thread().build();
        let runtime = runtime.expect("a runtime");
        guild_tests::mangled::each("stdio-lines", |bytes| {
            let expected = lines_of(bytes);
            for size in [7, usize::MAX] {
                let mut reader = BridgeLineReader::new(Drips::new(bytes, size));
                let mut lines = Vec::new();
                runtime.block_on(async {
                    while let Some(line) = reader.next().await {
                        let BridgeLine::Whole(line) = line else {
                            panic!("none is too long");
                        };
                        lines.push(line.to_vec());
                    }
                });
                assert_eq!(lines, expected);
            }
            // As one message, with any line ends.
            let message = String::from_utf8_lossy(bytes).into_owned();
            let mut written = Vec::new();
            runtime.block_on(async {
                let (sender, queue) = mpsc::channel(1);
                sender.send(message.clone()).await.expect("it is taken");
                drop(sender);
                write_lines(&mut written, queue).await;
            });
            assert_eq!(written.len(), message.len() + 1);
            let ends = |byte: &u8| matches!(byte, b'\n' | b'\r');
            assert_eq!(written.iter().position(ends), Some(message.len()));
        });
    }
}
