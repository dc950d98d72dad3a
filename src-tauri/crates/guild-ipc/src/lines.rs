//! Reads and writes length-limited lines of JSON.

use std::io;
use std::ops::ControlFlow;
use std::time::Duration;

use guild_files::messages::FileFault;
use tokio::io::{AsyncBufRead, AsyncBufReadExt, AsyncWrite, AsyncWriteExt};
use tokio::time::timeout;

/// Maximum size of a request in bytes: 8 MiB of arguments, escaped as a JSON string.
pub(super) const REQUEST_MAX: usize = 32 << 20;
/// Maximum size of an answer in bytes: a result of 64 MiB, escaped as a JSON string.
pub(super) const ANSWER_MAX: usize = 192 << 20;
/// Maximum number of bytes that are written at once.
const PART: usize = 256 * 1024;

/// Reads lines. A read is cancel-safe: after a cancellation, the next read continues where the
/// cancelled one stopped.
#[derive(Debug)]
pub(super) struct IpcLineReader<R> {
    reader: R,
    line: Vec<u8>,
    max: usize,
}

impl<R: AsyncBufRead + Unpin> IpcLineReader<R> {
    /// Limits lines to `max` bytes.
    pub(super) fn new(reader: R, max: usize) -> Self {
        Self {
            reader,
            line: Vec::new(),
            max,
        }
    }

    /// Returns the next line without its line end. `None` at the end of the input.
    ///
    /// # Errors
    /// The errors of [`IpcLineReader::read_part`].
    pub(super) async fn next(&mut self) -> io::Result<Option<Vec<u8>>> {
        loop {
            if let ControlFlow::Break(line) = self.read_part().await? {
                return Ok(line);
            }
        }
    }

    /// Waits for more bytes of the line. Returns the line once it is complete, and `None` at the
    /// end of the input.
    ///
    /// # Errors
    /// I/O errors of the connection. `InvalidData` for a line that is too long, `UnexpectedEof` for
    /// a truncated line.
    pub(super) async fn read_part(&mut self) -> io::Result<ControlFlow<Option<Vec<u8>>>> {
        let there = self.reader.fill_buf().await?;
        if there.is_empty() {
            return match self.line.is_empty() {
                true => Ok(ControlFlow::Break(None)),
                false => Err(io::ErrorKind::UnexpectedEof.into()),
            };
        }
        let end = there.iter().position(|&byte| byte == b'\n');
        let part = &there[..end.unwrap_or(there.len())];
        if self.line.len() + part.len() > self.max {
            return Err(io::Error::new(
                io::ErrorKind::InvalidData,
                FileFault::LongLine(self.max),
            ));
        }
        self.line.extend_from_slice(part);
        let taken = part.len() + usize::from(end.is_some());
        self.reader.consume(taken);
        Ok(match end {
            Some(_) => ControlFlow::Break(Some(std::mem::take(&mut self.line))),
            None => ControlFlow::Continue(()),
        })
    }
}

/// Writes a line in parts, since the peer may have stopped reading.
///
/// # Errors
/// I/O errors of the connection. `TimedOut` if a part takes longer than `limit`.
pub(super) async fn write(
    writer: &mut (impl AsyncWrite + Unpin),
    mut line: Vec<u8>,
    limit: Duration,
) -> io::Result<()> {
    line.push(b'\n');
    for part in line.chunks(PART) {
        let writing = async {
            writer.write_all(part).await?;
            writer.flush().await
        };
        timeout(limit, writing).await??;
    }
    Ok(())
}

#[cfg(test)]
mod tests {

    use guild_api::wire::control::Ask;

    use super::*;

    #[tokio::test]
    async fn dropped_read_loses_no_frame() {
        let (mut one, other) = tokio::io::duplex(8);
        let mut frames = IpcLineReader::new(tokio::io::BufReader::new(other), 100);
        one.write_all(b"{\"a\"").await.expect("written");
        let dropped = tokio::time::timeout(std::time::Duration::from_millis(20), frames.next());
        assert!(dropped.await.is_err(), "half a line is dropped");
        let writing = tokio::spawn(async move {
            one.write_all(b":1}\n{}\n").await.expect("written");
        });
        assert_eq!(
            frames.next().await.expect("read"),
            Some(b"{\"a\":1}".to_vec())
        );
        assert_eq!(frames.next().await.expect("read"), Some(b"{}".to_vec()));
        writing.await.expect("no panic");
        assert_eq!(frames.next().await.expect("the end"), None);
    }

    #[tokio::test]
    async fn a_line_that_is_too_long_or_breaks_off_is_an_error() {
        let mut long = IpcLineReader::new(&b"0123456789\n"[..], 9);
        let error = long.next().await.expect_err("too long");
        assert_eq!(error.kind(), io::ErrorKind::InvalidData);
        assert_eq!(error.to_string(), "a line is longer than 9 bytes");
        let mut fits = IpcLineReader::new(&b"012345678\n"[..], 9);
        assert_eq!(fits.next().await.expect("read").expect("a line").len(), 9);
        let mut broken = IpcLineReader::new(&b"{\"a\""[..], 9);
        let error = broken.next().await.expect_err("broken off");
        assert_eq!(error.kind(), io::ErrorKind::UnexpectedEof);
    }

    #[test]
    fn mangled_frames_end_and_hold_no_more_than_they_may() {
        const MAX: usize = 1_000;
        let runtime = tokio::runtime::Builder::new_current_thread().build();
        let runtime = runtime.expect("a runtime");
        guild_tests::mangled::each("control-frames", |bytes| {
            runtime.block_on(async {
                // A small buffer splits lines into pieces.
                let reader = tokio::io::BufReader::with_capacity(7, bytes);
                let mut frames = IpcLineReader::new(reader, MAX);
                let mut read = 0;
                while let Ok(Some(line)) = frames.next().await {
                    assert!(line.len() <= MAX && !line.contains(&b'\n'));
                    read += line.len() + 1;
                    let _ = serde_json::from_slice::<Ask<serde_json::Value>>(&line);
                }
                assert!(read <= bytes.len() && frames.line.len() <= MAX);
            });
        });
    }
}
