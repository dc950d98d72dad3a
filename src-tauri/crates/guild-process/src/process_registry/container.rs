//! The container of a run. Its processes are children of the container engine and not of the run,
//! so the container must be removed through the engine.
//!
//! If this program is killed, another process must remove the container. So the watchdog and the
//! journal get all data that the removal needs, as one line of text.

#[cfg(unix)]
use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::{Output, Stdio};
use std::time::Duration;

use guild_model::container::{Engine, decides_the_engine, trouble};
use tokio::time::timeout;

use super::run::RunId;
use crate::command::pass_environment;
use crate::run_mark;

/// Limit of the line that describes a container, in bytes.
#[cfg(unix)]
pub(crate) const CONTAINER_LINE_MAX: usize = 24 * 1024;
/// Limit of a variable's value in that line, in bytes.
const VALUE_MAX: usize = 8 * 1024;
/// Limit of the number of variables in that line.
const VARIABLES_MAX: usize = 32;
/// How long an engine may take to remove a container.
const REMOVAL_LIMIT: Duration = Duration::from_secs(3);

/// A container, identified by its engine and name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ContainerHandle {
    engine: Engine,
    /// The path of the engine's command-line program.
    program: PathBuf,
    name: String,
    /// The environment variables that decide which daemon the engine's program uses.
    variables: Vec<(String, String)>,
}

impl ContainerHandle {
    /// Returns the handle of a container that will be created. Keeps only those of the `variables`
    /// that decide which daemon the engine's program uses.
    pub fn new(
        engine: Engine,
        program: PathBuf,
        name: String,
        variables: &[(String, String)],
    ) -> Self {
        let is_kept = |(name, value): &&(String, String)| {
            decides_the_engine(name)
                && value.len() <= VALUE_MAX
                && !name.contains(char::is_control)
                && !value.contains(char::is_control)
        };
        let variables = variables
            .iter()
            .filter(is_kept)
            .take(VARIABLES_MAX)
            .cloned();
        Self {
            engine,
            program,
            name,
            variables: variables.collect(),
        }
    }

    pub(crate) fn engine(&self) -> Engine {
        self.engine
    }

    #[cfg(unix)]
    /// Returns the line that describes the container, without a line end: the engine, the name, the
    /// program and the variables. `None` if the line would be too long, or the program's path is
    /// not UTF-8.
    pub(crate) fn to_line(&self) -> Option<String> {
        let program = self.program.to_str()?;
        let mut line = format!("{} {}\t{program}", self.engine.program(), self.name);
        for (name, value) in &self.variables {
            // Writing to a string never fails.
            let _ = write!(line, "\t{name}={value}");
        }
        let fits = line.len() <= CONTAINER_LINE_MAX && !program.contains(char::is_control);
        fits.then_some(line)
    }

    #[cfg(unix)]
    pub(crate) fn parse(line: &str) -> Option<Self> {
        if line.len() > CONTAINER_LINE_MAX {
            return None;
        }
        let mut parts = line.split('\t');
        let (engine, name) = parts.next()?.split_once(' ')?;
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"._-".contains(&byte);
        // The name must not be an option of the engine's program, or the name of a container that
        // Guild Hall did not create.
        let is_ours = name.starts_with("guild-hall-") && name.bytes().all(plain);
        let program = PathBuf::from(parts.next()?);
        if !is_ours || !program.is_absolute() {
            return None;
        }
        let variables = parts.map(|part| {
            let (name, value) = part.split_once('=')?;
            decides_the_engine(name).then(|| (name.to_owned(), value.to_owned()))
        });
        Some(Self {
            engine: Engine::of_program(engine)?,
            program,
            name: name.to_owned(),
            variables: variables.take(VARIABLES_MAX).collect::<Option<_>>()?,
        })
    }

