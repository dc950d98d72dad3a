//! `guildhall catalog`.

use std::process::ExitCode;

use guild_core::Report;
use guild_core::wire::{CatalogMember, CatalogTool, DiscoveryStatus, OfCatalog};
use serde::Serialize;
use serde_json::Value;

use crate::reach::Reach;
use crate::words::{reported_shortly, words};
use crate::{harmless, print_line};

/// Lists every tool, and the members whose tools could not be found out.
pub(crate) async fn catalog(reach: &Reach, as_json: bool) -> Result<ExitCode, Report> {
    let catalog = reach.catalog(OfCatalog::default()).await?;
    if as_json {
        print_line(
            &serde_json::to_value(&catalog)
                .unwrap_or_default()
                .to_string(),
        );
        return Ok(ExitCode::SUCCESS);
    }
    for tool in &catalog.tools {
        print_line(&line(tool));
    }
    for member in &catalog.members {
        if member.discovery_status == DiscoveryStatus::Failed {
            print_line(&failed(member));
        }
        if let Some(line) = withheld(member) {
            print_line(&line);
        }
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
        tool.mark
            .map(|mark| format!("{}: {}", words().usage.withheld, word(mark))),
    ]
    .into_iter()
    .flatten()
    .collect();
    harmless(&format!(
        "{}  [{}]  {}",
        tool.name,
        words.join(", "),
        tool.description
    ))
}

fn failed(member: &CatalogMember) -> String {
    let why = member.discovery_error.as_ref();
    let why = why.map_or_else(String::new, |report| {
        format!(": {}", reported_shortly(report))
    });
    harmless(&format!(
        "{}  [mcp, {}]{why}",
        member.member,
        words().members.not_discovered
    ))
}

/// A member none of whose tools agents get, and why.
fn withheld(member: &CatalogMember) -> Option<String> {
    let why = reported_shortly(member.withheld.as_ref()?);
    let withheld = words().usage.withheld;
    Some(harmless(&format!(
        "{}  [mcp, {withheld}]: {why}",
        member.member
    )))
}

/// A value that is a word on the wire.
pub(crate) fn word(value: impl Serialize) -> String {
    match serde_json::to_value(value) {
        Ok(Value::String(word)) => word,
        _ => String::new(),
    }
}
