//! Servers' open questions to a person (elicitations).
//!
//! Each question is a future that the session of the asking server awaits. The question ends with
//! an answer, after its time limit, when no window is left to show it, or when its call or
//! connection drops the future. In each case the listeners get one notification.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use std::time::Duration;

use futures::FutureExt;
use futures::future::BoxFuture;
use guild_api::event::HallEvent;
use guild_api::wire::{Elicitation, ElicitationMode, Elicitations};
use guild_mcp_client::{ElicitationHandler, ElicitationPrompt, ElicitationReply, RequestedInput};
use guild_model::messages::CallError;
use guild_model::messages::WhyNobody;
use guild_model::{Code, ElicitationId, MemberName, Report};
use guild_schema::schema::bound;
use guild_text::messages::to_strings;
use parking_lot::Mutex;
use serde_json::Value;
use tokio::sync::{oneshot, watch};
use tokio::time::Instant;

use guild_files::clock::now_ms;
use guild_roster::Roster;

/// Maximum number of open questions of one member.
const OPEN_MAX: usize = 8;
/// Time limit for a person's answer.
pub const PATIENCE: Duration = Duration::from_secs(10 * 60);
/// Minimum time between two warnings that a member's questions are not answered.
const WARNING_PAUSE: Duration = Duration::from_secs(1);

#[derive(Debug)]
struct PendingElicitation {
    elicitation: Elicitation,
    /// The schema of the requested input, as the server sent it. `None` if a person has to visit a
    /// URL.
    schema: Option<Arc<Value>>,
    answer: oneshot::Sender<ElicitationReply>,
}

/// The requested input, as shown to a person.
#[derive(Debug)]
struct DisplayedElicitation {
    mode: ElicitationMode,
    /// The schema as the server sent it. `None` if a person has to visit a URL.
    schema: Option<Arc<Value>>,
}

/// Shows servers' questions to a person, and returns the answers.
#[derive(Debug)]
pub struct ElicitationBroker {
    roster: Arc<Roster>,
    patience: Duration,
    waiting: Mutex<ElicitationQueue>,
    /// Number of listeners that show questions to a person.
    attending: watch::Sender<usize>,
    /// Whether the command line can connect to this Guild Hall.
    door_open: watch::Sender<bool>,
}

#[derive(Debug, Default)]
struct ElicitationQueue {
    asked: u64,
    /// The open questions by their number, which is ascending, so that the oldest comes first.
    open: BTreeMap<u64, PendingElicitation>,
    /// Time of the last warning that a member's questions are not answered.
    warned_at: HashMap<MemberName, Instant>,
}

/// While this guard exists, a window can show questions.
#[derive(Debug)]
pub struct WindowPresence(Arc<ElicitationBroker>);

impl Drop for WindowPresence {
    fn drop(&mut self) {
        self.0.attending.send_modify(|count| *count -= 1);
    }
}

impl ElicitationBroker {
    /// Returns a broker without questions. An unanswered question ends after `patience`.
    pub fn new(roster: Arc<Roster>, patience: Duration) -> Arc<Self> {
        Arc::new(Self {
            roster,
            patience,
            waiting: Mutex::default(),
            attending: watch::Sender::new(0),
            door_open: watch::Sender::new(false),
        })
    }

    /// Returns the elicitation handler of a member.
    pub fn of(self: &Arc<Self>, member: &MemberName) -> Arc<dyn ElicitationHandler> {
        Arc::new(MemberElicitations {
            broker: Arc::clone(self),
            member: member.clone(),
        })
    }

    /// Subscribes to the number of listeners that show questions to a person.
    pub fn attending(&self) -> watch::Receiver<usize> {
        self.attending.subscribe()
    }

    /// Subscribes to whether a person can answer through the command line.
    pub fn door_open(&self) -> watch::Receiver<bool> {
        self.door_open.subscribe()
    }

    /// Records that the command line can connect to this Guild Hall from now on.
    pub fn opened_door(&self) {
        self.door_open.send_replace(true);
    }

    /// Returns the time limit for a person's answer.
    pub fn patience(&self) -> Duration {
        self.patience
    }

    /// Registers a window that can show questions, until the returned guard is dropped.
    pub fn attend(self: &Arc<Self>) -> WindowPresence {
        self.attending.send_modify(|count| *count += 1);
        WindowPresence(Arc::clone(self))
    }

