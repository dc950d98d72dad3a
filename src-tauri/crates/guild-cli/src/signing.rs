//! `guildhall sign-in` and `sign-out`: members that run elsewhere and want to know who asks.

use std::process::ExitCode;

use clap::Args;
use guild_core::note::CliTrouble;
use guild_core::wire::{SignInStage, SignInView};
use guild_core::{Code, MemberName, Report};
use guild_engine::open_in_browser;
use serde_json::json;

use crate::call::{member_name, typed_name};
use crate::interrupts::{Interrupts, interrupted};
use crate::reach::{Reach, of};
use crate::words;
use crate::{harmless, print_line, tell};

/// Which member is signed in to.
#[derive(Debug, Args)]
pub(crate) struct SignInArgs {
    /// The member.
    member: String,
    /// Open the address in the system's browser; else it is only printed.
    #[arg(long)]
    open: bool,
}

/// Which member is signed out of.
#[derive(Debug, Args)]
pub(crate) struct SignOutArgs {
    /// The member.
    member: String,
}

/// Prints where a person signs in, and waits until that has happened.
pub(crate) async fn sign_in(
    reach: &Reach,
    args: SignInArgs,
    as_json: bool,
    interrupts: &mut Interrupts,
) -> Result<ExitCode, Report> {
    let member = member_name(reach, &args.member).await?;
    let begun = tokio::select! {
        begun = reach.sign_in(of(&member)) => begun?,
        () = interrupts.next() => return given_up(reach, &member).await,
    };
    if let SignInStage::Waiting { host, scopes, .. } = &begun.sign_in.stage {
        if as_json {
            let line = json!({"address": begun.address, "host": host, "scopes": scopes});
            print_line(&line.to_string());
        } else {
            tell(format!(
                "Sign in at {}, in a browser on this machine:",
                harmless(host)
            ));
            print_line(&harmless(&begun.address));
            if !scopes.is_empty() {
                tell(format!("It is asked for: {}", harmless(&scopes.join(" "))));
            }
        }
    }
    if args.open
        && let Err(report) = open_in_browser(&begun.address).await
    {
        tell(report.to_string());
    }
    let view = tokio::select! {
        view = reach.sign_in_ended(of(&member)) => view?,
        () = interrupts.next() => return given_up(reach, &member).await,
    };
    match &view.stage {
        SignInStage::Failed { report } => Err(report.clone()),
        SignInStage::Cancelled => {
            let trouble = CliTrouble::SignInGivenUp;
            Err(Report::told(Code::SignInFailed, &trouble).of(&member))
        }
        _ => {
            if as_json {
                print_line(&json!(view).to_string());
            } else {
                print_line(&harmless(&signed_in(&view)));
            }
            Ok(ExitCode::SUCCESS)
        }
    }
}

async fn given_up(reach: &Reach, member: &MemberName) -> Result<ExitCode, Report> {
    reach.cancel_sign_in(of(member)).await?;
    Err(interrupted())
}

fn signed_in(view: &SignInView) -> String {
    let grant = view.grant.as_ref();
    let issuer = grant.and_then(|grant| grant.issuer.as_deref());
    let scopes = grant.map(|grant| grant.scopes.join(" "));
    let scopes = scopes.unwrap_or_default();
    words::members::signed_in(view.member.as_str(), issuer, &scopes)
}

/// Gives a member's tokens back and forgets them.
pub(crate) async fn sign_out(
    reach: &Reach,
    args: SignOutArgs,
    as_json: bool,
    interrupts: &mut Interrupts,
) -> Result<ExitCode, Report> {
    let member = typed_name(reach, &args.member).await?;
    let view = tokio::select! {
        view = reach.sign_out(of(&member)) => view?,
        () = interrupts.next() => return Err(interrupted()),
    };
    if as_json {
        print_line(&json!(view).to_string());
    } else {
        print_line(&format!("Signed out of {member}."));
    }
    Ok(ExitCode::SUCCESS)
}
