//! `guildhall approvals`: agents' calls that wait for a person.

use std::process::ExitCode;

use clap::{Args, Subcommand};
use guild_core::wire::{Approval, ArgumentCheck, DecideApproval, Decision, Nothing};
use guild_core::{ApprovalId, Report};
use serde_json::json;

use crate::endpoint::wrong_name;
use crate::reach::Reach;
use crate::{harmless, print_line, tell};

/// Actions on the calls that wait for approval.
#[derive(Debug, Args)]
pub(crate) struct ApprovalsArgs {
    #[command(subcommand)]
    action: Option<Action>,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Lists the calls that wait for a person, the oldest first.
    List,
    /// Allows a call.
    Approve {
        /// Its id, as listed.
        id: String,
        /// Allow the tool's calls from now on too.
        #[arg(long)]
        always: bool,
    },
    /// Refuses a call.
    Deny {
        /// Its id, as listed.
        id: String,
    },
}

impl ApprovalsArgs {
    /// Whether something is decided.
    pub(crate) fn decides(&self) -> bool {
        matches!(
            self.action,
            Some(Action::Approve { .. } | Action::Deny { .. })
        )
    }
}

/// Lists the calls that wait in the running hall, or decides about one.
pub(crate) async fn approvals(
    reach: &Reach,
    args: ApprovalsArgs,
    as_json: bool,
) -> Result<ExitCode, Report> {
    let (id, decision) = match args.action {
        None | Some(Action::List) => {
            list(reach, as_json).await?;
            return Ok(ExitCode::SUCCESS);
        }
        Some(Action::Approve { id, always: false }) => (id, Decision::Once),
        Some(Action::Approve { id, always: true }) => (id, Decision::Always),
        Some(Action::Deny { id }) => (id, Decision::Deny),
    };
    let request = DecideApproval {
        id: ApprovalId::try_from(id).unwrap_or_else(|error| wrong_name(&error)),
        decision,
        arguments: None,
        check: ArgumentCheck::Refuse,
    };
    reach.decide_approval(request).await?;
    if as_json {
        print_line(&json!({"decision": decision}).to_string());
    } else {
        tell(match decision {
            Decision::Deny => "Denied the call.",
            Decision::Once | Decision::Always => "Approved the call.",
        });
    }
    Ok(ExitCode::SUCCESS)
}

async fn list(reach: &Reach, as_json: bool) -> Result<(), Report> {
    let waiting = reach.approvals(Nothing {}).await?;
    if as_json {
        print_line(&json!(waiting).to_string());
        return Ok(());
    }
    if waiting.approvals.is_empty() {
        tell("No calls are waiting for approval.");
    }
    for approval in &waiting.approvals {
        print_line(&line(approval));
    }
    Ok(())
}

/// One call as a line: its id, who asks, the tool and the whole arguments.
fn line(approval: &Approval) -> String {
    let Approval {
        id,
        client,
        member,
        tool,
        arguments,
        ..
    } = approval;
    let arguments = arguments.replace(['\n', '\t'], " ");
    harmless(&format!("{id}  {client}  {member}/{tool}  {arguments}"))
}
