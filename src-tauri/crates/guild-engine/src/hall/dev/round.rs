//! One development round: builds and restarts the member, compares its tools, and runs the
//! examples.

use std::sync::Arc;

use guild_api::wire::{
    DEV_FILES_MAX, DEV_TOOLS_MAX, DevBuild, DevRound, DevStep, ExampleEnd, ToolReview,
};
use guild_model::manifest::Lifecycle;
use guild_model::status::Status;
use guild_model::{MemberName, Report, ToolName};
use tokio::time::Instant;

use super::dev_loop::{DevIteration, DevLoopState};
use crate::hall::GuildHall;
use crate::hall::calls::millis;
use guild_files::clock::now_ms;
use guild_history::ToolRevision;
use guild_roster::ToolSet;
use guild_supervisor::dev::{Building, DevSession, build};
use guild_supervisor::member::{MemberCommand, StartedBy};

/// Maximum size of the text of the tools in one round, in bytes. Further tools are listed without
/// their differences.
const TEXT_MAX: usize = 64 * 1024;

impl GuildHall {
    /// Creates a round. The first step publishes it.
    pub(super) fn begin_round(
        &self,
        session: &DevSession,
        member: &MemberName,
        mut files: Vec<String>,
    ) -> DevRound {
        let more_files = files.len().saturating_sub(DEV_FILES_MAX);
        files.truncate(DEV_FILES_MAX);
        DevRound {
            member: member.clone(),
            number: session.next_number(),
            began_ms: now_ms(),
            took_ms: None,
            step: DevStep::Checking,
            files,
            more_files,
            build: None,
            error: None,
            tools: vec![],
            more_tools: 0,
            examples: vec![],
        }
    }

    /// If the round has no outcome yet, derives it from the results of its examples. Publishes the
    /// round.
    pub(super) fn end_round(&self, session: &DevSession, round: &mut DevRound) {
        if !round.step.is_over() {
            let some = |end| round.examples.iter().any(|run| run.end == end);
            round.step = if some(ExampleEnd::Failed) {
                DevStep::ExamplesFailed
            } else if some(ExampleEnd::LeftOut) {
                DevStep::BrokenOff
            } else {
                DevStep::Passed
            };
        }
        round.took_ms = Some(now_ms().saturating_sub(round.began_ms));
        self.publish_round(session, round);
    }

    /// Runs a whole round for changed files.
    pub(super) async fn do_round(
        &self,
        task: DevIteration<'_>,
        files: Vec<String>,
        known: &mut DevLoopState,
    ) {
        let Some(_alone) = task.cancel.run_until_cancelled(task.session.alone()).await else {
            return;
        };
        let mut round = self.begin_round(task.session, task.name, files);
        let begun = Instant::now();
        let step = self.steps_of(&task, &mut round, known).await;
        if let Some(step) = step {
            round.step = step;
        }
        tracing::info!(
            member = %task.name, round = round.number, step = ?round.step,
            took_ms = millis(begun.elapsed()), "a development round ended"
        );
        self.end_round(task.session, &mut round);
    }

    /// Runs the steps. Returns the outcome, or `None` if it depends on the results of the examples.
    async fn steps_of(
        &self,
        task: &DevIteration<'_>,
        round: &mut DevRound,
        known: &mut DevLoopState,
    ) -> Option<DevStep> {
        let builds = task.restarts && !task.member.dev.build.is_empty();
        if builds && !self.built(task, round).await {
            return Some(match task.cancel.is_cancelled() {
                true => DevStep::BrokenOff,
                false => DevStep::BuildFailed,
            });
        }
        if self.is_at_rest(task.name).await {
            return Some(DevStep::NotRunning);
        }
        if task.restarts || known.tools.listed_at_ms.is_none() {
            known.tools = self.tools_now(task.name);
        }
        round.step = DevStep::Restarting;
        self.publish_round(task.session, round);
        let up = task.cancel.run_until_cancelled(self.bring_up(task)).await;
        match up {
            None => return Some(DevStep::BrokenOff),
            Some(Err(mut report)) => {
                // Secrets are masked, because the error may quote the server's output.
                if let Some(redactor) = self.inner.context.roster.redactor() {
                    redactor.report(&mut report);
                }
                round.error = Some(report);
                return Some(DevStep::StartFailed);
            }
            Some(Ok(())) => {}
        }
        let before = std::mem::replace(&mut known.tools, self.tools_now(task.name));
        self.compare(round, &before, &known.tools).await;
        round.step = DevStep::Checking;
        let overtaken = || task.is_overtaken();
        let examples = &task.manifest.examples;
        self.check_examples(task.session, round, examples, task.cancel, overtaken)
            .await;
        None
    }

