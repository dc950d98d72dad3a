//! Notifications for a user who does not look at the window, and their timing.
//!
//! Each kind has at most one notification. Events within `GATHER_MS` are shown together. Later
//! events replace the notification, at the earliest [`PAUSE_MS`] after it. A repeated notification
//! carries the full current state, so that a replacement loses nothing.

use guild_model::id::{ApprovalId, ElicitationId, MemberName};
use guild_model::link::{Link, Page};

/// How long events are collected before a notification shows them.
pub(crate) const GATHER_MS: u64 = 10_000;
/// Minimum time between two notifications of one kind.
pub const PAUSE_MS: u64 = 60_000;
/// Maximum number of events that one notification names: as many as it can have buttons for.
pub const NAMED_MAX: usize = 3;

/// A kind of notification.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum NotificationKind {
    /// Members that failed too often.
    CrashLoop,
    /// A call waits for approval, or a question for an answer.
    Waiting,
    /// Members whose changed tools are withheld from agents.
    ChangedTools,
}

impl NotificationKind {
    /// All kinds.
    pub const ALL: [Self; 3] = [Self::CrashLoop, Self::Waiting, Self::ChangedTools];
}

/// One event that the user may need to know about.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum NotificationTopic {
    /// A member failed too often and is not restarted.
    CrashLoop {
        /// The member.
        member: MemberName,
    },
    /// An agent's call waits for the user's approval.
    Approval {
        /// The call.
        id: ApprovalId,
        /// The member of the called tool.
        member: MemberName,
    },
    /// A server asks the user a question.
    Question {
        /// The question.
        id: ElicitationId,
        /// The member that asks.
        member: MemberName,
    },
    /// A member's tools changed, and agents do not get them.
    ChangedTools {
        /// The member.
        member: MemberName,
    },
}

impl NotificationTopic {
    /// Returns the kind of notification that shows the event.
    pub fn kind(&self) -> NotificationKind {
        match self {
            Self::CrashLoop { .. } => NotificationKind::CrashLoop,
            Self::Approval { .. } | Self::Question { .. } => NotificationKind::Waiting,
            Self::ChangedTools { .. } => NotificationKind::ChangedTools,
        }
    }

    /// Returns the event's member.
    pub fn member(&self) -> &MemberName {
        match self {
            Self::CrashLoop { member }
            | Self::Approval { member, .. }
            | Self::Question { member, .. }
            | Self::ChangedTools { member } => member,
        }
    }

    /// Returns the link to the page where the user handles the event.
    pub fn link(&self) -> Link {
        match self {
            Self::Approval { .. } => Link::Page {
                page: Page::Approvals,
            },
            Self::Question { member, .. } => Link::Question {
                member: member.clone(),
            },
            Self::CrashLoop { member } => Link::Member {
                member: member.clone(),
            },
            Self::ChangedTools { member } => Link::Review {
                member: member.clone(),
            },
        }
    }
}

/// A notification to show or to withdraw.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NotificationCommand {
    /// Show this notification, which replaces the current one of its kind.
    Show(DesktopNotification),
    /// Withdraw the notification of this kind, because its events ended or the user saw them.
    Withdraw(NotificationKind),
}

/// One notification.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DesktopNotification {
    /// The notification's kind.
    pub kind: NotificationKind,
    /// The named events: at least one, at most [`NAMED_MAX`].
    pub named: Vec<NotificationTopic>,
    /// The number of further events.
    pub more: usize,
}

impl DesktopNotification {
    /// Returns the number of events.
    pub fn count(&self) -> usize {
        self.named.len() + self.more
    }
}

/// An event that the user has not seen and that is still relevant.
#[derive(Debug)]
struct OpenTopic {
    topic: NotificationTopic,
    /// When the event arose. `None` once a notification has shown it.
    pending_since: Option<u64>,
}

