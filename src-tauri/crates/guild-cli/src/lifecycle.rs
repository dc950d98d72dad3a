//! `guildhall start`, `stop` and `restart`: control members of the running hall.

use std::process::ExitCode;

use clap::Args;
use guild_model::Report;

use crate::call::member_name;
use crate::engine_client::EngineClient;
use crate::list::member_json;
use crate::session::{CliContext, Need};
use crate::terminal::{print, word};

/// The arguments of `start`, `stop` and `restart`.
#[derive(Debug, Args)]
pub(crate) struct LifecycleArgs {
    /// The member. Guild Hall must be running: the app, or `guildhall serve`
    member: String,
}

/// Starts, stops or restarts a member of the running hall, and prints its new status.
pub(crate) async fn control(
    session: CliContext,
    command: &str,
    args: LifecycleArgs,
) -> Result<ExitCode, Report> {
    let control = async |engine: &EngineClient| {
        let member = member_name(engine, &args.member).await?;
        let view = engine.control(command, &member).await?;
        print(&member_json(&view), || {
            format!("{member} is {}.", word(view.status))
        });
        Ok(ExitCode::SUCCESS)
    };
    session.with_engine(Need::CONTROL, control).await
}