    /// Asks the open windows a question, and waits for the answer.
    async fn ask(
        self: Arc<Self>,
        member: MemberName,
        question: ElicitationPrompt,
    ) -> ElicitationReply {
        let mut attending = self.attending.subscribe();
        if *attending.borrow_and_update() == 0 {
            self.warn_unanswered(&member, &question, WhyNobody::Nobody);
            return ElicitationReply::CANCEL;
        }
        let Some(shown) = shown(question.wanted.clone()).await else {
            return ElicitationReply::CANCEL;
        };
        let Some((open, answered)) = self.open(&member, &question, shown) else {
            self.warn_unanswered(&member, &question, WhyNobody::TooMany(OPEN_MAX));
            return ElicitationReply::CANCEL;
        };
        let reply = tokio::select! {
            // The answer is checked first: once `answer` has succeeded, the answer counts, even if
            // the time limit passes at the same moment.
            biased;
            answer = answered => answer.unwrap_or(ElicitationReply::CANCEL),
            () = tokio::time::sleep(self.patience) => {
                self.warn_unanswered(&member, &question, WhyNobody::NoAnswer);
                ElicitationReply::CANCEL
            }
            // The last window is gone. The broker itself outlives this future.
            _ = attending.wait_for(|&count| count == 0) => ElicitationReply::CANCEL,
        };
        drop(open);
        reply
    }

    /// Stores a question and sends its event under one lock. `None` if the member has too many open
    /// questions.
    fn open(
        self: &Arc<Self>,
        member: &MemberName,
        question: &ElicitationPrompt,
        shown: DisplayedElicitation,
    ) -> Option<(ElicitationGuard, oneshot::Receiver<ElicitationReply>)> {
        let (answer, answered) = oneshot::channel();
        let mut questions = self.waiting.lock();
        let of_member = |waiting: &&PendingElicitation| waiting.elicitation.member == *member;
        if questions.open.values().filter(of_member).count() >= OPEN_MAX {
            return None;
        }
        questions.asked += 1;
        let number = questions.asked;
        let asked_at_ms = now_ms();
        let patience = u64::try_from(self.patience.as_millis()).unwrap_or(u64::MAX);
        let elicitation = Elicitation {
            id: ElicitationId::numbered(number),
            member: member.clone(),
            call: question.call.clone(),
            tool: question.tool.clone(),
            message: question.message.clone(),
            mode: shown.mode,
            asked_at_ms,
            expires_at_ms: asked_at_ms.saturating_add(patience),
        };
        let waiting = PendingElicitation {
            elicitation,
            schema: shown.schema,
            answer,
        };
        let elicitation = Box::new(waiting.elicitation.clone());
        questions.open.insert(number, waiting);
        self.roster
            .tell(HallEvent::ElicitationAsked { elicitation });
        let broker = Arc::clone(self);
        Some((ElicitationGuard { broker, number }, answered))
    }

    /// Warns that a question reached no window or got no answer, at most once a second for each
    /// member.
    fn warn_unanswered(&self, member: &MemberName, question: &ElicitationPrompt, why: WhyNobody) {
        let now = Instant::now();
        {
            let warned_at = &mut self.waiting.lock().warned_at;
            if warned_at
                .get(member)
                .is_some_and(|&before| now.duration_since(before) < WARNING_PAUSE)
            {
                return;
            }
            warned_at.retain(|_, &mut before| now.duration_since(before) < WARNING_PAUSE);
            warned_at.insert(member.clone(), now);
        }
        let asked: String = question.message.chars().take(200).collect();
        let trouble = CallError::NobodyAsked(format!("{asked:?}"), why);
        let report = Report::from_error(Code::ElicitationUnanswered, &trouble).of(member);
        self.roster.tell(HallEvent::Warning { report });
    }

    /// Returns the waiting questions, oldest first.
    pub fn open_questions(&self) -> Elicitations {
        let questions = self.waiting.lock();
        let open = questions.open.values();
        Elicitations {
            elicitations: open.map(|waiting| waiting.elicitation.clone()).collect(),
        }
    }

