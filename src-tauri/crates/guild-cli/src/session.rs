//! Connects a command to a hall, with the folders and options of the command line, and ends the
//! command if a signal interrupts it.

use std::process::ExitCode;

use guild_engine::{FolderWatchMode, GuildHall, GuildHallOptions, LockMode, LoginShell, Paths};
use guild_model::Report;

use crate::engine_client::{EngineClient, Purpose};
use crate::interrupts::{Interrupts, interrupted};
use crate::terminal::blocking;

/// A command's requirements for its hall.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Need {
    /// The purpose for which the command uses its hall.
    purpose: Purpose,
    /// Whether only a person may run the command, and never a process of a member.
    decides: bool,
}

impl Need {
    /// The command reads data, and starts no member.
    pub(crate) const READ: Self = Self::new(Purpose::Reads, false);
    /// The command may start members.
    pub(crate) const START: Self = Self::new(Purpose::Starts, false);
    /// The command acts on members of the running hall.
    pub(crate) const CONTROL: Self = Self::new(Purpose::Controls, false);
    /// The command shows or writes data that is only for a person. It starts no member.
    pub(crate) const PERSON: Self = Self::new(Purpose::Reads, true);
    /// The command makes a decision that a running hall must know.
    pub(crate) const DECIDE: Self = Self::new(Purpose::Starts, true);
    /// The command decides about a request that waits in the running hall.
    pub(crate) const DECIDE_RUNNING: Self = Self::new(Purpose::Controls, true);

    const fn new(purpose: Purpose, decides: bool) -> Self {
        Self { purpose, decides }
    }

    /// Returns `first` if `is_first`, or else `second`.
    pub(crate) fn either(is_first: bool, first: Self, second: Self) -> Self {
        if is_first { first } else { second }
    }
}

/// The folders, options and signals of one run of this program.
pub(crate) struct CliContext {
    pub(crate) paths: Paths,
    pub(crate) options: GuildHallOptions,
    pub(crate) interrupts: Interrupts,
}

impl CliContext {
    /// Runs a command on a hall, until the command ends or a signal interrupts it.
    pub(crate) async fn with_engine(
        self,
        need: Need,
        command: impl AsyncFnOnce(&EngineClient) -> Result<ExitCode, Report>,
    ) -> Result<ExitCode, Report> {
        self.with_signals(
            need,
            async |engine: &EngineClient, interrupts: &mut Interrupts| {
                tokio::select! {
                    done = command(engine) => done,
                    () = interrupts.next() => Err(interrupted()),
                }
            },
        )
        .await
    }

    /// Runs a command that handles signals itself.
    pub(crate) async fn with_signals(
        mut self,
        need: Need,
        command: impl AsyncFnOnce(&EngineClient, &mut Interrupts) -> Result<ExitCode, Report>,
    ) -> Result<ExitCode, Report> {
        if need.decides {
            self.refuse_member().await?;
        }
        let options = GuildHallOptions {
            // Only the processes of members need the variables of the user's login shell.
            login_shell: match need.purpose {
                Purpose::Starts => LoginShell::OfUser,
                Purpose::Reads | Purpose::Controls => LoginShell::NotAsked,
            },
            ..self.options
        };
        let finding = EngineClient::find(self.paths, need.purpose, options);
        let engine = tokio::select! {
            found = finding => found?,
            () = self.interrupts.next() => return Err(interrupted()),
        };
        let done = command(&engine, &mut self.interrupts).await;
        // Ends everything that was started for the command, even after an error.
        engine.leave().await;
        done
    }

    /// Opens a hall only for a command, and closes it afterwards.
    pub(crate) async fn with_own_engine(
        mut self,
        tenure: LockMode,
        command: impl AsyncFnOnce(&GuildHall, &mut Interrupts) -> Result<ExitCode, Report>,
    ) -> Result<ExitCode, Report> {
        let options = GuildHallOptions {
            tenure,
            watch: match tenure {
                LockMode::None => FolderWatchMode::Once,
                LockMode::Exclusive | LockMode::Serve(_) => FolderWatchMode::Follow,
            },
            login_shell: LoginShell::OfUser,
            ..self.options
        };
        let hall = tokio::select! {
            opened = GuildHall::open(self.paths, options) => opened?,
            () = self.interrupts.next() => return Err(interrupted()),
        };
        let done = command(&hall, &mut self.interrupts).await;
        hall.shutdown().await;
        done
    }

    /// Returns an error if a member started this program, since a member must not make decisions.
    pub(crate) async fn refuse_member(&self) -> Result<(), Report> {
        let data_dir = self.paths.data_dir.clone();
        blocking(move || guild_engine::refuse_member(&data_dir)).await
    }
}
