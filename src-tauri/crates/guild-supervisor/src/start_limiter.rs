//! Limits how many members start at once, so that a large roster does not start hundreds of
//! processes in the same second.
//!
//! A start takes a permit before it creates its process. The start of a container takes the permit
//! once the image is present. A start releases the permit when the member is up or has failed, and
//! after [`HELD_MAX`] at the latest: a longer start may wait for the network, or hang. Members
//! start in the order of their requests. Called and visible members start without a permit if none
//! is free. A start that is retried after a timeout takes all permits, so that no other start runs
//! during its first seconds.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use guild_model::MemberName;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use tokio::time::sleep;
use tokio_util::task::AbortOnDropHandle;

/// Maximum number of starts that hold a permit at the same time.
const PERMITS: u32 = 32;
/// Maximum time that a start holds its permit.
const HELD_MAX: Duration = Duration::from_secs(3);
/// Maximum number of members that count as visible.
const VIEW_MAX: usize = 64;

/// The start permits, which all members share.
#[derive(Debug)]
pub struct StartLimiter {
    permits: Arc<Semaphore>,
    /// The members that the window shows.
    view: watch::Sender<Vec<MemberName>>,
    unfinished: Arc<AtomicUsize>,
}

/// A start that has begun. It counts as unfinished until it is dropped.
#[derive(Debug)]
pub struct StartPermit {
    unfinished: Arc<AtomicUsize>,
    _permit: Option<AbortOnDropHandle<()>>,
}

impl Default for StartLimiter {
    fn default() -> Self {
        Self {
            permits: Arc::new(Semaphore::new(PERMITS as usize)),
            view: watch::Sender::default(),
            unfinished: Arc::default(),
        }
    }
}

impl StartLimiter {
    /// Begins a start if a permit is free. With `alone`, the start takes all permits.
    pub(crate) fn try_begin(&self, alone: bool) -> Option<StartPermit> {
        let permits = Arc::clone(&self.permits);
        let permit = permits.try_acquire_many_owned(wanted(alone)).ok()?;
        Some(self.started(Some(permit)))
    }

    /// Begins a start when a permit is free, or when its member becomes visible. With `alone`,
    /// waits for all permits, even if the member is visible.
    pub async fn begin(&self, member: &MemberName, alone: bool) -> StartPermit {
        let mut view = self.view.subscribe();
        let seen = async {
            let seen = view.wait_for(|view| view.contains(member)).await;
            seen.is_ok()
        };
        let permit = tokio::select! {
            permit = Arc::clone(&self.permits).acquire_many_owned(wanted(alone)) => permit.ok(),
            true = seen, if !alone => None,
        };
        self.started(permit)
    }

    /// Begins the start of a called member at once, with a permit if one is free.
    pub(crate) fn begin_now(&self) -> StartPermit {
        self.try_begin(false).unwrap_or_else(|| self.started(None))
    }

    /// Returns the number of starts that have begun and are unfinished.
    pub fn unfinished(&self) -> usize {
        self.unfinished.load(Ordering::Relaxed)
    }

    /// Sets the members that the window shows, the most important first.
    pub fn report_visible_members(&self, mut members: Vec<MemberName>) {
        members.truncate(VIEW_MAX);
        self.view.send_replace(members);
    }

    fn started(&self, permit: Option<OwnedSemaphorePermit>) -> StartPermit {
        self.unfinished.fetch_add(1, Ordering::Relaxed);
        let held = |permit| async move {
            sleep(HELD_MAX).await;
            drop(permit);
        };
        StartPermit {
            unfinished: Arc::clone(&self.unfinished),
            _permit: permit.map(|permit| AbortOnDropHandle::new(tokio::spawn(held(permit)))),
        }
    }
}

/// Returns the number of permits that a start takes.
fn wanted(alone: bool) -> u32 {
    if alone { PERMITS } else { 1 }
}

impl Drop for StartPermit {
    fn drop(&mut self) {
        self.unfinished.fetch_sub(1, Ordering::Relaxed);
    }
}

