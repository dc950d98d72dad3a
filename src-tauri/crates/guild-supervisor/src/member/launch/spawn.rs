//! Starts a member's process from its manifest.

use std::sync::Arc;

use crate::messages::StartError;
use guild_model::manifest::Launch;
use guild_model::{Code, Report};
use guild_process::{Child, ProcessSpec, StdioMode};

use super::super::ActorEvent;
use super::permit::start;
use super::{LaunchFailure, LaunchInput, blocking, containers};
use crate::start_limiter::StartPermit;
use guild_secrets::ResolvedEnv;

/// Starts the member's process. The variables in `over` override those of its manifest. Without an
/// `early` permit, waits for one after everything else is prepared.
pub(crate) async fn spawned(
    plan: &LaunchInput,
    early: Option<StartPermit>,
    port: Option<u16>,
    stdio: StdioMode,
    given: ResolvedEnv,
    over: &'static [(&'static str, &'static str)],
) -> Result<(Child, StartPermit), LaunchFailure> {
    let mut charge = plan.context.custody.take(plan.name.as_str()).await;
    let output = plan.output.clone();
    let (context, name) = (Arc::clone(&plan.context), plan.name.clone());
    // The log of this start begins before a container engine pulls the image, so that it contains
    // the engine's output.
    let begun = output.clone();
    blocking(move || context.logs.begin_start(&name, &begun, &context.values))
        .await
        .map_err(LaunchFailure::settled)?;
    let spec = match &plan.manifest.launch {
        Launch::Container(container) => {
            containers::command(plan, container, port, given, over, &mut charge).await?
        }
        Launch::Command { .. } | Launch::Url { .. } => filled(plan, port, given, over).await?,
    };
    let start = match early {
        Some(start) => start,
        None => start(plan).await?,
    };
    // On a blocking thread, since the program is looked up in folders and forking takes
    // milliseconds. If this future is dropped, the child is dropped and thereby ended.
    let child = blocking(move || Child::spawn(&spec, stdio, &output, charge))
        .await
        .and_then(|spawned| spawned.map_err(|error| error.report()))
        .map_err(LaunchFailure::settled)?;
    let pid = child.pid();
    plan.notify(ActorEvent::Spawned { pid, port }).await;
    Ok((child, start))
}

/// Returns the manifest's command, with substituted variables.
async fn filled(
    plan: &LaunchInput,
    port: Option<u16>,
    given: ResolvedEnv,
    over: &'static [(&'static str, &'static str)],
) -> Result<ProcessSpec, LaunchFailure> {
    let (folder, launch) = (plan.folder.clone(), plan.manifest.launch.clone());
    let filled = plan.substituted(port, given, move |substitution, given| {
        let Launch::Command {
            command,
            args,
            env,
            cwd,
        } = launch
        else {
            return Err(Report::from_error(
                Code::SpawnFailed,
                &StartError::NoProcess,
            ));
        };
        let fill = |text: &String| substitution.substitute(text);
        let own = env
            .iter()
            .map(|(name, value)| Ok((name.clone(), fill(value)?)));
        let mut env = given.variables(own.collect::<Result<_, Report>>()?);
        let over = over.iter();
        env.extend(over.map(|(name, value)| ((*name).to_owned(), (*value).to_owned())));
        Ok(ProcessSpec {
            program: fill(&command)?,
            args: args.iter().map(fill).collect::<Result<_, Report>>()?,
            env,
            cwd: match &cwd {
                Some(cwd) => folder.join(fill(cwd)?),
                None => folder,
            },
        })
    });
    filled.await.map_err(LaunchFailure::settled)
}
