//! `guildhall auth`: signs in to and out of members that run elsewhere.

use std::process::ExitCode;

use clap::{Args, Subcommand};
use guild_api::wire::{SignInStage, SignInView};
use guild_engine::messages::CliTrouble;
use guild_engine::open_in_browser;
use guild_model::{Code, MemberName, Report};
use serde_json::json;

use crate::call::{member_name, typed_name};
use crate::engine_client::{EngineClient, of};
use crate::interrupts::{Interrupts, interrupted};
use crate::terminal::{print, print_hint};
use crate::{eprint_line, help};

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
    engine: &EngineClient,
    args: AuthArgs,
    interrupts: &mut Interrupts,
) -> Result<ExitCode, Report> {
    let (member, open) = match args.action {
        AuthAction::SignIn { member, open } => (member_name(engine, &member).await?, open),
        AuthAction::SignOut { member } => {
            let member = typed_name(engine, &member).await?;
            let view = tokio::select! {
                view = engine.sign_out(of(&member)) => view?,
                () = interrupts.next() => return Err(interrupted()),
            };
            print(&view, || format!("Signed out of {member}."));
            return Ok(ExitCode::SUCCESS);
        }
    };
    tokio::select! {
        view = sign_in(engine, &member, open) => {
            let view = view?;
            print(&view, || signed_in(&view));
            return Ok(ExitCode::SUCCESS);
        }
        () = interrupts.next() => {}
    }
    engine.cancel_sign_in(of(&member)).await?;
    Err(interrupted())
}

/// Prints the address of the sign-in, and waits until it has ended.
async fn sign_in(
    engine: &EngineClient,
    member: &MemberName,
    open: bool,
) -> Result<SignInView, Report> {
    let begun = engine.sign_in(of(member)).await?;
    if let SignInStage::Waiting { host, scopes, .. } = &begun.sign_in.stage {
        print_hint(format!("Sign in at {host}, in a browser on this machine:"));
        let line = json!({"address": begun.address, "host": host, "scopes": scopes});
        print(&line, || begun.address.clone());
        if !scopes.is_empty() {
            print_hint(format!("Requested permissions: {}", scopes.join(" ")));
        }
    }
    if open && let Err(report) = open_in_browser(&begun.address).await {
        eprint_line(report.to_string());
    }
    let view = engine.sign_in_ended(of(member)).await?;
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
