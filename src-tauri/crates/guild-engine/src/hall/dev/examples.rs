//! Runs the examples of a manifest one after the other, and compares each result with the
//! expectation.

use std::sync::atomic::{AtomicU64, Ordering};

use guild_api::wire::{
    ArgumentCheck, CallOutcome, Caller, DevRound, DevStep, ExampleDifference, ExampleEnd,
    ExamplePart, ExampleRun, InvokeTool,
};
use guild_model::manifest::Example;
use guild_model::{CallId, MemberName};
use guild_supervisor::assertions::compare;
use guild_supervisor::messages::ExampleNote;
use tokio_util::sync::CancellationToken;

use crate::hall::GuildHall;
use guild_supervisor::dev::DevSession;

/// Maximum size of the text of all differences in one round, in bytes. Further texts are shortened.
const TEXT_MAX: usize = 64 * 1024;
/// Length of a shortened text, in characters.
const TEXT_AFTER: usize = 200;

/// Counts the calls of examples, for their ids.
static CALLS: AtomicU64 = AtomicU64::new(1);

impl GuildHall {
    /// Runs the examples and adds their results to the round. Skips the remaining examples once the
    /// files have changed again.
    pub(super) async fn check_examples(
        &self,
        session: &DevSession,
        round: &mut DevRound,
        examples: &[Example],
        cancel: &CancellationToken,
        is_overtaken: impl Fn() -> bool,
    ) {
        round.step = DevStep::Checking;
        self.publish_round(session, round);
        let mut left = TEXT_MAX;
        for example in examples {
            let left_out = cancel.is_cancelled() || is_overtaken();
            let mut run = match left_out {
                true => ended(example, ExampleEnd::LeftOut, 0, vec![]),
                false => self.run_example(&round.member, example, cancel).await,
            };
            shorten(&mut run, &mut left);
            round.examples.push(run);
            if !left_out {
                self.publish_round(session, round);
            }
        }
    }

    /// Calls the tool of an example. Returns the duration in milliseconds if it was cancelled.
    pub(in crate::hall) async fn call_example(
        &self,
        member: &MemberName,
        example: &Example,
        cancel: &CancellationToken,
    ) -> Result<CallOutcome, u64> {
        let call = CallId::numbered("example", CALLS.fetch_add(1, Ordering::Relaxed));
        let request = InvokeTool {
            call: call.clone(),
            member: member.clone(),
            tool: example.tool.clone(),
            arguments: example.arguments.clone(),
            // An example that expects an error may test arguments that don't match the schema, so
            // they are sent.
            check: match example.expect.is_error {
                true => ArgumentCheck::SendAnyway,
                false => ArgumentCheck::Refuse,
            },
            timeout_ms: example.timeout_ms,
        };
        let mut invoking = std::pin::pin!(self.invoke_for(Caller::Example, request));
        tokio::select! {
            outcome = &mut invoking => Ok(outcome),
            () = cancel.cancelled() => {
                self.cancel_call(&call);
                Err(invoking.await.duration_ms)
            }
        }
    }

    /// Calls the tool of an example, and compares the result with the expectation.
    pub(in crate::hall) async fn run_example(
        &self,
        member: &MemberName,
        example: &Example,
        cancel: &CancellationToken,
    ) -> ExampleRun {
        let outcome = match self.call_example(member, example, cancel).await {
            Ok(outcome) => outcome,
            Err(took_ms) => return ended(example, ExampleEnd::LeftOut, took_ms, vec![]),
        };
        let took_ms = outcome.duration_ms;
        let expect = example.expect.clone();
        let judging = tokio::task::spawn_blocking(move || compare(&expect, &outcome));
        let differences = judging.await.unwrap_or_else(|error| {
            vec![ExampleDifference {
                part: ExamplePart::Answer,
                place: String::new(),
                expected: ExampleNote::ClearResult.to_string(),
                got: error.to_string(),
            }]
        });
        let end = match differences.is_empty() {
            true => ExampleEnd::Passed,
            false => ExampleEnd::Failed,
        };
        ended(example, end, took_ms, differences)
    }
}

/// Shortens the texts of differences, because each step of a round publishes the whole round again.
fn shorten(run: &mut ExampleRun, left: &mut usize) {
    for difference in &mut run.differences {
        let length = difference.expected.len() + difference.got.len();
        match left.checked_sub(length) {
            Some(rest) => *left = rest,
            None => {
                for text in [&mut difference.expected, &mut difference.got] {
                    if let Some((end, _)) = text.char_indices().nth(TEXT_AFTER) {
                        text.truncate(end);
                        text.push('…');
                    }
                }
            }
        }
    }
}

pub(in crate::hall) fn ended(
    example: &Example,
    end: ExampleEnd,
    took_ms: u64,
    differences: Vec<ExampleDifference>,
) -> ExampleRun {
    ExampleRun {
        name: example.name.clone(),
        tool: example.tool.clone(),
        end,
        took_ms,
        differences,
    }
}
