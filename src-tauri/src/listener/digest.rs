//! What of a batch a page needs not be told: what later events of the same batch take back.
//!
//! A quick call of an agent is six events, and what they leave to be drawn is often nothing.

use std::collections::{HashMap, HashSet};
use std::mem;
use std::sync::Arc;

use guild_core::event::{Envelope, HallEvent};
use guild_core::id::{CallId, MemberName};

/// Knows what was told so far.
#[derive(Debug, Default)]
pub(super) struct Digest {
    /// The newest revision that was told.
    told: u64,
}

impl Digest {
    /// What of `events` is to be told. They stand in their order and follow those of the batch
    /// before. Where an event does not follow the one that was told last, it says which that was.
    pub(super) fn of(&mut self, events: &[Arc<Envelope>]) -> Vec<Arc<Envelope>> {
        let mut needed = needed(events);
        for envelope in &mut needed {
            let before = mem::replace(&mut self.told, envelope.revision);
            let is_roster = matches!(envelope.event, HallEvent::Roster { .. });
            if before + 1 != envelope.revision && !is_roster {
                Arc::make_mut(envelope).since = Some(before);
            }
        }
        needed
    }
}

/// The events without those that later ones take back, found by looking from the last to the first.
fn needed(events: &[Arc<Envelope>]) -> Vec<Arc<Envelope>> {
    let quick = quick_calls(events);
    let mut changed: HashSet<&MemberName> = HashSet::new();
    // The calls of which something later is told, or nothing at all.
    let mut settled: HashSet<&CallId> = HashSet::new();
    let mut kept = Vec::new();
    for (at, envelope) in events.iter().enumerate().rev() {
        let is_needed = match &envelope.event {
            HallEvent::MemberChanged { member } => changed.insert(&member.name),
            HallEvent::MemberAdded { member } => {
                // Before it, this was another member of the same name.
                changed.remove(&member.name);
                true
            }
            HallEvent::CallFinished { call, .. } => {
                settled.insert(call);
                !quick.contains(&at)
            }
            HallEvent::CallProgress { call, .. } => settled.insert(call),
            HallEvent::CallStarted { call, .. } => {
                settled.remove(call);
                !quick.contains(&at)
            }
            _ => true,
        };
        if is_needed {
            kept.push(Arc::clone(envelope));
        }
    }
    kept.reverse();
    kept
}

