//! `guildhall auth`: signs in to and out of members that run elsewhere.

use std::process::ExitCode;

use clap::{Args, Subcommand};
use guild_api::wire::{SignInStage, SignInView};
use guild_engine::messages::CliTrouble;
use guild_engine::open_in_browser;
use guild_model::{Code, MemberName, Report};
use serde_json::json;

use crate::call::{member_name, typed_name};
use crate::interrupts::{Interrupts, interrupted};
use crate::reach::{EngineClient, of};
use crate::terminal::print;
use crate::{help, tell};

/// The arguments of `auth`.
#[derive(Debug, Args)]
#[command(after_help = help::AUTH)]
pub(crate) struct AuthArgs {
    #[command(subcommand)]
    action: AuthAction,
}

#[derive(Debug, Subcommand)]
enum AuthAction {
    /// Sign in to a member: print the address of the sign-in page, and wait until you have signed
    /// in
    SignIn {
        /// The member
        member: String,
        /// Also open the address in the browser
        #[arg(long)]
        open: bool,
    },
    /// Revoke and delete the tokens of a member, and stop the member
    SignOut {
        /// The member
        member: String,
    },
}

/// Signs in to a member, or out.
pub(crate) async fn auth(
    reach: &EngineClient,
    args: AuthArgs,
    as_json: bool,
    interrupts: &mut Interrupts,
) -> Result<ExitCode, Report> {
    let (member, open) = match args.action {
        AuthAction::SignIn { member, open } => (member_name(reach, &member).await?, open),
        AuthAction::SignOut { member } => {
            let member = typed_name(reach, &member).await?;
            let view = tokio::select! {
                view = reach.sign_out(of(&member)) => view?,
                () = interrupts.next() => return Err(interrupted()),
            };
            print(as_json, &view, || format!("Signed out of {member}."));
            return Ok(ExitCode::SUCCESS);
        }
    };
    tokio::select! {
        view = sign_in(reach, &member, open, as_json) => {
            let view = view?;
            print(as_json, &view, || signed_in(&view));
            return Ok(ExitCode::SUCCESS);
        }
        () = interrupts.next() => {}
    }
    reach.cancel_sign_in(of(&member)).await?;
    Err(interrupted())
}

/// Prints the address of the sign-in, and waits until it has ended.
async fn sign_in(
    reach: &EngineClient,
    member: &MemberName,
    open: bool,
    as_json: bool,
) -> Result<SignInView, Report> {
    let begun = reach.sign_in(of(member)).await?;
    if let SignInStage::Waiting { host, scopes, .. } = &begun.sign_in.stage {
        if !as_json {
            tell(format!("Sign in at {host}, in a browser on this machine:"));
        }
        let line = json!({"address": begun.address, "host": host, "scopes": scopes});
        print(as_json, &line, || begun.address.clone());
        if !as_json && !scopes.is_empty() {
            tell(format!("Requested permissions: {}", scopes.join(" ")));
        }
    }
    if open && let Err(report) = open_in_browser(&begun.address).await {
        tell(report.to_string());
    }
    let view = reach.sign_in_ended(of(member)).await?;
    match &view.stage {
        SignInStage::Failed { report } => Err(report.clone()),
        SignInStage::Cancelled => {
            let trouble = CliTrouble::SignInGivenUp;
            Err(Report::from_error(Code::SignInFailed, &trouble).of(member))
        }
        _ => Ok(view),
    }
}

fn signed_in(view: &SignInView) -> String {
    let grant = view.grant.as_ref();
    let issuer = grant.and_then(|grant| grant.issuer.as_deref());
    let by = issuer.map_or_else(String::new, |issuer| format!(" by {issuer}"));
    let scopes = grant.map(|grant| grant.scopes.join(" "));
    let scopes = match scopes.unwrap_or_default().as_str() {
        "" => String::new(),
        scopes => format!(", for {scopes}"),
    };
    format!("Signed in to {}{by}{scopes}.", view.member)
}
