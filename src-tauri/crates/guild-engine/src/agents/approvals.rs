//! Agents' calls that wait for a person's decision.
//!
//! Each is one future, held by the call: it ends with a decision, with the time that a person has,
//! when nobody is there to be asked any more, or because it is dropped with its call. However it
//! ends, the listeners hear of it once.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use guild_core::event::HallEvent;
use guild_core::note::{ApprovalTrouble, GatewayTrouble};
use guild_core::wire::{Approval, Approvals, Decision};
use guild_core::{ApprovalId, Code, MemberName, Report, ToolName};
use tokio::sync::{oneshot, watch};

use crate::clock::now_ms;
use crate::index::Index;

/// How many calls may wait at once, and how many of one client.
const OPEN_MAX: usize = 64;
const OPEN_OF_CLIENT_MAX: usize = 16;
/// The largest arguments that are put to a person, in bytes.
const ARGUMENTS_MAX: usize = 256 << 10;

/// A call that a person is to decide about.
#[derive(Debug)]
pub(super) struct Asked {
    /// Who asks.
    pub(super) client: String,
    pub(super) member: MemberName,
    pub(super) tool: ToolName,
    /// The arguments as JSON text.
    pub(super) arguments: String,
}

/// A person's consent.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Consent {
    /// Whether it holds for the tool's calls to come.
    pub(super) always: bool,
    /// The arguments as the person changed them.
    pub(super) arguments: Option<String>,
}

#[derive(Debug)]
struct Waiting {
    approval: Approval,
    decision: oneshot::Sender<Option<Consent>>,
}

/// Where decisions are asked for.
#[derive(Debug)]
pub(crate) struct ApprovalDesk {
    index: Arc<Index>,
    patience: Duration,
    /// How many listeners show questions to a person.
    attending: watch::Receiver<usize>,
    open: Mutex<Open>,
}

#[derive(Debug, Default)]
struct Open {
    asked: u64,
    /// By their number, so that the oldest comes first.
    waiting: BTreeMap<u64, Waiting>,
}

impl ApprovalDesk {
    pub(crate) fn new(
        index: Arc<Index>,
        patience: Duration,
        attending: watch::Receiver<usize>,
    ) -> Arc<Self> {
        Arc::new(Self {
            index,
            patience,
            attending,
            open: Mutex::default(),
        })
    }

    /// All that wait, the oldest first.
    pub(super) fn all(&self) -> Approvals {
        let open = self.open();
        let approvals = open.waiting.values();
        Approvals {
            approvals: approvals.map(|waiting| waiting.approval.clone()).collect(),
        }
    }

    /// Asks for a decision, and waits for it.
    ///
    /// # Errors
    /// `approval-missing`, for the agent to read: why nobody consented.
    pub(super) async fn ask(self: &Arc<Self>, asked: Asked) -> Result<Consent, Report> {
        let missing = |trouble| Report::told(Code::ApprovalMissing, &trouble);
        let mut attending = self.attending.clone();
        if *attending.borrow_and_update() == 0 {
            return Err(missing(ApprovalTrouble::NoWindow));
        }
        if asked.arguments.len() > ARGUMENTS_MAX {
            return Err(missing(ApprovalTrouble::TooLarge));
        }
        let Some((place, decided)) = self.put(asked) else {
            return Err(missing(ApprovalTrouble::TooMany));
        };
        let consent = tokio::select! {
            // What a person decided holds, also where the window was closed right after it.
            biased;
            decision = decided => decision.unwrap_or(None).ok_or_else(|| missing(ApprovalTrouble::SaidNo)),
            () = tokio::time::sleep(self.patience) => Err(missing(ApprovalTrouble::NobodyDecided)),
            // The desk itself outlives this future.
            _ = attending.wait_for(|&count| count == 0) => Err(missing(ApprovalTrouble::WindowClosed)),
        };
        drop(place);
        consent
    }

    /// Keeps a question and tells of it, in one step; `None` when too many wait.
    fn put(self: &Arc<Self>, asked: Asked) -> Option<(Place, oneshot::Receiver<Option<Consent>>)> {
        let (decision, decided) = oneshot::channel();
        let mut open = self.open();
        let of_client = |waiting: &&Waiting| waiting.approval.client == asked.client;
        let own = open.waiting.values().filter(of_client).count();
        if open.waiting.len() >= OPEN_MAX || own >= OPEN_OF_CLIENT_MAX {
            return None;
        }
        open.asked += 1;
        let number = open.asked;
        let asked_at_ms = now_ms();
        let patience = u64::try_from(self.patience.as_millis()).unwrap_or(u64::MAX);
        let approval = Approval {
            id: ApprovalId::numbered(number),
            client: asked.client,
            member: asked.member,
            tool: asked.tool,
            arguments: asked.arguments,
            asked_at_ms,
            expires_at_ms: asked_at_ms.saturating_add(patience),
        };
        let waiting = Waiting {
            approval: approval.clone(),
            decision,
        };
        open.waiting.insert(number, waiting);
        self.index.tell(HallEvent::ApprovalAsked {
            approval: Box::new(approval),
        });
        let desk = Arc::clone(self);
        Some((Place { desk, number }, decided))
    }

