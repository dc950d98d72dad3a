//! `guildhall list` and `guildhall tools`.

use std::process::ExitCode;

use guild_api::wire::control::{ListTools, ListedTool};
use guild_api::wire::{MemberView, Nothing, RosterView};
use guild_model::status::{Freshness, Status};
use guild_model::tool::Provenance;
use guild_model::{Code, MemberName, Report, ToolName};
use serde::Serialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use crate::engine_client::EngineClient;
use crate::eprint_line;
use crate::terminal::{is_json, one_line, print, word};

/// The exit code of `list --wait` when a member is in error.
const IN_ERROR: u8 = 7;

/// Lists the members. With `wait`, the exit code shows whether a member has failed.
pub(crate) async fn members(engine: &EngineClient, wait: bool) -> Result<ExitCode, Report> {
    let roster = up_to_date(engine, None, wait).await?;
    let members: Vec<Value> = roster.members.iter().map(member_json).collect();
    print(&json!({ "members": members }), || table(&roster));
    Ok(match wait && roster.members.iter().any(is_in_error) {
        true => ExitCode::from(IN_ERROR),
        false => ExitCode::SUCCESS,
    })
}

fn is_in_error(member: &MemberView) -> bool {
    matches!(
        member.status,
        Status::Error | Status::Backoff | Status::CrashLoop
    )
}

/// Lists the tools of all members, or of one member.
pub(crate) async fn tools(
    engine: &EngineClient,
    member: Option<&str>,
    wait: bool,
) -> Result<ExitCode, Report> {
    let wanted = match member {
        Some(name) => Some(crate::call::member_name(engine, name).await?),
        None => None,
    };
    let roster = up_to_date(engine, wanted.as_ref(), wait).await?;
    let is_wanted = |member: &MemberView| match &wanted {
        Some(name) => member.name == *name,
        None => !matches!(member.status, Status::Disabled | Status::Unreviewed),
    };
    let never_listed = roster.members.iter();
    let never_listed = never_listed.filter(|member| is_wanted(member) && is_never_listed(member));
    let never_listed: Vec<MemberName> = never_listed.map(|member| member.name.clone()).collect();
    let names: Vec<MemberName> = match wanted {
        Some(name) => vec![name],
        None => roster
            .members
            .into_iter()
            .map(|member| member.name)
            .collect(),
    };
    let mut listed = Vec::new();
    let mut lines = Vec::new();
    for member in names {
        let request = ListTools {
            member: member.clone(),
            full: is_json(),
        };
        for tool in engine.list_tools(request).await? {
            if is_json() {
                listed.push((member.clone(), tool));
            } else {
                let ListedTool { name, summary, .. } = tool;
                lines.push(one_line(&format!("{member}/{name}  {summary}")));
            }
        }
    }
    let tools = listed.iter().map(ToolLine::of).collect();
    print(&ToolLines { tools }, || lines.join("\n"));
    if !never_listed.is_empty() {
        let names: Vec<&str> = never_listed.iter().map(MemberName::as_str).collect();
        let hint = match wait {
            true => "`guildhall list` shows why.",
            false => "`--wait` lists them.",
        };
        let names = names.join(", ");
        eprint_line(format_args!("note: never listed: {names}. {hint}"));
    }
    Ok(ExitCode::SUCCESS)
}

/// Whether the tools of a member were never listed.
fn is_never_listed(member: &MemberView) -> bool {
    member.freshness == Freshness::Unknown
}

