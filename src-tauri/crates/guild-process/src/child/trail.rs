//! Where the processes of a child have gone: those that left its group are followed (Linux).

#[cfg(target_os = "linux")]
use std::sync::Arc;

#[cfg(target_os = "linux")]
use tokio::task::{JoinHandle, spawn_blocking};

use crate::custody::Charge;
#[cfg(target_os = "linux")]
use crate::custody::census::Census;
use crate::custody::run::{Head, Identity};
#[cfg(target_os = "linux")]
use crate::strays::Family;

/// What is done to those who are found outside the group, which is signalled as a whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Deed {
    /// Each is asked to end, once.
    Terminate,
    /// Each is ended.
    Kill,
}

/// What a look found.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Sight {
    /// The group has members, and all of them have ended and merely wait to be collected.
    pub(super) group_is_over: bool,
    /// How many live, in the group or elsewhere.
    pub(super) living: usize,
}

#[cfg(target_os = "linux")]
impl Sight {
    /// Of a look that came to no end: somebody may be there.
    const NONE: Self = Self {
        group_is_over: false,
        living: 1,
    };
}

/// All that is known of where a child's processes are.
#[derive(Debug)]
pub(super) struct Trail {
    charge: Charge,
    leader: Identity,
    /// Away while a look is taken.
    #[cfg(target_os = "linux")]
    family: Option<Family>,
    #[cfg(target_os = "linux")]
    look: Option<JoinHandle<(Family, Sight)>>,
}

impl Trail {
    pub(super) fn new(charge: Charge, leader: Identity) -> Self {
        Self {
            #[cfg(target_os = "linux")]
            family: Some(Family::new(charge.run(), Some(Head::Family(leader)))),
            #[cfg(target_os = "linux")]
            look: None,
            charge,
            leader,
        }
    }

    /// Tells guardian and ledger where it begins.
    pub(super) async fn begin(&self) {
        self.charge.leads(Head::Family(self.leader)).await;
    }

    /// Puts away what an engine runs for it, and says whether nothing is left of that.
    pub(super) async fn clear(&self) -> bool {
        self.charge.clear().await
    }

    /// Tells them that it is at its end.
    pub(super) async fn end(self) {
        self.charge.ended().await;
    }

    /// Looks where everybody is, and does `deed` to those outside the group. May be dropped: the
    /// look goes on, and the next one waits for it.
    #[cfg(target_os = "linux")]
    pub(super) async fn follow(&mut self, deed: Deed) -> Sight {
        // One that was not waited for to its end.
        self.sight().await;
        // A look that came to no end has taken with it whom it knew; the mark and the leader stay.
        let family = self
            .family
            .take()
            .unwrap_or_else(|| Family::new(self.charge.run(), Some(Head::Family(self.leader))));
        let census = Arc::clone(self.charge.census());
        let group = self.leader.pid;
        self.look = Some(spawn_blocking(move || look(family, &census, group, deed)));
        // It comes to no end where the runtime is closing.
        self.sight().await.unwrap_or(Sight::NONE)
    }

    /// Waits for the look that has begun. Its end is read once, however it came: a handle must not
    /// be asked again after that.
    #[cfg(target_os = "linux")]
    async fn sight(&mut self) -> Option<Sight> {
        let looked = self.look.as_mut()?.await;
        self.look = None;
        let (family, sight) = looked.ok()?;
        self.family = Some(family);
        Some(sight)
    }

    /// Elsewhere the group, or the job, is all there is.
    #[cfg(not(target_os = "linux"))]
    pub(super) async fn follow(&mut self, _deed: Deed) -> Sight {
        Sight::default()
    }
}

#[cfg(target_os = "linux")]
fn look(mut family: Family, census: &Census, group: u32, deed: Deed) -> (Family, Sight) {
    let table = match census.look() {
        Ok(table) => table,
        Err(error) => {
            tracing::warn!(%error, "processes can't be looked at");
            return (family, Sight::default());
        }
    };
    let count = table.group(group);
    let living = family.find(&table);
    let outside = living.iter().filter(|kin| kin.group != group);
    let strays = outside.map(|kin| kin.identity);
    match deed {
        Deed::Terminate => family.terminate(strays),
        Deed::Kill => family.kill(strays),
    }
    let sight = Sight {
        group_is_over: count.ended > 0 && count.living == 0,
        living: living.len(),
    };
    (family, sight)
}

#[cfg(test)]
#[cfg(target_os = "linux")]
mod tests {
    use std::pin::pin;
    use std::task::{Context, Poll, Waker};

    use super::*;
    use crate::custody::{Custody, CustodyOptions};

    #[test]
    fn looks_that_come_to_no_end_as_the_runtime_closes_find_nothing_out() {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .build()
            .expect("a runtime");
        let charge = runtime.block_on(async {
            let custody = Custody::open(CustodyOptions::default());
            custody.take("member").await
        });
        // A process that there is not.
        let nobody = Identity {
            pid: 1 << 30,
            start: 1,
        };
        let mut trail = Trail::new(charge, nobody);
        let closing = runtime.handle().clone();
        runtime.shutdown_background();
        let _within = closing.enter();
        for _ in 0..3 {
            let mut context = Context::from_waker(Waker::noop());
            let looked = pin!(trail.follow(Deed::Kill)).poll(&mut context);
            let Poll::Ready(sight) = looked else {
                panic!("nobody would wake it");
            };
            assert!(sight.living > 0, "nobody was seen to be gone");
        }
    }
}
