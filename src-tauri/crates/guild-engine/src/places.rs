//! Limits how many members start at once: by the starts that are unfinished.
//!
//! A start takes a [`Place`] before its process exists (a container: once its image is present) and
//! holds it until the member is up or has failed. Two starts for each core count at most, and at
//! least four, so that none of them runs into its time limit because of the others. A start that is
//! still, such as one that waits for the network, no longer counts: at once where a processor is free,
//! otherwise after [`STILL_FOR`] without interruption. It counts again as soon as it works again. A start that works for longer
//! than any real server does ([`CPU_MAX`], [`WORK_MAX`]) no longer counts, so a member that spins
//! can't block the queue.
//!
//! Order of the queue: a called member starts without waiting. Then come the members in view, in the
//! order of the view, then the others in the order of asking. A start that is retried after a timeout
//! comes last, and only when no other start is at work. Only called members start beside it, until it
//! is done or has been still for [`STILL_ALONE`].

use std::num::NonZero;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use guild_core::MemberName;
use guild_process::{Effort, load};
use tokio::sync::oneshot;
use tokio::task::spawn_blocking;
use tokio::time::{Instant, sleep};

/// The fewest starts that may be at work at once.
const FEWEST: usize = 4;
/// The most starts that may be at work at once.
const MOST: usize = 64;
/// The processor time after which a start no longer counts.
const CPU_MAX: Duration = Duration::from_secs(15);
/// The time at work after which a start no longer counts.
const WORK_MAX: Duration = Duration::from_secs(60);
/// The uninterrupted stillness after which a start no longer counts while no processor is free:
/// servers pause for less between two parts of their work.
const STILL_FOR: Duration = Duration::from_secs(1);
/// The same for a start that runs alone.
const STILL_ALONE: Duration = Duration::from_secs(5);
/// How long a start counts where the work of processes can't be seen.
const WORK_UNSEEN: Duration = Duration::from_secs(1);
/// The time between two looks at a start, at first and at most.
const LOOK_FIRST: Duration = Duration::from_millis(3);
const LOOK_MAX: Duration = Duration::from_millis(100);
/// How many members of a view are remembered.
const VIEW_MAX: usize = 64;

/// All places of a hall, and the starts that wait for one.
#[derive(Debug)]
pub(crate) struct Places {
    line: Mutex<Line>,
}

#[derive(Debug)]
struct Line {
    /// How many starts may be at work at once.
    width: usize,
    /// How many starts count.
    working: usize,
    /// Whether one of them runs alone.
    alone: bool,
    /// How many starts hold a place, at work or not.
    unfinished: usize,
    waiting: Vec<Waiter>,
    /// The members that a person looks at, the most important first.
    view: Vec<MemberName>,
    asked: u64,
}

#[derive(Debug)]
struct Waiter {
    member: MemberName,
    number: u64,
    /// Whether it waits until no other start is at work.
    alone: bool,
    turn: oneshot::Sender<Place>,
}

/// A place, until it is dropped.
#[derive(Debug)]
pub(crate) struct Place {
    /// `None` once it was given back without its drop.
    places: Option<Arc<Places>>,
    /// Whether it counts.
    counts: bool,
    /// Whether its start runs alone.
    alone: bool,
}

/// The work of a start up to a moment.
struct Look {
    effort: Effort,
    /// Whether no processor was free.
    is_crowded: bool,
}

/// When a start may begin.
pub(crate) enum Turn {
    /// Now.
    Now(Place),
    /// When this is answered.
    Later(oneshot::Receiver<Place>),
}

impl Places {
    pub(crate) fn for_this_machine() -> Arc<Self> {
        let cores = std::thread::available_parallelism().map_or(2, NonZero::get);
        Arc::new(Self::with((2 * cores).clamp(FEWEST, MOST)))
    }

    fn with(width: usize) -> Self {
        Self {
            line: Mutex::new(Line {
                width,
                working: 0,
                alone: false,
                unfinished: 0,
                waiting: Vec::new(),
                view: Vec::new(),
                asked: 0,
            }),
        }
    }

    /// A place in turn.
    pub(crate) fn in_turn(self: &Arc<Self>, member: &MemberName) -> Turn {
        self.take(member, false)
    }

    /// A place once no other start is at work and none waits in turn.
    pub(crate) fn alone(self: &Arc<Self>, member: &MemberName) -> Turn {
        self.take(member, true)
    }

    fn take(self: &Arc<Self>, member: &MemberName, alone: bool) -> Turn {
        let mut line = self.line();
        if line.is_free(alone) {
            return Turn::Now(self.place(&mut line, alone));
        }
        let (turn, later) = oneshot::channel();
        let number = line.asked;
        line.asked += 1;
        line.waiting.push(Waiter {
            member: member.clone(),
            number,
            alone,
            turn,
        });
        Turn::Later(later)
    }

    /// A place for a called member, also where none is free.
    pub(crate) fn at_once(self: &Arc<Self>) -> Place {
        let mut line = self.line();
        self.place(&mut line, false)
    }

    /// How many starts are unfinished, waiting ones in the queue not counted.
    pub(crate) fn unfinished(&self) -> usize {
        self.line().unfinished
    }

    /// How many starts wait to run alone.
    #[cfg(test)]
    pub(crate) fn waiting_alone(&self) -> usize {
        let line = self.line();
        line.waiting.iter().filter(|waiter| waiter.alone).count()
    }

