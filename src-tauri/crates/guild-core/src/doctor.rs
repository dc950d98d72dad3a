//! Findings of an examination of this machine: each kind of fact with its subject, and its text.
//!
//! An examination returns values; [`Observation::told`] renders them as sentences. Programs decide
//! by the kind of a fact.

mod observation;
mod words;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use self::observation::{Advice, Detail, Ended, Observation, Product, Subject};
use crate::holder::Holder;

macro_rules! facts {
    ($($(#[doc = $doc:literal])+ $variant:ident = $name:literal
        $({ $($(#[doc = $field_doc:literal])+ $field:ident: $type:ty),+ $(,)? })?;)+) => {
        /// A fact that was found.
        #[derive(Debug, Clone, PartialEq, Eq)]
        pub enum Fact {
            $($(#[doc = $doc])+ $variant $({ $($(#[doc = $field_doc])+ $field: $type),+ })?,)+
        }

        /// The kind of a fact: its name for programs.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
        pub enum FactKind {
            $($(#[doc = $doc])+ #[serde(rename = $name)] $variant,)+
        }

        impl Fact {
            /// Its kind.
            pub fn kind(&self) -> FactKind {
                match self { $(Self::$variant { .. } => FactKind::$variant,)+ }
            }
        }
    };
}

facts! {
    /// Looking took too long, and was given up.
    GivenUp = "given-up" {
        /// The time that it had, in seconds.
        seconds: u64,
    };
    /// The look was broken off.
    BrokenOff = "broken-off" {
        /// The system's own words.
        error: String,
    };
    /// The login shell was not asked for its variables.
    ShellNotAsked = "shell-not-asked" {
        /// Why.
        why: Unasked,
    };
    /// The login shell gave no answer that could be read.
    ShellFailed = "shell-failed" {
        /// The problem it had instead.
        problem: String,
        /// How long that took, in milliseconds.
        ms: u128,
    };
    /// The login shell printed its variables.
    ShellAnswered = "shell-answered" {
        /// How long that took, in milliseconds.
        ms: u128,
        /// How many differ from Guild Hall's own.
        differing: usize,
        /// Why members do not get them, where they do not.
        unused: Option<Unasked>,
    };
    /// A program is in none of the PATH's folders.
    ProgramMissing = "program-missing";
    /// A program printed its version.
    ProgramAnswered = "program-answered" {
        /// The version it printed.
        version: String,
        /// Where it is.
        place: String,
    };
    /// A program ended without printing its version.
    ProgramFailed = "program-failed" {
        /// Where it is.
        place: String,
        /// How it ended, where it did by itself.
        status: Option<Ended>,
        /// The output it wrote.
        said: String,
    };
    /// A program printed no version in time, and was ended.
    ProgramSilent = "program-silent" {
        /// Where it is.
        place: String,
        /// The time that it had, in seconds.
        seconds: u64,
    };
    /// A program is there and can't be asked.
    ProgramUnusable = "program-unusable" {
        /// Where it is.
        place: String,
        /// Why.
        error: String,
    };
    /// A member's manifest can't be used.
    ManifestUnusable = "manifest-unusable";
    /// A report with its own error code.
    Reported = "reported" {
        /// The report's message.
        message: String,
    };
    /// A member's command has a secret in it, and is not looked for.
    CommandSecret = "command-secret";
    /// A member's arguments have secrets in them, which every user can see.
    SecretsInArguments = "secrets-in-arguments" {
        /// The secrets, as the manifest has them.
        references: Vec<String>,
    };
    /// A manifest has secrets in it, and others may read it.
    SecretsReadable = "secrets-readable" {
        /// The file.
        file: String,
    };
    /// A command is there.
    CommandFound = "command-found" {
        /// The commands, each with its place.
        places: Vec<(String, String)>,
    };
    /// A member's command is nowhere.
    CommandMissing = "command-missing" {
        /// The command.
        command: String,
    };
    /// A member runs in a container, and no engine is there.
    EngineMissing = "engine-missing" {
        /// The engines that it could run with.
        engines: Vec<&'static str>,
    };
    /// A member's command runs a container that outlives its client.
    ContainerEscapes = "container-escapes";
    /// A member's server requires a sign-in.
    SignInWanted = "sign-in-wanted";
    /// No user is signed in to a member.
    NobodySignedIn = "nobody-signed-in";
    /// The sign-in to a member has ended.
    SignInEnded = "sign-in-ended";
    /// A member's server refuses the access that the user signed in for.
    SignInRefused = "sign-in-refused";
    /// The user is signed in to a member.
    SignedIn = "signed-in" {
        /// By whom, unless it is the member's own server.
        issuer: Option<String>,
    };
    /// The keychain answers.
    KeychainReady = "keychain-ready";
    /// No keychain can be reached.
    KeychainAbsent = "keychain-absent" {
        /// Whether there are secrets that it would keep.
        used: bool,
    };
    /// The keychain does not answer.
    KeychainUnanswered = "keychain-unanswered";
    /// No value is known for a secret.
    SecretMissing = "secret-missing";
    /// How many of the members' ports are free.
    Ports = "ports" {
        /// The first and the last of them.
        range: (u16, u16),
        /// How many are free.
        free: usize,
        /// How many are members'.
        lent: usize,
        /// How many are held by other programs.
        foreign: usize,
    };
    /// Agents reach the gateway.
    GatewayReached = "gateway-reached" {
        /// Where.
        address: String,
    };
    /// The gateway is switched off.
    GatewayOff = "gateway-off";
    /// The gateway's port is free.
    GatewayPortFree = "gateway-port-free" {
        /// The port.
        port: u16,
    };
    /// Guild Hall itself has the gateway's port.
    GatewayPortOwn = "gateway-port-own" {
        /// The port.
        port: u16,
        /// The process.
        holder: Holder,
    };
    /// Another program has the gateway's port.
    GatewayPortTaken = "gateway-port-taken" {
        /// The port.
        port: u16,
        /// The process, where it can be seen.
        holder: Option<Holder>,
    };
    /// A folder does not exist.
    FolderMissing = "folder-missing" {
        /// The folder.
        folder: String,
    };
    /// A folder can't be read.
    FolderUnreadable = "folder-unreadable" {
        /// The folder.
        folder: String,
        /// The system's own words.
        error: String,
    };
    /// A folder can't be written.
    FolderUnwritable = "folder-unwritable" {
        /// The folder.
        folder: String,
        /// The system's own words.
        error: String,
    };
    /// A folder may be changed by other users.
    FolderOpen = "folder-open" {
        /// The folder.
        folder: String,
    };
    /// A folder can be read and written.
    FolderFine = "folder-fine" {
        /// The folder.
        folder: String,
    };
    /// The system does not tell how much room there is.
    RoomUnknown = "room-unknown";
    /// How much room there is.
    Room = "room" {
        /// The bytes that are free.
        bytes: u64,
        /// The folder that they are free for.
        folder: String,
    };
    /// No process of an earlier run is left.
    NothingLeft = "nothing-left";
    /// Processes of an earlier run are left.
    ProcessesLeft = "processes-left" {
        /// How many.
        count: usize,
    };
}

/// Reason why the login shell was not started, or why members do not get its variables.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unasked {
    /// Nothing is started here.
    NotWanted,
    /// On Windows programs have the user's variables anyway.
    Windows,
    /// Guild Hall has a terminal's variables.
    Terminal,
    /// It is switched off.
    SwitchedOff,
    /// The shell that would be asked has started Guild Hall.
    InsideShell,
    /// The user has no shell that lets anybody in.
    NoShell,
}

#[cfg(test)]
mod tests;