    /// Builds the member. Returns true on success.
    async fn built(&self, task: &DevIteration<'_>, round: &mut DevRound) -> bool {
        round.step = DevStep::Building;
        round.build = Some(DevBuild {
            took_ms: None,
            error: None,
            output: vec![],
        });
        self.publish_round(task.session, round);
        let built = match self.member(task.name) {
            Ok(handle) => {
                let building = Building {
                    member: task.name,
                    folder: task.member.folder.clone(),
                    dev: &task.member.dev,
                    output: handle.output,
                };
                build(&self.inner.context, building, task.cancel).await
            }
            Err(report) => DevBuild {
                took_ms: Some(0),
                error: Some(report),
                output: vec![],
            },
        };
        let well = built.error.is_none();
        round.build = Some(built);
        well
    }

    /// Whether a user has stopped an eager member. Such a member is not started by a round.
    async fn is_at_rest(&self, member: &MemberName) -> bool {
        // The reply of the member's task shows that it has handled the changed manifest.
        if let Ok(handle) = self.member(member) {
            let _ = handle.inspect().await;
        }
        let snapshot = self.snapshot();
        let entry = snapshot.members.get(member);
        entry.is_none_or(|entry| {
            let view = &entry.view;
            view.status == Status::Stopped && view.lifecycle == Lifecycle::Eager
        })
    }

    /// Restarts the member, or waits for the restart that its changed manifest causes. Returns when
    /// its tools are listed.
    async fn bring_up(&self, task: &DevIteration<'_>) -> Result<(), Report> {
        let handle = self.member(task.name)?;
        let command = |reply| match task.restarts {
            true => MemberCommand::Restart { reply },
            false => MemberCommand::Start {
                by: StartedBy::Roster,
                reply,
            },
        };
        handle.ask(command).await.map(|_| ())
    }

    /// Adds the changed tools to the round. If the member had no tool list before, nothing counts
    /// as changed.
    async fn compare(&self, round: &mut DevRound, before: &Arc<ToolSet>, now: &Arc<ToolSet>) {
        if before.listed_at_ms.is_none() || Arc::ptr_eq(before, now) {
            return;
        }
        let (old, new) = (Arc::clone(before), Arc::clone(now));
        let comparing = tokio::task::spawn_blocking(move || steps(&old, &new));
        let mut steps = comparing.await.unwrap_or_default();
        round.more_tools = steps.len().saturating_sub(DEV_TOOLS_MAX);
        steps.truncate(DEV_TOOLS_MAX);
        let reviewed = self.tool_steps(&round.member, steps).await;
        round.tools = reviewed.map(bounded).unwrap_or_default();
    }
}

/// Returns the tools that differ, each with its old and its new version. Removed tools come last.
fn steps(before: &ToolSet, now: &ToolSet) -> Vec<ToolRevision> {
    let old = |name: &ToolName| before.get(name).map(|tool| tool.spec.clone());
    let there = now.tools().iter().filter_map(|tool| {
        let name = tool.spec.name();
        let old = old(name);
        (old.as_ref() != Some(&tool.spec)).then(|| (name.clone(), old, Some(tool.spec.clone())))
    });
    let gone = before.tools().iter().filter_map(|tool| {
        let name = tool.spec.name();
        now.get(name)
            .is_none()
            .then(|| (name.clone(), Some(tool.spec.clone()), None))
    });
    there.chain(gone).collect()
}

/// Once the size limit is reached, removes the differences of further tools.
fn bounded(mut tools: Vec<ToolReview>) -> Vec<ToolReview> {
    let mut left = TEXT_MAX;
    for tool in &mut tools {
        let pieces = tool.parts.iter().flat_map(|part| &part.text);
        let length: usize = pieces.map(|piece| piece.text.len()).sum();
        match left.checked_sub(length) {
            Some(rest) => left = rest,
            None => tool.parts.clear(),
        }
    }
    tools
}
