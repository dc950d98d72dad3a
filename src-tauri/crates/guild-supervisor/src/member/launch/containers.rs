//! A member's container: its engine, its mounts, its image, and the command that runs it.
//!
//! The engine's program is the member's process. The container is registered with the `RunLease`
//! before that program starts, and removed after it ends.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::time::Duration;

use guild_model::container::{
    Container, ContainerStart, Engine, EngineChoice, Pull, sources, trouble,
};
use guild_model::messages::{ContainerError, Private};
use guild_model::status::StartStep;
use guild_model::{Code, Report};
use guild_process::command::resolve;
use guild_process::short_command::{self, CommandLimits, NoAnswer};
use guild_process::{Child, ContainerHandle, Exit, ProcessSpec, RunLease, StdioMode, StopSequence};

use super::failures::STDERR_SHOWN;
use super::{ActorEvent, LaunchFailure, LaunchInput, blocking, cancelled};
use guild_secrets::ResolvedEnv;

/// Limits for a command of a container engine, which usually answers within a tenth of a second.
const ANSWER: CommandLimits = CommandLimits {
    time: Duration::from_secs(20),
    bytes: 64 * 1024,
};
/// Timeout for pulling an image.
const PULL_LIMIT: Duration = Duration::from_secs(30 * 60);
/// The exit code of an engine that could not run the server.
const ENGINE_FAILED: i32 = 125;

/// An engine that is installed on this machine.
struct OnMachine {
    engine: Engine,
    program: PathBuf,
}

/// Returns the command that runs the member's container, and registers the container with `charge`.
/// Pulls the image first if needed.
pub(super) async fn command(
    plan: &LaunchInput,
    container: &Container,
    port: Option<u16>,
    given: ResolvedEnv,
    over: &[(&str, &str)],
    charge: &mut RunLease,
) -> Result<ProcessSpec, LaunchFailure> {
    let preparing = prepared(plan, container, port, given, over, charge);
    tokio::select! {
        prepared = preparing => prepared.map_err(LaunchFailure::settled),
        () = plan.cancel.cancelled() => Err(cancelled()),
    }
}

async fn prepared(
    plan: &LaunchInput,
    container: &Container,
    port: Option<u16>,
    given: ResolvedEnv,
    over: &[(&str, &str)],
    charge: &mut RunLease,
) -> Result<ProcessSpec, Report> {
    let mut container = container.clone();
    let over = over.iter();
    container
        .env
        .extend(over.map(|(name, value)| ((*name).to_owned(), (*value).to_owned())));
    let data_dir = plan.context.paths.data_dir.clone();
    let filling = plan.substituted(None, given, move |substitution, given| {
        let mut filled = container.filled(|text| substitution.substitute(text))?;
        mounted(&mut filled, &data_dir)?;
        Ok((filled, given.variables(vec![])))
    });
    let (filled, variables) = filling.await?;
    let engine = ContainerEngineContext {
        plan,
        variables,
        folder: &plan.folder,
    };
    let found = engine.find(filled.engine).await?;
    engine.image(&found, &filled).await?;
    let run = charge.name();
    let start = ContainerStart {
        member: &plan.name,
        run: &run,
        port,
    };
    let spec = ProcessSpec {
        program: found.program.to_string_lossy().into_owned(),
        args: filled.run_args(&start),
        env: engine.with(filled.forwarded_env()),
        cwd: plan.folder.clone(),
    };
    let contained = ContainerHandle::new(
        found.engine,
        found.program,
        start.container_name(),
        &engine.deciding(),
    );
    charge.contains(contained).await;
    Ok(spec)
}

