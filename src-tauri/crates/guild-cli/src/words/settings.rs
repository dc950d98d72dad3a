//! What is set.

use guild_core::language::Language::{De, En};
use guild_core::wire::SettingsPart;

use super::counted;

#[derive(Debug)]
pub(crate) struct Settings {
    /// Behind a value that nobody set.
    pub(crate) usual: &'static str,
    pub(crate) fine: fn(file: &str) -> String,
    pub(crate) mistakes: fn(count: usize) -> String,
    pub(crate) kept: fn(count: usize) -> String,
    pub(crate) set: fn(key: &str, value: &str) -> String,
    pub(crate) later: &'static str,
    pub(crate) missing: fn(folder: &str) -> String,
    pub(crate) exported: fn(path: &str) -> String,
    /// Of what a change is that an import makes.
    pub(crate) part: fn(SettingsPart) -> &'static str,
    pub(crate) nothing: &'static str,
    pub(crate) import: &'static str,
    pub(crate) imported: &'static str,
    pub(crate) left: &'static str,
}

pub(super) const EN: Settings = Settings {
    usual: "(default)",
    fine: |file| format!("Nothing is wrong with {file}."),
    mistakes: |count| counted(En, count, "mistake", "mistakes"),
    kept: |count| {
        let many = "unknown fields, left as they are";
        counted(En, count, "unknown field, left as it is", many)
    },
    set: |key, value| format!("{key} is {value} now."),
    later: "The other folder is used when Guild Hall is started the next time.",
    missing: |folder| {
        format!("There is no folder {folder}: make it before that, or no member is found.")
    },
    exported: |path| format!("Exported to {path}. No token, no secret and no call is in it."),
    part: |part| match part {
        SettingsPart::Settings => "settings",
        SettingsPart::Gateway => "gateway",
        SettingsPart::Discovery => "discovery",
        SettingsPart::History => "history",
        SettingsPart::Registries => "registries",
    },
    nothing: "Nothing would change.",
    import: "Import all of it?",
    imported: "Imported.",
    left: "Nothing was imported.",
};

pub(super) const DE: Settings = Settings {
    usual: "(Vorgabe)",
    fine: |file| format!("Mit {file} ist alles in Ordnung."),
    mistakes: |count| counted(De, count, "Fehler", "Fehler"),
    kept: |count| {
        let many = "unbekannte Felder, bleiben stehen";
        counted(De, count, "unbekanntes Feld, bleibt stehen", many)
    },
    set: |key, value| format!("{key} ist jetzt {value}."),
    later: "Der andere Ordner wird verwendet, wenn Guild Hall das nächste Mal startet.",
    missing: |folder| {
        format!(
            "Einen Ordner {folder} gibt es nicht: ihn vorher anlegen, sonst findet sich kein Mitglied."
        )
    },
    exported: |path| {
        format!("Exportiert nach {path}. Kein Token, kein Geheimnis und kein Aufruf steht darin.")
    },
    part: |part| match part {
        SettingsPart::Settings => "Einstellungen",
        SettingsPart::Gateway => "Gateway, Profile und Regeln",
        SettingsPart::Discovery => "Ermittlung von Werkzeugen",
        SettingsPart::History => "Einstellungen des Verlaufs",
        SettingsPart::Registries => "Quellen der Register",
    },
    nothing: "Nichts würde sich ändern.",
    import: "Alles importieren?",
    imported: "Importiert.",
    left: "Nichts wurde importiert.",
};