/// Where the calls begin and end whose beginning and end are both here.
fn quick_calls(events: &[Arc<Envelope>]) -> HashSet<usize> {
    let mut begun: HashMap<&CallId, usize> = HashMap::new();
    let mut quick = HashSet::new();
    for (at, envelope) in events.iter().enumerate() {
        match &envelope.event {
            HallEvent::CallStarted { call, .. } => {
                begun.insert(call, at);
            }
            HallEvent::CallFinished { call, .. } => {
                if let Some(from) = begun.remove(call) {
                    quick.extend([from, at]);
                }
            }
            _ => {}
        }
    }
    quick
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::slice;

    use guild_core::wire::{MemberView, Roster};
    use serde_json::{Value, json};

    use super::*;

    fn member(of: &str, calls: u64) -> MemberView {
        let view = json!({
            "name": of, "version": "1", "description": "", "transport": null, "lifecycle": "eager",
            "status": "ready", "step": null, "freshness": "unknown", "listedAtMs": null, "tools": 0,
            "port": null, "pid": null, "sinceMs": 0, "retryAtMs": null, "attempt": 0,
            "protocolVersion": null, "lastStderr": null, "error": null, "warnings": [],
            "calls": calls,
            "trust": {"origin": null, "launch": "own", "holds": false, "held": 0},
        });
        serde_json::from_value(view).expect("a member")
    }

    fn event(said: Value) -> HallEvent {
        serde_json::from_value(said).expect("an event")
    }

    fn changed(of: &str, calls: u64) -> HallEvent {
        HallEvent::MemberChanged {
            member: Box::new(member(of, calls)),
        }
    }

    fn begun(call: &str) -> HallEvent {
        event(json!({"kind": "call_started", "call": call, "member": "a", "tool": "t"}))
    }

    fn progressed(call: &str, progress: f64) -> HallEvent {
        let progress = json!({"progress": progress, "total": null, "message": null});
        event(json!({"kind": "call_progress", "call": call, "progress": progress}))
    }

    fn ended(call: &str) -> HallEvent {
        event(json!({
            "kind": "call_finished", "call": call, "member": "a", "tool": "t", "durationMs": 1,
            "isError": false, "error": null,
        }))
    }

    /// What a page shows, as far as events that may be left out change it.
    #[derive(Debug, Clone, Default, PartialEq)]
    struct Page {
        revision: u64,
        members: BTreeMap<String, u64>,
        /// Of each call that runs, how far it is.
        running: BTreeMap<String, Option<String>>,
        /// What is merely told.
        heard: Vec<u64>,
    }

    impl Page {
        /// Takes an event in as a page does, which sees by the revisions whether one went astray.
        fn take(&mut self, envelope: &Envelope) {
            if let HallEvent::Roster { roster } = &envelope.event {
                self.revision = roster.revision;
                self.members = (roster.members.iter())
                    .map(|view| (view.name.to_string(), view.calls as u64))
                    .collect();
                return;
            }
            let before = envelope.since.unwrap_or(envelope.revision - 1);
            assert_eq!(before, self.revision, "one is missing before {envelope:?}");
            self.revision = envelope.revision;
            match &envelope.event {
                HallEvent::MemberAdded { member } | HallEvent::MemberChanged { member } => {
                    let calls = member.calls as u64;
                    self.members.insert(member.name.to_string(), calls);
                }
                HallEvent::MemberRemoved { member } => {
                    self.members.remove(&member.to_string());
                }
                HallEvent::CallStarted { call, .. } => {
                    self.running.insert(call.to_string(), None);
                }
                HallEvent::CallProgress { call, progress } => {
                    if let Some(at) = self.running.get_mut(&call.to_string()) {
                        *at = Some(progress.progress.to_string());
                    }
                }
                HallEvent::CallFinished { call, .. } => {
                    self.running.remove(&call.to_string());
                }
                _ => self.heard.push(envelope.revision),
            }
        }
    }

    fn numbered(events: &[HallEvent]) -> Vec<Arc<Envelope>> {
        let number = |(revision, event): (u64, &HallEvent)| {
            let mut event = event.clone();
            if let HallEvent::Roster { roster } = &mut event {
                roster.revision = revision;
            }
            Arc::new(Envelope::new(revision, event))
        };
        (1..).zip(events).map(number).collect()
    }

    #[test]
    fn a_quick_call_leaves_the_state_of_its_member() {
        let events = numbered(&[
            changed("a", 1),
            begun("x"),
            progressed("x", 1.0),
            ended("x"),
            changed("a", 0),
        ]);
        let told = Digest::default().of(&events);
        let [only] = told.as_slice() else {
            panic!("{told:?}");
        };
        assert_eq!((only.since, only.revision), (Some(0), 5));
        assert_eq!(only.event, changed("a", 0));
    }

    #[test]
    fn of_a_call_that_goes_on_the_beginning_is_told_and_the_last_progress() {
        let events = numbered(&[begun("x"), progressed("x", 1.0), progressed("x", 2.0)]);
        let told = Digest::default().of(&events);
        let revisions: Vec<_> = told
            .iter()
            .map(|told| (told.since, told.revision))
            .collect();
        assert_eq!(revisions, [(None, 1), (Some(1), 3)]);
    }

    /// A call begins where it does not run, and ends where it does.
    fn can_happen(order: &[HallEvent]) -> bool {
        let mut runs = false;
        order.iter().all(|event| match event {
            HallEvent::CallStarted { .. } => !mem::replace(&mut runs, true),
            HallEvent::CallFinished { .. } => mem::replace(&mut runs, false),
            _ => true,
        })
    }

    /// Every order of events, in every division into two batches, draws the same page.
    #[test]
    fn a_page_that_is_told_less_shows_the_same() {
        let roster = HallEvent::Roster {
            roster: Box::new(Roster {
                revision: 0,
                members_dir: String::new(),
                members: vec![member("a", 7)],
                error: None,
            }),
        };
        let kinds = [
            changed("a", 1),
            changed("a", 2),
            changed("b", 1),
            event(json!({"kind": "member_removed", "member": "a"})),
            HallEvent::MemberAdded {
                member: Box::new(member("a", 5)),
            },
            begun("x"),
            progressed("x", 1.0),
            progressed("x", 2.0),
            ended("x"),
            event(json!({"kind": "found_changed", "new": 1})),
            roster,
        ];
        let mut orders: Vec<Vec<HallEvent>> = vec![Vec::new()];
        for _ in 0..4 {
            orders = orders
                .iter()
                .flat_map(|order| {
                    let longer =
                        |kind: &HallEvent| [order.as_slice(), slice::from_ref(kind)].concat();
                    kinds.iter().map(longer).collect::<Vec<_>>()
                })
                .collect();
        }
        orders.retain(|order| can_happen(order));
        assert!(orders.len() > 5_000, "{} orders", orders.len());
        let whole: Vec<_> = orders.iter().map(|order| numbered(order)).collect();
        for events in &whole {
            let mut all = Page::default();
            for envelope in events {
                all.take(envelope);
            }
            for cut in 0..events.len() {
                let (first, second) = events.split_at(cut);
                let mut digest = Digest::default();
                let mut page = Page::default();
                for envelope in digest.of(first).iter().chain(&digest.of(second)) {
                    page.take(envelope);
                }
                page.revision = all.revision;
                assert_eq!(page, all, "cut at {cut}: {events:?}");
            }
        }
    }
}
