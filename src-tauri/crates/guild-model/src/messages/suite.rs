//! Errors of suites of checks.

use std::path::PathBuf;

use guild_text::number::grouped;
use miette::Diagnostic;
use thiserror::Error;

/// An error of a suite of checks.
#[derive(Debug, Clone, PartialEq, Eq, Error, Diagnostic)]
pub enum SuiteError {
    #[error("The suite is larger than {0} MiB.")]
    #[diagnostic(help("Split it into several suites."))]
    TooLarge(usize),
    #[error("The suite is not valid: line {0}, column {1}: {2}.")]
    #[diagnostic(help("Fix the place, or create the suite again from the history."))]
    NotJson(usize, usize, String),
    #[error("The suite has version {0}, which this version of Guild Hall can't run.")]
    #[diagnostic(help("Update Guild Hall, or create the suite again from the history."))]
    Version(u64),
    #[error("Check {0} of the suite: {1}.")]
    #[diagnostic(help("Fix the check, or remove it from the suite."))]
    Check(usize, String),
    #[error("The suite has no checks.")]
    #[diagnostic(help("Create it from recorded calls: `guildhall history checks --suite FILE`."))]
    NoChecks,
    #[error("The suite has more than {most} checks.", most = grouped(.0))]
    #[diagnostic(help("Split it into several suites."))]
    TooMany(usize),
    #[error("Check {0} of the suite has the same member and name as check {1}.")]
    #[diagnostic(help("Rename one of them."))]
    Twice(usize, usize),
    #[error("{path} can't be read: {1}.", path = .0.display())]
    #[diagnostic(help("Check the path."))]
    Unreadable(PathBuf, String),
    #[error("The suite needs values that the history has masked: {0}.")]
    #[diagnostic(help(
        "Write them into a JSON file and pass it with --values, or run the command in a terminal."
    ))]
    NoValues(String),
    #[error("The suite asks for no value named {0}.")]
    #[diagnostic(help("It asks for: {1}."))]
    UnknownValue(String, String),
    #[error("The values for the suite are not a JSON object.")]
    #[diagnostic(help("Write them as {{\"name\": \"value\"}}."))]
    NoObject,
    #[error("The path of the suite is not absolute: {path}.", path = .0.display())]
    #[diagnostic(help("Send the absolute path."))]
    Relative(PathBuf),
    #[error("{path} can't be written: {1}.", path = .0.display())]
    #[diagnostic(help("Name another file."))]
    Unwritable(PathBuf, String),
}