#[cfg(test)]
#[allow(clippy::expect_used, reason = "a test fails by panicking")]
mod tests {
    use futures::FutureExt as _;
    use tokio::time::Instant;

    use super::*;

    fn name(text: &str) -> MemberName {
        MemberName::parse(text).expect("a name")
    }

    /// Creates a limiter without a free permit. Also returns the permits that are taken.
    fn full() -> (StartLimiter, Vec<StartPermit>) {
        let limiter = StartLimiter::default();
        let starts: Vec<_> = std::iter::from_fn(|| limiter.try_begin(false)).collect();
        assert_eq!(starts.len(), PERMITS as usize);
        (limiter, starts)
    }

    #[tokio::test(start_paused = true)]
    async fn waiting_start_begins_when_another_ends() {
        let (limiter, mut starts) = full();
        let forge = name("forge");
        let mut waiting = Box::pin(limiter.begin(&forge, false));
        assert!(waiting.as_mut().now_or_never().is_none());
        let began = Instant::now();
        starts.pop();
        let start = waiting.await;
        assert_eq!(began.elapsed(), Duration::ZERO);
        assert_eq!(limiter.unfinished(), PERMITS as usize);
        drop((start, starts));
        assert_eq!(limiter.unfinished(), 0);
    }

    #[tokio::test(start_paused = true)]
    async fn hanging_starts_give_their_permits_back() {
        let (limiter, starts) = full();
        let began = Instant::now();
        let next = limiter.begin(&name("forge"), false).await;
        assert!((HELD_MAX..2 * HELD_MAX).contains(&began.elapsed()));
        assert_eq!(limiter.unfinished(), PERMITS as usize + 1);
        drop((next, starts));
    }

    #[tokio::test(start_paused = true)]
    async fn called_member_starts_without_a_permit() {
        let (limiter, starts) = full();
        drop(limiter.begin_now());
        assert!(limiter.try_begin(false).is_none());
        drop(starts);
    }

    #[tokio::test(start_paused = true)]
    async fn member_in_view_starts_before_the_others() {
        let (limiter, starts) = full();
        let (forge, mill) = (name("forge"), name("mill"));
        let mut others = Box::pin(limiter.begin(&forge, false));
        assert!(others.as_mut().now_or_never().is_none());
        limiter.report_visible_members(vec![name("anvil"), mill.clone()]);
        let began = Instant::now();
        let start = limiter.begin(&mill, false).await;
        assert_eq!(began.elapsed(), Duration::ZERO);
        assert!(others.as_mut().now_or_never().is_none());
        drop((start, starts));
    }

    #[tokio::test(start_paused = true)]
    async fn retried_start_runs_alone_at_first() {
        let limiter = StartLimiter::default();
        let first = limiter.try_begin(false).expect("a permit is free");
        assert!(limiter.try_begin(true).is_none());
        let (again, next) = (name("again"), name("next"));
        let mut alone = Box::pin(limiter.begin(&again, true));
        assert!(alone.as_mut().now_or_never().is_none());
        let mut next = Box::pin(limiter.begin(&next, false));
        assert!(next.as_mut().now_or_never().is_none(), "it is behind");
        drop(first);
        let alone = alone.await;
        let began = Instant::now();
        drop(limiter.begin_now());
        let next = next.await;
        assert!((HELD_MAX..2 * HELD_MAX).contains(&began.elapsed()));
        drop((alone, next));
    }

    #[tokio::test(start_paused = true)]
    async fn start_that_is_given_up_leaves_the_queue() {
        let (limiter, mut starts) = full();
        let gone = name("gone");
        let mut waiting = Box::pin(limiter.begin(&gone, false));
        assert!(waiting.as_mut().now_or_never().is_none());
        drop(waiting);
        starts.pop();
        drop(limiter.begin(&name("next"), false).await);
        assert_eq!(limiter.unfinished(), PERMITS as usize - 1);
    }
}
