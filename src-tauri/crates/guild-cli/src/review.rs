//! `guildhall review`: shows the command and the tools of a member, and accepts them if the
//! arguments request that.

use std::fmt::Write as _;
use std::process::ExitCode;

use clap::Args;
use guild_api::wire::{
    AcceptMember, AcceptTools, HoldChanges, LaunchText, LaunchTrust, LaunchView, MemberReview,
    SchemaEffect, TextSide, ToolDifference, ToolReview,
};
use guild_model::{Code, Report};

use crate::call::{member_name, tool_name};
use crate::engine_client::{EngineClient, of};
use crate::terminal::{confirm, counted, indented, one_line, print};
use crate::{eprint_line, help};

#[derive(Debug, Args)]
#[command(after_help = help::REVIEW)]
pub(crate) struct ReviewArgs {
    /// The member
    member: String,
    /// Accept the member's command
    #[arg(long)]
    accept: bool,
    /// Accept the named tools as displayed; without names, accept all
    #[arg(long, value_name = "TOOL", num_args = 0..)]
    accept_tools: Option<Vec<String>>,
    /// Hold changed tools back from agents until you accept them (on), or offer them at once (off)
    #[arg(long, value_name = "on|off", value_parser = ["on", "off"])]
    hold: Option<String>,
    /// Accept without asking. Everything that is accepted is still shown
    #[arg(long)]
    yes: bool,
}

impl ReviewArgs {
    pub(crate) fn accepts(&self) -> bool {
        self.accept || self.accept_tools.is_some() || self.hold.is_some()
    }
}

/// Shows the review, asks the user, and accepts.
pub(crate) async fn review(engine: &EngineClient, args: ReviewArgs) -> Result<ExitCode, Report> {
    let member = member_name(engine, &args.member).await?;
    let mut review = engine.member_review(of(&member)).await?;
    if !args.accepts() {
        print(&review, || as_text(&review));
        return Ok(ExitCode::SUCCESS);
    }
    eprint_line(as_text(&review));
    let question = format!("Accept this of {member}?");
    if !args.yes && !confirm(&question, Code::ArgumentsInvalid).await? {
        eprint_line("Nothing was accepted.");
        return Ok(ExitCode::from(2));
    }
    if args.accept {
        let hash = review.launch.as_ref().map(|launch| launch.hash.clone());
        let request = AcceptMember {
            member: member.clone(),
            hash: hash.unwrap_or_default(),
        };
        engine.accept_member(request).await?;
    }
    if let Some(names) = &args.accept_tools {
        let tools = names.iter().map(|name| tool_name(&member, name));
        let tools = tools.collect::<Result<Vec<_>, _>>()?;
        let request = AcceptTools {
            member: member.clone(),
            list: review.list.clone(),
            tools: (!tools.is_empty()).then_some(tools),
        };
        engine.accept_tools(request).await?;
    }
    if let Some(hold) = &args.hold {
        let request = HoldChanges {
            member: member.clone(),
            hold: hold == "on",
        };
        engine.hold_changes(request).await?;
    }
    review = engine.member_review(of(&member)).await?;
    print(&review, || summary(&review));
    Ok(ExitCode::SUCCESS)
}

/// Formats the state of the review as one line.
fn summary(review: &MemberReview) -> String {
    let launch = match review.trust.launch {
        LaunchTrust::Own => "needs no review",
        LaunchTrust::Accepted => "is accepted",
        LaunchTrust::Unreviewed => "is not accepted, and can't start",
        LaunchTrust::Changed => "has another command than the accepted one, and can't start",
    };
    let tools = match (review.trust.holds, review.trust.held) {
        (false, _) => "changes of its tools pass".to_owned(),
        (true, 0) => "changed tools need review".to_owned(),
        (true, held) => {
            let tools = counted(held, "tool is", "tools are");
            format!("{tools} hidden from agents (need review)")
        }
    };
    format!("{} {launch}; {tools}.", review.member)
}

/// Formats the whole review. Writing to a string does not fail.
fn as_text(review: &MemberReview) -> String {
    let mut text = summary(review) + "\n";
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
        let more = counted(review.more, "more tool", "more tools");
        let _ = writeln!(text, "\nand {more}");
    }
    text
}

fn launch_text(launch: &LaunchView) -> String {
    let mut text = String::new();
    let mut line = |name: &str, value: &str| {
        let _ = writeln!(text, "  {name:<10} {}", indented(value, 13));
    };
    if let Some(origin) = &launch.origin {
        line("from", &origin.from);
        for (name, value) in [
            ("path", &origin.path),
            ("address", &origin.url),
            ("at", &origin.at),
        ] {
            if let Some(value) = value {
                line(name, value);
            }
        }
    }
    let single = [
        ("command", &launch.command),
        ("folder", &launch.cwd),
        ("url", &launch.url),
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
        line("argument", &arg.text);
    }
    for (kind, fields) in [
        ("variable", &launch.env),
        ("header", &launch.headers),
        ("sign-in", &launch.auth),
    ] {
        for field in fields {
            line(kind, &format!("{}={}", field.name, field.value.text));
        }
    }
    text
}

fn tool_text(text: &mut String, tool: &ToolReview) {
    let difference = match tool.difference {
        ToolDifference::Same => "as it was",
        ToolDifference::New => "new",
        ToolDifference::Changed => "changed",
        ToolDifference::Gone => "gone",
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
            let effect = match change.effect {
                SchemaEffect::Breaking => "breaks",
                SchemaEffect::Widened => "widens",
                SchemaEffect::Words => "words",
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
