//! English.

use guild_core::language::Language;
use guild_core::presence::notices::{Kind, Matter};
use guild_core::status::Status;

use super::{ImportAwaited, Words, joined};

/// How many, as people write it.
fn number(count: usize) -> String {
    Language::En.number(count as u64)
}

pub(super) const WORDS: Words = Words {
    state: |outlook| {
        if outlook.folder_failed {
            return "The members' folder can't be read".to_owned();
        }
        if outlook.members() == 0 {
            return "No members".to_owned();
        }
        joined([
            (outlook.ready, format!("{} ready", number(outlook.ready))),
            (
                outlook.moving,
                format!("{} under way", number(outlook.moving)),
            ),
            (outlook.failed, format!("{} failed", number(outlook.failed))),
            (outlook.down, format!("{} stopped", number(outlook.down))),
            (
                outlook.disabled,
                format!("{} switched off", number(outlook.disabled)),
            ),
            (
                outlook.unreviewed,
                format!("{} to be reviewed", number(outlook.unreviewed)),
            ),
        ])
    },
    troubled: |member, status| match status {
        Status::Backoff => format!("{member}: failed, is tried again"),
        Status::CrashLoop => format!("{member}: crashed again and again"),
        _ => format!("{member}: failed"),
    },
    more_troubled: |count| format!("and {} more", number(count)),
    held: |member, count| match count {
        1 => format!("{member}: 1 changed tool is held back"),
        _ => format!("{member}: {} changed tools are held back", number(count)),
    },
    approvals: |count| match count {
        1 => "1 call waits for your consent".to_owned(),
        _ => format!("{} calls wait for your consent", number(count)),
    },
    questions: |count| match count {
        1 => "1 question waits for an answer".to_owned(),
        _ => format!("{} questions wait for an answer", number(count)),
    },
    open: "Open Guild Hall",
    palette: "Palette…",
    start_all: "Start all members",
    stop_all: "Stop all members",
    settings: "Settings",
    quit: "Quit",
    import_awaited: ImportAwaited {
        title: "Guild Hall waits for an import",
        who: |process, folder| {
            format!(
                "Process {process} imports settings into the folder {}.",
                folder.display()
            )
        },
        then: "Guild Hall opens as soon as that is done; it waits for a minute at most.",
    },
    not_opened: "Guild Hall could not open",
    hint: "hint",
    no_display: "Guild Hall has no display to open its window on: neither DISPLAY nor WAYLAND_DISPLAY is \
                 set.\nhint: start it inside a desktop session, or use `guildhall`, which needs no window.",
    no_window: |error| format!("Guild Hall could not set up its window: {error}"),
    no_safe_render: |error| format!("--safe-render is not in force: {error}"),
    help: |command| command,
    mistake: |_| None,
    title: |notice| match (notice.kind, notice.count()) {
        (Kind::CrashLoop, 1) => "A member crashed again and again".to_owned(),
        (Kind::CrashLoop, count) => format!("{} members crashed again and again", number(count)),
        (Kind::Waiting, 1) => "Guild Hall waits for you".to_owned(),
        (Kind::Waiting, count) => format!("{} things wait for you", number(count)),
        (Kind::ChangedTools, 1) => "A member's tools changed".to_owned(),
        (Kind::ChangedTools, count) => format!("The tools of {} members changed", number(count)),
    },
    named: |matter| match matter {
        Matter::CrashLoop { member } | Matter::ChangedTools { member } => member.to_string(),
        Matter::Approval { member, .. } => format!("a call of {member}"),
        Matter::Question { member, .. } => format!("a question of {member}"),
    },
    alone: |matter| match matter {
        Matter::CrashLoop { member } => format!("{member} stays down until someone starts it."),
        Matter::Approval { member, .. } => {
            format!("An agent's call of {member} waits for your consent.")
        }
        Matter::Question { member, .. } => format!("{member} asks you something."),
        Matter::ChangedTools { member } => {
            format!("Agents do not get the changed tools of {member} until you accept them.")
        }
    },
    more: |count| format!("and {} more", number(count)),
};
