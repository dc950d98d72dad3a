//! `guildhall approvals`: lists, approves and denies agents' calls that wait for a person.

use std::process::ExitCode;

use clap::{Args, Subcommand};
use guild_api::wire::{Approval, ArgumentCheck, DecideApproval, Decision, Nothing};
use guild_model::{ApprovalId, Report};
use serde_json::json;

use crate::endpoint::wrong_name;
use crate::engine_client::EngineClient;
use crate::help;
use crate::terminal::{one_line, print, print_hint};

#[derive(Debug, Args)]
#[command(after_help = help::APPROVALS)]
pub(crate) struct ApprovalsArgs {
    #[command(subcommand)]
    action: Option<ApprovalAction>,
}

#[derive(Debug, Subcommand)]
enum ApprovalAction {
    /// List the calls that wait for approval, the oldest first [default]
    List,
    /// Approve a call
    Approve {
        /// The id of the call, as listed
        id: String,
        /// Allow later calls of the tool too
        #[arg(long)]
        always: bool,
    },
    /// Deny a call
    Deny {
        /// The id of the call, as listed
        id: String,
    },
}

impl ApprovalsArgs {
    pub(crate) fn decides(&self) -> bool {
        matches!(
            self.action,
            Some(ApprovalAction::Approve { .. } | ApprovalAction::Deny { .. })
        )
    }
}

/// Lists the calls that wait for approval in the running hall, or approves or denies one of them.
pub(crate) async fn approvals(
    engine: &EngineClient,
    args: ApprovalsArgs,
) -> Result<ExitCode, Report> {
    let (id, decision) = match args.action {
        None | Some(ApprovalAction::List) => {
            list(engine).await?;
            return Ok(ExitCode::SUCCESS);
        }
        Some(ApprovalAction::Approve { id, always: false }) => (id, Decision::Once),
        Some(ApprovalAction::Approve { id, always: true }) => (id, Decision::Always),
        Some(ApprovalAction::Deny { id }) => (id, Decision::Deny),
    };
    let request = DecideApproval {
        id: ApprovalId::try_from(id).unwrap_or_else(|error| wrong_name(&error)),
        decision,
        arguments: None,
        check: ArgumentCheck::Refuse,
    };
    engine.decide_approval(request).await?;
    print(&json!({ "decision": decision }), String::new);
    print_hint(match decision {
        Decision::Deny => "Denied the call.",
        Decision::Once | Decision::Always => "Approved the call.",
    });
    Ok(ExitCode::SUCCESS)
}

async fn list(engine: &EngineClient) -> Result<(), Report> {
    let waiting = engine.approvals(Nothing {}).await?;
    print(&waiting, || {
        let lines: Vec<String> = waiting.approvals.iter().map(line).collect();
        lines.join("\n")
    });
    if waiting.approvals.is_empty() {
        print_hint("No calls are waiting for approval.");
    }
    Ok(())
}

/// Formats a call as a line: its id, its client, the tool and all arguments.
fn line(approval: &Approval) -> String {
    let Approval {
        id,
        client,
        member,
        tool,
        arguments,
        ..
    } = approval;
    one_line(&format!("{id}  {client}  {member}/{tool}  {arguments}"))
}
