//! `guildhall tools describe`: everything about one tool.

use std::process::ExitCode;

use clap::Args;
use guild_api::wire::{ToolDetail, ToolRef};
use guild_model::Report;
use serde_json::{Value, json};

use crate::call::{member_name, tool_name};
use crate::engine_client::EngineClient;
use crate::list::up_to_date;
use crate::terminal::print;

#[derive(Debug, Args)]
pub(super) struct DescribeArgs {
    /// The member
    member: String,
    /// The tool
    tool: String,
    /// Start all members first, and stop them again
    #[arg(long)]
    pub(super) wait: bool,
}

/// Prints the description and the schemas of a tool.
pub(super) async fn describe(
    engine: &EngineClient,
    args: DescribeArgs,
) -> Result<ExitCode, Report> {
    let member = member_name(engine, &args.member).await?;
    let tool = tool_name(&member, &args.tool)?;
    up_to_date(engine, Some(&member), args.wait).await?;
    let detail = engine.tool_detail(ToolRef { member, tool }).await?;
    print(&as_value(&detail), || as_text(&detail));
    Ok(ExitCode::SUCCESS)
}

fn schema(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_default()
}

fn as_value(tool: &ToolDetail) -> Value {
    json!({
        "member": tool.summary.member,
        "name": tool.summary.name,
        "title": tool.summary.title,
        "description": tool.description,
        "hints": tool.summary.hints,
        "inputSchema": schema(&tool.input_schema),
        "outputSchema": tool.output_schema.as_deref().map(schema),
        "notes": tool.schema_notes,
        "freshness": tool.freshness,
        "provenance": tool.provenance,
    })
}

fn as_text(tool: &ToolDetail) -> String {
    let mut parts = vec![format!("{}/{}", tool.summary.member, tool.summary.name)];
    if let Some(title) = &tool.summary.title {
        parts[0].push_str(&format!("  {title}"));
    }
    if !tool.description.is_empty() {
        parts.push(tool.description.clone());
    }
    parts.push(format!("Arguments:\n{:#}", schema(&tool.input_schema)));
    if let Some(output) = &tool.output_schema {
        parts.push(format!("Result:\n{:#}", schema(output)));
    }
    parts.extend(tool.schema_notes.iter().map(|note| format!("Note: {note}")));
    parts.join("\n\n")
}