    pub(crate) fn removal(&self) -> std::process::Command {
        let mut command = std::process::Command::new(&self.program);
        pass_environment(&mut command);
        command
            .args(self.engine.removal_args(&self.name))
            .envs(self.variables.iter().map(|(name, value)| (name, value)))
            .env_remove(RunId::VARIABLE)
            .current_dir("/")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped());
        command
    }

    /// Whether the container is gone, according to the result of the removal. If the engine's
    /// program is missing, the container is gone too.
    pub(crate) fn is_gone(&self, removed: &std::io::Result<Output>) -> bool {
        match removed {
            Ok(output) => {
                let stderr = String::from_utf8_lossy(&output.stderr);
                let gone = output.status.success() || trouble::is_gone(&stderr);
                if !gone {
                    let stderr: String = stderr.chars().take(400).collect();
                    tracing::warn!(container = self.name, stderr, "a container was not removed");
                }
                gone
            }
            Err(error) => {
                tracing::warn!(container = self.name, %error, "a container was not removed");
                error.kind() == std::io::ErrorKind::NotFound
            }
        }
    }

    /// Removes the container. Returns whether it is gone. Dropping the future kills the engine's
    /// program.
    pub(crate) async fn remove(&self) -> bool {
        let removal = self.removal();
        let spawning = tokio::task::spawn_blocking(move || {
            let mut command = tokio::process::Command::from(removal);
            command.kill_on_drop(true);
            // The engine's program does not belong to the run, so it must not carry the run's mark.
            run_mark::unmarked(|| command.spawn())
        });
        let removing = async {
            match spawning.await {
                Ok(Ok(child)) => child.wait_with_output().await,
                Ok(Err(error)) => Err(error),
                Err(error) => Err(std::io::Error::other(error)),
            }
        };
        let removed = timeout(REMOVAL_LIMIT, removing).await;
        self.is_gone(&removed.unwrap_or_else(|elapsed| Err(elapsed.into())))
    }
}

/// Removes containers in parallel within a time limit. Needs no async runtime. Returns the
/// containers that may still exist.
#[cfg(unix)]
pub(crate) fn remove_all(contained: &[ContainerHandle], limit: Duration) -> Vec<ContainerHandle> {
    use std::time::Instant;

    /// Limit of concurrent removals.
    const AT_ONCE: usize = 16;
    /// Interval of the checks whether a removal has ended.
    const LOOK: Duration = Duration::from_millis(10);
    let began = Instant::now();
    let mut left = Vec::new();
    for batch in contained.chunks(AT_ONCE) {
        let started = batch.iter().map(|one| {
            let child = one.removal().stderr(Stdio::piped()).spawn();
            (one, child)
        });
        for (one, child) in started.collect::<Vec<_>>() {
            let removed = child.and_then(|mut child| {
                while child.try_wait()?.is_none() {
                    if began.elapsed() >= limit {
                        child.kill()?;
                        child.wait()?;
                        return Err(std::io::ErrorKind::TimedOut.into());
                    }
                    std::thread::sleep(LOOK);
                }
                child.wait_with_output()
            });
            if !one.is_gone(&removed) {
                left.push(one.clone());
            }
        }
    }
    left
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn contained(variables: &[(&str, &str)]) -> ContainerHandle {
        let own = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
        let variables: Vec<_> = variables.iter().map(own).collect();
        let name = "guild-hall-notes-4700000000000001".to_owned();
        ContainerHandle::new(
            Engine::Podman,
            "/opt/my tools/podman".into(),
            name,
            &variables,
        )
    }

    #[test]
    fn contained_record_round_trips_without_secrets() {
        let one = contained(&[
            ("DOCKER_HOST", "unix:///run/user/1000/docker.sock"),
            ("API_KEY", "hunter2"),
            ("DOCKER_AUTH_CONFIG", "hunter2"),
            ("CONTAINER_PASSPHRASE", "hunter2"),
            ("PATH", "/usr/bin:/bin"),
        ]);
        let line = one.to_line().expect("a line");
        assert!(!line.contains("hunter2") && !line.contains('\n'), "{line}");
        assert_eq!(ContainerHandle::parse(&line), Some(one));
    }

    #[test]
    fn nobody_elses_container_is_put_away() {
        for line in [
            "docker postgres\t/usr/bin/docker",
            "docker --all\t/usr/bin/docker",
            "docker guild-hall-x --all\t/usr/bin/docker",
            "rm guild-hall-x\t/usr/bin/rm",
            "docker guild-hall-x\tdocker",
            "docker guild-hall-x\t/usr/bin/docker\tLD_PRELOAD=/tmp/x.so",
            "docker guild-hall-x",
            "",
        ] {
            assert_eq!(ContainerHandle::parse(line), None, "{line}");
        }
    }

    proptest! {
        #[test]
        fn any_line_of_a_container_is_survived(line in ".{0,300}") {
            if let Some(one) = ContainerHandle::parse(&line) {
                let again = one.to_line().expect("a line");
                prop_assert_eq!(ContainerHandle::parse(&again), Some(one));
            }
        }
    }
}
