//! Message enums of the engine, one for each subject.
//!
//! Each variant has its message by `thiserror` and its hint by `miette`.
//! [`Report::from_error`](crate::Report::from_error) combines both with a code. Two kinds of text
//! are in other modules: the findings of the doctor (`doctor`) and the explanations of error codes
//! (`error`).

#![expect(missing_docs, reason = "the messages document the variants")]

mod call;
mod container;
mod discovery;
mod engine;
mod field;
mod file;
mod found;
mod link;
mod manifest;
mod name;
mod review;
mod settings;
mod start;
mod suite;
mod tool;

pub use self::call::{CallError, Unknown, WhyNobody};
pub use self::container::{Beyond, Danger, Private};
pub use self::discovery::{DiscoveryError, DiscoveryFields, DiscoveryProblem};
pub use self::engine::{ContainerError, ImageAdvice, Quoted};
pub use self::field::{GlobProblem, UrlProblem, VariableProblem};
pub use self::file::{io_message, is_files_limit};
pub use self::found::{RunPlace, RunProblem, ServerEntryOwner};
pub use self::link::{LinkError, LinkProblem};
pub use self::manifest::ManifestError;
pub use self::name::NameProblem;
pub use self::review::MountUse;
pub use self::settings::{SecretError, SettingsError};
pub use self::start::HeldAdvice;
pub use self::suite::SuiteError;
pub use self::tool::ToolProblem;

#[cfg(test)]
mod tests;
