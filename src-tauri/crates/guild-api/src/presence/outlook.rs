//! The state of the hall for the tray icon, derived only from events.

use std::collections::{BTreeMap, BTreeSet};

use super::notices::Matter;
use crate::event::HallEvent;
use crate::wire::{Approval, Elicitation, MemberView};
use guild_model::id::{ApprovalId, ElicitationId, MemberName, ToolName};
use guild_model::status::Status;

/// Limit of the members that each list in [`Outlook`] names.
pub(crate) const TROUBLED_MAX: usize = 10;

/// The state that the tray icon shows, the most urgent last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum Mood {
    /// No member has failed, starts or stops.
    #[default]
    Well,
    /// Members are starting or stopping.
    Working,
    /// Members have failed.
    Trouble,
    /// A call, a question or changed tools wait for the user.
    NeedsYou,
}

impl Mood {
    /// All states.
    pub const ALL: [Self; 4] = [Self::Well, Self::Working, Self::Trouble, Self::NeedsYou];
}

/// A summary of the hall's state.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Outlook {
    /// The state that the tray icon shows.
    pub mood: Mood,
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

impl Outlook {
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

    /// Whether a tool is withheld that was not before. The number can be equal, because a new tool
    /// can replace another one.
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
    Arose(Matter),
    /// The event has ended.
    Settled(Matter),
}

/// The state of the hall, derived from its events.
#[derive(Debug, Default)]
pub struct HallStateTracker {
    members: BTreeMap<MemberName, TrayMemberState>,
    approvals: BTreeMap<ApprovalId, MemberName>,
    /// The oldest question first.
    questions: Vec<(ElicitationId, MemberName)>,
    folder_failed: bool,
    /// Whether the first roster has arrived. Its content causes no notifications.
    opened: bool,
}

impl HallStateTracker {
    /// Applies an event. Returns whether the tracked state changed, and the events to notify about.
    pub fn take(&mut self, event: &HallEvent) -> (bool, Vec<NotificationEvent>) {
        let mut news = Vec::new();
        let changed = match event {
            HallEvent::Roster { roster } => {
                let failed = roster.error.is_some();
                let mut changed = failed != self.folder_failed || !self.opened;
                self.folder_failed = failed;
                let there: BTreeSet<&MemberName> =
                    roster.members.iter().map(|member| &member.name).collect();
                let gone = self.members.keys().filter(|name| !there.contains(name));
                for name in gone.cloned().collect::<Vec<_>>() {
                    changed |= self.forget(&name, &mut news);
                }
                for member in &roster.members {
                    changed |= self.know(member, &mut news);
                }
                self.opened = true;
                changed
            }
            HallEvent::MemberAdded { member } | HallEvent::MemberChanged { member, .. } => {
                self.know(member, &mut news)
            }
            HallEvent::MemberRemoved { member } => self.forget(member, &mut news),
            HallEvent::ApprovalAsked { approval } => {
                self.ask(approval, &mut news);
                true
            }
            HallEvent::ApprovalEnded { id } => self.end_approval(id, &mut news),
            HallEvent::ElicitationAsked { elicitation } => {
                self.question(elicitation, &mut news);
                true
            }
            HallEvent::ElicitationEnded { id } => self.end_question(id, &mut news),
            _ => false,
        };
        (changed, news)
    }

    /// Applies the complete lists of waiting calls and questions, after events were missed.
    pub fn waiting(
        &mut self,
        approvals: &[Approval],
        questions: &[Elicitation],
    ) -> Vec<NotificationEvent> {
        let mut news = Vec::new();
        let waits: BTreeSet<&ApprovalId> = approvals.iter().map(|approval| &approval.id).collect();
        let over = self.approvals.keys().filter(|id| !waits.contains(id));
        for id in over.cloned().collect::<Vec<_>>() {
            self.end_approval(&id, &mut news);
        }
        for approval in approvals {
            self.ask(approval, &mut news);
        }
        let waits: BTreeSet<&ElicitationId> = questions.iter().map(|asked| &asked.id).collect();
        let ids = self.questions.iter().map(|(id, _)| id);
        let over = ids.filter(|id| !waits.contains(id));
        for id in over.cloned().collect::<Vec<_>>() {
            self.end_question(&id, &mut news);
        }
        for question in questions {
            self.question(question, &mut news);
        }
        news
    }