    /// Returns an open question's schema.
    ///
    /// # Errors
    /// `elicitation-ended`.
    pub fn wanted(&self, id: &ElicitationId) -> Result<Option<Arc<Value>>, Report> {
        let questions = self.waiting.lock();
        let found = questions.open.values().find(|w| w.elicitation.id == *id);
        found
            .map(|waiting| waiting.schema.clone())
            .ok_or_else(ended)
    }

    /// Answers a question.
    ///
    /// # Errors
    /// `elicitation-ended`.
    pub fn answer(&self, id: &ElicitationId, reply: ElicitationReply) -> Result<(), Report> {
        let mut questions = self.waiting.lock();
        let number = questions
            .open
            .iter()
            .find(|(_, waiting)| waiting.elicitation.id == *id)
            .map(|(&number, _)| number);
        let waiting = number.and_then(|number| questions.open.remove(&number));
        let waiting = waiting.ok_or_else(ended)?;
        self.roster
            .tell(HallEvent::ElicitationEnded { id: id.clone() });
        waiting.answer.send(reply).map_err(|_| ended())
    }

    fn close(&self, number: u64) {
        let mut questions = self.waiting.lock();
        if let Some(waiting) = questions.open.remove(&number) {
            let id = waiting.elicitation.id;
            self.roster.tell(HallEvent::ElicitationEnded { id });
        }
    }
}

/// Ends a question when dropped.
struct ElicitationGuard {
    broker: Arc<ElicitationBroker>,
    number: u64,
}

impl Drop for ElicitationGuard {
    fn drop(&mut self) {
        self.broker.close(self.number);
    }
}

/// Sends the questions of one member's server to the broker.
#[derive(Debug)]
struct MemberElicitations {
    broker: Arc<ElicitationBroker>,
    member: MemberName,
}

impl ElicitationHandler for MemberElicitations {
    fn ask(&self, question: ElicitationPrompt) -> BoxFuture<'static, ElicitationReply> {
        let broker = Arc::clone(&self.broker);
        broker.ask(self.member.clone(), question).boxed()
    }
}

/// Prepares the requested input for a person, on a blocking thread, since a schema may be large.
async fn shown(wanted: RequestedInput) -> Option<DisplayedElicitation> {
    let schema = match wanted {
        RequestedInput::Visit { url, id } => {
            let elicitation_id = id;
            return Some(DisplayedElicitation {
                mode: ElicitationMode::Url {
                    url,
                    elicitation_id,
                },
                schema: None,
            });
        }
        RequestedInput::Values { schema } => schema,
    };
    let bounding = tokio::task::spawn_blocking(move || {
        let bounded = bound(&schema);
        DisplayedElicitation {
            mode: ElicitationMode::Form {
                schema: bounded.schema.to_string(),
                notes: to_strings(&bounded.notes),
            },
            schema: Some(Arc::new(schema)),
        }
    });
    bounding.await.ok()
}

fn ended() -> Report {
    Report::from_error(Code::ElicitationEnded, &CallError::QuestionEnded)
}

#[cfg(test)]
mod tests {
    use std::task::Poll;

    use futures::poll;
    use guild_api::wire::ElicitationAction;
    use serde_json::json;

    use super::*;

    fn question() -> ElicitationPrompt {
        ElicitationPrompt {
            call: None,
            tool: None,
            key: None,
            message: "Which colour?".into(),
            wanted: RequestedInput::Visit {
                url: "https://example.org/".into(),
                id: String::new(),
            },
        }
    }

    #[tokio::test(start_paused = true)]
    async fn accepted_answer_counts_without_a_window() {
        let accepted = ElicitationReply {
            action: ElicitationAction::Accept,
            content: json!({"colour": "red"}).as_object().cloned(),
        };
        // Without `biased`, the answer would be lost in two of three cases.
        for _ in 0..20 {
            let index = Arc::new(Roster::new(String::new()));
            let desk = ElicitationBroker::new(index, PATIENCE);
            let attendance = desk.attend();
            let member = MemberName::parse("smith").expect("a name");
            let mut asking = desk.of(&member).ask(question());
            assert_eq!(poll!(&mut asking), Poll::Pending);
            let id = ElicitationId::numbered(1);
            desk.answer(&id, accepted.clone()).expect("it waits");
            drop(attendance);
            tokio::time::advance(PATIENCE).await;
            assert_eq!(asking.await, accepted);
            assert!(desk.waiting.lock().open.is_empty());
        }
    }
}