/// Checks each mount's source on the disk, and replaces it with its real path.
fn mounted(container: &mut Container, data_dir: &Path) -> Result<(), Report> {
    let mut private = vec![(data_dir.to_owned(), Private::Data)];
    if let Some(home) = std::env::home_dir().filter(|home| home.parent().is_some()) {
        private.push((home, Private::Home));
    }
    for (folder, _) in &mut private {
        if let Ok(real) = folder.canonicalize() {
            *folder = real;
        }
    }
    for mount in &mut container.mounts {
        let refused = |trouble| Report::from_error(Code::MountRefused, &trouble);
        let (host, target) = (mount.source.clone(), mount.target.clone());
        let real = match Path::new(&host).canonicalize() {
            Ok(real) => real,
            Err(error) => {
                let error = error.to_string();
                return Err(refused(ContainerError::MountMissing {
                    host,
                    target,
                    error,
                }));
            }
        };
        if !mount.dangerous
            && let Some(why) = sources::danger(&real, &private)
        {
            return Err(refused(ContainerError::MountDangerous(host, target, why)));
        }
        let Some(text) = real.to_str().filter(|text| sources::fits_in_a_mount(text)) else {
            return Err(refused(ContainerError::MountUnwritten(host, target)));
        };
        mount.source = text.to_owned();
    }
    Ok(())
}

/// The context of a request to an engine.
struct ContainerEngineContext<'a> {
    plan: &'a LaunchInput,
    /// The login shell's variables. The engine also inherits the variables of this program.
    variables: Vec<(String, String)>,
    folder: &'a Path,
}

