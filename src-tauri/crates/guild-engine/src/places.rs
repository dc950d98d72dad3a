//! Who may start now: members start side by side, and no more of them at once than the machine does
//! them good.
//!
//! A place is what a start needs while it *works*: from before its process is there (of a container:
//! once its image is there) until that has come up, ended, or waits ([`Place::hold_while_at_work`]).
//! Waiting for a silent server costs nobody anything and holds no place. There are two places for each
//! core, and four at least; each start that is seen to wait rather than work makes room for one more, so
//! that a crowd of light starts is under way within a few looks, and one that works for long takes room
//! back. No place is held for longer than [`HOLD_MAX`]: a member that hangs is in nobody's way.
//!
//! Who comes first: what somebody calls takes a place without waiting; then what is in view, in the
//! order of the view; then in the order of asking.

use std::num::NonZero;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use guild_core::MemberName;
use guild_process::Effort;
use tokio::sync::oneshot;
use tokio::task::spawn_blocking;
use tokio::time::{Instant, sleep};

/// The fewest places there are.
const FEWEST: usize = 4;
/// The most that there come to be, however light the starts are.
const MOST: usize = 64;
/// The longest that a place is held.
const HOLD_MAX: Duration = Duration::from_secs(3);
/// How long a place is held where nobody can see what a process does.
const HOLD_UNSEEN: Duration = Duration::from_millis(100);
/// A start that has worked so long takes room back from those that follow.
const HEAVY: Duration = Duration::from_millis(250);
/// How long it is between two looks, at first and at most.
const LOOK_FIRST: Duration = Duration::from_millis(3);
const LOOK_MAX: Duration = Duration::from_millis(40);
/// How many members of a view are remembered.
const VIEW_MAX: usize = 64;

/// All places of a hall, and who waits for one.
#[derive(Debug)]
pub(crate) struct Places {
    line: Mutex<Line>,
}

#[derive(Debug)]
struct Line {
    /// How many places there are at least.
    base: usize,
    /// How many there are now.
    width: usize,
    taken: usize,
    waiting: Vec<Waiter>,
    /// The members that a person looks at, the first of them most.
    view: Vec<MemberName>,
    asked: u64,
}

#[derive(Debug)]
struct Waiter {
    member: MemberName,
    number: u64,
    turn: oneshot::Sender<Place>,
}

/// A place, until it is dropped.
#[derive(Debug)]
pub(crate) struct Place {
    /// `None` once its count was corrected without it.
    places: Option<Arc<Places>>,
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

    fn with(base: usize) -> Self {
        Self {
            line: Mutex::new(Line {
                base,
                width: base,
                taken: 0,
                waiting: Vec::new(),
                view: Vec::new(),
                asked: 0,
            }),
        }
    }

    /// A place in turn.
    pub(crate) fn in_turn(self: &Arc<Self>, member: &MemberName) -> Turn {
        let mut line = self.line();
        if line.taken < line.width {
            line.taken += 1;
            return Turn::Now(self.place());
        }
        let (turn, later) = oneshot::channel();
        let number = line.asked;
        line.asked += 1;
        line.waiting.push(Waiter {
            member: member.clone(),
            number,
            turn,
        });
        Turn::Later(later)
    }

    /// A place for a member that is called: one more, if need be.
    pub(crate) fn at_once(self: &Arc<Self>) -> Place {
        self.line().taken += 1;
        self.place()
    }

    /// Which members a person looks at, the first of them most.
    pub(crate) fn look_at(&self, mut members: Vec<MemberName>) {
        members.truncate(VIEW_MAX);
        self.line().view = members;
    }

    fn place(self: &Arc<Self>) -> Place {
        Place {
            places: Some(Arc::clone(self)),
        }
    }

    /// Gives one place back, and then away as far as there are any.
    fn give_back(self: &Arc<Self>) {
        let mut line = self.line();
        line.taken = line.taken.saturating_sub(1);
        loop {
            if line.taken >= line.width {
                return;
            }
            let Some(next) = line.next() else {
                if line.taken == 0 {
                    line.width = line.base;
                }
                return;
            };
            line.taken += 1;
            drop(line);
            let unsent = next.turn.send(self.place());
            line = self.line();
            if let Err(mut place) = unsent {
                // Whoever waited is gone. It is counted back here, where the line is open already.
                line.taken = line.taken.saturating_sub(1);
                place.places = None;
            }
        }
    }

    fn line(&self) -> MutexGuard<'_, Line> {
        self.line.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Line {
    /// Takes the next one out of the line; those that gave up waiting are forgotten.
    fn next(&mut self) -> Option<Waiter> {
        self.waiting.retain(|waiter| !waiter.turn.is_closed());
        let view = &self.view;
        let rank = |waiter: &Waiter| {
            let seen = view.iter().position(|member| *member == waiter.member);
            (seen.unwrap_or(usize::MAX), waiter.number)
        };
        let waiting = self.waiting.iter().enumerate();
        let (index, _) = waiting.min_by_key(|(_, waiter)| rank(waiter))?;
        Some(self.waiting.swap_remove(index))
    }
}

impl Place {
    /// Holds the place while a process and its descendants work, and gives it back as soon as they
    /// wait. Dropped, it gives it back at once.
    pub(crate) async fn hold_while_at_work(self, pid: u32) {
        let began = Instant::now();
        let mut pause = LOOK_FIRST;
        let mut last: Option<Effort> = None;
        let mut is_heavy = false;
        while began.elapsed() < HOLD_MAX {
            sleep(pause).await;
            let looked = spawn_blocking(move || Effort::of_family(pid)).await;
            let Ok(Some(now)) = looked else {
                sleep(HOLD_UNSEEN).await;
                break;
            };
            let waits = last.is_some_and(|last| {
                !last.busy && !now.busy && !now.has_moved_since(&last, pause / 10)
            });
            if waits {
                self.waits();
                return;
            }
            if !is_heavy && began.elapsed() >= HEAVY {
                is_heavy = true;
                self.is_heavy();
            }
            last = Some(now);
            pause = (pause + pause / 2).min(LOOK_MAX);
        }
    }

    /// The start waits: there is room for this one and one more.
    fn waits(self) {
        if let Some(places) = &self.places {
            let mut line = places.line();
            line.width = (line.width + 1).min(MOST);
        }
    }

    /// The start works: those that follow would only make it slower.
    fn is_heavy(&self) {
        if let Some(places) = &self.places {
            let mut line = places.line();
            line.width = (line.width / 2).max(line.base);
        }
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        if let Some(places) = self.places.take() {
            places.give_back();
        }
    }
}

#[cfg(test)]
#[allow(clippy::expect_used, reason = "a test fails by panicking")]
mod tests;
