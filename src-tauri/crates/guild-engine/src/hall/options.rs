//! Options for opening a hall.

use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::time::Duration;

use guild_api::wire::Caller;
use guild_client_config::ClientConfigFolders;
use guild_process::environment::ShellQueryOptions;
use guild_process::{Environment, ProcessRegistry, Restart};

use guild_ipc::LockMode;
use guild_logs::app::AppLog;
use guild_secrets::KeychainChoice;
use guild_supervisor::context::CallsDuringLateStart;

/// Options for opening a hall.
#[derive(Debug, Clone, Default)]
pub struct GuildHallOptions {
    /// How the hall notices changes of the members' folder.
    pub watch: FolderWatchMode,
    /// The program whose path replaces `${GUILDHALL}` in manifests. `None` means this program.
    pub own_binary: Option<String>,
    /// The ports for members, within 20000 to 30000. `None` means that whole range.
    pub ports: Option<RangeInclusive<u16>>,
    /// The restart policy of each member: how long a crashed member waits before a restart.
    pub restart: Restart,
    /// How long an on-demand member keeps running after its last call. `None` means 30 s.
    pub idle_linger: Option<Duration>,
    /// How long a person has to answer a server's question. `None` means ten minutes.
    pub patience: Option<Duration>,
    /// The caller that the history shows for all calls of this hall.
    pub caller: Caller,
    /// The program's own log, which is written to the data folder.
    pub app_log: Option<AppLog>,
    /// How the hall locks the data folder, and whether it accepts requests of other programs.
    pub tenure: LockMode,
    /// The login shell whose variables the members get.
    pub login_shell: LoginShell,
    /// The program that ends the members' processes if this program is killed.
    pub watchdog: WatchdogProgram,
    /// The keychain that stores secrets outside of the data folder.
    pub keychain: KeychainChoice,
    /// How calls are handled if their member is still installing packages when its start limit is
    /// reached.
    pub calls_during_late_start: CallsDuringLateStart,
    /// Replaces the check whether the processors are busy, for tests. If they are busy, a start
    /// that timed out is tried again.
    pub is_loaded: Option<fn() -> bool>,
    /// The folders that are scanned for the configuration files of other apps. `None` means those
    /// of this user.
    pub programs: Option<ClientConfigFolders>,
}

/// The program that ends members' processes if this program is killed.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum WatchdogProgram {
    /// No program ends the processes. The next hall on the data folder does.
    #[default]
    None,
    /// The program that `${GUILDHALL}` refers to. Its `main` must call [`crate::watchdog`] first.
    OwnBinary,
    /// Another program. Its `main` must call [`crate::watchdog`] first.
    Program(PathBuf),
}

impl WatchdogProgram {
    pub(super) fn program(self, own_binary: &str) -> Option<PathBuf> {
        match self {
            Self::None => None,
            Self::OwnBinary => Some(own_binary.into()),
            Self::Program(program) => Some(program),
        }
    }
}

/// The login shell whose variables the members get.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum LoginShell {
    /// No login shell is run.
    #[default]
    NotAsked,
    /// The user's login shell is run, unless Guild Hall already has its variables.
    OfUser,
    /// The shell at this path is always run, with this time limit.
    This(PathBuf, Duration),
}

impl LoginShell {
    pub(super) fn ask(self, own_binary: &str, custody: ProcessRegistry) -> Environment {
        let asking = ShellQueryOptions {
            registry: Some(custody),
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

/// How a hall notices changes of the members' folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum FolderWatchMode {
    /// Added, changed or removed members are shown within a second.
    #[default]
    Follow,
    /// The folder is read once, for a short-lived command.
    Once,
}
