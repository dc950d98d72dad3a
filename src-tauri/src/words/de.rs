//! German.

use guild_core::presence::notices::{Kind, Matter};
use guild_core::status::Status;

use super::{ImportAwaited, Words, joined};

pub(super) const WORDS: Words = Words {
    state: |outlook| {
        if outlook.folder_failed {
            return "Der Ordner der Mitglieder ist nicht lesbar".to_owned();
        }
        if outlook.members() == 0 {
            return "Keine Mitglieder".to_owned();
        }
        joined([
            (outlook.ready, format!("{} bereit", outlook.ready)),
            (outlook.moving, format!("{} im Übergang", outlook.moving)),
            (outlook.failed, format!("{} fehlgeschlagen", outlook.failed)),
            (outlook.down, format!("{} angehalten", outlook.down)),
        ])
    },
    troubled: |member, status| match status {
        Status::Backoff => format!("{member}: fehlgeschlagen, neuer Versuch folgt"),
        Status::CrashLoop => format!("{member}: immer wieder abgestürzt"),
        _ => format!("{member}: fehlgeschlagen"),
    },
    more_troubled: |count| match count {
        1 => "und 1 weiteres".to_owned(),
        _ => format!("und {count} weitere"),
    },
    held: |member, count| match count {
        1 => format!("{member}: 1 geändertes Werkzeug zurückgehalten"),
        _ => format!("{member}: {count} geänderte Werkzeuge zurückgehalten"),
    },
    approvals: |count| match count {
        1 => "1 Aufruf wartet auf Freigabe".to_owned(),
        _ => format!("{count} Aufrufe warten auf Freigabe"),
    },
    questions: |count| match count {
        1 => "1 Frage wartet auf Antwort".to_owned(),
        _ => format!("{count} Fragen warten auf Antwort"),
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
    title: |notice| match (notice.kind, notice.count()) {
        (Kind::CrashLoop, 1) => "Ein Mitglied ist immer wieder abgestürzt".to_owned(),
        (Kind::CrashLoop, count) => format!("{count} Mitglieder sind immer wieder abgestürzt"),
        (Kind::Waiting, 1) => "Guild Hall wartet auf eine Antwort".to_owned(),
        (Kind::Waiting, count) => format!("Guild Hall wartet auf {count} Antworten"),
        (Kind::ChangedTools, 1) => "Werkzeuge eines Mitglieds haben sich geändert".to_owned(),
        (Kind::ChangedTools, count) => {
            format!("Werkzeuge von {count} Mitgliedern haben sich geändert")
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
        _ => format!("und {count} weitere"),
    },
};
