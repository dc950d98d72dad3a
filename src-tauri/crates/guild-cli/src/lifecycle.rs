//! `guildhall start`, `stop` and `restart`: control members of the running hall.

use std::process::ExitCode;

use clap::Args;
use guild_model::Report;

use crate::call::member_name;
use crate::list::member_json;
use crate::reach::EngineClient;
use crate::session::{CliContext, Need};
use crate::terminal::{print, word};

/// The arguments of `start`, `stop` and `restart`.
#[derive(Debug, Args)]
pub(crate) struct TendArgs {
    /// The member. Guild Hall must be running: the app, or `guildhall serve`
    member: String,
}

/// Starts, stops or restarts a member of the running hall, and prints its new status.
pub(crate) async fn tend(
    session: CliContext,
    command: &str,
    args: TendArgs,
    as_json: bool,
) -> Result<ExitCode, Report> {
    let tend = async |reach: &EngineClient| {
        let member = member_name(reach, &args.member).await?;
        let view = reach.tend(command, &member).await?;
        print(as_json, &member_json(&view), || {
            format!("{member} is {}.", word(view.status))
        });
        Ok(ExitCode::SUCCESS)
    };
    session.on_hall(Need::TEND, tend).await
}
