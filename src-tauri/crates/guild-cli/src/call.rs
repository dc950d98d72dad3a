//! `guildhall call`.

use std::process::ExitCode;
use std::time::Duration;

use clap::Args;
use guild_core::event::HallEvent;
use guild_core::wire::{ArgumentCheck, CallEnd, InvokeTool};
use guild_core::{CallId, Code, MemberName, Report, ToolName};
use guild_engine::{Hall, Subscription};

use crate::interrupts::Interrupts;
use crate::{print_line, tell};

/// How long the result waits for the last progress to be shown.
const LAST_WORDS: Duration = Duration::from_secs(1);

/// What is called.
#[derive(Debug, Args)]
pub(crate) struct CallArgs {
    /// The member.
    member: String,
    /// The tool.
    tool: String,
    /// The arguments, a JSON object.
    #[arg(long, value_name = "JSON", default_value = "{}")]
    args: String,
    /// Send the arguments even if they do not fit the tool's schema.
    #[arg(long)]
    send_anyway: bool,
    /// A time limit instead of the manifest's, in milliseconds.
    #[arg(long, value_name = "MS")]
    timeout_ms: Option<u64>,
}

/// Calls the tool and prints its result.
pub(crate) async fn call(
    hall: &Hall,
    args: CallArgs,
    as_json: bool,
    interrupts: &mut Interrupts,
) -> Result<ExitCode, Report> {
    let member = member_name(hall, &args.member)?;
    let tool = ToolName::parse(&args.tool)
        .map_err(|error| Report::new(Code::ToolUnknown, error.to_string(), "").of(&member))?;
    let call = CallId::parse("cli")
        .map_err(|error| Report::new(Code::ArgumentsInvalid, error.to_string(), ""))?;
    let mut events = hall.subscribe();
    // The roster comes first; what happens after it is told event by event.
    events.next().await;
    let progress = tokio::spawn(show_progress(events));
    let request = InvokeTool {
        call: call.clone(),
        member,
        tool,
        arguments: args.args,
        check: match args.send_anyway {
            true => ArgumentCheck::SendAnyway,
            false => ArgumentCheck::Refuse,
        },
        timeout_ms: args.timeout_ms,
    };
    let mut invoking = std::pin::pin!(hall.invoke(request));
    let outcome = tokio::select! {
        outcome = &mut invoking => outcome,
        () = interrupts.next() => {
            hall.cancel_call(&call);
            invoking.await
        }
    };
    // It ends by itself with the event of the call's end, unless it was too slow to hear of it.
    let _ = tokio::time::timeout(LAST_WORDS, progress).await;
    match outcome.end {
        CallEnd::Result { result, is_error } => {
            print_result(&result, as_json);
            Ok(if is_error {
                ExitCode::from(1)
            } else {
                ExitCode::SUCCESS
            })
        }
        CallEnd::Failed {
            report,
            rpc,
            arguments,
            stderr,
        } => {
            for line in &stderr {
                tell(format_args!("stderr: {}", line.text));
            }
            for error in &arguments {
                tell(format_args!("at {:?}: {}", error.pointer, error.message));
            }
            if let Some(data) = rpc.and_then(|rpc| rpc.data) {
                tell(format_args!("data: {data}"));
            }
            Err(report)
        }
    }
}

/// The MCP result: as it came on one line, or laid out for reading.
fn print_result(result: &str, as_json: bool) {
    let laid_out = (!as_json)
        .then(|| serde_json::from_str::<serde_json::Value>(result).ok())
        .flatten()
        .and_then(|value| serde_json::to_string_pretty(&value).ok());
    print_line(laid_out.as_deref().unwrap_or(result));
}

async fn show_progress(mut events: Subscription) {
    while let Some(envelope) = events.next().await {
        match &envelope.event {
            HallEvent::CallProgress { progress, .. } => {
                let total = progress
                    .total
                    .map(|total| format!("/{total}"))
                    .unwrap_or_default();
                let message = progress.message.as_deref().unwrap_or_default();
                let line = format!("progress: {}{total} {message}", progress.progress);
                tell(line.trim_end());
            }
            // Nobody is asked here: whoever types a command may be a script.
            HallEvent::Warning { report } if report.code == Code::ElicitationUnanswered => {
                tell(report);
            }
            HallEvent::CallFinished { .. } => return,
            _ => {}
        }
    }
}

/// A member's name as it was typed; one that can be no name is unknown.
pub(crate) fn member_name(hall: &Hall, text: &str) -> Result<MemberName, Report> {
    let unknown = |problem: String| {
        let hint = format!("Members are looked for in {}.", hall.roster().members_dir);
        Report::new(
            Code::MemberUnknown,
            format!("There is no member {text:?}: {problem}."),
            hint,
        )
    };
    let name = MemberName::try_from(text.to_owned()).map_err(|error| unknown(error.to_string()))?;
    hall.member_tools(&name)?;
    Ok(name)
}
