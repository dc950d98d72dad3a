//! `guildhall auth`: signs in to members that have a URL, and signs out of them.

use std::process::ExitCode;

use clap::{Args, Subcommand};
use guild_api::wire::{PasteSignIn, SignInStage, SignInView};
use guild_engine::messages::CliError;
use guild_engine::open_in_browser;
use guild_model::{Code, MemberName, Report};
use serde_json::json;

use crate::call::{member_name, typed_name};
use crate::engine_client::{EngineClient, of};
use crate::interrupts::{Interrupts, interrupted};
use crate::terminal::{print, print_hint};
use crate::{eprint_line, help};

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
        /// Print a code to enter at the address in a browser on any device
        #[arg(long, conflicts_with = "paste")]
        code: bool,
        /// For a browser on another computer: paste the address that the browser shows after the
        /// sign-in into standard input
        #[arg(long)]
        paste: bool,
    },
    /// Revoke and delete the tokens of a member, and stop the member
    SignOut {
        /// The member
        member: String,
    },
}

/// Signs in to a member, or signs out of it.
pub(crate) async fn auth(
    engine: &EngineClient,
    args: AuthArgs,
    interrupts: &mut Interrupts,
) -> Result<ExitCode, Report> {
    let (member, way) = match args.action {
        AuthAction::SignIn {
            member,
            open,
            code,
            paste,
        } => {
            let way = SignInWay { open, code, paste };
            (member_name(engine, &member).await?, way)
        }
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
        view = sign_in(engine, &member, way) => {
            let view = view?;
            print(&view, || signed_in(&view));
            return Ok(ExitCode::SUCCESS);
        }
        () = interrupts.next() => {}
    }
    engine.cancel_sign_in(of(&member)).await?;
    Err(interrupted())
}

/// The sign-in options of the command line.
struct SignInWay {
    /// Whether to open the sign-in page in the browser.
    open: bool,
    /// Whether to print a code, to enter in a browser on any device.
    code: bool,
    /// Whether to read the address of the redirect from standard input.
    paste: bool,
}

/// Maximum size of a pasted address, in bytes.
const PASTED_MAX: u64 = 16 << 10;

/// Passes each line of standard input to the sign-in, until a line is the address of the sign-in's
/// redirect.
async fn paste(engine: &EngineClient, member: &MemberName) -> Result<(), Report> {
    use tokio::io::{AsyncBufReadExt, AsyncReadExt, BufReader};
    let mut lines = BufReader::new(tokio::io::stdin());
    loop {
        let mut answer = String::new();
        let read = (&mut lines).take(PASTED_MAX).read_line(&mut answer).await;
        if !read.is_ok_and(|bytes| bytes > 0) {
            // After the end of the input, the person can still sign in in another way.
            std::future::pending::<()>().await;
        }
        if answer.trim().is_empty() {
            continue;
        }
        let member = member.clone();
        match engine.paste_sign_in(PasteSignIn { member, answer }).await {
            Ok(_) => return Ok(()),
            Err(report) if report.code == Code::SignInFailed => eprint_line(report.to_string()),
            Err(report) => return Err(report),
        }
    }
}

/// Prints the address of the sign-in, and waits until it has ended.
async fn sign_in(
    engine: &EngineClient,
    member: &MemberName,
    way: SignInWay,
) -> Result<SignInView, Report> {
    let begun = match way.code {
        true => engine.sign_in_with_code(of(member)).await?,
        false => engine.sign_in(of(member)).await?,
    };
    if let SignInStage::Waiting {
        host,
        scopes,
        code,
        offers_code,
        ..
    } = &begun.sign_in.stage
    {
        let place = match (code, way.paste) {
            (None, false) => "a browser on this machine",
            _ => "a browser on any device",
        };
        print_hint(format!("Sign in at {host}, in {place}:"));
        let mut line = json!({"address": begun.address, "host": host, "scopes": scopes});
        if let Some(code) = code {
            line["code"] = json!(code);
        }
        print(&line, || match code {
            Some(code) => format!("{}\nCode: {code}", begun.address),
            None => begun.address.clone(),
        });
        if way.paste {
            print_hint(
                "At the end the browser shows a page that can't be reached. Paste its address here:"
                    .to_owned(),
            );
        } else if code.is_none() && *offers_code {
            print_hint("For a browser on another device, use --code.".to_owned());
        }
        if !scopes.is_empty() {
            print_hint(format!("Requested permissions: {}", scopes.join(" ")));
        }
    }
    if way.open
        && let Err(report) = open_in_browser(&begun.address).await
    {
        eprint_line(report.to_string());
    }
    let pasting = async {
        match way.paste {
            true => paste(engine, member).await,
            false => Ok(()),
        }
    };
    let ending = engine.sign_in_ended(of(member));
    tokio::pin!(ending);
    let view = tokio::select! {
        biased;
        view = &mut ending => view?,
        pasted = pasting => {
            pasted?;
            ending.await?
        }
    };
    match &view.stage {
        SignInStage::Failed { report } => Err(report.clone()),
        SignInStage::Cancelled => {
            let trouble = CliError::SignInGivenUp;
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
