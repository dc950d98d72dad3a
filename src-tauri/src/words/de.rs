//! German.

mod command_line;

use guild_core::language::Language;
use guild_core::presence::notices::{Kind, Matter};
use guild_core::status::Status;

use super::{ImportAwaited, Words, joined};

/// How many, as people write it.
fn number(count: usize) -> String {
    Language::De.number(count as u64)
}

pub(super) const WORDS: Words = Words {
    state: |outlook| {
        if outlook.folder_failed {
            return "Der Ordner der Mitglieder ist nicht lesbar".to_owned();
        }
        if outlook.members() == 0 {
            return "Keine Mitglieder".to_owned();
        }
        joined([
            (outlook.ready, format!("{} bereit", number(outlook.ready))),
            (
                outlook.moving,
                format!("{} im Übergang", number(outlook.moving)),
            ),
            (
                outlook.failed,
                format!("{} fehlgeschlagen", number(outlook.failed)),
            ),
            (outlook.down, format!("{} angehalten", number(outlook.down))),
            (
                outlook.disabled,
                format!("{} ausgeschaltet", number(outlook.disabled)),
            ),
            (
                outlook.unreviewed,
                format!("{} ungeprüft", number(outlook.unreviewed)),
            ),
        ])
    },
    troubled: |member, status| match status {
        Status::Backoff => format!("{member}: fehlgeschlagen, neuer Versuch folgt"),
        Status::CrashLoop => format!("{member}: immer wieder abgestürzt"),
        _ => format!("{member}: fehlgeschlagen"),
    },
    more_troubled: |count| match count {
        1 => "und 1 weiteres".to_owned(),
        _ => format!("und {} weitere", number(count)),
    },
    held: |member, count| match count {
        1 => format!("{member}: 1 geändertes Werkzeug zurückgehalten"),
        _ => format!(
            "{member}: {} geänderte Werkzeuge zurückgehalten",
            number(count)
        ),
    },
    approvals: |count| match count {
        1 => "1 Aufruf wartet auf Freigabe".to_owned(),
        _ => format!("{} Aufrufe warten auf Freigabe", number(count)),
    },
    questions: |count| match count {
        1 => "1 Frage wartet auf Antwort".to_owned(),
        _ => format!("{} Fragen warten auf Antwort", number(count)),
    },
    open: "Guild Hall öffnen",
    palette: "Palette …",
    start_all: "Alle Mitglieder starten",
    stop_all: "Alle Mitglieder anhalten",
    settings: "Einstellungen",
    quit: "Beenden",
    import_awaited: ImportAwaited {
        title: "Guild Hall wartet auf einen Import",
        who: |process, folder| {
            format!(
                "Prozess {process} importiert Einstellungen in den Ordner {}.",
                folder.display()
            )
        },
        then: "Danach öffnet sich Guild Hall; gewartet wird höchstens eine Minute.",
    },
    not_opened: "Guild Hall konnte sich nicht öffnen",
    hint: "Rat",
    no_display: "Guild Hall hat keine Anzeige für sein Fenster: Weder DISPLAY noch WAYLAND_DISPLAY ist \
                 gesetzt.\nRat: In einer Desktop-Sitzung starten oder `guildhall` verwenden, das kein \
                 Fenster braucht.",
    no_window: |error| format!("Guild Hall konnte sein Fenster nicht einrichten: {error}"),
    no_safe_render: |error| format!("--safe-render gilt nicht: {error}"),
    help: command_line::help,
    mistake: command_line::mistake,
    title: |notice| match (notice.kind, notice.count()) {
        (Kind::CrashLoop, 1) => "Ein Mitglied ist immer wieder abgestürzt".to_owned(),
        (Kind::CrashLoop, count) => {
            format!("{} Mitglieder sind immer wieder abgestürzt", number(count))
        }
        (Kind::Waiting, 1) => "Guild Hall wartet auf eine Antwort".to_owned(),
        (Kind::Waiting, count) => format!("Guild Hall wartet auf {} Antworten", number(count)),
        (Kind::ChangedTools, 1) => "Werkzeuge eines Mitglieds haben sich geändert".to_owned(),
        (Kind::ChangedTools, count) => {
            format!(
                "Werkzeuge von {} Mitgliedern haben sich geändert",
                number(count)
            )
        }
    },
    named: |matter| match matter {
        Matter::CrashLoop { member } | Matter::ChangedTools { member } => member.to_string(),
        Matter::Approval { member, .. } => format!("ein Aufruf an {member}"),
        Matter::Question { member, .. } => format!("eine Frage von {member}"),
    },
    alone: |matter| match matter {
        Matter::CrashLoop { member } => {
            format!("{member} bleibt angehalten, bis es von Hand gestartet wird.")
        }
        Matter::Approval { member, .. } => {
            format!("Der Aufruf eines Agenten an {member} wartet auf Freigabe.")
        }
        Matter::Question { member, .. } => format!("{member} stellt eine Frage."),
        Matter::ChangedTools { member } => {
            format!("Agenten bekommen geänderte Werkzeuge von {member} erst nach dem Annehmen.")
        }
    },
    // Of members, calls, questions: no gender fits them all.
    more: |count| match count {
        1 => "und noch 1".to_owned(),
        _ => format!("und {} weitere", number(count)),
    },
};
