//! Servers of other programs, what a person brings, and what was accepted.

use guild_core::number::grouped;
use guild_core::wire::{BreakageKind, FoundScope};

use super::counted;

/// How it stands with a server that was found: off, new, adopted, the gateway's, unusable.
pub(crate) const STATES: [&str; 5] = ["off", "new", "adopted", "gateway", "unusable"];

pub(crate) fn run_by(member: &str) -> String {
    format!("the member {member} runs it")
}

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

pub(crate) fn as_container(parts: &str) -> String {
    format!("as the member's container: {parts}")
}

pub(crate) fn may_be_container(reasons: &str) -> String {
    format!("the member's container, or a command, by what you answer: {reasons}")
}

pub(crate) fn stays_command(reasons: &str) -> String {
    format!("stays a command, whose container may outlive it: {reasons}")
}

pub(crate) fn kept_outside(variables: &str) -> String {
    format!("without {variables}, which its engine hands to no container")
}

/// Whom an entry of another program's file is for.
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

pub(crate) fn replace(new: &str, old: &str, member: &str) -> String {
    format!("Put {new} in the place of {old} in the member {member}?")
}

pub(crate) const NOTHING_INSTALLED: &str = "Nothing was installed.";

pub(crate) fn is_member(member: &str, folder: &str) -> String {
    format!("{member} is a member now: {folder}")
}

pub(crate) fn has_it(member: &str, before: &str, folder: &str) -> String {
    format!("{member} has it in the place of {before}: {folder}")
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

pub(crate) fn runs_else(member: &str, command: &str) -> String {
    format!("the member {member} runs something else: {command}")
}

pub(crate) fn handed_over_but(servers: &str) -> String {
    format!("handed over but for {servers}")
}

pub(crate) fn has(servers: &str) -> String {
    format!("has {servers}")
}

pub(crate) fn write(path: &str) -> String {
    format!("Write {path}?")
}

pub(crate) fn as_it_was(path: &str) -> String {
    format!("{path} is as it was.")
}

pub(crate) fn has_entries_again(path: &str) -> String {
    format!("{path} has its entries again. Changes made to it since are kept.")
}

pub(crate) fn called(name: &str) -> String {
    format!("called {name}")
}

/// A program that offers only some tools of servers; the profile that keeps that.
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

pub(crate) fn tools_but(tools: &str) -> String {
    format!("all but {tools}")
}

pub(crate) fn comments_go(count: usize) -> String {
    let comments = counted(count, "comment", "comments");
    format!("{comments} inside the removed entries will be removed too; --undo brings them back.")
}

pub(crate) fn revoke(clients: &str) -> String {
    format!("Revoke the token of {clients}?")
}

pub(crate) fn revoked(clients: &str) -> String {
    format!("Revoked: {clients}.")
}

pub(crate) fn tokens_valid(clients: &str, ids: &str) -> String {
    format!("Still valid: the token of {clients}. `guildhall clients revoke {ids}` revokes it.")
}

/// When a client's token was made, and last used.
pub(crate) fn client_times(made: &str, used: Option<&str>) -> String {
    match used {
        Some(used) => format!("made {made}, last used {used}"),
        None => format!("made {made}, never used"),
    }
}

pub(crate) fn reaches(program: &str, servers: &str) -> String {
    format!("{program} reaches {servers} by Guild Hall then, while it runs")
}

pub(crate) fn token_stands(change: &str) -> String {
    format!("{change}. A token stands in the place of <token>.")
}

pub(crate) fn belongs_to(project: &str) -> String {
    format!("the file belongs to {project}: whoever shares that gets the change, and the token.")
}

pub(crate) fn uses_hall(program: &str, path: &str) -> String {
    format!("{program} uses Guild Hall now: {path}")
}

pub(crate) fn backup(path: &str) -> String {
    format!("As it was, it is kept in {path}; --undo gives it back.")
}

pub(crate) fn without_entry(path: &str) -> String {
    format!("{path} is without the entry again.")
}

pub(crate) fn names_gateway(path: &str) -> String {
    format!("{path} names the gateway now.")
}

pub(crate) fn accept(member: &str) -> String {
    format!("Accept this of {member}?")
}

/// How it stands with what a member runs: own, accepted, unreviewed, changed.
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

pub(crate) fn accepted_with(changes: &str) -> String {
    format!("It was accepted with another {changes}:")
}

pub(crate) fn more_tools(count: usize) -> String {
    format!("and {}", counted(count, "more tool", "more tools"))
}

pub(crate) fn runs_there(members: &str) -> String {
    format!("Runs there: {members}.")
}

pub(crate) fn does_not(member: &str, why: &str) -> String {
    format!("{member} does not: {why}.")
}

pub(crate) fn written_too(files: &str) -> String {
    format!("With --out DIR these are written too: {files}.")
}

pub(crate) fn belongs_into(path: &str) -> String {
    format!("This belongs into {path}:")
}

/// How a tool is beside what was accepted: same, new, changed, gone.
pub(crate) const DIFFERENCES: [&str; 4] = ["as it was", "new", "changed", "gone"];

/// What the change of a schema means: breaking, widened, words.
pub(crate) const EFFECTS: [&str; 3] = ["breaks", "widens", "words"];

pub(crate) fn breaks(_: BreakageKind, name: &str, what: &str) -> String {
    format!("breaks {name}: {what}")
}

/// Where a member comes from: by whom, path, address, when.
pub(crate) const ORIGIN: [&str; 4] = ["from", "path", "address", "at"];

/// What it runs: command, folder, url, argument, variable, header, sign-in.
pub(crate) const LAUNCH_PARTS: [&str; 7] = [
    "command", "folder", "url", "argument", "variable", "header", "sign-in",
];
