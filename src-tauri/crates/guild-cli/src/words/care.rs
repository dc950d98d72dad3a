//! The history, logs, secrets, the machine, and what is sent to others.

use guild_core::language::Language::{De, En};
use guild_core::wire::Check;

use super::counted;

#[derive(Debug)]
pub(crate) struct Care {
    pub(crate) more_calls: &'static str,
    pub(crate) exported: fn(count: u64, path: &str) -> String,
    pub(crate) start: fn(number: u64) -> String,
    pub(crate) no_threads: fn(error: &str) -> String,
    pub(crate) thread_ended: fn(error: &str) -> String,
    pub(crate) keychain: &'static str,
    pub(crate) secrets_file: &'static str,
    pub(crate) kept: fn(name: &str, place: &str) -> String,
    pub(crate) no_value: &'static str,
    pub(crate) value_of: fn(name: &str) -> String,
    pub(crate) gateway_off: &'static str,
    /// What is looked at, as a heading.
    pub(crate) check: fn(Check) -> &'static str,
    pub(crate) tally: fn(problems: usize, warnings: usize, ms: u64) -> String,
    /// What stands before a finding that may fail, and before one that fails.
    pub(crate) verdicts: [&'static str; 2],
    pub(crate) written: fn(path: &str) -> String,
    pub(crate) in_bundle: &'static str,
    pub(crate) masked: fn(usize) -> String,
    pub(crate) bytes: &'static str,
    pub(crate) not_in_it: fn(what: &str) -> String,
}

pub(super) const EN: Care = Care {
    more_calls: "There are more; --limit and the filters choose others, --export takes all.",
    exported: |count, path| match count {
        1 => format!("1 call in {path}"),
        count => format!("{} calls in {path}", En.number(count)),
    },
    start: |number| format!("-- start {number} --"),
    no_threads: |error| format!("no threads can be started: {error}"),
    thread_ended: |error| format!("a thread ended: {error}"),
    keychain: "the keychain",
    secrets_file: "secrets.json of the data folder",
    kept: |name, place| format!("{name} is kept in {place}; members get it at their next start."),
    no_value: "no value",
    value_of: |name| format!("Value of {name}: "),
    gateway_off: "The gateway is switched off in gateway.json; members are served to nobody.",
    check: |check| match check {
        Check::LoginShell => "Login shell",
        Check::Program => "Programs",
        Check::Member => "Members' commands",
        Check::Keychain => "Secrets",
        Check::Ports => "Ports",
        Check::Folders => "Folders",
        Check::Disk => "Disk",
        Check::Processes => "Processes",
    },
    tally: |problems, warnings, ms| {
        let problems = counted(En, problems, "problem", "problems");
        let warnings = counted(En, warnings, "warning", "warnings");
        format!("{problems}, {warnings}, in {} ms.", En.number(ms))
    },
    verdicts: ["warning", "problem"],
    written: |path| format!("Written to {path}. Look through it before you send it to anybody."),
    in_bundle: "In the bundle, without the values of secrets:",
    masked: |count| counted(En, count, "place masked", "places masked"),
    bytes: "bytes",
    not_in_it: |what| format!("Not in it: {what}"),
};

pub(super) const DE: Care = Care {
    more_calls: "Es gibt mehr; --limit und die Filter wählen andere, --export nimmt alle.",
    exported: |count, path| match count {
        1 => format!("1 Aufruf in {path}"),
        count => format!("{} Aufrufe in {path}", De.number(count)),
    },
    start: |number| format!("-- Start {number} --"),
    no_threads: |error| format!("es lassen sich keine Threads starten: {error}"),
    thread_ended: |error| format!("ein Thread ist zu Ende: {error}"),
    keychain: "dem Schlüsselbund",
    secrets_file: "secrets.json des Datenordners",
    kept: |name, place| {
        format!("{name} ist in {place} gespeichert; Mitglieder bekommen es beim nächsten Start.")
    },
    no_value: "kein Wert",
    value_of: |name| format!("Wert von {name}: "),
    gateway_off: "Das Gateway ist in gateway.json ausgeschaltet; niemand erreicht die Mitglieder.",
    check: |check| match check {
        Check::LoginShell => "Login-Shell",
        Check::Program => "Programme",
        Check::Member => "Befehle der Mitglieder",
        Check::Keychain => "Geheimnisse",
        Check::Ports => "Ports",
        Check::Folders => "Ordner",
        Check::Disk => "Speicherplatz",
        Check::Processes => "Prozesse",
    },
    tally: |problems, warnings, ms| {
        let problems = counted(De, problems, "Problem", "Probleme");
        let warnings = counted(De, warnings, "Warnung", "Warnungen");
        format!("{problems}, {warnings}, in {} ms.", De.number(ms))
    },
    verdicts: ["Warnung", "Problem"],
    written: |path| format!("Geschrieben nach {path}. Vor dem Verschicken durchsehen."),
    in_bundle: "Im Paket, ohne die Werte von Geheimnissen:",
    masked: |count| counted(De, count, "Stelle verdeckt", "Stellen verdeckt"),
    bytes: "Byte",
    not_in_it: |what| format!("Nicht darin: {what}"),
};
