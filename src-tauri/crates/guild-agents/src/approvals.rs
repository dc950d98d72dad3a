//! Lets agents' calls wait for a person's approval.
//!
//! Each pending approval is a future that belongs to its call. It ends with a decision, with a
//! timeout, when no person can be asked any more, or when the call is dropped. In each of these
//! cases an event is sent exactly once.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use crate::messages::{AgentsError, ApprovalError};
use futures::future::{BoxFuture, pending};
use guild_api::event::HallEvent;
use guild_api::wire::{Approval, Approvals, Decision, ElicitationAction};
use guild_mcp_client::{ElicitationHandler, ElicitationPrompt, ElicitationReply, RequestedInput};
use guild_model::{ApprovalId, Code, MemberName, Report, ToolName};
use parking_lot::Mutex;
use serde_json::json;
use tokio::sync::{oneshot, watch};

use guild_files::clock::now_ms;
use guild_roster::Roster;

/// Limits of the pending approvals: in total, and per client.
const OPEN_MAX: usize = 64;
const OPEN_OF_CLIENT_MAX: usize = 16;
/// Maximum size of a call's arguments in an approval request, in bytes.
const ARGUMENTS_MAX: usize = 256 << 10;
/// Maximum size of the arguments in an elicitation request to the agent's client, in bytes. If they
/// are larger, the client is not asked.
const ARGUMENTS_BY_CLIENT_MAX: usize = 8 << 10;
/// The name of the form field for consent in the elicitation request.
const ALLOW: &str = "allow";

/// A call that needs approval.
#[derive(Debug)]
pub(super) struct ApprovalRequest {
    pub(super) client: String,
    pub(super) member: MemberName,
    pub(super) tool: ToolName,
    pub(super) arguments: String,
}

impl ApprovalRequest {
    /// Asks the person through the agent's client, with an elicitation request. The consent covers
    /// only this call, because the agent's own program transmits it. Returns `None` if the
    /// arguments are too long to show.
    pub(super) fn by_client(
        &self,
        client: &dyn ElicitationHandler,
    ) -> Option<BoxFuture<'static, ElicitationReply>> {
        if self.arguments.len() > ARGUMENTS_BY_CLIENT_MAX {
            return None;
        }
        let message = format!(
            "Guild Hall: allow {} to call {} of {} with these arguments?\n{}",
            self.client, self.tool, self.member, self.arguments
        );
        let schema = json!({
            "type": "object",
            "properties": {ALLOW: {"type": "boolean", "title": "Allow this call"}},
            "required": [ALLOW],
        });
        Some(client.ask(ElicitationPrompt {
            call: None,
            tool: Some(self.tool.clone()),
            key: None,
            message,
            wanted: RequestedInput::Values { schema },
        }))
    }
}

#[derive(Debug, PartialEq, Eq)]
pub(super) struct ApprovalConsent {
    /// Whether the consent also covers later calls of the tool.
    pub(super) always: bool,
    /// The arguments, if the person changed them.
    pub(super) arguments: Option<String>,
}

#[derive(Debug)]
struct PendingApproval {
    approval: Approval,
    decision: oneshot::Sender<Option<ApprovalConsent>>,
}

/// The queue of pending approvals.
#[derive(Debug)]
pub(crate) struct ApprovalQueue {
    roster: Arc<Roster>,
    timeout: Duration,
    /// The number of windows that show approvals to a person.
    attending: watch::Receiver<usize>,
    /// Whether a person can decide with `guildhall` on the command line.
    has_command_line: watch::Receiver<bool>,
    open: Mutex<PendingApprovals>,
}

#[derive(Debug, Default)]
struct PendingApprovals {
    asked: u64,
    /// The pending approvals by sequence number, so that the oldest comes first.
    waiting: BTreeMap<u64, PendingApproval>,
}

impl ApprovalQueue {
    pub(crate) fn new(
        roster: Arc<Roster>,
        timeout: Duration,
        attending: watch::Receiver<usize>,
        has_command_line: watch::Receiver<bool>,
    ) -> Arc<Self> {
        Arc::new(Self {
            roster,
            timeout,
            attending,
            has_command_line,
            open: Mutex::default(),
        })
    }