/// Returns the roster. With `wait`, waits until each member is ready or has failed, and the tools
/// of `wanted` are listed.
pub(crate) async fn up_to_date(
    engine: &EngineClient,
    wanted: Option<&MemberName>,
    wait: bool,
) -> Result<RosterView, Report> {
    if wait {
        engine.settled().await?;
    }
    if let (true, Some(wanted), EngineClient::Running(_)) = (wait, wanted, engine) {
        let roster = engine.roster(Nothing {}).await?;
        let mut members = roster.members.iter();
        if members.any(|member| member.name == *wanted && is_never_listed(member)) {
            // A running hall does not start members for `settled`, so the tools are requested
            // explicitly.
            engine.discovered(wanted).await?;
        }
    }
    let mut roster = engine.roster(Nothing {}).await?;
    match roster.error.take() {
        // An empty list would be wrong if the members folder is unreadable.
        Some(report) => Err(report),
        None => Ok(roster),
    }
}

pub(crate) fn member_json(member: &MemberView) -> Value {
    let as_value = |report: &Report| json!({ "code": report.code, "message": report.message, "hint": report.hint });
    json!({
        "name": member.name,
        "version": member.version,
        "transport": member.transport,
        "protocolVersion": member.protocol_version,
        "status": member.status,
        "freshness": member.freshness,
        "tools": member.tools,
        "port": member.port,
        "pid": member.pid,
        "error": member.error.as_ref().map(as_value),
        "warnings": member.warnings.iter().map(as_value).collect::<Vec<_>>(),
    })
}

/// The list of tools as JSON. Schemas are copied unparsed, since parsing them would take most of
/// the time of a long list.
#[derive(Serialize)]
struct ToolLines<'a> {
    tools: Vec<ToolLine<'a>>,
}

/// One tool of the list.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ToolLine<'a> {
    member: &'a MemberName,
    name: &'a ToolName,
    description: &'a str,
    input_schema: Option<&'a RawValue>,
    freshness: Freshness,
    provenance: Provenance,
}

impl<'a> ToolLine<'a> {
    fn of((member, tool): &'a (MemberName, ListedTool)) -> Self {
        let full = tool.full.as_ref();
        Self {
            member,
            name: &tool.name,
            description: full.map_or("", |full| &full.description),
            input_schema: full.map(|full| &*full.input_schema),
            freshness: tool.freshness,
            provenance: tool.provenance,
        }
    }
}

/// Whether other machines can reach the member.
fn is_exposed(member: &MemberView) -> bool {
    let mut warnings = member.warnings.iter();
    warnings.any(|report| report.code == Code::PortExposed)
}

fn table(roster: &RosterView) -> String {
    if roster.members.is_empty() {
        return format!("No members in {}.", roster.members_dir);
    }
    let heads = ["MEMBER", "STATUS", "TOOLS", "LIST", "PORT", "PID"];
    let mut rows = vec![heads.map(str::to_owned)];
    let number = |number: Option<u32>| number.map_or_else(|| "-".into(), |n| n.to_string());
    rows.extend(roster.members.iter().map(|member| {
        [
            member.name.to_string(),
            word(member.status),
            member.tools.to_string(),
            word(member.freshness),
            match (member.port, is_exposed(member)) {
                (Some(port), true) => format!("{port} exposed"),
                (port, _) => number(port.map(u32::from)),
            },
            number(member.pid),
        ]
    }));
    let mut widths = [0; 6];
    for row in &rows {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = cell.chars().count().max(*width);
        }
    }
    let mut lines: Vec<String> = rows
        .iter()
        .map(|row| {
            let cells = row
                .iter()
                .zip(widths)
                .map(|(cell, width)| format!("{cell:<width$}"));
            cells.collect::<Vec<_>>().join("  ").trim_end().to_owned()
        })
        .collect();
    let members = || roster.members.iter();
    let errors = members().filter_map(|member| member.error.as_ref());
    lines.extend(errors.map(|report| format!("\n{report}")));
    // Only warnings about ports are listed here. The member's page shows the others.
    let warnings = members().flat_map(|member| &member.warnings);
    lines.extend(
        warnings
            .filter(|report| matches!(report.code, Code::PortExposed | Code::PortHeld))
            .map(|report| format!("\nwarning: {report}")),
    );
    lines.join("\n")
}
