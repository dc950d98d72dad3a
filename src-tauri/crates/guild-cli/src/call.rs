//! `guildhall call`.

use std::process::ExitCode;

use clap::Args;
use guild_api::event::{Envelope, HallEvent};
use guild_api::wire::{ArgumentCheck, CallEnd, InvokeTool, Nothing};
use guild_engine::messages::CliError;
use guild_model::{CallId, Code, MemberName, Report, ToolName};

use crate::engine_client::{EngineClient, of};
use crate::interrupts::Interrupts;
use crate::terminal::is_json;
use crate::{eprint_line, help, print_line};

#[derive(Debug, Args)]
#[command(after_help = help::CALL)]
pub(crate) struct CallArgs {
    /// The member
    member: String,
    /// The tool
    tool: String,
    /// The arguments, a JSON object
    #[arg(long, value_name = "JSON", default_value = "{}")]
    args: String,
    /// Send the arguments even if they don't match the tool's schema
    #[arg(long)]
    send_anyway: bool,
    /// End the call after this time, in milliseconds, instead of the manifest's limit
    #[arg(long, value_name = "MS")]
    timeout_ms: Option<u64>,
}

/// Calls the tool and prints its result.
pub(crate) async fn call(
    engine: &EngineClient,
    args: CallArgs,
    interrupts: &mut Interrupts,
) -> Result<ExitCode, Report> {
    let member = member_name(engine, &args.member).await?;
    let tool = tool_name(&member, &args.tool)?;
    // The id contains the process id, since several processes may call tools of the same running
    // hall.
    let call = CallId::numbered("cli", std::process::id().into());
    let request = InvokeTool {
        call,
        member,
        tool,
        arguments: args.args,
        check: match args.send_anyway {
            true => ArgumentCheck::SendAnyway,
            false => ArgumentCheck::Refuse,
        },
        timeout_ms: args.timeout_ms,
    };
    let outcome = engine
        .invoke(request, interrupts.next(), show_progress)
        .await?;
    match outcome.end {
        CallEnd::Result { result, is_error } => {
            print_result(&result);
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
                eprint_line(format_args!("stderr: {}", line.text));
            }
            for error in &arguments {
                eprint_line(format_args!("at {:?}: {}", error.pointer, error.message));
            }
            if let Some(data) = rpc.and_then(|rpc| rpc.data) {
                eprint_line(format_args!("data: {data}"));
            }
            Err(report)
        }
    }
}

/// Prints the MCP result: unchanged on one line with `--json`, otherwise formatted for reading.
fn print_result(result: &str) {
    let laid_out = (!is_json())
        .then(|| serde_json::from_str::<serde_json::Value>(result).ok())
        .flatten()
        .and_then(|value| serde_json::to_string_pretty(&value).ok());
    print_line(laid_out.as_deref().unwrap_or(result));
}

fn show_progress(envelope: &Envelope) {
    match &envelope.event {
        HallEvent::CallProgress { progress, .. } => {
            let total = progress
                .total
                .map(|total| format!("/{total}"))
                .unwrap_or_default();
            let message = progress.message.as_deref().unwrap_or_default();
            let line = format!("progress: {}{total} {message}", progress.progress);
            eprint_line(line.trim_end());
        }
        // The command can't ask a server's questions, since its caller may be a script.
        HallEvent::Warning { report } if report.code == Code::ElicitationUnanswered => {
            eprint_line(report.to_string());
        }
        _ => {}
    }
}

/// Returns the name of a known member. An invalid name counts as unknown.
pub(crate) async fn member_name(engine: &EngineClient, text: &str) -> Result<MemberName, Report> {
    let name = typed_name(engine, text).await?;
    engine.member_tools(of(&name)).await?;
    Ok(name)
}

/// Parses the name of a member's tool.
pub(crate) fn tool_name(member: &MemberName, text: &str) -> Result<ToolName, Report> {
    ToolName::parse(text)
        .map_err(|error| Report::from_error(Code::ToolUnknown, &CliError::Name(error.0)).of(member))
}

/// Parses the name of a member, which may have been removed.
pub(crate) async fn typed_name(engine: &EngineClient, text: &str) -> Result<MemberName, Report> {
    match MemberName::try_from(text.to_owned()) {
        Ok(name) => Ok(name),
        Err(error) => {
            let folder = engine.roster(Nothing {}).await?.members_dir;
            let trouble = CliError::NoMember(format!("{text:?}"), error.0, folder);
            Err(Report::from_error(Code::MemberUnknown, &trouble))
        }
    }
}
