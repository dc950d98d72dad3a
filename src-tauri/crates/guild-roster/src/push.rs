//! Pushes rare events to a window, in at most ten emissions per second. An emission has all pending
//! events of one Tauri event name. Of several changes of one member it has only the newest.

use std::fmt::Display;
use std::sync::Arc;
use std::time::Duration;

use guild_api::event::{Envelope, HallEvent, PUSHED_EVENTS};
use tokio::time::{Instant, sleep_until};

use super::Subscription;

/// The pause after a successful emission.
const PAUSE: Duration = Duration::from_millis(100);
/// The pause after an emission that failed.
const RETRY: Duration = Duration::from_secs(1);
/// Maximum number of pending events. Further events stay in the subscription. If too many of them
/// accumulate there, the subscription returns the whole roster instead.
const PENDING_MAX: usize = 512;

/// Returns the name of the Tauri event that carries this event to the window.
///
/// `None` for logs, for calls and their progress, and for the traffic of agents: the web view
/// keeps the script of each Tauri event, and these events are too frequent for that. The window
/// pulls them.
#[must_use]
pub fn pushed_as(event: &HallEvent) -> Option<&'static str> {
    let [roster, member, tools, approvals, hall] = PUSHED_EVENTS;
    match event {
        HallEvent::Roster { .. }
        | HallEvent::MemberAdded { .. }
        | HallEvent::MemberRemoved { .. } => Some(roster),
        HallEvent::MemberChanged { is_activity, .. } => (!is_activity).then_some(member),
        HallEvent::ToolsUpdated { .. } => Some(tools),
        HallEvent::ApprovalAsked { .. } | HallEvent::ApprovalEnded { .. } => Some(approvals),
        HallEvent::OffersChanged { .. }
        | HallEvent::ElicitationAsked { .. }
        | HallEvent::ElicitationEnded { .. }
        | HallEvent::GatewayChanged { .. }
        | HallEvent::FoundChanged { .. }
        | HallEvent::DevRound { .. }
        | HallEvent::SettingsChanged { .. }
        | HallEvent::SignInChanged { .. }
        | HallEvent::UpdatesChanged { .. }
        | HallEvent::Warning { .. } => Some(hall),
        HallEvent::CallStarted { .. }
        | HallEvent::CallProgress { .. }
        | HallEvent::CallFinished { .. }
        | HallEvent::CallRecorded { .. }
        | HallEvent::Examined { .. }
        | HallEvent::Unpacking { .. }
        | HallEvent::TrafficSeen { .. }
        | HallEvent::Stderr { .. } => None,
    }
}

