//! How a hall is opened.

use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::time::Duration;

use guild_api::wire::Caller;
use guild_client_config::ClientConfigFolders;
use guild_process::environment::ShellQueryOptions;
use guild_process::{Custody, Environment, Restart};

use guild_ipc::Tenure;
use guild_logs::app::AppLog;
use guild_secrets::KeychainOf;
use guild_supervisor::context::CallsInOvertime;

/// How a hall is opened.
#[derive(Debug, Clone, Default)]
pub struct GuildHallOptions {
    /// Whether the members' folder is watched.
    pub watch: FolderWatchMode,
    /// The program behind `${GUILDHALL}` instead of this one.
    pub own_binary: Option<String>,
    /// The ports that are given to members, a part of 20000 to 30000; all of them by default.
    pub ports: Option<RangeInclusive<u16>>,
    /// The restart policy of each member: how long a crashed one waits before a restart.
    pub restart: Restart,
    /// How long an on-demand member stays up after its last call, instead of 30 s.
    pub idle_linger: Option<Duration>,
    /// How long a person has to answer a server's question, instead of ten minutes.
    pub patience: Option<Duration>,
    /// The caller of all calls of this hall, as the history shows it.
    pub caller: Caller,
    /// The program's own log, which is then kept in the data folder.
    pub app_log: Option<AppLog>,
    /// Whether the data folder is this hall's alone while it is open, and others can ask it.
    pub tenure: Tenure,
    /// The login shell whose variables the members get.
    pub login_shell: LoginShell,
    /// The program that ends the members' processes when this program is killed.
    pub guardian: Guardian,
    /// The keychain for secrets that are not in the data folder's file.
    pub keychain: KeychainOf,
    /// The fate of calls whose member is still being installed when its start limit passes.
    pub calls_in_overtime: CallsInOvertime,
    /// Whether the processors are busy, instead of what the system says: a start that times out then
    /// is retried.
    pub is_loaded: Option<fn() -> bool>,
    /// The folders to scan for other programs' files, instead of this user's.
    pub programs: Option<ClientConfigFolders>,
}

/// The program that ends the members' processes when this program is killed.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Guardian {
    /// No program, until the next hall opens the same data folder.
    #[default]
    Nobody,
    /// The program behind `${GUILDHALL}`, which calls [`crate::guardian`] first thing.
    OwnBinary,
    /// Another program that does so.
    Program(PathBuf),
}

impl Guardian {
    pub(super) fn program(self, own_binary: &str) -> Option<PathBuf> {
        match self {
            Self::Nobody => None,
            Self::OwnBinary => Some(own_binary.into()),
            Self::Program(program) => Some(program),
        }
    }
}

/// The login shell whose variables the members get.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum LoginShell {
    /// None.
    #[default]
    NotAsked,
    /// The user's login shell's, where asking it can tell something new.
    OfUser,
    /// This shell's, in any case, which has so long to answer.
    This(PathBuf, Duration),
}

impl LoginShell {
    pub(super) fn ask(self, own_binary: &str, custody: Custody) -> Environment {
        let asking = ShellQueryOptions {
            custody: Some(custody),
            ..ShellQueryOptions::by(own_binary)
        };
        match self {
            Self::NotAsked => Environment::default(),
            Self::OfUser => Environment::of_user(asking),
            Self::This(shell, limit) => Environment::ask(ShellQueryOptions {
                shell: Some(shell),
                limit,
                ..asking
            }),
        }
    }
}

/// Whether the members' folder is watched.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum FolderWatchMode {
    /// A member added, changed or removed shows within a second.
    #[default]
    Follow,
    /// The folder is read once, for a command that is soon over.
    Once,
}
