//! `guildhall review`: what a member runs and what its tools say, and a person's yes to it.

use std::fmt::Write as _;
use std::io::{IsTerminal, Write as _};
use std::process::ExitCode;

use clap::Args;
use guild_core::note::CliTrouble;
use guild_core::wire::{
    AcceptMember, AcceptTools, HoldChanges, LaunchText, LaunchTrust, LaunchView, MemberReview,
    SchemaEffect, TextSide, ToolDifference, ToolReview,
};
use guild_core::{Code, MemberName, Report, ToolName};
use serde_json::json;

use crate::call::member_name;
use crate::interrupts::{Interrupts, interrupted};
use crate::reach::{Reach, of};
use crate::terminal::{indented, one_line};
use crate::words;
use crate::{harmless, print_line, tell};

/// Which member is reviewed, and what is accepted.
#[derive(Debug, Args)]
pub(crate) struct ReviewArgs {
    /// The member.
    member: String,
    /// Accept what it runs.
    #[arg(long)]
    accept: bool,
    /// Accept its tools as they are shown: those that are named, or all.
    #[arg(long, value_name = "TOOL", num_args = 0..)]
    accept_tools: Option<Vec<String>>,
    /// Hold changes of its tools back from agents until they are accepted, or let them pass.
    #[arg(long, value_name = "on|off", value_parser = ["on", "off"])]
    hold: Option<String>,
    /// Don't ask. What is accepted is shown all the same.
    #[arg(long)]
    yes: bool,
}

impl ReviewArgs {
    /// Whether something is written down.
    pub(crate) fn accepts(&self) -> bool {
        self.accept || self.accept_tools.is_some() || self.hold.is_some()
    }
}

/// Shows the review, asks, and accepts what was shown.
pub(crate) async fn review(
    reach: &Reach,
    args: ReviewArgs,
    as_json: bool,
    interrupts: &mut Interrupts,
) -> Result<ExitCode, Report> {
    tokio::select! {
        done = reviewed(reach, &args, as_json) => done,
        () = interrupts.next() => Err(interrupted()),
    }
}

async fn reviewed(reach: &Reach, args: &ReviewArgs, as_json: bool) -> Result<ExitCode, Report> {
    let member = member_name(reach, &args.member).await?;
    let mut review = reach.member_review(of(&member)).await?;
    if !args.accepts() {
        show(&review, as_json);
        return Ok(ExitCode::SUCCESS);
    }
    // What is accepted is what was shown.
    tell(harmless(&told(&review)));
    if !args.yes && !agreed(&member).await? {
        tell("Nothing was accepted.");
        return Ok(ExitCode::from(2));
    }
    if args.accept {
        let hash = review.launch.as_ref().map(|launch| launch.hash.clone());
        let request = AcceptMember {
            member: member.clone(),
            hash: hash.unwrap_or_default(),
        };
        reach.accept_member(request).await?;
    }
    if let Some(names) = &args.accept_tools {
        let name = |name: &String| {
            ToolName::parse(name).map_err(|error| {
                Report::told(Code::ToolUnknown, &CliTrouble::Name(error.0)).of(&member)
            })
        };
        let tools = names.iter().map(name).collect::<Result<Vec<_>, _>>()?;
        let request = AcceptTools {
            member: member.clone(),
            list: review.list.clone(),
            tools: (!tools.is_empty()).then_some(tools),
        };
        reach.accept_tools(request).await?;
    }
    if let Some(hold) = &args.hold {
        let request = HoldChanges {
            member: member.clone(),
            hold: hold == "on",
        };
        reach.hold_changes(request).await?;
    }
    review = reach.member_review(of(&member)).await?;
    if as_json {
        print_line(&json!(review).to_string());
    } else {
        print_line(&harmless(&standing(&review)));
    }
    Ok(ExitCode::SUCCESS)
}

fn show(review: &MemberReview, as_json: bool) {
    if as_json {
        print_line(&json!(review).to_string());
    } else {
        print_line(harmless(&told(review)).trim_end());
    }
}

/// Whether the person at the terminal says yes.
async fn agreed(member: &MemberName) -> Result<bool, Report> {
    if !std::io::stdin().is_terminal() {
        return Err(Report::told(
            Code::ArgumentsInvalid,
            &CliTrouble::NobodyToAccept,
        ));
    }
    let question = format!("Accept this of {member}? [y/N] ");
    let asking = tokio::task::spawn_blocking(move || {
        let mut err = std::io::stderr().lock();
        let asked = write!(err, "{question}").and_then(|()| err.flush());
        drop(err);
        let mut answer = String::new();
        asked.and_then(|()| std::io::stdin().read_line(&mut answer))?;
        Ok::<_, std::io::Error>(answer)
    });
    let answer = asking
        .await
        .unwrap_or_else(|error| Err(std::io::Error::other(error)));
    let answer = answer.unwrap_or_default();
    Ok(["y", "Y", "yes", "Yes"].contains(&answer.trim()))
}

