//! A member's process, out of its manifest.

use std::sync::Arc;

use guild_core::manifest::{Launch, Substitution};
use guild_core::{Code, Report};
use guild_process::{Child, CommandSpec, StdioMode};

use super::super::Happening;
use super::{LaunchFailure, Plan, blocking};
use crate::secrets::Given;

/// Starts the member's process, with these variables over those of its manifest.
pub(in crate::member) async fn spawned(
    plan: &Plan,
    port: Option<u16>,
    stdio: StdioMode,
    given: Given,
    over: &'static [(&'static str, &'static str)],
) -> Result<Child, LaunchFailure> {
    let (context, folder) = (Arc::clone(&plan.context), plan.folder.clone());
    let launch = plan.manifest.launch.clone();
    let spec = blocking(move || {
        let Launch::Command {
            command,
            args,
            env,
            cwd,
        } = launch
        else {
            return Err(Report::new(
                Code::SpawnFailed,
                "A member with a url has no process to be started.",
                "",
            ));
        };
        let folder_text = folder.to_string_lossy().into_owned();
        let substitution = Substitution {
            port,
            plugin_dir: &folder_text,
            guildhall: &context.own_binary,
            lookup: &given,
        };
        let fill = |text: &String| substitution.substitute(text);
        let mut env = given.variables(
            env.iter()
                .map(|(name, value)| Ok((name.clone(), fill(value)?)))
                .collect::<Result<_, Report>>()?,
        );
        let over = over.iter();
        env.extend(over.map(|(name, value)| ((*name).to_owned(), (*value).to_owned())));
        Ok(CommandSpec {
            program: fill(&command)?,
            args: args.iter().map(fill).collect::<Result<_, Report>>()?,
            env,
            cwd: match &cwd {
                Some(cwd) => folder.join(fill(cwd)?),
                None => folder,
            },
        })
    })
    .await
    .and_then(|filled| filled)
    .map_err(LaunchFailure::settled)?;
    let output = plan.output.clone();
    // The program is looked up in files, and forking takes milliseconds. If nobody waits for the
    // child any more, dropping it ends it.
    let (context, name) = (Arc::clone(&plan.context), plan.name.clone());
    let charge = context.custody.take(name.as_str()).await;
    let child = blocking(move || {
        context.logs.begin_start(&name, &output, &context.values);
        Child::spawn(&spec, stdio, &output, charge)
    })
    .await
    .and_then(|spawned| {
        spawned.map_err(|error| Report::new(error.code(), error.to_string(), error.hint()))
    })
    .map_err(LaunchFailure::settled)?;
    let _ = plan
        .happenings
        .send(Happening::Spawned {
            pid: child.pid(),
            port,
        })
        .await;
    Ok(child)
}
