//! The state of the hall for the tray icon, derived only from events.

use std::collections::{BTreeMap, BTreeSet};

use super::notifications::NotificationTopic;
use crate::event::HallEvent;
use crate::wire::{Approval, Elicitation, MemberView};
use guild_model::id::{ApprovalId, ElicitationId, MemberName, ToolName};
use guild_model::status::Status;

/// Maximum number of members in each list of [`TrayState`].
pub(crate) const TROUBLED_MAX: usize = 10;

/// The state that the tray icon shows, in ascending order of urgency.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum TrayStatus {
    /// No member has failed, starts or stops.
    #[default]
    Well,
    /// Members are starting or stopping.
    Working,
    /// Members have failed.
    Error,
    /// A call, a question or changed tools wait for the user.
    NeedsYou,
}

impl TrayStatus {
    /// All states.
    pub const ALL: [Self; 4] = [Self::Well, Self::Working, Self::Error, Self::NeedsYou];
}

/// A summary of the hall's state.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TrayState {
    /// The state that the tray icon shows.
    pub status: TrayStatus,
    /// Number of members that accept calls.
    pub ready: usize,
    /// Number of members that are starting or stopping.
    pub moving: usize,
    /// Number of failed members, including those that will be restarted.
    pub failed: usize,
    /// Number of members that were stopped without an error.
    pub down: usize,
    /// Number of disabled members.
    pub disabled: usize,
    /// Number of members whose launch command the user has not accepted yet.
    pub unreviewed: usize,
    /// The failed members by name, `TROUBLED_MAX` at most.
    pub troubled: Vec<(MemberName, Status)>,
    /// Members with withheld tools and the number of these tools, `TROUBLED_MAX` at most.
    pub held: Vec<(MemberName, usize)>,
    /// Number of agents' calls that wait for the user's approval.
    pub approvals: usize,
    /// Number of servers' questions that wait for an answer.
    pub questions: usize,
    /// The member with the oldest question, if a question waits.
    pub asks: Option<MemberName>,
    /// Whether the members' folder can't be read.
    pub folder_failed: bool,
}

impl TrayState {
    /// Returns the number of members.
    pub fn members(&self) -> usize {
        self.ready + self.moving + self.failed + self.down + self.disabled + self.unreviewed
    }
}

/// The last known state of a member.
#[derive(Debug, Clone, PartialEq, Eq)]
struct TrayMemberState {
    status: Status,
    held: usize,
    /// The withheld tools, sorted. Empty if there are too many to list.
    names: Vec<ToolName>,
}

impl TrayMemberState {
    fn of(member: &MemberView) -> Self {
        Self {
            status: member.status,
            held: member.trust.held,
            names: member.trust.held_names.clone(),
        }
    }

    /// Whether a tool is withheld that was not before. Comparing the numbers does not suffice,
    /// because one withheld tool can replace another.
    fn holds_more_than(&self, before: &Self) -> bool {
        let all_known = before.names.len() == before.held;
        let is_new = |name: &ToolName| before.names.binary_search(name).is_err();
        self.held > before.held || (all_known && self.names.iter().any(is_new))
    }
}

/// A change for which the user may get a notification.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NotificationEvent {
    /// The event has begun.
    Arose(NotificationTopic),
    /// The event has ended.
    Settled(NotificationTopic),
}

/// The state of the hall, derived from its events.
#[derive(Debug, Default)]
pub struct HallStateTracker {
    members: BTreeMap<MemberName, TrayMemberState>,
    approvals: BTreeMap<ApprovalId, MemberName>,
    /// The waiting questions, the oldest first.
    questions: Vec<(ElicitationId, MemberName)>,
    folder_failed: bool,
    /// Whether the first roster has arrived. Its content causes no notifications.
    opened: bool,
}

