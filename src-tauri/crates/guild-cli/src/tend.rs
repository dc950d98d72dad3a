//! `guildhall start`, `stop` and `restart`: members of the hall that runs.

use std::process::ExitCode;

use clap::Args;
use guild_core::Report;

use crate::call::member_name;
use crate::interrupts::{Interrupts, interrupted};
use crate::list::member_json;
use crate::print_line;
use crate::reach::Reach;
use crate::words;

/// Which member is tended.
#[derive(Debug, Args)]
pub(crate) struct TendArgs {
    /// The member.
    member: String,
}

/// Has a member of the hall that runs started, stopped or restarted, and says how it is then.
pub(crate) async fn tend(
    reach: &Reach,
    command: &'static str,
    args: TendArgs,
    as_json: bool,
    interrupts: &mut Interrupts,
) -> Result<ExitCode, Report> {
    let member = member_name(reach, &args.member).await?;
    let view = tokio::select! {
        view = reach.tend(command, &member) => view?,
        () = interrupts.next() => return Err(interrupted()),
    };
    if as_json {
        print_line(&member_json(&view).to_string());
    } else {
        print_line(&words::members::is_now(member.as_str(), view.status));
    }
    Ok(ExitCode::SUCCESS)
}
