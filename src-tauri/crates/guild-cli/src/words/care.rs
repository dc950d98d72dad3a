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

/// The heading of an examined subject.
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

/// The marks of a warning and of a problem.
pub(crate) const VERDICTS: [&str; 2] = ["warning", "problem"];

pub(crate) fn masked(count: usize) -> String {
    counted(count, "place masked", "places masked")
}