impl HallStateTracker {
    /// Applies an event. Returns whether the tracked state changed, and the changes that the user
    /// may have to be notified of.
    pub fn take(&mut self, event: &HallEvent) -> (bool, Vec<NotificationEvent>) {
        let mut events = Vec::new();
        let changed = match event {
            HallEvent::Roster { roster } => {
                let failed = roster.error.is_some();
                let mut changed = failed != self.folder_failed || !self.opened;
                self.folder_failed = failed;
                let there: BTreeSet<&MemberName> =
                    roster.members.iter().map(|member| &member.name).collect();
                let gone = self.members.keys().filter(|name| !there.contains(name));
                for name in gone.cloned().collect::<Vec<_>>() {
                    changed |= self.forget(&name, &mut events);
                }
                for member in &roster.members {
                    changed |= self.know(member, &mut events);
                }
                self.opened = true;
                changed
            }
            HallEvent::MemberAdded { member } | HallEvent::MemberChanged { member, .. } => {
                self.know(member, &mut events)
            }
            HallEvent::MemberRemoved { member } => self.forget(member, &mut events),
            HallEvent::ApprovalAsked { approval } => {
                self.ask(approval, &mut events);
                true
            }
            HallEvent::ApprovalEnded { id } => self.end_approval(id, &mut events),
            HallEvent::ElicitationAsked { elicitation } => {
                self.question(elicitation, &mut events);
                true
            }
            HallEvent::ElicitationEnded { id } => self.end_question(id, &mut events),
            _ => false,
        };
        (changed, events)
    }

    /// Replaces the tracked approvals and questions by the hall's complete lists, after events were
    /// missed. Returns the changes that the user may have to be notified of.
    pub fn waiting(
        &mut self,
        approvals: &[Approval],
        questions: &[Elicitation],
    ) -> Vec<NotificationEvent> {
        let mut events = Vec::new();
        let waits: BTreeSet<&ApprovalId> = approvals.iter().map(|approval| &approval.id).collect();
        let over = self.approvals.keys().filter(|id| !waits.contains(id));
        for id in over.cloned().collect::<Vec<_>>() {
            self.end_approval(&id, &mut events);
        }
        for approval in approvals {
            self.ask(approval, &mut events);
        }
        let waits: BTreeSet<&ElicitationId> = questions.iter().map(|asked| &asked.id).collect();
        let ids = self.questions.iter().map(|(id, _)| id);
        let over = ids.filter(|id| !waits.contains(id));
        for id in over.cloned().collect::<Vec<_>>() {
            self.end_question(&id, &mut events);
        }
        for question in questions {
            self.question(question, &mut events);
        }
        events
    }

    /// Returns a summary of the current state.
    pub fn tray_state(&self) -> TrayState {
        let mut tray_state = TrayState {
            approvals: self.approvals.len(),
            questions: self.questions.len(),
            asks: self.questions.first().map(|(_, member)| member.clone()),
            folder_failed: self.folder_failed,
            ..TrayState::default()
        };
        for (name, seen) in &self.members {
            match seen.status {
                Status::Ready => tray_state.ready += 1,
                Status::Starting | Status::Stopping => tray_state.moving += 1,
                Status::Error | Status::Backoff | Status::CrashLoop => {
                    tray_state.failed += 1;
                    if tray_state.troubled.len() < TROUBLED_MAX {
                        tray_state.troubled.push((name.clone(), seen.status));
                    }
                }
                Status::Stopped => tray_state.down += 1,
                Status::Disabled => tray_state.disabled += 1,
                Status::Unreviewed => tray_state.unreviewed += 1,
            }
            if seen.held > 0 && tray_state.held.len() < TROUBLED_MAX {
                tray_state.held.push((name.clone(), seen.held));
            }
        }
        tray_state.status =
            if tray_state.approvals + tray_state.questions > 0 || !tray_state.held.is_empty() {
                TrayStatus::NeedsYou
            } else if tray_state.failed > 0 || tray_state.folder_failed {
                TrayStatus::Error
            } else if tray_state.moving > 0 {
                TrayStatus::Working
            } else {
                TrayStatus::Well
            };
        tray_state
    }

    /// Returns the members that can be stopped, because they run, start or wait for a restart.
    pub fn running(&self) -> Vec<MemberName> {
        self.which(|status| matches!(status, Status::Ready | Status::Starting | Status::Backoff))
    }