    /// The call that a question is about, while it waits.
    ///
    /// # Errors
    /// `approval-ended`.
    pub(super) fn about(&self, id: &ApprovalId) -> Result<(MemberName, ToolName), Report> {
        let open = self.open();
        let found = open.waiting.values().find(|w| w.approval.id == *id);
        found
            .map(|w| (w.approval.member.clone(), w.approval.tool.clone()))
            .ok_or_else(ended)
    }

    /// Decides.
    ///
    /// # Errors
    /// `approval-ended`.
    pub(super) fn decide(
        &self,
        id: &ApprovalId,
        decision: Decision,
        arguments: Option<String>,
    ) -> Result<(), Report> {
        let consent = match decision {
            Decision::Once | Decision::Always => Some(Consent {
                always: decision == Decision::Always,
                arguments,
            }),
            Decision::Deny => None,
        };
        let mut open = self.open();
        let number = open
            .waiting
            .iter()
            .find(|(_, waiting)| waiting.approval.id == *id)
            .map(|(&number, _)| number);
        let waiting = number.and_then(|number| open.waiting.remove(&number));
        let waiting = waiting.ok_or_else(ended)?;
        self.index.tell(HallEvent::ApprovalEnded { id: id.clone() });
        waiting.decision.send(consent).map_err(|_| ended())
    }

    fn close(&self, number: u64) {
        let mut open = self.open();
        if let Some(waiting) = open.waiting.remove(&number) {
            let id = waiting.approval.id;
            self.index.tell(HallEvent::ApprovalEnded { id });
        }
    }

    fn open(&self) -> MutexGuard<'_, Open> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A question that waits; dropped, it ends.
struct Place {
    desk: Arc<ApprovalDesk>,
    number: u64,
}

impl Drop for Place {
    fn drop(&mut self) {
        self.desk.close(self.number);
    }
}

fn ended() -> Report {
    Report::told(Code::ApprovalEnded, &GatewayTrouble::DecisionEnded)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked() -> Asked {
        Asked {
            client: "Claude Code".into(),
            member: MemberName::parse("forge").expect("a name"),
            tool: ToolName::parse("melt").expect("a name"),
            arguments: "{}".into(),
        }
    }

    fn desk(attending: &watch::Sender<usize>) -> Arc<ApprovalDesk> {
        let index = Arc::new(Index::new(String::new()));
        ApprovalDesk::new(index, Duration::from_secs(60), attending.subscribe())
    }

    #[tokio::test]
    async fn with_nobody_there_it_is_refused_at_once_and_says_why() {
        let attending = watch::Sender::new(0);
        let desk = desk(&attending);
        let report = desk.ask(asked()).await.expect_err("nobody");
        assert_eq!(report.code, Code::ApprovalMissing);
        assert!(report.message.contains("no window"), "{report}");
        assert!(desk.all().approvals.is_empty());
    }

    #[tokio::test(start_paused = true)]
    async fn a_decision_reaches_its_call_and_every_end_is_told_once() {
        let attending = watch::Sender::new(1);
        let desk = desk(&attending);
        let mut events = desk.index.subscribe();
        events.next().await.expect("the roster");
        let asking = tokio::spawn({
            let desk = Arc::clone(&desk);
            async move { desk.ask(asked()).await }
        });
        let HallEvent::ApprovalAsked { approval } = &events.next().await.expect("asked").event
        else {
            panic!("an approval");
        };
        desk.decide(&approval.id, Decision::Always, Some("{\"a\":1}".into()))
            .expect("decided");
        let consent = asking.await.expect("no panic").expect("allowed");
        assert!(consent.always);
        assert_eq!(consent.arguments.as_deref(), Some("{\"a\":1}"));
        let ended = events.next().await.expect("ended");
        assert!(matches!(ended.event, HallEvent::ApprovalEnded { .. }));
        assert_eq!(
            desk.decide(&approval.id, Decision::Once, None)
                .expect_err("over")
                .code,
            Code::ApprovalEnded
        );

        // Time is paused: it runs out at once when there is nothing else to wait for.
        let late = desk.ask(asked()).await.expect_err("nobody decided");
        assert!(late.message.contains("in time"), "{late}");
        assert!(desk.all().approvals.is_empty());
    }

    #[tokio::test(start_paused = true)]
    async fn how_long_a_person_has_is_no_matter_of_the_wall_clock() {
        let attending = watch::Sender::new(1);
        let desk = desk(&attending);
        let by_wall_clock = now_ms();
        let mut asking = tokio::spawn({
            let desk = Arc::clone(&desk);
            async move { desk.ask(asked()).await }
        });
        let almost = Duration::from_secs(59);
        let early = tokio::time::timeout(almost, &mut asking).await;
        assert!(early.is_err(), "a second is left");
        assert_eq!(desk.all().approvals.len(), 1);
        let late = asking.await.expect("no panic").expect_err("nobody decided");
        assert!(late.message.contains("in time"), "{late}");
        assert!(
            now_ms() < by_wall_clock + 50_000,
            "the wall clock is far from the end that was shown"
        );
    }
}