    /// Which members a person looks at, the most important first.
    pub(crate) fn look_at(&self, mut members: Vec<MemberName>) {
        members.truncate(VIEW_MAX);
        self.line().view = members;
    }

    fn place(self: &Arc<Self>, line: &mut Line, alone: bool) -> Place {
        line.working += 1;
        line.unfinished += 1;
        line.alone |= alone;
        Place {
            places: Some(Arc::clone(self)),
            counts: true,
            alone,
        }
    }

    /// Hands out the places that are free.
    fn hand_out(self: &Arc<Self>) {
        loop {
            let mut line = self.line();
            if !line.is_free(false) {
                return;
            }
            let Some(next) = line.next() else {
                return;
            };
            let place = self.place(&mut line, next.alone);
            drop(line);
            if let Err(mut place) = next.turn.send(place) {
                // The start was given up. Its drop would come back here.
                place.places = None;
                let mut line = self.line();
                line.unfinished = line.unfinished.saturating_sub(1);
                line.no_longer_counts(next.alone);
            }
        }
    }

    fn line(&self) -> MutexGuard<'_, Line> {
        self.line.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Line {
    /// Whether a start may begin now.
    fn is_free(&self, alone: bool) -> bool {
        let most = if alone { 1 } else { self.width };
        !self.alone && self.working < most
    }

    fn no_longer_counts(&mut self, alone: bool) {
        self.working = self.working.saturating_sub(1);
        self.alone &= !alone;
    }

    /// Takes the next start out of the queue; starts that were given up are removed.
    fn next(&mut self) -> Option<Waiter> {
        self.waiting.retain(|waiter| !waiter.turn.is_closed());
        let (view, is_empty) = (&self.view, self.working == 0);
        let rank = |waiter: &Waiter| {
            let seen = view.iter().position(|member| *member == waiter.member);
            (waiter.alone, seen.unwrap_or(usize::MAX), waiter.number)
        };
        let waiting = self.waiting.iter().enumerate();
        let waiting = waiting.filter(|(_, waiter)| is_empty || !waiter.alone);
        let (index, _) = waiting.min_by_key(|(_, waiter)| rank(waiter))?;
        Some(self.waiting.swap_remove(index))
    }
}

impl Place {
    /// Follows the work of a process and its descendants: the place counts while they work. Ends
    /// never; dropping it gives the place back.
    pub(crate) async fn follow(self, pid: u32) {
        let look = || async move {
            let looking = spawn_blocking(move || {
                Some(Look {
                    effort: Effort::of_family(pid)?,
                    is_crowded: load::is_crowded(),
                })
            });
            looking.await.ok().flatten()
        };
        self.follow_looks(look).await;
    }

    /// The same by looks at what the processes have done up to now.
    async fn follow_looks<F>(mut self, look: impl Fn() -> F)
    where
        F: Future<Output = Option<Look>>,
    {
        let mut pause = LOOK_FIRST;
        let mut last: Option<Effort> = None;
        let mut still_since: Option<Instant> = None;
        let mut worked = Duration::ZERO;
        loop {
            let slept = Instant::now();
            sleep(pause).await;
            let Some(Look {
                effort: now,
                is_crowded,
            }) = look().await
            else {
                sleep(WORK_UNSEEN).await;
                break;
            };
            if self.counts {
                worked += slept.elapsed();
            }
            if worked >= WORK_MAX || now.cpu >= CPU_MAX {
                break;
            }
            if let Some(last) = last {
                // Bytes don't count: a server that polls moves some, and a download needs no
                // processor. A process that waits for the disk is busy.
                let used = now.cpu.abs_diff(last.cpu) > pause / 10;
                let is_still = !used && !last.busy && !now.busy && now.processes == last.processes;
                if used || last.busy && now.busy {
                    self.works();
                }
                still_since = is_still.then(|| still_since.unwrap_or(slept));
                if still_since.is_some_and(|since| since.elapsed() >= self.still_max(is_crowded)) {
                    self.rests();
                }
            }
            last = Some(now);
            pause = (pause + pause / 2).min(LOOK_MAX);
        }
        self.rests();
        std::future::pending().await
    }

    /// How long it may be still before it no longer counts.
    fn still_max(&self, is_crowded: bool) -> Duration {
        match (self.alone, is_crowded) {
            (true, _) => STILL_ALONE,
            (false, true) => STILL_FOR,
            (false, false) => Duration::ZERO,
        }
    }

    /// The start waits: another one may begin.
    fn rests(&mut self) {
        if let Some(places) = &self.places
            && std::mem::replace(&mut self.counts, false)
        {
            let alone = std::mem::take(&mut self.alone);
            places.line().no_longer_counts(alone);
            places.hand_out();
        }
    }

    /// The start works again.
    fn works(&mut self) {
        if let Some(places) = &self.places
            && !std::mem::replace(&mut self.counts, true)
        {
            places.line().working += 1;
        }
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        if let Some(places) = &self.places {
            let mut line = places.line();
            line.unfinished = line.unfinished.saturating_sub(1);
        }
        self.rests();
    }
}

#[cfg(test)]
#[allow(clippy::expect_used, reason = "a test fails by panicking")]
mod tests;
