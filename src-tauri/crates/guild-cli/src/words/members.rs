//! Members, their tools, and calls.

use guild_core::status::{Freshness, Status};
use guild_core::wire::ToolMark;

use super::counted;

/// The heads of the table: member, status, tools, list, port, process.
pub(crate) const HEADS: [&str; 6] = ["MEMBER", "STATUS", "TOOLS", "LIST", "PORT", "PID"];

pub(crate) fn status(value: Status) -> &'static str {
    Status::as_str(value)
}

pub(crate) fn freshness(freshness: Freshness) -> &'static str {
    match freshness {
        Freshness::Unknown => "unknown",
        Freshness::Cached => "cached",
        Freshness::Outdated => "outdated",
        Freshness::Refreshing => "refreshing",
        Freshness::Live => "live",
    }
}

pub(crate) fn is_now(member: &str, status: Status) -> String {
    format!("{member} is {}.", status.as_str())
}

/// Members that never listed their tools. `waited` is true if the command waited for the lists.
pub(crate) fn never_listed(members: &str, waited: bool) -> String {
    match waited {
        true => format!("never listed: {members}. `guildhall list` shows why."),
        false => format!("never listed: {members}. `--wait` lists them."),
    }
}

/// An error in the arguments, with its JSON pointer.
pub(crate) fn at(pointer: &str, problem: &str) -> String {
    format!("at {pointer:?}: {problem}")
}

/// A tool that is held back until a person accepts it.
pub(crate) fn held(mark: ToolMark) -> &'static str {
    match mark {
        ToolMark::New => "held back: new",
        ToolMark::Changed => "held back: changed",
    }
}

/// A member whose tools are withheld from agents.
pub(crate) const WITHHELD: &str = "withheld";

pub(crate) fn tools_would_change(count: usize) -> String {
    format!("{} would change.", counted(count, "tool", "tools"))
}

pub(crate) fn tools_changed(count: usize) -> String {
    format!("{} changed.", counted(count, "tool", "tools"))
}

pub(crate) fn by_their_word(members: &str) -> String {
    format!(
        "These go by their servers' word, which may change: {members}. `guildhall review MEMBER \
             --hold on` holds changes back until you accept them."
    )
}

pub(crate) fn signed_in(member: &str, issuer: Option<&str>, scopes: &str) -> String {
    let by = issuer
        .map(|issuer| format!(" by {issuer}"))
        .unwrap_or_default();
    let scopes = match scopes {
        "" => String::new(),
        scopes => format!(", for {scopes}"),
    };
    format!("Signed in to {member}{by}{scopes}.")
}

pub(crate) fn tools_found(count: usize, way: &str) -> String {
    let tools = counted(count, "tool was", "tools were");
    format!("{tools} found in {way}.")
}

pub(crate) fn tools_predicted(count: usize) -> String {
    let tools = counted(count, "tool was", "tools were");
    let (they, them) = if count == 1 {
        ("It", "it")
    } else {
        ("They", "them")
    };
    format!("{tools} predicted. {they} can't be called before the server confirms {them}.")
}
