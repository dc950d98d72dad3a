//! Supplies bytes in small pieces, for tests of readers.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};

use tokio::io::{AsyncRead, ReadBuf};

/// A reader that supplies its bytes in small pieces.
#[derive(Debug)]
pub(crate) struct Drips<'a> {
    left: &'a [u8],
    each: usize,
}

impl<'a> Drips<'a> {
    /// Creates a reader that supplies at most `each` bytes at a time.
    pub(crate) fn new(bytes: &'a [u8], each: usize) -> Self {
        Self { left: bytes, each }
    }
}

impl AsyncRead for Drips<'_> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
        into: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let length = self.left.len().min(self.each).min(into.remaining());
        let (drip, left) = self.left.split_at(length);
        into.put_slice(drip);
        self.left = left;
        Poll::Ready(Ok(()))
    }
}

/// Returns the lines in `bytes` that are not empty, trimmed.
pub(crate) fn lines_of(bytes: &[u8]) -> Vec<Vec<u8>> {
    let lines = bytes.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii);
    let lines = lines.filter(|line| !line.is_empty());
    lines.map(<[u8]>::to_vec).collect()
}