/// The pending events of one notification kind.
#[derive(Debug, Default)]
struct Group {
    /// The events in order of arrival. Their number is limited by the members, calls and questions
    /// in the hall.
    open: Vec<OpenTopic>,
    shown_at: Option<u64>,
    /// Whether a notification is shown.
    shown: bool,
}

impl Group {
    fn due(&self) -> Option<u64> {
        let first = self
            .open
            .iter()
            .filter_map(|open| open.pending_since)
            .min()?;
        let silent = self.shown_at.map_or(0, |at| at.saturating_add(PAUSE_MS));
        Some(first.saturating_add(GATHER_MS).max(silent))
    }
}

/// The pending and the shown notifications. All times are milliseconds since the same arbitrary
/// instant.
#[derive(Debug, Default)]
pub struct PendingNotifications {
    /// One group for each kind, in the order of the kinds.
    groups: [Group; 3],
}

impl PendingNotifications {
    /// Adds an event that arose while the user did not look at the window.
    pub fn arose(&mut self, topic: NotificationTopic, now_ms: u64) {
        let group = self.group(topic.kind());
        let known = group.open.iter_mut().find(|open| open.topic == topic);
        match known {
            // A repeated event is shown again and keeps its position.
            Some(open) => {
                open.pending_since.get_or_insert(now_ms);
            }
            None => group.open.push(OpenTopic {
                topic,
                pending_since: Some(now_ms),
            }),
        }
    }

    /// Removes an event that has ended. Returns the command to withdraw the notification if no
    /// other event is left in it.
    pub fn settled(&mut self, topic: &NotificationTopic) -> Option<NotificationCommand> {
        let kind = topic.kind();
        let group = self.group(kind);
        group.open.retain(|open| open.topic != *topic);
        if !group.open.is_empty() {
            return None;
        }
        std::mem::take(&mut group.shown).then_some(NotificationCommand::Withdraw(kind))
    }

    /// Removes all events, because the user looks at the window. Returns the notifications to
    /// withdraw.
    pub fn seen(&mut self) -> Vec<NotificationCommand> {
        let mut commands = Vec::new();
        for kind in NotificationKind::ALL {
            let group = self.group(kind);
            group.open.clear();
            if std::mem::take(&mut group.shown) {
                commands.push(NotificationCommand::Withdraw(kind));
            }
        }
        commands
    }

    /// Records that the user dismissed the notification of a kind. Only a new event causes another
    /// notification of this kind.
    pub fn dismissed(&mut self, kind: NotificationKind) {
        let group = self.group(kind);
        group.shown = false;
        group.open.retain(|open| open.pending_since.is_some());
    }

    /// Returns the time of the next notification, if one is pending.
    pub fn due(&self) -> Option<u64> {
        self.groups.iter().filter_map(Group::due).min()
    }

    /// Returns the notifications to show now. Drops the events of kinds that `wanted` rejects.
    pub fn take(
        &mut self,
        now_ms: u64,
        wanted: impl Fn(NotificationKind) -> bool,
    ) -> Vec<NotificationCommand> {
        let mut commands = Vec::new();
        for kind in NotificationKind::ALL {
            let group = self.group(kind);
            if group.due().is_none_or(|due| due > now_ms) {
                continue;
            }
            if !wanted(kind) {
                group.open.clear();
                continue;
            }
            group.shown_at = Some(now_ms);
            group.shown = true;
            for open in &mut group.open {
                open.pending_since = None;
            }
            let named = group.open.iter().take(NAMED_MAX);
            let named: Vec<NotificationTopic> = named.map(|open| open.topic.clone()).collect();
            let more = group.open.len() - named.len();
            commands.push(NotificationCommand::Show(DesktopNotification {
                kind,
                named,
                more,
            }));
        }
        commands
    }

    fn group(&mut self, kind: NotificationKind) -> &mut Group {
        &mut self.groups[kind as usize]
    }
}

#[cfg(test)]
mod tests;