impl Subscription {
    /// Emits the events that have a name in [`pushed_as`], until the hall is gone. Does not emit
    /// the roster that begins the subscription. Repeats a failed emission.
    pub async fn push<E: Display>(
        mut self,
        emit: impl Fn(&'static str, Vec<&Envelope>) -> Result<(), E>,
    ) {
        let mut pending: Vec<Arc<Envelope>> = Vec::new();
        let mut due = Instant::now();
        self.owed = None;
        loop {
            tokio::select! {
                biased;
                next = self.next(), if pending.len() < PENDING_MAX => match next {
                    Some(envelope) => add(&mut pending, envelope),
                    None => return,
                },
                () = sleep_until(due), if !pending.is_empty() => {
                    due = Instant::now() + emit_oldest(&mut pending, &emit);
                }
            }
        }
    }
}

/// Emits all events with the name of the oldest one. Returns the pause that follows.
fn emit_oldest<E: Display>(
    pending: &mut Vec<Arc<Envelope>>,
    emit: &impl Fn(&'static str, Vec<&Envelope>) -> Result<(), E>,
) -> Duration {
    let name = pending.first().and_then(|oldest| pushed_as(&oldest.event));
    let Some(name) = name else { return PAUSE };
    let has_name = |envelope: &Arc<Envelope>| pushed_as(&envelope.event) == Some(name);
    let events = pending.iter().filter(|one| has_name(one)).map(Arc::as_ref);
    match emit(name, events.collect()) {
        Ok(()) => {
            pending.retain(|envelope| !has_name(envelope));
            PAUSE
        }
        Err(error) => {
            tracing::warn!(%error, "the window does not get the event {name} yet");
            RETRY
        }
    }
}

/// Adds an event if it is pushed, and removes the events that it makes obsolete.
fn add(pending: &mut Vec<Arc<Envelope>>, envelope: Arc<Envelope>) {
    if pushed_as(&envelope.event).is_some() {
        pending.retain(|older| !replaces(&envelope.event, &older.event));
        pending.push(envelope);
    }
}

fn replaces(newer: &HallEvent, older: &HallEvent) -> bool {
    use HallEvent::*;
    match (newer, older) {
        (Roster { .. }, Roster { .. } | MemberAdded { .. } | MemberRemoved { .. })
        | (Roster { .. }, MemberChanged { .. })
        | (GatewayChanged { .. }, GatewayChanged { .. })
        | (FoundChanged { .. }, FoundChanged { .. })
        | (SettingsChanged { .. }, SettingsChanged { .. })
        | (UpdatesChanged { .. }, UpdatesChanged { .. }) => true,
        (MemberChanged { member, .. }, MemberChanged { member: other, .. }) => {
            member.name == other.name
        }
        (DevRound { round }, DevRound { round: other }) => round.member == other.member,
        (SignInChanged { sign_in }, SignInChanged { sign_in: other }) => {
            sign_in.member == other.member
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;
    use std::sync::atomic::{AtomicBool, Ordering};

    use guild_api::wire::MemberView;
    use serde_json::{Value, json};
    use tokio::time::{advance, sleep};

    use super::super::Roster;
    use super::*;

    /// An emission: its time since the start, its name, and its events.
    type Emission = (Duration, &'static str, Vec<Value>);

    /// Records emissions, like a page that receives them.
    struct EmissionRecorder {
        roster: Arc<Roster>,
        emitted: Arc<Mutex<Vec<Emission>>>,
        refuses: Arc<AtomicBool>,
    }

    impl EmissionRecorder {
        fn open() -> Self {
            let page = Self {
                roster: Arc::new(Roster::new(String::new())),
                emitted: Arc::default(),
                refuses: Arc::default(),
            };
            let (emitted, refuses) = (Arc::clone(&page.emitted), Arc::clone(&page.refuses));
            let start = Instant::now();
            let emit = move |name, events: Vec<&Envelope>| {
                if refuses.load(Ordering::Relaxed) {
                    return Err("no page");
                }
                let written = events.into_iter().map(|one| json!(one.event)).collect();
                let mut emitted = emitted.lock().expect("emissions");
                emitted.push((start.elapsed(), name, written));
                Ok(())
            };
            tokio::spawn(page.roster.subscribe().push(emit));
            page
        }

        fn happens(&self, event: Value) {
            let event = serde_json::from_value(event).expect("an event");
            self.roster.tell(event);
        }

        fn changes(&self, name: &str, tools: u64, is_activity: bool) {
            let member = json!({
                "name": name, "version": "1", "description": "", "transport": null,
                "lifecycle": "eager", "status": "ready", "step": null, "freshness": "unknown",
                "listedAtMs": null, "tools": tools, "port": null, "pid": null, "sinceMs": 0,
                "retryAtMs": null, "attempt": 0, "protocolVersion": null, "lastStderr": null,
                "error": null, "warnings": [], "calls": 0,
                "trust": {"origin": null, "launch": "own", "holds": false, "held": 0},
            });
            let member: MemberView = serde_json::from_value(member).expect("a member");
            self.roster.tell(HallEvent::MemberChanged {
                member: Box::new(member),
                is_activity,
            });
        }

        fn emitted(&self) -> Vec<Emission> {
            std::mem::take(&mut self.emitted.lock().expect("emissions"))
        }
    }

    #[tokio::test(start_paused = true)]
    async fn member_changed_twice_emits_newest_state() {
        let page = EmissionRecorder::open();
        for tools in 1..=3 {
            page.changes("a", tools, false);
        }
        page.changes("b", 9, false);
        sleep(PAUSE).await;
        let emitted = page.emitted();
        let [(_, "member_changed", events)] = emitted.as_slice() else {
            panic!("{emitted:?}");
        };
        let tools: Vec<_> = events
            .iter()
            .map(|event| &event["member"]["tools"])
            .collect();
        assert_eq!(tools, [3, 9]);
    }

    #[tokio::test(start_paused = true)]
    async fn steady_changes_emit_ten_times_a_second() {
        let page = EmissionRecorder::open();
        for round in 0..1_000 {
            page.changes("a", round, false);
            page.happens(json!({"kind": "found_changed", "new": round}));
            advance(Duration::from_millis(5)).await;
        }
        sleep(PAUSE * 2).await;
        let emitted = page.emitted();
        assert!((40..=53).contains(&emitted.len()), "{}", emitted.len());
        for pair in emitted.windows(2) {
            assert!(pair[1].0 >= pair[0].0 + PAUSE, "{pair:?}");
        }
        for name in ["member_changed", "hall_changed"] {
            let last = emitted.iter().rfind(|(_, of, _)| *of == name);
            let event = last.and_then(|(.., events)| events.last());
            let event = event.expect("an emission");
            let state = event.get("new").unwrap_or(&event["member"]["tools"]);
            assert_eq!(state, 999, "{name}");
        }
    }

    #[tokio::test(start_paused = true)]
    async fn streams_and_activity_are_not_emitted() {
        let page = EmissionRecorder::open();
        page.changes("a", 1, true);
        page.happens(json!({"kind": "unpacking", "call": "c", "done": 1, "of": 2}));
        page.happens(json!({"kind": "stderr", "member": "a", "lines": [], "skipped": 0}));
        sleep(PAUSE * 10).await;
        assert_eq!(page.emitted(), []);
    }

    #[tokio::test(start_paused = true)]
    async fn missed_events_emit_the_roster() {
        let page = EmissionRecorder::open();
        for new in 0..2_000 {
            page.happens(json!({"kind": "found_changed", "new": new}));
        }
        sleep(PAUSE).await;
        let emitted = page.emitted();
        let [(_, "roster_changed", events)] = emitted.as_slice() else {
            panic!("{emitted:?}");
        };
        assert_eq!(events[0]["roster"]["revision"], 2_000);
    }

    #[tokio::test(start_paused = true)]
    async fn failed_emission_is_repeated() {
        let page = EmissionRecorder::open();
        page.refuses.store(true, Ordering::Relaxed);
        page.happens(json!({"kind": "found_changed", "new": 1}));
        sleep(RETRY / 2).await;
        assert_eq!(page.emitted(), []);
        let offers =
            json!({"kind": "offers_changed", "member": "a", "resources": true, "prompts": false});
        page.happens(offers);
        page.refuses.store(false, Ordering::Relaxed);
        sleep(RETRY).await;
        let emitted = page.emitted();
        let [(_, "hall_changed", events)] = emitted.as_slice() else {
            panic!("{emitted:?}");
        };
        assert_eq!(events.len(), 2, "{events:?}");
    }
}