    /// Returns the members that do not run and can be started.
    pub fn startable(&self) -> Vec<MemberName> {
        self.which(|status| matches!(status, Status::Stopped | Status::Error | Status::CrashLoop))
    }

    fn which(&self, fits: impl Fn(Status) -> bool) -> Vec<MemberName> {
        let members = self.members.iter().filter(|(_, seen)| fits(seen.status));
        members.map(|(name, _)| name.clone()).collect()
    }

    fn know(&mut self, member: &MemberView, events: &mut Vec<NotificationEvent>) -> bool {
        let seen = TrayMemberState::of(member);
        let before = self.members.insert(member.name.clone(), seen.clone());
        // The states in the first roster are not changes. A member that is added later is compared
        // with a stopped member that has no withheld tools.
        let known = before.clone().unwrap_or_else(|| TrayMemberState {
            status: Status::Stopped,
            held: if self.opened { 0 } else { seen.held },
            names: if self.opened {
                Vec::new()
            } else {
                seen.names.clone()
            },
        });
        let name = &member.name;
        let (was, is) = (known.status, seen.status);
        if is == Status::CrashLoop && was != Status::CrashLoop && self.opened {
            events.push(NotificationEvent::Arose(NotificationTopic::CrashLoop {
                member: name.clone(),
            }));
        } else if was == Status::CrashLoop && is != Status::CrashLoop {
            events.push(NotificationEvent::Settled(NotificationTopic::CrashLoop {
                member: name.clone(),
            }));
        }
        let changed_tools = NotificationTopic::ChangedTools {
            member: name.clone(),
        };
        if seen.holds_more_than(&known) {
            events.push(NotificationEvent::Arose(changed_tools));
        } else if seen.held == 0 && known.held > 0 {
            events.push(NotificationEvent::Settled(changed_tools));
        }
        before != Some(seen)
    }

    fn forget(&mut self, name: &MemberName, events: &mut Vec<NotificationEvent>) -> bool {
        let Some(seen) = self.members.remove(name) else {
            return false;
        };
        let member = name.clone();
        if seen.status == Status::CrashLoop {
            events.push(NotificationEvent::Settled(NotificationTopic::CrashLoop {
                member: member.clone(),
            }));
        }
        if seen.held > 0 {
            events.push(NotificationEvent::Settled(
                NotificationTopic::ChangedTools { member },
            ));
        }
        true
    }

    fn ask(&mut self, approval: &Approval, events: &mut Vec<NotificationEvent>) {
        let member = approval.member.clone();
        let before = self.approvals.insert(approval.id.clone(), member.clone());
        if before.is_none() {
            let id = approval.id.clone();
            events.push(NotificationEvent::Arose(NotificationTopic::Approval {
                id,
                member,
            }));
        }
    }

    fn end_approval(&mut self, id: &ApprovalId, events: &mut Vec<NotificationEvent>) -> bool {
        let Some(member) = self.approvals.remove(id) else {
            return false;
        };
        let id = id.clone();
        events.push(NotificationEvent::Settled(NotificationTopic::Approval {
            id,
            member,
        }));
        true
    }

    fn question(&mut self, asked: &Elicitation, events: &mut Vec<NotificationEvent>) {
        let member = asked.member.clone();
        if self.questions.iter().all(|(id, _)| *id != asked.id) {
            let id = asked.id.clone();
            self.questions.push((id.clone(), member.clone()));
            events.push(NotificationEvent::Arose(NotificationTopic::Question {
                id,
                member,
            }));
        }
    }

    fn end_question(&mut self, id: &ElicitationId, events: &mut Vec<NotificationEvent>) -> bool {
        let Some(at) = self.questions.iter().position(|(known, _)| known == id) else {
            return false;
        };
        let (id, member) = self.questions.remove(at);
        events.push(NotificationEvent::Settled(NotificationTopic::Question {
            id,
            member,
        }));
        true
    }
}

#[cfg(test)]
mod tests;
