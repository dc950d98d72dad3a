//! Messages about names that agents see, with one enum per subject.

#![expect(missing_docs, reason = "the messages document the variants")]

use guild_text::number::grouped;
use miette::Diagnostic;
use thiserror::Error;

/// The reason that agents get no tool by a name.
#[derive(Debug, Clone, PartialEq, Eq, Error, Diagnostic)]
pub enum NamingError {
    #[error("The profile renames the tool to an empty name.")]
    #[diagnostic(help("Give it a name in the profile, or remove the change."))]
    Nameless,
    #[error("Its name for agents, {0}, is reserved for a tool of the gateway.")]
    #[diagnostic(help("Rename it in a profile."))]
    OfMenu(String),
    #[error(
        "{owners} and {last} would have the same name for agents, {name}, so agents get none of them."
    )]
    #[diagnostic(help("Rename one of these tools in a profile, or rename a member."))]
    Claimed {
        name: String,
        owners: String,
        last: String,
    },
    #[error("Its name for agents, {0}, would mean {1} and {more} more, so agents get none of them.", more = grouped(.2))]
    #[diagnostic(help("Rename one of them in a profile, or rename its member."))]
    ClaimedByMore(String, String, usize),
    #[error("No tool named {0}.")]
    #[diagnostic(help("List the tools, or search for one."))]
    NoTool(String),
    #[error("{0} matches several tools.")]
    #[diagnostic(help("Name one of them: {1}."))]
    MayBeSeveral(String, String),
    #[error("No tool named {0}.")]
    #[diagnostic(help("Similar names: {1}."))]
    NoToolNear(String, String),
}

#[cfg(test)]
mod tests;
