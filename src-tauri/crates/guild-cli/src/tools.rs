//! `guildhall tools`: lists, describes and discovers tools, and sets their policies.

mod describe;
mod details;
mod discover;
mod embeddings;
mod policy;

use std::process::ExitCode;

use clap::{Args, Subcommand};
use guild_model::Report;

use crate::endpoint::wrong_usage;
use crate::engine_client::EngineClient;
use crate::session::Need;
use crate::{help, list};

#[derive(Debug, Args)]
#[command(
    after_help = help::TOOLS,
    override_usage = "guildhall tools [OPTIONS] [MEMBER]\n       guildhall tools describe|policy|discover|embeddings ..."
)]
pub(crate) struct ToolsArgs {
    #[command(subcommand)]
    action: Option<ToolAction>,
    /// List only the tools of this member
    member: Option<String>,
    /// Start all members first, and stop them again. If Guild Hall is already running, only wait
    /// for the members that are starting
    #[arg(long)]
    wait: bool,
    /// List each tool, prompt and resource with its policy, the reason for the policy, and how it
    /// was found
    #[arg(long)]
    details: bool,
    #[command(flatten)]
    filter: details::Filter,
}

#[derive(Debug, Subcommand)]
enum ToolAction {
    /// Print the description and the schemas of a tool
    Describe(describe::DescribeArgs),
    /// Show or change which tools agents may call: allow, ask or deny
    #[command(after_help = help::POLICY)]
    Policy(policy::PolicyArgs),
    /// Find a member's tools in every way: over the protocol, from the member's output, or from a
    /// model
    #[command(after_help = help::DISCOVER)]
    Discover(discover::DiscoverArgs),
    /// Show, set, test or clear the embeddings endpoint, which ranks tools by meaning
    #[command(after_help = help::EMBEDDINGS)]
    Embeddings(embeddings::EmbeddingsArgs),
}

impl ToolsArgs {
    pub(crate) fn need(&self) -> Need {
        let starts = |starts| Need::either(starts, Need::START, Need::READ);
        let decides = |decides| Need::either(decides, Need::DECIDE, Need::READ);
        match &self.action {
            None => starts(self.wait),
            Some(ToolAction::Describe(args)) => starts(args.wait),
            Some(ToolAction::Discover(args)) => starts(args.starts()),
            Some(ToolAction::Policy(args)) => decides(args.changes()),
            Some(ToolAction::Embeddings(args)) => decides(args.changes()),
        }
    }
}

/// Lists the tools, or runs the given action.
pub(crate) async fn tools(engine: &EngineClient, args: ToolsArgs) -> Result<ExitCode, Report> {
    let member = args.member.as_deref();
    if args.action.is_some() && (member.is_some() || args.wait || args.details) {
        wrong_usage("name a member or one of the commands of `guildhall tools`");
    }
    match args.action {
        None if args.details => {
            if args.wait {
                engine.settled().await?;
            }
            details::details(engine, member, args.filter).await
        }
        None => list::tools(engine, member, args.wait).await,
        Some(ToolAction::Describe(args)) => describe::describe(engine, args).await,
        Some(ToolAction::Policy(args)) => policy::policy(engine, args).await,
        Some(ToolAction::Discover(args)) => discover::discover(engine, args).await,
        Some(ToolAction::Embeddings(args)) => embeddings::embeddings(engine, args).await,
    }
}