    /// Returns all pending approvals, oldest first.
    pub(super) fn all(&self) -> Approvals {
        let open = self.open.lock();
        let approvals = open.waiting.values();
        Approvals {
            approvals: approvals.map(|waiting| waiting.approval.clone()).collect(),
        }
    }

    /// Whether a window shows approvals to a person.
    pub(super) fn has_window(&self) -> bool {
        *self.attending.borrow() > 0
    }

    /// Requests a decision and waits for it. A person can decide in the window or on the command
    /// line. If no window is open, `by_client` is awaited too: it asks through the agent's client,
    /// if that client supports elicitation.
    ///
    /// # Errors
    /// `approval-missing`, with the reason for the agent.
    pub(super) async fn ask(
        self: &Arc<Self>,
        asked: ApprovalRequest,
        by_client: Option<BoxFuture<'static, ElicitationReply>>,
    ) -> Result<ApprovalConsent, Report> {
        let missing = |trouble| Report::from_error(Code::ApprovalMissing, &trouble);
        let mut attending = self.attending.clone();
        let by_client = by_client.filter(|_| *attending.borrow_and_update() == 0);
        // Without a window, a person may still decide in the agent's client or on the command line.
        let others = by_client.is_some() || *self.has_command_line.borrow();
        if *attending.borrow_and_update() == 0 && !others {
            return Err(missing(ApprovalError::NoWindow));
        }
        if asked.arguments.len() > ARGUMENTS_MAX {
            return Err(missing(ApprovalError::TooLarge));
        }
        let Some((guard, decided)) = self.add(asked) else {
            return Err(missing(ApprovalError::TooMany));
        };
        let only_client = !*self.has_command_line.borrow();
        let answered = async {
            let reply = match by_client {
                Some(asking) => asking.await,
                None => pending().await,
            };
            match (reply.action, reply.content) {
                (ElicitationAction::Accept, content) => {
                    let allowed = content.and_then(|content| content.get(ALLOW)?.as_bool());
                    allowed == Some(true)
                }
                (ElicitationAction::Decline, _) => false,
                // The person closed the question without a decision. This denies the call, unless a
                // decision on the command line is still possible.
                (ElicitationAction::Cancel, _) if only_client => false,
                (ElicitationAction::Cancel, _) => pending().await,
            }
        };
        let window_closed = async {
            match others {
                true => pending().await,
                // No error is expected, because the sender of this channel outlives the future.
                false => drop(attending.wait_for(|&count| count == 0).await),
            }
        };
        let once = ApprovalConsent {
            always: false,
            arguments: None,
        };
        let consent = tokio::select! {
            // The decision is polled first, because it counts even if the window was closed right
            // after it.
            biased;
            decision = decided => decision.unwrap_or(None).ok_or_else(|| missing(ApprovalError::DeniedByUser)),
            allowed = answered => match allowed {
                true => Ok(once),
                false => Err(missing(ApprovalError::DeniedByUser)),
            },
            () = tokio::time::sleep(self.timeout) => Err(missing(ApprovalError::TimedOut)),
            () = window_closed => Err(missing(ApprovalError::WindowClosed)),
        };
        drop(guard);
        consent
    }

    /// Adds an approval and publishes its event while the queue is locked. Returns `None` if too
    /// many are pending.
    fn add(
        self: &Arc<Self>,
        asked: ApprovalRequest,
    ) -> Option<(ApprovalGuard, oneshot::Receiver<Option<ApprovalConsent>>)> {
        let (decision, decided) = oneshot::channel();
        let mut open = self.open.lock();
        let of_client = |waiting: &&PendingApproval| waiting.approval.client == asked.client;
        let own = open.waiting.values().filter(of_client).count();
        if open.waiting.len() >= OPEN_MAX || own >= OPEN_OF_CLIENT_MAX {
            return None;
        }
        open.asked += 1;
        let number = open.asked;
        let asked_at_ms = now_ms();
        let timeout = u64::try_from(self.timeout.as_millis()).unwrap_or(u64::MAX);
        let approval = Approval {
            id: ApprovalId::numbered(number),
            client: asked.client,
            member: asked.member,
            tool: asked.tool,
            arguments: asked.arguments,
            asked_at_ms,
            expires_at_ms: asked_at_ms.saturating_add(timeout),
        };
        let waiting = PendingApproval {
            approval: approval.clone(),
            decision,
        };
        open.waiting.insert(number, waiting);
        self.roster.tell(HallEvent::ApprovalAsked {
            approval: Box::new(approval),
        });
        let queue = Arc::clone(self);
        Some((ApprovalGuard { queue, number }, decided))
    }

