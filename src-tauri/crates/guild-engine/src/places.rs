//! Limits how many members start at once: by the starts that are unfinished and at work.
//!
//! A start takes a [`Place`] before its process exists (a container: once its image is present) and
//! holds it until the member is up or has failed. The place counts while the start is at work. A
//! start that waits, for a silent server or the network, doesn't count and lets another start begin;
//! it counts again as soon as it works again. Two starts for each core count at most, and at least
//! four, so that none of them runs into its time limit because of the others. A start that works
//! for longer than any real server does ([`CPU_MAX`], [`WORK_MAX`]) no longer counts, so a member
//! that spins can't block the queue.
//!
//! Order of the queue: a called member starts without waiting. Then come the members in view, in the
//! order of the view, then the others in the order of asking. A start that is tried again after a
//! timeout comes last, and only when no other start is at work.

use std::num::NonZero;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use guild_core::MemberName;
use guild_process::Effort;
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
    /// How many starts are at work.
    working: usize,
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
    /// Whether it counts as being at work.
    counts: bool,
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
        let is_free = match alone {
            true => line.working == 0,
            false => line.working < line.width,
        };
        if is_free {
            return Turn::Now(self.place(&mut line));
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
        self.place(&mut line)
    }

    /// How many starts are unfinished, waiting ones in the queue not counted.
    pub(crate) fn unfinished(&self) -> usize {
        self.line().unfinished
    }

    /// Which members a person looks at, the most important first.
    pub(crate) fn look_at(&self, mut members: Vec<MemberName>) {
        members.truncate(VIEW_MAX);
        self.line().view = members;
    }

    fn place(self: &Arc<Self>, line: &mut Line) -> Place {
        line.working += 1;
        line.unfinished += 1;
        Place {
            places: Some(Arc::clone(self)),
            counts: true,
        }
    }

    /// Hands out the places that are free.
    fn hand_out(self: &Arc<Self>) {
        loop {
            let mut line = self.line();
            if line.working >= line.width {
                return;
            }
            let Some(next) = line.next() else {
                return;
            };
            let place = self.place(&mut line);
            drop(line);
            if let Err(mut place) = next.turn.send(place) {
                // The start was given up. Its drop would come back here.
                place.places = None;
                let mut line = self.line();
                line.working = line.working.saturating_sub(1);
                line.unfinished = line.unfinished.saturating_sub(1);
            }
        }
    }

    fn line(&self) -> MutexGuard<'_, Line> {
        self.line.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Line {
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
    pub(crate) async fn follow(mut self, pid: u32) {
        let mut pause = LOOK_FIRST;
        let mut last: Option<Effort> = None;
        let mut worked = Duration::ZERO;
        loop {
            let slept = Instant::now();
            sleep(pause).await;
            let looked = spawn_blocking(move || Effort::of_family(pid)).await;
            let Ok(Some(now)) = looked else {
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
                let is_still = !last.busy
                    && !now.busy
                    && now.processes == last.processes
                    && now.cpu.abs_diff(last.cpu) <= pause / 10;
                let has_worked = last.busy && now.busy || now.cpu.abs_diff(last.cpu) > pause / 10;
                match self.counts {
                    true if is_still => self.rests(),
                    false if has_worked => self.works(),
                    _ => {}
                }
            }
            last = Some(now);
            pause = (pause + pause / 2).min(LOOK_MAX);
        }
        self.rests();
        std::future::pending().await
    }

    /// The start waits: another one may begin.
    fn rests(&mut self) {
        if let Some(places) = &self.places
            && std::mem::replace(&mut self.counts, false)
        {
            let mut line = places.line();
            line.working = line.working.saturating_sub(1);
            drop(line);
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
        self.rests();
        if let Some(places) = self.places.take() {
            let mut line = places.line();
            line.unfinished = line.unfinished.saturating_sub(1);
        }
    }
}

#[cfg(test)]
#[allow(clippy::expect_used, reason = "a test fails by panicking")]
mod tests;
