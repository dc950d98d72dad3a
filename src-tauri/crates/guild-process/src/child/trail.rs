//! Where the processes of a child have gone: those that left its group are followed (Linux).

#[cfg(target_os = "linux")]
use std::sync::Arc;

#[cfg(target_os = "linux")]
use tokio::task::{JoinHandle, spawn_blocking};

use crate::custody::Charge;
#[cfg(target_os = "linux")]
use crate::custody::census::Census;
use crate::custody::run::Identity;
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
            family: Some(Family::new(charge.run(), Some(leader))),
            #[cfg(target_os = "linux")]
            look: None,
            charge,
            leader,
        }
    }

    /// Tells guardian and ledger where it begins.
    pub(super) async fn begin(&self) {
        self.charge.leads(self.leader).await;
    }

    /// Tells them that it is at its end.
    pub(super) async fn end(self) {
        self.charge.ended().await;
    }

    /// Looks where everybody is, and does `deed` to those outside the group. May be dropped: the
    /// look goes on, and the next one waits for it.
    #[cfg(target_os = "linux")]
    pub(super) async fn follow(&mut self, deed: Deed) -> Sight {
        if let Some(begun) = &mut self.look
            && let Ok((family, _)) = begun.await
        {
            self.family = Some(family);
        }
        self.look = None;
        let Some(family) = self.family.take() else {
            return Sight::default();
        };
        let census = Arc::clone(self.charge.census());
        let group = self.leader.pid;
        let look = spawn_blocking(move || look(family, &census, group, deed));
        match self.look.insert(look).await {
            Ok((family, sight)) => {
                self.family = Some(family);
                self.look = None;
                sight
            }
            // The runtime is closing.
            Err(_) => Sight::default(),
        }
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
