//! The last lines that a member wrote, in bounded memory (REQ-MCP-HTTP-18).

mod lines;

use std::collections::VecDeque;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use guild_core::wire::LogLine;
use tokio::io::{AsyncRead, AsyncReadExt};
use tokio::sync::watch;

pub use lines::CUT_MARK;

use lines::Lines;

/// The most lines that are kept.
pub const LINES_MAX: usize = 10_000;
/// The most bytes of text that are kept over all lines.
pub const BYTES_MAX: usize = 1024 * 1024;
/// The most bytes of text of one line; the rest of a longer one is dropped and a mark says so.
pub(crate) const LINE_BYTES_MAX: usize = 8 * 1024;
/// How much is read at a time.
const CHUNK_BYTES: usize = 16 * 1024;

/// Takes out of a line what nobody is to see, before the line is kept anywhere.
pub trait Redact: fmt::Debug + Send + Sync {
    /// The line without it.
    fn redact(&self, line: String) -> String;
}

/// What a member wrote before these lines were kept: numbers go on from there.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Past {
    /// The number of its last start.
    pub starts: u64,
    /// The number that its next line has.
    pub lines: u64,
}

/// A member's last lines, over all processes that it has had. Clones share the same lines.
#[derive(Debug, Clone)]
pub struct Output {
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    kept: Mutex<Kept>,
    /// The number that the next line will have.
    next: watch::Sender<u64>,
}

#[derive(Debug, Default)]
struct Kept {
    lines: VecDeque<LogLine>,
    bytes: usize,
    next: u64,
    /// Lines with lower numbers were never kept here.
    first: u64,
    /// The number of the last start.
    start: u64,
    /// The number of the last start whose last words count.
    speaks: u64,
    mask: Option<Arc<dyn Redact>>,
}

impl Kept {
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

impl Default for Output {
    fn default() -> Self {
        Self::new()
    }
}

impl Output {
    /// No lines yet.
    pub fn new() -> Self {
        let shared = Shared {
            kept: Mutex::default(),
            next: watch::Sender::new(0),
        };
        Self {
            shared: Arc::new(shared),
        }
    }

    /// Counts a start: what is followed from now on belongs to it, and goes through `mask`. Numbers
    /// go on from the past where that has higher ones.
    pub fn begin_start(&self, past: Past, mask: Option<Arc<dyn Redact>>) -> u64 {
        let start = self.begin_aside(past, mask);
        self.kept().speaks = start;
        start
    }

    /// The same for a program that is run beside the member's own, such as its build: it has a
    /// number, and the last words are still those of the start before.
    pub fn begin_aside(&self, past: Past, mask: Option<Arc<dyn Redact>>) -> u64 {
        let mut kept = self.kept();
        kept.start = kept.start.max(past.starts) + 1;
        if past.lines > kept.next {
            // Numbers of kept lines have no gap.
            kept.lines.clear();
            kept.bytes = 0;
            kept.next = past.lines;
            kept.first = past.lines;
        }
        kept.mask = mask;
        kept.start
    }

    /// The last `n` lines of the last start, oldest first.
    pub fn last_words(&self, n: usize) -> Vec<LogLine> {
        let kept = self.kept();
        kept.words_of(kept.speaks, n)
    }

    /// The last `n` lines of one start, oldest first.
    pub fn words_of(&self, start: u64, n: usize) -> Vec<LogLine> {
        self.kept().words_of(start, n)
    }

    /// All lines that are kept, oldest first.
    pub fn lines(&self) -> Vec<LogLine> {
        self.kept().from(0)
    }

    /// The last `n` lines, oldest first.
    pub fn last(&self, n: usize) -> Vec<LogLine> {
        let kept = self.kept();
        kept.from(kept.lines.len().saturating_sub(n))
    }

    /// The lines from number `seq` on, and how many of those are no longer kept.
    pub fn since(&self, seq: u64) -> (Vec<LogLine>, u64) {
        let kept = self.kept();
        let oldest = kept.next - kept.lines.len() as u64;
        let skipped = oldest.saturating_sub(seq.max(kept.first));
        let index = seq.saturating_sub(oldest);
        let lines = usize::try_from(index).map_or_else(|_| Vec::new(), |index| kept.from(index));
        (lines, skipped)
    }

    /// The number that the next line will have, with a wake-up for each change of it.
    pub fn changed(&self) -> watch::Receiver<u64> {
        self.shared.next.subscribe()
    }

    /// Adds lines that were read at the same moment.
    fn push(&self, texts: &mut Vec<String>, of: &Source) {
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
        // Two readers may get here in the other order than they pushed in.
        self.shared.next.send_if_modified(|known| {
            let newer = next > *known;
            *known = next.max(*known);
            newer
        });
    }

    /// Reads `source` to its end, in bounded memory, as fast as it comes: whoever writes is never
    /// held up by lines that nobody wants. An error ends it like the end of the stream.
    ///
    /// The lines belong to the start that was begun last when this was called.
    pub fn follow(self, source: impl AsyncRead + Unpin) -> impl Future<Output = ()> {
        let of = {
            let kept = self.kept();
            Source {
                start: kept.start,
                mask: kept.mask.clone(),
            }
        };
        self.read(source, of)
    }

    async fn read(self, mut source: impl AsyncRead + Unpin, of: Source) {
        let mut chunk = vec![0; CHUNK_BYTES];
        let mut lines = Lines::default();
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

    fn kept(&self) -> MutexGuard<'_, Kept> {
        // Each push leaves the lines whole enough to be shown, so a panic elsewhere spoils nothing.
        self.shared
            .kept
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

/// Where lines come from.
#[derive(Debug, Default)]
struct Source {
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