    /// Returns a summary of the current state.
    pub fn outlook(&self) -> Outlook {
        let mut outlook = Outlook {
            approvals: self.approvals.len(),
            questions: self.questions.len(),
            asks: self.questions.first().map(|(_, member)| member.clone()),
            folder_failed: self.folder_failed,
            ..Outlook::default()
        };
        for (name, seen) in &self.members {
            match seen.status {
                Status::Ready => outlook.ready += 1,
                Status::Starting | Status::Stopping => outlook.moving += 1,
                Status::Error | Status::Backoff | Status::CrashLoop => {
                    outlook.failed += 1;
                    if outlook.troubled.len() < TROUBLED_MAX {
                        outlook.troubled.push((name.clone(), seen.status));
                    }
                }
                Status::Stopped => outlook.down += 1,
                Status::Disabled => outlook.disabled += 1,
                Status::Unreviewed => outlook.unreviewed += 1,
            }
            if seen.held > 0 && outlook.held.len() < TROUBLED_MAX {
                outlook.held.push((name.clone(), seen.held));
            }
        }
        outlook.mood = if outlook.approvals + outlook.questions > 0 || !outlook.held.is_empty() {
            Mood::NeedsYou
        } else if outlook.failed > 0 || outlook.folder_failed {
            Mood::Trouble
        } else if outlook.moving > 0 {
            Mood::Working
        } else {
            Mood::Well
        };
        outlook
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

    fn know(&mut self, member: &MemberView, news: &mut Vec<NotificationEvent>) -> bool {
        let seen = TrayMemberState::of(member);
        let before = self.members.insert(member.name.clone(), seen.clone());
        // The states in the first roster and of a new member are not changes.
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
            news.push(NotificationEvent::Arose(Matter::CrashLoop {
                member: name.clone(),
            }));
        } else if was == Status::CrashLoop && is != Status::CrashLoop {
            news.push(NotificationEvent::Settled(Matter::CrashLoop {
                member: name.clone(),
            }));
        }
        let changed_tools = Matter::ChangedTools {
            member: name.clone(),
        };
        if seen.holds_more_than(&known) {
            news.push(NotificationEvent::Arose(changed_tools));
        } else if seen.held == 0 && known.held > 0 {
            news.push(NotificationEvent::Settled(changed_tools));
        }
        before != Some(seen)
    }

    fn forget(&mut self, name: &MemberName, news: &mut Vec<NotificationEvent>) -> bool {
        let Some(seen) = self.members.remove(name) else {
            return false;
        };
        let member = name.clone();
        if seen.status == Status::CrashLoop {
            news.push(NotificationEvent::Settled(Matter::CrashLoop {
                member: member.clone(),
            }));
        }
        if seen.held > 0 {
            news.push(NotificationEvent::Settled(Matter::ChangedTools { member }));
        }
        true
    }

    fn ask(&mut self, approval: &Approval, news: &mut Vec<NotificationEvent>) {
        let member = approval.member.clone();
        let before = self.approvals.insert(approval.id.clone(), member.clone());
        if before.is_none() {
            let id = approval.id.clone();
            news.push(NotificationEvent::Arose(Matter::Approval { id, member }));
        }
    }

    fn end_approval(&mut self, id: &ApprovalId, news: &mut Vec<NotificationEvent>) -> bool {
        let Some(member) = self.approvals.remove(id) else {
            return false;
        };
        let id = id.clone();
        news.push(NotificationEvent::Settled(Matter::Approval { id, member }));
        true
    }

    fn question(&mut self, asked: &Elicitation, news: &mut Vec<NotificationEvent>) {
        let member = asked.member.clone();
        if self.questions.iter().all(|(id, _)| *id != asked.id) {
            let id = asked.id.clone();
            self.questions.push((id.clone(), member.clone()));
            news.push(NotificationEvent::Arose(Matter::Question { id, member }));
        }
    }

    fn end_question(&mut self, id: &ElicitationId, news: &mut Vec<NotificationEvent>) -> bool {
        let Some(at) = self.questions.iter().position(|(known, _)| known == id) else {
            return false;
        };
        let (id, member) = self.questions.remove(at);
        news.push(NotificationEvent::Settled(Matter::Question { id, member }));
        true
    }
}

#[cfg(test)]
mod tests;
