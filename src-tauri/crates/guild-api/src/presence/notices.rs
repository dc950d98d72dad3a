//! Notifications for a person who does not look at the window, and their timing.
//!
//! Each kind has at most one notification. Events within `GATHER_MS` are shown
//! together; later ones replace it, no sooner than [`PAUSE_MS`] after. A repeated notification
//! carries the full current state, so that a replacement loses nothing.

use guild_model::id::{ApprovalId, ElicitationId, MemberName};
use guild_model::link::{Link, Page};

/// How long events are gathered before they are shown.
pub(crate) const GATHER_MS: u64 = 10_000;
/// How long one kind stays silent after a notification.
pub const PAUSE_MS: u64 = 60_000;
/// The most that one notification names: as many as it can have buttons for.
pub const NAMED_MAX: usize = 3;

/// A kind of notification.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum NotificationKind {
    /// Members that failed too often.
    CrashLoop,
    /// A call or a question waits for a person.
    Waiting,
    /// Members whose changed tools are held back.
    ChangedTools,
}

impl NotificationKind {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::CrashLoop, Self::Waiting, Self::ChangedTools];
}

/// One event that the user may need to know about.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Matter {
    /// A member failed too often and is not restarted.
    CrashLoop {
        /// The member.
        member: MemberName,
    },
    /// An agent's call waits for a person's consent.
    Approval {
        /// The call.
        id: ApprovalId,
        /// Its member.
        member: MemberName,
    },
    /// A server asks a person something.
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

impl Matter {
    /// Of which kind it is.
    pub fn kind(&self) -> NotificationKind {
        match self {
            Self::CrashLoop { .. } => NotificationKind::CrashLoop,
            Self::Approval { .. } | Self::Question { .. } => NotificationKind::Waiting,
            Self::ChangedTools { .. } => NotificationKind::ChangedTools,
        }
    }

    /// Its member.
    pub fn member(&self) -> &MemberName {
        match self {
            Self::CrashLoop { member }
            | Self::Approval { member, .. }
            | Self::Question { member, .. }
            | Self::ChangedTools { member } => member,
        }
    }

    /// The page where the user handles it.
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
    /// A notification that replaces the current one of its kind.
    Show(Notice),
    /// Withdraw the notification of this kind: its events are over, or were seen.
    Withdraw(NotificationKind),
}

/// One notification.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Notice {
    /// Its kind.
    pub kind: NotificationKind,
    /// Its subjects, [`NAMED_MAX`] at most and one at least.
    pub named: Vec<Matter>,
    /// How much more there is.
    pub more: usize,
}

impl Notice {
    /// The number of its events.
    pub fn count(&self) -> usize {
        self.named.len() + self.more
    }
}

/// The events that the user has not seen and that are still relevant.
#[derive(Debug)]
struct OpenNotice {
    matter: Matter,
    /// When it arose, until it is shown.
    untold_since: Option<u64>,
}

/// The pending events of one notification kind.
#[derive(Debug, Default)]
struct Group {
    /// In its order. Bounded by the hall: by its members, and by how much may wait for a person.
    open: Vec<OpenNotice>,
    told_at: Option<u64>,
    /// Whether a notification is shown.
    shown: bool,
}

impl Group {
    fn due(&self) -> Option<u64> {
        let first = self
            .open
            .iter()
            .filter_map(|open| open.untold_since)
            .min()?;
        let silent = self.told_at.map_or(0, |at| at.saturating_add(PAUSE_MS));
        Some(first.saturating_add(GATHER_MS).max(silent))
    }
}

/// The pending and the shown notifications. Times are milliseconds from any one instant on.
#[derive(Debug, Default)]
pub struct Notices {
    groups: [Group; 3],
}

impl Notices {
    /// An event arose while no person looked.
    pub fn arose(&mut self, matter: Matter, now_ms: u64) {
        let group = self.group(matter.kind());
        let known = group.open.iter_mut().find(|open| open.matter == matter);
        match known {
            // A repeated event is shown again, at its old place.
            Some(open) => {
                open.untold_since.get_or_insert(now_ms);
            }
            None => group.open.push(OpenNotice {
                matter,
                untold_since: Some(now_ms),
            }),
        }
    }

    /// Something is over. Says what is to be taken away for it.
    pub fn settled(&mut self, matter: &Matter) -> Option<NotificationCommand> {
        let kind = matter.kind();
        let group = self.group(kind);
        group.open.retain(|open| open.matter != *matter);
        if !group.open.is_empty() {
            return None;
        }
        std::mem::take(&mut group.shown).then_some(NotificationCommand::Withdraw(kind))
    }

    /// A person looks at the window: they see all of it there.
    pub fn seen(&mut self) -> Vec<NotificationCommand> {
        let mut orders = Vec::new();
        for kind in NotificationKind::ALL {
            let group = self.group(kind);
            group.open.clear();
            if std::mem::take(&mut group.shown) {
                orders.push(NotificationCommand::Withdraw(kind));
            }
        }
        orders
    }

    /// A person dismissed the notification of a kind. The window still shows its events; only
    /// new ones are shown again.
    pub fn dismissed(&mut self, kind: NotificationKind) {
        let group = self.group(kind);
        group.shown = false;
        group.open.retain(|open| open.untold_since.is_some());
    }

    /// The time of the next notification, if any.
    pub fn due(&self) -> Option<u64> {
        self.groups.iter().filter_map(Group::due).min()
    }

    /// The notifications to show now. Matters of a kind that is not wanted are dropped.
    pub fn take(
        &mut self,
        now_ms: u64,
        wanted: impl Fn(NotificationKind) -> bool,
    ) -> Vec<NotificationCommand> {
        let mut orders = Vec::new();
        for kind in NotificationKind::ALL {
            let group = self.group(kind);
            if group.due().is_none_or(|due| due > now_ms) {
                continue;
            }
            if !wanted(kind) {
                group.open.clear();
                continue;
            }
            group.told_at = Some(now_ms);
            group.shown = true;
            for open in &mut group.open {
                open.untold_since = None;
            }
            let named = group.open.iter().take(NAMED_MAX);
            let named: Vec<Matter> = named.map(|open| open.matter.clone()).collect();
            let more = group.open.len() - named.len();
            orders.push(NotificationCommand::Show(Notice { kind, named, more }));
        }
        orders
    }

    fn group(&mut self, kind: NotificationKind) -> &mut Group {
        let place = match kind {
            NotificationKind::CrashLoop => 0,
            NotificationKind::Waiting => 1,
            NotificationKind::ChangedTools => 2,
        };
        &mut self.groups[place]
    }
}

#[cfg(test)]
mod tests;