/// How it stands, in one line.
fn standing(review: &MemberReview) -> String {
    let [own, accepted, unreviewed, changed] = words::servers::LAUNCH;
    let launch = match review.trust.launch {
        LaunchTrust::Own => own,
        LaunchTrust::Accepted => accepted,
        LaunchTrust::Unreviewed => unreviewed,
        LaunchTrust::Changed => changed,
    };
    let tools = match (review.trust.holds, review.trust.held) {
        (false, _) => "changes of its tools pass".to_owned(),
        (true, 0) => "changes of its tools are held back".to_owned(),
        (true, held) => words::servers::held(held),
    };
    format!("{} {launch}; {tools}.", review.member)
}

/// The whole review as text. Writing to a text does not fail.
fn told(review: &MemberReview) -> String {
    let mut text = standing(review) + "\n";
    if let Some(warning) = &review.warning {
        let _ = writeln!(text, "warning: {}", warning);
    }
    if let Some(launch) = &review.launch {
        let _ = writeln!(text, "\nIt runs:\n{}", launch_text(launch));
    }
    if let (Some(accepted), false) = (&review.accepted, review.launch_changes.is_empty()) {
        let changes = review.launch_changes.join(", ");
        let _ = writeln!(
            text,
            "It was accepted with another {changes}:\n{}",
            launch_text(&accepted.launch)
        );
    }
    for tool in &review.tools {
        tool_text(&mut text, tool);
    }
    if review.more > 0 {
        let _ = writeln!(text, "\n{}", words::servers::more_tools(review.more));
    }
    text
}

fn launch_text(launch: &LaunchView) -> String {
    let mut text = String::new();
    let mut line = |name: &str, value: &str| {
        let _ = writeln!(text, "  {name:<10} {}", indented(value, 13));
    };
    let [from, path, address, at] = words::servers::ORIGIN;
    let [command, folder, url, argument, variable, header, sign_in] = words::servers::LAUNCH_PARTS;
    if let Some(origin) = &launch.origin {
        line(from, &origin.from);
        for (name, value) in [
            (path, &origin.path),
            (address, &origin.url),
            (at, &origin.at),
        ] {
            if let Some(value) = value {
                line(name, value);
            }
        }
    }
    let single = [
        (command, &launch.command),
        (folder, &launch.cwd),
        (url, &launch.url),
    ];
    for (name, value) in single {
        if let Some(LaunchText { text, .. }) = value {
            line(name, text);
        }
    }
    for part in &launch.container {
        line(&part.name, &part.value.text);
    }
    for arg in &launch.args {
        line(argument, &arg.text);
    }
    for (kind, fields) in [
        (variable, &launch.env),
        (header, &launch.headers),
        (sign_in, &launch.auth),
    ] {
        for field in fields {
            line(kind, &format!("{}={}", field.name, field.value.text));
        }
    }
    text
}

fn tool_text(text: &mut String, tool: &ToolReview) {
    let [same, new, changed, gone] = words::servers::DIFFERENCES;
    let difference = match tool.difference {
        ToolDifference::Same => same,
        ToolDifference::New => new,
        ToolDifference::Changed => changed,
        ToolDifference::Gone => gone,
    };
    let _ = writeln!(text, "\n{} ({difference})", one_line(tool.name.as_str()));
    for suspicion in &tool.suspicions {
        let _ = writeln!(
            text,
            "  ! {}: {}: {:?}",
            suspicion.place, suspicion.what, suspicion.quote
        );
    }
    for part in &tool.parts {
        let _ = writeln!(text, "  {}", part.part);
        for change in &part.schema {
            let [breaking, widened, said] = words::servers::EFFECTS;
            let effect = match change.effect {
                SchemaEffect::Breaking => breaking,
                SchemaEffect::Widened => widened,
                SchemaEffect::Words => said,
            };
            let (pointer, what) = (&change.pointer, indented(&change.what, 6));
            let _ = writeln!(text, "    {effect}: {pointer} {what}");
        }
        if part.schema.is_empty() {
            let mut pieces = String::new();
            for piece in &part.text {
                pieces += &match piece.side {
                    TextSide::Both => piece.text.clone(),
                    TextSide::Old => format!("[-{}-]", piece.text),
                    TextSide::New => format!("{{+{}+}}", piece.text),
                };
            }
            for line in pieces.lines() {
                let _ = writeln!(text, "    {line}");
            }
        }
    }
    for broken in &tool.breaks {
        let _ = writeln!(text, "  breaks {}: {}", broken.name, broken.what);
    }
}
