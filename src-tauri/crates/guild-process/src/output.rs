//! Stores a member's last output lines in bounded memory (REQ-MCP-HTTP-18).

mod lines;

use std::collections::VecDeque;
use std::fmt;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use guild_api::wire::LogLine;
use parking_lot::{Mutex, MutexGuard};
use tokio::io::{AsyncRead, AsyncReadExt};
use tokio::sync::watch;

pub use lines::CUT_MARK;

use lines::LineSplitter;

/// Limit of the stored lines.
pub const LINES_MAX: usize = 10_000;
/// Limit of the text of all stored lines together, in bytes.
pub const BYTES_MAX: usize = 1024 * 1024;
/// Limit of one line, in bytes. The rest of a longer line is replaced by a mark.
pub(crate) const LINE_BYTES_MAX: usize = 8 * 1024;
/// Bytes per read.
const CHUNK_BYTES: usize = 16 * 1024;

/// Redacts a line before it is stored.
pub trait Redact: fmt::Debug + Send + Sync {
    /// Returns the line with secrets replaced.
    fn redact(&self, line: String) -> String;
}

/// The numbers of earlier starts and lines, from which the counting continues.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Past {
    /// The number of the last start.
    pub starts: u64,
    /// The number of the next line.
    pub lines: u64,
}

/// The last output lines of a member, from all its starts. Clones share the lines.
#[derive(Debug, Clone, Default)]
pub struct Output {
    shared: Arc<OutputState>,
}

#[derive(Debug, Default)]
struct OutputState {
    kept: Mutex<OutputBuffer>,
    next: watch::Sender<u64>,
}

#[derive(Debug, Default)]
struct OutputBuffer {
    lines: VecDeque<LogLine>,
    bytes: usize,
    next: u64,
    /// The lowest number of a line that this log could store. Lines with lower numbers were never
    /// in it.
    first: u64,
    /// The number of the last start.
    start: u64,
    /// The number of the start whose lines [`Output::last_words`] returns.
    speaks: u64,
    mask: Option<Arc<dyn Redact>>,
}

impl OutputBuffer {
    fn push(&mut self, at_ms: u64, start: u64, text: String) {
        self.bytes += text.len();
        self.lines.push_back(LogLine {
            seq: self.next,
            start,
            at_ms,
            text,
        });
        self.next += 1;
        while self.lines.len() > LINES_MAX || self.bytes > BYTES_MAX {
            let Some(oldest) = self.lines.pop_front() else {
                break;
            };
            self.bytes -= oldest.text.len();
        }
    }

    fn from(&self, index: usize) -> Vec<LogLine> {
        self.lines.iter().skip(index).cloned().collect()
    }

    fn words_of(&self, start: u64, n: usize) -> Vec<LogLine> {
        let of_start = self.lines.iter().rev().filter(|line| line.start == start);
        let mut words: Vec<LogLine> = of_start.take(n).cloned().collect();
        words.reverse();
        words
    }
}

impl Output {
    /// Returns an empty log.
    pub fn new() -> Self {
        Self::default()
    }

    /// Begins a start and returns its number. Streams that are followed afterwards belong to this
    /// start, and `mask` redacts their lines. The numbers of starts and lines continue from `past`,
    /// if those are higher than the current numbers.
    pub fn begin_start(&self, past: Past, mask: Option<Arc<dyn Redact>>) -> u64 {
        let start = self.begin_aside(past, mask);
        self.kept().speaks = start;
        start
    }

    /// Like [`begin_start`](Self::begin_start), for an auxiliary program such as a build.
    /// [`last_words`](Self::last_words) still returns the lines of the previous start.
    pub fn begin_aside(&self, past: Past, mask: Option<Arc<dyn Redact>>) -> u64 {
        let mut kept = self.kept();
        kept.start = kept.start.max(past.starts) + 1;
        if past.lines > kept.next {
            // The numbers of stored lines must be contiguous.
            kept.lines.clear();
            kept.bytes = 0;
            kept.next = past.lines;
            kept.first = past.lines;
        }
        kept.mask = mask;
        kept.start
    }

