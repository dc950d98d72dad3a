//! Runs the build command before a member is restarted.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use crate::messages::DevError;
use guild_api::wire::DevBuild;
use guild_model::manifest::{Dev, Launch, Substitution};
use guild_model::{Code, MemberName, Report};
use guild_process::{Child, Output, ProcessSpec, StdioMode, StopSequence};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use crate::context::Context;

/// Number of last output lines in the report of a failure.
const LINES_SHOWN: usize = 20;
/// Maximum length of each of these output lines, in characters.
const LINE_SHOWN_MAX: usize = 500;

/// A build of a member.
pub struct Building<'a> {
    /// The member that owns the build's processes and reports.
    pub member: &'a MemberName,
    /// The member's folder, where the command runs.
    pub folder: PathBuf,
    /// The command and its time limit.
    pub dev: &'a Dev,
    /// The destination of the command's own output.
    pub output: Output,
}

/// Runs the command until it exits, its limit passes or `cancel` is cancelled. Ends its processes.
pub async fn build(
    context: &Arc<Context>,
    building: Building<'_>,
    cancel: &CancellationToken,
) -> DevBuild {
    let begun = Instant::now();
    let (error, output) = match run(context, &building, cancel).await {
        Ok(()) => (None, vec![]),
        Err(BuildFailure { report, start }) => {
            let words = start.map(|start| building.output.words_of(start, LINES_SHOWN));
            let lines = words.unwrap_or_default().into_iter();
            let cut = |text: String| text.chars().take(LINE_SHOWN_MAX).collect();
            let lines = lines.map(|line| cut(line.text)).collect();
            (Some(report.of(building.member)), lines)
        }
    };
    DevBuild {
        took_ms: Some(u64::try_from(begun.elapsed().as_millis()).unwrap_or(u64::MAX)),
        error,
        output,
    }
}

struct BuildFailure {
    report: Report,
    /// The number of the start under which the build's output is logged.
    start: Option<u64>,
}

impl From<Report> for BuildFailure {
    fn from(report: Report) -> Self {
        Self {
            report,
            start: None,
        }
    }
}

async fn run(
    context: &Arc<Context>,
    building: &Building<'_>,
    cancel: &CancellationToken,
) -> Result<(), BuildFailure> {
    let Some((program, args)) = building.dev.build.split_first() else {
        return Ok(());
    };
    let launch = Launch::Command {
        command: program.clone(),
        args: args.to_vec(),
        env: BTreeMap::new(),
        cwd: None,
    };
    let broken_off = || Report::from_error(Code::CallCancelled, &DevError::BuildBrokenOff);
    let given = tokio::select! {
        given = context.values.for_start(&launch) => given?,
        () = cancel.cancelled() => return Err(broken_off().into()),
    };
    let charge = context.custody.take(building.member.as_str()).await;
    let (shared, words) = (Arc::clone(context), building.dev.build.clone());
    let (member, folder) = (building.member.clone(), building.folder.clone());
    let output = building.output.clone();
    // On a blocking thread, since variables may be looked up in files and forking takes
    // milliseconds. If this future is dropped, the child is dropped and thereby ended.
    let spawning = tokio::task::spawn_blocking(move || {
        let folder_text = folder.to_string_lossy().into_owned();
        let substitution = Substitution {
            port: None,
            plugin_dir: &folder_text,
            guildhall: &shared.own_binary,
            lookup: &given,
        };
        let mut words = words.iter().map(|word| substitution.substitute(word));
        let spec = ProcessSpec {
            program: words.next().transpose()?.unwrap_or_default(),
            args: words.collect::<Result<_, Report>>()?,
            env: given.variables(vec![]),
            cwd: folder.clone(),
        };
        let start = shared.logs.begin_aside(&member, &output, &shared.values);
        let child = Child::spawn(&spec, StdioMode::Closed, &output, charge);
        let child = child.map_err(|error| error.report())?;
        Ok::<_, Report>((child, start))
    });
    let (child, start) = spawning.await.map_err(|error| {
        let trouble = DevError::BuildNotStarted(error.to_string());
        Report::from_error(Code::SpawnFailed, &trouble)
    })??;
    let limit = Duration::from_millis(building.dev.build_timeout_ms);
    let ended = tokio::select! {
        biased;
        exit = child.wait_exit() => Ok(exit),
        () = cancel.cancelled() => Err(broken_off()),
        () = tokio::time::sleep(limit) => {
            let trouble = DevError::BuildTooLong(program.clone(), limit);
            Err(Report::from_error(Code::BuildFailed, &trouble))
        }
    };
    // The command's background processes end too.
    child.stop(StopSequence::CLOSED).await;
    match ended {
        Ok(exit) if exit.code == Some(0) => Ok(()),
        Ok(exit) => {
            let trouble = DevError::BuildFailed(program.clone(), exit);
            let report = Report::from_error(Code::BuildFailed, &trouble);
            Err(BuildFailure {
                report,
                start: Some(start),
            })
        }
        Err(report) => Err(BuildFailure {
            report,
            start: Some(start),
        }),
    }
}
