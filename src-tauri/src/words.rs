//! Texts of the shell outside the window's page: in the tray, in notifications and in a terminal.

use std::fmt;

use guild_api::desktop::notifications::{DesktopNotification, NotificationKind, NotificationTopic};
use guild_api::desktop::tray::TrayState;
use guild_model::status::Status;
use guild_text::number::grouped;

/// Returns the state of the hall, in one line.
pub(crate) fn state(outlook: &TrayState) -> String {
    if outlook.folder_failed {
        return "The members folder can't be read".to_owned();
    }
    if outlook.members() == 0 {
        return "No members".to_owned();
    }
    let counts = [
        (outlook.ready, "ready"),
        (outlook.moving, "under way"),
        (outlook.failed, "failed"),
        (outlook.down, "stopped"),
        (outlook.disabled, "switched off"),
        (outlook.unreviewed, "to be reviewed"),
    ];
    let counts = counts.iter().filter(|(count, _)| *count > 0);
    let texts = counts.map(|(count, state)| format!("{} {state}", number(*count)));
    texts.collect::<Vec<_>>().join(", ")
}

/// Returns the menu item of a failed member.
pub(crate) fn troubled(member: &str, status: Status) -> String {
    match status {
        Status::Backoff => format!("{member}: failed, is tried again"),
        Status::CrashLoop => format!("{member}: crashed again and again"),
        _ => format!("{member}: failed"),
    }
}

/// Returns the menu item for changed tools that need review.
pub(crate) fn held(member: &str, count: usize) -> String {
    match count {
        1 => format!("{member}: 1 changed tool needs review"),
        _ => format!("{member}: {} changed tools need review", number(count)),
    }
}

/// Returns the menu item for agents' calls that wait for approval.
pub(crate) fn approvals(count: usize) -> String {
    match count {
        1 => "1 call waits for your consent".to_owned(),
        _ => format!("{} calls wait for your consent", number(count)),
    }
}

/// Returns the menu item for questions of servers.
pub(crate) fn questions(count: usize) -> String {
    match count {
        1 => "1 question waits for an answer".to_owned(),
        _ => format!("{} questions wait for an answer", number(count)),
    }
}

pub(crate) const OPEN: &str = "Open Guild Hall";

pub(crate) const PALETTE: &str = "Palette…";

pub(crate) const START_ALL: &str = "Start all members";

pub(crate) const STOP_ALL: &str = "Stop all members";

pub(crate) const SETTINGS: &str = "Settings";

pub(crate) const QUIT: &str = "Quit";

/// Title of the page if the hall could not be opened.
pub(crate) const NOT_OPENED: &str = "Guild Hall could not open";

pub(crate) const NO_DISPLAY: &str = "Guild Hall has no display to open its window on: neither DISPLAY nor WAYLAND_DISPLAY is \
                 set.\nhint: start it inside a desktop session, or use `guildhall`, which needs no window.";

/// Returns the message for a window that could not be created.
pub(crate) fn no_window(error: &dyn fmt::Display) -> String {
    format!("Guild Hall could not set up its window: {error}")
}

/// Returns the message for `--safe-render` if it could not be applied.
pub(crate) fn no_safe_render(error: &dyn fmt::Display) -> String {
    format!("--safe-render could not be applied: {error}")
}

pub(crate) fn title(notice: &DesktopNotification) -> String {
    match (notice.kind, notice.count()) {
        (NotificationKind::CrashLoop, 1) => "A member crashed again and again".to_owned(),
        (NotificationKind::CrashLoop, count) => {
            format!("{} members crashed again and again", number(count))
        }
        (NotificationKind::Waiting, 1) => "Guild Hall waits for you".to_owned(),
        (NotificationKind::Waiting, count) => format!("{} things wait for you", number(count)),
        (NotificationKind::ChangedTools, 1) => "A member's tools changed".to_owned(),
        (NotificationKind::ChangedTools, count) => {
            format!("The tools of {} members changed", number(count))
        }
    }
}

/// Returns the text for one of several events in a notification.
pub(crate) fn named(matter: &NotificationTopic) -> String {
    match matter {
        NotificationTopic::CrashLoop { member } | NotificationTopic::ChangedTools { member } => {
            member.to_string()
        }
        NotificationTopic::Approval { member, .. } => format!("a call of {member}"),
        NotificationTopic::Question { member, .. } => format!("a question of {member}"),
    }
}

/// Returns the text of a notification with a single event.
pub(crate) fn alone(matter: &NotificationTopic) -> String {
    match matter {
        NotificationTopic::CrashLoop { member } => {
            format!("{member} stays down until someone starts it.")
        }
        NotificationTopic::Approval { member, .. } => {
            format!("An agent's call of {member} waits for your consent.")
        }
        NotificationTopic::Question { member, .. } => format!("{member} asks you something."),
        NotificationTopic::ChangedTools { member } => {
            format!("Agents do not get the changed tools of {member} until you accept them.")
        }
    }
}

/// Returns the text for the number of events that a menu or a notification does not list.
pub(crate) fn more(count: usize) -> String {
    format!("and {} more", number(count))
}

/// Returns the text of a notification below its title.
pub(crate) fn body(notice: &DesktopNotification) -> String {
    if let ([only], 0) = (&notice.named[..], notice.more) {
        return alone(only);
    }
    let mut parts: Vec<String> = notice.named.iter().map(named).collect();
    if notice.more > 0 {
        parts.push(more(notice.more));
    }
    parts.join(", ")
}

fn number(count: usize) -> String {
    grouped(count as u64)
}

#[cfg(test)]
mod tests;