    /// Returns the last `n` lines of the last start that [`begin_start`](Self::begin_start) began,
    /// oldest first.
    pub fn last_words(&self, n: usize) -> Vec<LogLine> {
        let kept = self.kept();
        kept.words_of(kept.speaks, n)
    }

    /// Returns the last `n` lines of one start, oldest first.
    pub fn words_of(&self, start: u64, n: usize) -> Vec<LogLine> {
        self.kept().words_of(start, n)
    }

    /// Returns all stored lines, oldest first.
    pub fn lines(&self) -> Vec<LogLine> {
        self.kept().from(0)
    }

    /// Returns the last `n` lines of all starts, oldest first.
    pub fn last(&self, n: usize) -> Vec<LogLine> {
        let kept = self.kept();
        kept.from(kept.lines.len().saturating_sub(n))
    }

    /// Returns the stored lines from number `seq` on, and the number of lines from `seq` on that
    /// are no longer stored.
    pub fn since(&self, seq: u64) -> (Vec<LogLine>, u64) {
        let kept = self.kept();
        let oldest = kept.next - kept.lines.len() as u64;
        let skipped = oldest.saturating_sub(seq.max(kept.first));
        let index = seq.saturating_sub(oldest);
        let lines = usize::try_from(index).map_or_else(|_| Vec::new(), |index| kept.from(index));
        (lines, skipped)
    }

    /// Returns a channel with the number of the next line. The channel signals each change.
    pub fn changed(&self) -> watch::Receiver<u64> {
        self.shared.next.subscribe()
    }

    /// Adds lines that were read at the same time.
    fn push(&self, texts: &mut Vec<String>, of: &OutputSource) {
        if texts.is_empty() {
            return;
        }
        let at_ms = now_ms();
        if let Some(mask) = &of.mask {
            for text in &mut *texts {
                *text = mask.redact(std::mem::take(text));
            }
        }
        let next = {
            let mut kept = self.kept();
            for text in texts.drain(..) {
                kept.push(at_ms, of.start, text);
            }
            kept.next
        };
        // Two readers may get to this point in a different order than they pushed their lines.
        self.shared.next.send_if_modified(|known| {
            let newer = next > *known;
            *known = next.max(*known);
            newer
        });
    }

    /// Reads `source` to its end in bounded memory. Reads as fast as data arrives, so that the
    /// writer never blocks. An error counts as the end.
    ///
    /// The lines belong to the last start that began before this call.
    pub fn follow(self, source: impl AsyncRead + Unpin) -> impl Future<Output = ()> {
        let of = {
            let kept = self.kept();
            OutputSource {
                start: kept.start,
                mask: kept.mask.clone(),
            }
        };
        self.read(source, of)
    }

    async fn read(self, mut source: impl AsyncRead + Unpin, of: OutputSource) {
        let mut chunk = vec![0; CHUNK_BYTES];
        let mut lines = LineSplitter::default();
        let mut texts = Vec::new();
        loop {
            match source.read(&mut chunk).await {
                Ok(0) => break,
                Ok(length) => lines.feed(&chunk[..length], &mut texts),
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
                Err(error) => {
                    tracing::debug!(%error, "the member's output could not be read further");
                    break;
                }
            }
            self.push(&mut texts, &of);
        }
        lines.end(&mut texts);
        self.push(&mut texts, &of);
    }

    fn kept(&self) -> MutexGuard<'_, OutputBuffer> {
        // Each push leaves the data consistent, so the lock is used even if another thread panicked
        // while it held the lock.
        self.shared.kept.lock()
    }
}

/// The origin of output lines.
#[derive(Debug, Default)]
struct OutputSource {
    start: u64,
    mask: Option<Arc<dyn Redact>>,
}

fn now_ms() -> u64 {
    let since = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests;
