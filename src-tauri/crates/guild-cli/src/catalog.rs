//! `guildhall catalog`.

use std::process::ExitCode;

use guild_core::Report;
use guild_core::wire::{CatalogMember, CatalogTool, DiscoveryStatus, OfCatalog};
use serde::Serialize;
use serde_json::Value;

use crate::reach::Reach;
use crate::terminal::one_line;
use crate::words;
use crate::{harmless, print_line};

/// Lists every tool, and the members whose tools could not be found out.
pub(crate) async fn catalog(reach: &Reach, as_json: bool) -> Result<ExitCode, Report> {
    let catalog = reach.catalog(OfCatalog::default()).await?;
    if as_json {
        print_line(&serde_json::to_string(&catalog).unwrap_or_default());
        return Ok(ExitCode::SUCCESS);
    }
    let mut lines: Vec<String> = catalog.tools.iter().map(line).collect();
    for member in &catalog.members {
        if member.discovery_status == DiscoveryStatus::Failed {
            lines.push(failed(member));
        }
        if let Some(report) = &member.withheld {
            lines.push(one_line(&format!(
                "{}  [mcp, {}]: {}",
                member.member,
                words::members::WITHHELD,
                report.message
            )));
        }
    }
    // Printed at once: each line by itself takes longer than all the rest.
    if !lines.is_empty() {
        print_line(&lines.join("\n"));
    }
    Ok(ExitCode::SUCCESS)
}

/// A tool as a line: what it is, whether agents may call it, how it is known.
fn line(tool: &CatalogTool) -> String {
    let words: Vec<String> = [
        Some(word(tool.kind)),
        tool.policy.map(word),
        tool.provenance.map(word),
        tool.discovery_status.map(word),
        tool.mark.map(|mark| words::members::held(mark).to_owned()),
        tool.withheld.as_ref().map(withheld_because),
    ]
    .into_iter()
    .flatten()
    .collect();
    one_line(&format!(
        "{}  [{}]  {}",
        tool.name,
        words.join(", "),
        tool.description
    ))
}

/// That agents do not get it, and why.
pub(crate) fn withheld_because(report: &Report) -> String {
    let withheld = words::members::WITHHELD;
    format!("{withheld}: {}", report.message)
}

fn failed(member: &CatalogMember) -> String {
    let why = member.discovery_error.as_ref();
    let why = why.map_or_else(String::new, |report| format!(": {}", report.message));
    harmless(&format!("{}  [mcp, failed]{why}", member.member))
}

/// A value that is a word on the wire.
fn word(value: impl Serialize) -> String {
    match serde_json::to_value(value) {
        Ok(Value::String(word)) => word,
        _ => String::new(),
    }
}
