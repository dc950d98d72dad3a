//! The history, logs, secrets, the machine, and what is sent to others.

use guild_core::number::grouped;
use guild_core::wire::Check;

use super::counted;

pub(crate) fn exported(count: u64, path: &str) -> String {
    match count {
        1 => format!("1 call in {path}"),
        count => format!("{} calls in {path}", grouped(count)),
    }
}

pub(crate) fn start(number: u64) -> String {
    format!("-- start {number} --")
}

pub(crate) fn no_threads(error: &str) -> String {
    format!("no threads can be started: {error}")
}

pub(crate) fn thread_ended(error: &str) -> String {
    format!("a thread ended: {error}")
}

pub(crate) fn kept(name: &str, place: &str) -> String {
    format!("{name} is kept in {place}; members get it at their next start.")
}

pub(crate) fn value_of(name: &str) -> String {
    format!("Value of {name}: ")
}

/// What is looked at, as a heading.
pub(crate) fn check(check: Check) -> &'static str {
    match check {
        Check::LoginShell => "Login shell",
        Check::Program => "Programs",
        Check::Member => "Members' commands",
        Check::Keychain => "Secrets",
        Check::Ports => "Ports",
        Check::Folders => "Folders",
        Check::Disk => "Disk",
        Check::Processes => "Processes",
    }
}

pub(crate) fn tally(problems: usize, warnings: usize, ms: u64) -> String {
    let problems = counted(problems, "problem", "problems");
    let warnings = counted(warnings, "warning", "warnings");
    format!("{problems}, {warnings}, in {} ms.", grouped(ms))
}

/// What stands before a finding that may fail, and before one that fails.
pub(crate) const VERDICTS: [&str; 2] = ["warning", "problem"];

pub(crate) fn written(path: &str) -> String {
    format!("Written to {path}. Look through it before you send it to anybody.")
}

pub(crate) fn masked(count: usize) -> String {
    counted(count, "place masked", "places masked")
}

pub(crate) fn not_in_it(what: &str) -> String {
    format!("Not in it: {what}")
}
