//! Servers of other programs, what a person brings, and what was accepted.

use guild_core::number::grouped;
use guild_core::wire::FoundScope;

use super::counted;

/// The states of a found server: off, new, adopted, the gateway's, unusable.
pub(crate) const STATES: [&str; 5] = ["off", "new", "adopted", "gateway", "unusable"];

pub(crate) fn with(values: &str) -> String {
    format!("with {values}")
}

pub(crate) fn in_folder(folder: &str) -> String {
    format!("in {folder}")
}

pub(crate) fn asks_for(what: &str) -> String {
    format!("asks for {what}")
}

pub(crate) fn may_be_given(what: &str) -> String {
    format!("may be given {what}")
}

pub(crate) fn stays_command(reasons: &str) -> String {
    format!("stays a command, whose container may outlive it: {reasons}")
}

/// The scope of an entry in another program's file.
pub(crate) fn scope(value: FoundScope) -> &'static str {
    FoundScope::as_str(value)
}

pub(crate) fn can_be_adopted(count: usize) -> String {
    let count = grouped(count as u64);
    format!("{count} can be adopted: `guildhall adopt NAME` or `guildhall adopt --all`.")
}

pub(crate) fn make_members(count: usize) -> String {
    match count {
        1 => "Make this server a member of the hall?".to_owned(),
        _ => format!(
            "Make these {} servers members of the hall?",
            grouped(count as u64)
        ),
    }
}

pub(crate) fn make_member(name: &str) -> String {
    format!("Make this a member of the hall, called {name}?")
}

pub(crate) const NOTHING_INSTALLED: &str = "Nothing was installed.";

pub(crate) fn is_member(member: &str, folder: &str) -> String {
    format!("{member} is a member now: {folder}")
}

pub(crate) fn kept_secrets(names: &str) -> String {
    format!("Kept as secrets: {names}")
}

pub(crate) fn runs_when_reviewed(member: &str) -> String {
    format!("It runs when it was reviewed: guildhall review {member} --accept")
}

pub(crate) fn server_asks(server: &str, what: &str) -> String {
    format!("{server} asks for {what}")
}

pub(crate) fn as_it_was(path: &str) -> String {
    format!("{path} is as it was.")
}

/// A program that offered only some tools of a server, and the profile that keeps this choice.
pub(crate) fn some_tools(program: &str, choices: &str, profile: Option<&str>) -> String {
    let offered = match choices {
        "" => format!("{program} stays connected to a profile."),
        choices => format!("{program} offered only some tools ({choices})."),
    };
    match profile {
        Some(profile) => format!(
            "{offered} The profile {profile} keeps this choice, without members that come \
                 later; --all-tools offers all tools of all members."
        ),
        None => format!("{offered} It gets all tools now."),
    }
}

pub(crate) fn comments_go(count: usize) -> String {
    let comments = counted(count, "comment", "comments");
    format!("{comments} inside the removed entries will be removed too; --undo brings them back.")
}

pub(crate) fn revoke(clients: &str) -> String {
    format!("Revoke the token of {clients}?")
}

/// The times at which a client's token was made and last used.
pub(crate) fn client_times(made: &str, used: Option<&str>) -> String {
    match used {
        Some(used) => format!("made {made}, last used {used}"),
        None => format!("made {made}, never used"),
    }
}

pub(crate) fn backup(path: &str) -> String {
    format!("As it was, it is kept in {path}; --undo gives it back.")
}

/// The review states of a member's launch: own, accepted, unreviewed, changed.
pub(crate) const LAUNCH: [&str; 4] = [
    "needs no review",
    "is accepted",
    "is not accepted: nothing starts it",
    "runs something else than was accepted: nothing starts it",
];

pub(crate) fn held(count: usize) -> String {
    let tools = counted(count, "tool is", "tools are");
    format!("{tools} held back from agents")
}

pub(crate) fn more_tools(count: usize) -> String {
    format!("and {}", counted(count, "more tool", "more tools"))
}

/// The differences between a tool and the accepted one: same, new, changed, gone.
pub(crate) const DIFFERENCES: [&str; 4] = ["as it was", "new", "changed", "gone"];

/// The effects of a schema change: breaking, widened, words.
pub(crate) const EFFECTS: [&str; 3] = ["breaks", "widens", "words"];

/// The labels of a member's origin: source, path, address, time.
pub(crate) const ORIGIN: [&str; 4] = ["from", "path", "address", "at"];

/// The labels of a launch: command, folder, URL, argument, variable, header, sign-in.
pub(crate) const LAUNCH_PARTS: [&str; 7] = [
    "command", "folder", "url", "argument", "variable", "header", "sign-in",
];