impl ContainerEngineContext<'_> {
    fn with<'v>(
        &self,
        own: impl Iterator<Item = (&'v String, &'v String)>,
    ) -> Vec<(String, String)> {
        let own = own.map(|(name, value)| (name.clone(), value.clone()));
        self.variables.iter().cloned().chain(own).collect()
    }

    /// Returns all environment variables of the engine's program. If a name is repeated, the last
    /// value counts.
    fn deciding(&self) -> Vec<(String, String)> {
        let ours = std::env::vars_os().filter_map(|(name, value)| {
            Some((name.into_string().ok()?, value.into_string().ok()?))
        });
        let all = ours.chain(self.variables.iter().cloned());
        all.collect::<std::collections::BTreeMap<_, _>>()
            .into_iter()
            .collect()
    }

    fn command(&self, found: &OnMachine, args: &[&str]) -> ProcessSpec {
        ProcessSpec {
            program: found.program.to_string_lossy().into_owned(),
            args: args.iter().map(|&arg| arg.to_owned()).collect(),
            env: self.variables.clone(),
            cwd: self.folder.to_owned(),
        }
    }

    /// Returns the chosen engine, if it is installed. If two engines are possible, skips the first
    /// if it does not answer.
    async fn find(&self, choice: EngineChoice) -> Result<OnMachine, Report> {
        let path = self.variables.iter().rev().find(|(name, _)| name == "PATH");
        let path = path.map(|(_, path)| path.into());
        let path = path.or_else(|| std::env::var_os("PATH"));
        let folder = self.folder.to_owned();
        let (mut found, missing) = blocking(move || {
            let (mut found, mut missing) = (Vec::new(), None);
            for &engine in choice.engines() {
                let program = engine.program();
                match resolve(program, &folder, path.as_deref().map(OsStr::new)) {
                    Ok(program) => found.push(OnMachine { engine, program }),
                    Err(error) => missing = missing.or(Some(error)),
                }
            }
            (found, missing)
        })
        .await?;
        if found.len() > 1 && !self.answers(&found[0]).await {
            found.remove(0);
        }
        if !found.is_empty() {
            return Ok(found.remove(0));
        }
        Err(match missing {
            Some(error) if choice == EngineChoice::Auto => {
                let trouble = ContainerError::NoEngine(error.report().message);
                Report::from_error(error.code(), &trouble)
            }
            Some(error) => error.report(),
            None => Report::from_error(Code::CommandNotFound, &ContainerError::NoneNamed),
        })
    }

    async fn answers(&self, found: &OnMachine) -> bool {
        let spec = self.command(found, &["version", "--format", "{{.Server.Version}}"]);
        let answered = short_command::run(spec, ANSWER, Some(&self.plan.context.custody)).await;
        answered.is_ok_and(|answer| answer.status.is_some_and(|status| status.success()))
    }

    /// Makes sure that the image is present.
    async fn image(&self, found: &OnMachine, container: &Container) -> Result<(), Report> {
        let image = container.image.as_str();
        match container.pull {
            Pull::Always => self.pull(found, image).await,
            Pull::Missing if self.has(found, image).await? => Ok(()),
            Pull::Missing => self.pull(found, image).await,
            Pull::Never if self.has(found, image).await? => Ok(()),
            Pull::Never => Err(trouble::not_there(found.engine, image)),
        }
    }

    async fn has(&self, found: &OnMachine, image: &str) -> Result<bool, Report> {
        let spec = self.command(found, &["image", "inspect", "--format", "{{.Id}}", image]);
        let program = found.engine.program();
        match short_command::run(spec, ANSWER, Some(&self.plan.context.custody)).await {
            Ok(answer) if answer.status.is_some_and(|status| status.success()) => Ok(true),
            Ok(answer) => {
                let said = String::from_utf8_lossy(&answer.stderr);
                if let Some(report) = trouble::of_engine(found.engine, &said) {
                    return Err(report);
                }
                if trouble::is_image_missing(&said) {
                    return Ok(false);
                }
                let said: String = said.trim().chars().take(400).collect();
                let trouble = ContainerError::NotSaid(program, image.to_owned(), said);
                Err(Report::from_error(Code::EngineUnreachable, &trouble))
            }
            Err(NoAnswer::NotStarted(error)) => Err(error.report()),
            Err(error) => {
                let why = error.to_string();
                let trouble = ContainerError::NoAnswer(program, image.to_owned(), why);
                Err(Report::from_error(Code::EngineUnreachable, &trouble))
            }
        }
    }

    /// Pulls the image. The engine's output goes to the member's log.
    async fn pull(&self, found: &OnMachine, image: &str) -> Result<(), Report> {
        let plan = self.plan;
        plan.notify(ActorEvent::Step(Some(StartStep::Pulling)))
            .await;
        let charge = plan.context.custody.take(plan.name.as_str()).await;
        let spec = self.command(found, &["pull", image]);
        let output = plan.output.clone();
        let child =
            blocking(move || Child::spawn(&spec, StdioMode::Closed, &output, charge)).await?;
        let child = child.map_err(|error| error.report())?;
        let exit = tokio::time::timeout(PULL_LIMIT, child.wait_exit()).await;
        child.stop(StopSequence::CLOSED).await;
        plan.notify(ActorEvent::Step(None)).await;
        if matches!(&exit, Ok(exit) if exit.code == Some(0)) {
            return Ok(());
        }
        let said = last_words(plan);
        Err(match exit {
            Ok(_) => trouble::of_pull(found.engine, image, &said),
            Err(_) => {
                let (minutes, program) = (PULL_LIMIT.as_secs() / 60, found.engine.program());
                let trouble = ContainerError::TooSlow(image.to_owned(), minutes, program);
                Report::from_error(Code::ImageUnavailable, &trouble)
            }
        })
    }
}

/// Returns the reason why the engine did not run the container. This is not a crash of the server,
/// which did not run.
pub(super) fn engine_failure(
    plan: &LaunchInput,
    container: &Container,
    child: &Child,
    exit: &Exit,
) -> Option<Report> {
    if exit.code != Some(ENGINE_FAILED) {
        return None;
    }
    trouble::of_start(child.engine()?, &container.image, &last_words(plan))
}

fn last_words(plan: &LaunchInput) -> String {
    let lines = plan.output.last_words(STDERR_SHOWN);
    let lines: Vec<&str> = lines.iter().map(|line| line.text.as_str()).collect();
    lines.join("\n")
}