    /// Returns the tool of a pending approval.
    ///
    /// # Errors
    /// `approval-ended`.
    pub(super) fn about(&self, id: &ApprovalId) -> Result<(MemberName, ToolName), Report> {
        let open = self.open.lock();
        let found = open.waiting.values().find(|w| w.approval.id == *id);
        found
            .map(|w| (w.approval.member.clone(), w.approval.tool.clone()))
            .ok_or_else(ended)
    }

    /// Decides a pending approval.
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
            Decision::Once | Decision::Always => Some(ApprovalConsent {
                always: decision == Decision::Always,
                arguments,
            }),
            Decision::Deny => None,
        };
        let mut open = self.open.lock();
        let number = open
            .waiting
            .iter()
            .find(|(_, waiting)| waiting.approval.id == *id)
            .map(|(&number, _)| number);
        let waiting = number.and_then(|number| open.waiting.remove(&number));
        let waiting = waiting.ok_or_else(ended)?;
        self.roster
            .tell(HallEvent::ApprovalEnded { id: id.clone() });
        waiting.decision.send(consent).map_err(|_| ended())
    }

    fn close(&self, number: u64) {
        let mut open = self.open.lock();
        if let Some(waiting) = open.waiting.remove(&number) {
            let id = waiting.approval.id;
            self.roster.tell(HallEvent::ApprovalEnded { id });
        }
    }
}

/// A pending approval in the queue. Dropping this guard removes the approval.
struct ApprovalGuard {
    queue: Arc<ApprovalQueue>,
    number: u64,
}

impl Drop for ApprovalGuard {
    fn drop(&mut self) {
        self.queue.close(self.number);
    }
}

