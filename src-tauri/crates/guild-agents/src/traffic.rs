//! Keeps agents' requests in memory, for a person to watch.
//!
//! The newest exchanges are kept. Their secrets are masked before a person can see them. At high
//! rates some exchanges are dropped, which leaves gaps in the sequence numbers.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use guild_api::wire::{Exchange, Traffic};
use guild_gateway::{GatewayRequestContext, TrafficExchange};
use guild_model::endpoint::Endpoint;
use parking_lot::Mutex;
use tokio::sync::Notify;

use guild_files::clock::now_ms;
use guild_supervisor::calls::TokenBucket;

/// Maximum number of exchanges that are kept.
const KEPT: usize = 500;
/// Maximum number of exchanges that wait for masking. The rate limit prevents reaching it.
const WAITING_MAX: usize = 1_000;
/// Maximum rate of exchanges that are kept, per second, and maximum size of a burst.
const PACE: (u32, u32) = (100, 500);
/// How long exchanges are collected before they are published.
const BATCH: Duration = Duration::from_millis(200);
/// Maximum size of parameters that are masked, in bytes. For longer parameters only the size is
/// shown.
const PARAMS_MAX: usize = 64 << 10;
/// Maximum length of a name for which masking looks up a tool, in bytes.
const SUBJECT_MAX: usize = 1 << 10;
/// Maximum size of an answer that waits for masking, in bytes. Longer answers are cut.
const ANSWER_WAITING: usize = 8 << 10;

/// An exchange before masking.
#[derive(Debug)]
pub(super) struct RawExchange {
    pub(super) exchange: Exchange,
    /// The name from `clientInfo`.
    pub(super) calls_itself: Arc<str>,
    pub(super) subject: Option<String>,
    pub(super) params: String,
    pub(super) answer: String,
}

#[derive(Debug)]
pub(super) struct TrafficLog {
    seen: AtomicU64,
    pace: TokenBucket,
    kept: Mutex<TrafficBuffer>,
    more: Notify,
}

#[derive(Debug, Default)]
struct TrafficBuffer {
    shown: VecDeque<Exchange>,
    waiting: Vec<RawExchange>,
}

impl TrafficLog {
    pub(super) fn new() -> Arc<Self> {
        Arc::new(Self {
            seen: AtomicU64::new(0),
            pace: TokenBucket::new(PACE.0, PACE.1),
            kept: Mutex::default(),
            more: Notify::new(),
        })
    }

    /// Returns the newest exchanges in chronological order.
    pub(super) fn newest(&self) -> Traffic {
        Traffic {
            exchanges: self.kept.lock().shown.iter().cloned().collect(),
        }
    }

    /// Records an exchange. Never waits.
    pub(super) fn note(&self, context: &GatewayRequestContext, seen: &TrafficExchange<'_>) {
        let seq = self.seen.fetch_add(1, Ordering::Relaxed);
        if !self.pace.take(Instant::now()) {
            return;
        }
        let params = seen.params.unwrap_or_default();
        let answer = seen.answer.unwrap_or_else(|error| error);
        let duration_us = u64::try_from(seen.duration.as_micros()).unwrap_or(u64::MAX);
        let exchange = Exchange {
            seq,
            at_ms: now_ms().saturating_sub(duration_us / 1_000),
            client: name_of(context).to_owned(),
            endpoint: context.endpoint.clone(),
            method: seen.method.chars().take(80).collect(),
            member: match &context.endpoint {
                Endpoint::Member { member } => Some(member.clone()),
                Endpoint::All | Endpoint::Profile { .. } => None,
            },
            tool: seen
                .subject
                .map(|subject| subject.chars().take(300).collect()),
            duration_us,
            request_bytes: seen.request_bytes,
            response_bytes: answer.len(),
            error: seen
                .answer
                .err()
                .map(|error| error.chars().take(300).collect()),
            dropped: vec![],
            request: String::new(),
            response: String::new(),
        };
        let raw = RawExchange {
            exchange,
            calls_itself: Arc::clone(&context.calls_itself),
            // A longer string can't be the name of a tool.
            subject: seen
                .subject
                .filter(|subject| subject.len() <= SUBJECT_MAX)
                .map(str::to_owned),
            params: if params.len() > PARAMS_MAX {
                format!("({} bytes)", params.len())
            } else {
                params.to_owned()
            },
            answer: answer[..answer.floor_char_boundary(ANSWER_WAITING)].to_owned(),
        };
        let mut kept = self.kept.lock();
        if kept.waiting.len() < WAITING_MAX {
            kept.waiting.push(raw);
            drop(kept);
            self.more.notify_one();
        }
    }

    /// Waits for exchanges. Returns those since the last call, after a short delay in which more
    /// are collected.
    pub(super) async fn batch(&self) -> Vec<RawExchange> {
        loop {
            self.more.notified().await;
            tokio::time::sleep(BATCH).await;
            let waiting = std::mem::take(&mut self.kept.lock().waiting);
            if !waiting.is_empty() {
                return waiting;
            }
        }
    }

    pub(super) fn keep(&self, exchanges: &[Exchange]) {
        let mut kept = self.kept.lock();
        kept.shown.extend(exchanges.iter().cloned());
        let surplus = kept.shown.len().saturating_sub(KEPT);
        kept.shown.drain(..surplus);
    }
}

/// Returns the client's name for display.
pub(super) fn name_of(context: &GatewayRequestContext) -> &str {
    let names = [&*context.client.name, &*context.calls_itself, "an agent"];
    names
        .into_iter()
        .find(|name| !name.is_empty())
        .unwrap_or_default()
}
