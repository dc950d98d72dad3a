//! Removes events that are obsolete because of later events in the same batch.
//!
//! A short call of an agent causes six events, which often change nothing that is visible.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use guild_api::event::{Envelope, HallEvent};
use guild_model::id::{CallId, MemberName};

/// Returns the events that are still needed, in order. Examines them from the last to the first.
pub(super) fn digest(events: &[Arc<Envelope>]) -> Vec<Arc<Envelope>> {
    let quick = quick_calls(events);
    let mut changed: HashSet<&MemberName> = HashSet::new();
    // Calls with a later event in the batch, and calls that need no event at all.
    let mut settled: HashSet<&CallId> = HashSet::new();
    let mut kept = Vec::new();
    for (at, envelope) in events.iter().enumerate().rev() {
        let is_needed = match &envelope.event {
            HallEvent::MemberChanged { member, .. } => changed.insert(&member.name),
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

/// Returns the positions of the events of all calls that begin and end within `events`.
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
    use std::{mem, slice};

    use guild_api::wire::RosterView;
    use serde_json::json;

    use super::*;
    use crate::listener::tests::{event, member, member_changed};

    fn changed(of: &str, tools: usize) -> HallEvent {
        member_changed(of, tools, true)
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

    /// The state of a page that events of a batch change.
    #[derive(Debug, Clone, Default, PartialEq)]
    struct DigestPageState {
        members: BTreeMap<String, usize>,
        /// The progress of each running call.
        running: BTreeMap<String, Option<String>>,
        /// The revisions of all other events.
        heard: Vec<u64>,
    }

    impl DigestPageState {
        fn take(&mut self, envelope: &Envelope) {
            match &envelope.event {
                HallEvent::Roster { roster } => {
                    self.members = (roster.members.iter())
                        .map(|view| (view.name.to_string(), view.tools))
                        .collect();
                }
                HallEvent::MemberChanged { member, .. } => {
                    self.members.insert(member.name.to_string(), member.tools);
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
            let event = event.clone();
            Arc::new(Envelope { revision, event })
        };
        (1..).zip(events).map(number).collect()
    }

    fn revisions(events: &[HallEvent]) -> Vec<u64> {
        let needed = digest(&numbered(events));
        needed.iter().map(|envelope| envelope.revision).collect()
    }

    #[test]
    fn quick_call_leaves_state_of_its_member() {
        let events = [
            changed("a", 1),
            begun("x"),
            progressed("x", 1.0),
            ended("x"),
            changed("a", 0),
        ];
        assert_eq!(revisions(&events), [5]);
    }

    #[test]
    fn running_call_keeps_start_and_last_progress() {
        let events = [begun("x"), progressed("x", 1.0), progressed("x", 2.0)];
        assert_eq!(revisions(&events), [1, 3]);
    }

    /// Whether a call begins only while it does not run, and ends only while it does.
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
    fn digested_batches_draw_the_same_page() {
        let roster = HallEvent::Roster {
            roster: Box::new(RosterView {
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
            changed("b", 2),
            begun("x"),
            progressed("x", 1.0),
            progressed("x", 2.0),
            ended("x"),
            event(json!({"kind": "unpacking", "call": "u", "done": 1, "of": 2})),
            event(json!({"kind": "stderr", "member": "a", "lines": [], "skipped": 1})),
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
            let mut all = DigestPageState::default();
            for envelope in events {
                all.take(envelope);
            }
            for cut in 0..events.len() {
                let (first, second) = events.split_at(cut);
                let mut page = DigestPageState::default();
                for envelope in digest(first).iter().chain(&digest(second)) {
                    page.take(envelope);
                }
                assert_eq!(page, all, "cut at {cut}: {events:?}");
            }
        }
    }
}