fn ended() -> Report {
    Report::from_error(Code::ApprovalEnded, &AgentsError::DecisionEnded)
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    fn asked() -> ApprovalRequest {
        ApprovalRequest {
            client: "Claude Code".into(),
            member: MemberName::parse("forge").expect("a name"),
            tool: ToolName::parse("melt").expect("a name"),
            arguments: "{}".into(),
        }
    }

    fn queue(attending: &watch::Sender<usize>) -> Arc<ApprovalQueue> {
        let index = Arc::new(Roster::new(String::new()));
        let command_line = watch::Sender::new(false).subscribe();
        ApprovalQueue::new(
            index,
            Duration::from_secs(60),
            attending.subscribe(),
            command_line,
        )
    }

    fn reply(action: ElicitationAction, content: &Value) -> BoxFuture<'static, ElicitationReply> {
        let content = content.as_object().cloned();
        Box::pin(std::future::ready(ElicitationReply { action, content }))
    }

    #[tokio::test]
    async fn without_a_window_the_agents_client_is_asked() {
        let attending = watch::Sender::new(0);
        let queue = queue(&attending);
        let accepts = |content: &Value| reply(ElicitationAction::Accept, content);
        let allowed = queue
            .ask(asked(), Some(accepts(&json!({"allow": true}))))
            .await;
        assert!(!allowed.expect("allowed").always);
        for said in [
            accepts(&json!({"allow": false})),
            accepts(&json!({})),
            reply(ElicitationAction::Decline, &json!({"allow": true})),
            reply(ElicitationAction::Cancel, &Value::Null),
        ] {
            let refused = queue.ask(asked(), Some(said)).await;
            assert_eq!(refused.expect_err("no").code, Code::ApprovalMissing);
        }
        assert!(queue.all().approvals.is_empty());
    }

    #[tokio::test(start_paused = true)]
    async fn without_a_window_the_command_line_decides() {
        let attending = watch::Sender::new(0);
        let index = Arc::new(Roster::new(String::new()));
        let command_line = watch::Sender::new(true);
        let (attending, timeout) = (attending.subscribe(), Duration::from_secs(60));
        let queue = ApprovalQueue::new(index, timeout, attending, command_line.subscribe());
        let mut events = queue.roster.subscribe();
        events.next().await.expect("the roster");
        let asking = tokio::spawn({
            let queue = Arc::clone(&queue);
            let cancelled = reply(ElicitationAction::Cancel, &Value::Null);
            async move { queue.ask(asked(), Some(cancelled)).await }
        });
        events.next().await.expect("asked");
        let waiting = queue.all().approvals;
        let id = &waiting.first().expect("it waits").id;
        queue.decide(id, Decision::Once, None).expect("decided");
        asking.await.expect("no panic").expect("allowed");
        let late = queue.ask(asked(), None).await;
        let late = late.expect_err("the question timed out");
        assert!(late.message.contains("in time"), "{late}");
    }

    #[tokio::test]
    async fn with_nobody_there_it_is_refused_at_once_and_says_why() {
        let attending = watch::Sender::new(0);
        let queue = queue(&attending);
        let report = queue.ask(asked(), None).await;
        let report = report.expect_err("no window is open");
        assert_eq!(report.code, Code::ApprovalMissing);
        assert!(
            report.message.contains("no Guild Hall window is open"),
            "{report}"
        );
        assert!(queue.all().approvals.is_empty());
    }

    #[tokio::test(start_paused = true)]
    async fn a_decision_reaches_its_call_and_every_end_is_told_once() {
        let attending = watch::Sender::new(1);
        let queue = queue(&attending);
        let mut events = queue.roster.subscribe();
        events.next().await.expect("the roster");
        let asking = tokio::spawn({
            let queue = Arc::clone(&queue);
            async move { queue.ask(asked(), None).await }
        });
        let HallEvent::ApprovalAsked { approval } = &events.next().await.expect("asked").event
        else {
            panic!("an approval");
        };
        queue
            .decide(&approval.id, Decision::Always, Some("{\"a\":1}".into()))
            .expect("decided");
        let consent = asking.await.expect("no panic").expect("allowed");
        assert!(consent.always);
        assert_eq!(consent.arguments.as_deref(), Some("{\"a\":1}"));
        let ended = events.next().await.expect("ended");
        assert!(matches!(ended.event, HallEvent::ApprovalEnded { .. }));
        assert_eq!(
            queue
                .decide(&approval.id, Decision::Once, None)
                .expect_err("over")
                .code,
            Code::ApprovalEnded
        );

        // Time is paused, so the timeout fires as soon as the test is idle.
        let late = queue.ask(asked(), None).await;
        let late = late.expect_err("the question timed out");
        assert!(late.message.contains("in time"), "{late}");
        assert!(queue.all().approvals.is_empty());
    }

    #[tokio::test(start_paused = true)]
    async fn how_long_a_person_has_is_no_matter_of_the_wall_clock() {
        let attending = watch::Sender::new(1);
        let queue = queue(&attending);
        let by_wall_clock = now_ms();
        let mut asking = tokio::spawn({
            let queue = Arc::clone(&queue);
            async move { queue.ask(asked(), None).await }
        });
        let almost = Duration::from_secs(59);
        let early = tokio::time::timeout(almost, &mut asking).await;
        assert!(early.is_err(), "a second is left");
        assert_eq!(queue.all().approvals.len(), 1);
        let late = asking
            .await
            .expect("no panic")
            .expect_err("the question timed out");
        assert!(late.message.contains("in time"), "{late}");
        assert!(
            now_ms() < by_wall_clock + 50_000,
            "the wall clock is far from the end that was shown"
        );
    }
}
