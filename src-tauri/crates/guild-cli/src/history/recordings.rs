//! `guildhall history sessions`, `checks` and `mock`.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{ArgGroup, Args};
use guild_api::wire::{
    AgentSession, ChecksTarget, CreateChecks, CreateMock, CreatedCheck, CreatedChecks, EntryId,
    HistoryEntryRef, HistoryFilter, ListSessions, PAGE_MAX, SESSIONS_MAX, SearchHistory,
    UnusedCall,
};
use guild_engine::messages::CliError;
use guild_model::{CallId, Code, MemberName, Report};
use serde_json::json;

use crate::engine_client::EngineClient;
use crate::help;
use crate::interrupts::Interrupts;
use crate::terminal::{absolute, counted, one_line, print, time};

#[derive(Debug, Args)]
pub(crate) struct SessionsArgs {
    /// List at most this many sessions, the one with the latest call first
    #[arg(long, value_name = "N", default_value_t = 20,
          value_parser = clap::value_parser!(u16).range(1..=SESSIONS_MAX as i64))]
    limit: u16,
}

#[derive(Debug, Args)]
#[command(after_help = help::CHECKS, group(ArgGroup::new("target").required(true)))]
pub(crate) struct ChecksArgs {
    #[command(flatten)]
    calls: ChosenCalls,
    /// Write a suite, for `guildhall dev --once --suite FILE`. Replaces the file
    #[arg(long, value_name = "FILE", group = "target")]
    suite: Option<PathBuf>,
    /// Save the checks as examples in the manifests of the members
    #[arg(long, group = "target")]
    examples: bool,
    /// Also repeat tools that are not read-only. Their calls are really made, twice
    #[arg(long)]
    changing: bool,
}

#[derive(Debug, Args)]
#[command(after_help = help::MOCK)]
pub(crate) struct MockArgs {
    /// The name of the new member
    name: String,
    /// The member that was called
    #[arg(long, value_name = "MEMBER")]
    of: String,
    #[command(flatten)]
    calls: ChosenCalls,
}

/// The calls to use.
#[derive(Debug, Args)]
#[group(required = true, multiple = true)]
struct ChosenCalls {
    /// Use the calls of the session with this call. `guildhall history sessions` lists the IDs
    #[arg(long, value_name = "ID", conflicts_with = "call")]
    session: Option<i64>,
    /// Use this call. May be repeated. `guildhall history` lists the IDs
    #[arg(long, value_name = "ID")]
    call: Vec<i64>,
}

impl ChosenCalls {
    /// Returns the IDs of the calls. `member` excludes the calls of other members.
    async fn ids(
        self,
        engine: &EngineClient,
        member: Option<MemberName>,
    ) -> Result<Vec<EntryId>, Report> {
        let Some(id) = self.session else {
            return Ok(self.call.into_iter().map(EntryId).collect());
        };
        let session = engine.agent_session(HistoryEntryRef { id: EntryId(id) });
        let filter = HistoryFilter {
            session: Some(session.await?.of),
            member,
            ..HistoryFilter::default()
        };
        let search = SearchHistory {
            filter,
            before: None,
            limit: PAGE_MAX,
        };
        let page = engine.search_history(search).await?;
        match page.trouble.filter(|_| page.entries.is_empty()) {
            Some(report) => Err(report),
            None => Ok(page.entries.into_iter().map(|entry| entry.id).collect()),
        }
    }
}

/// Lists the sessions of agents.
pub(super) async fn sessions(
    engine: &EngineClient,
    args: SessionsArgs,
) -> Result<ExitCode, Report> {
    let limit = usize::from(args.limit);
    let listed = engine.agent_sessions(ListSessions { limit }).await?;
    print(&listed, || {
        let lines = listed.sessions.iter().map(session_line);
        lines.collect::<Vec<_>>().join("\n")
    });
    Ok(ExitCode::SUCCESS)
}

fn session_line(session: &AgentSession) -> String {
    let calls = usize::try_from(session.calls).unwrap_or(usize::MAX);
    let members: Vec<&str> = session.members.iter().map(MemberName::as_str).collect();
    one_line(&format!(
        "{:>6}  {}  {:<10}  {}  {}",
        session.of.last.0,
        time(session.began_ms),
        counted(calls, "call", "calls"),
        session.of.client.as_deref().unwrap_or("an agent"),
        members.join(", ")
    ))
}

/// Makes checks of recorded calls.
pub(super) async fn checks(
    engine: &EngineClient,
    args: ChecksArgs,
    interrupts: &mut Interrupts,
) -> Result<ExitCode, Report> {
    let target = match args.suite {
        Some(file) => ChecksTarget::Suite {
            path: absolute(&file),
        },
        None => ChecksTarget::Manifests,
    };
    let call = CallId::numbered("checks", u64::from(std::process::id()));
    let request = CreateChecks {
        call: call.clone(),
        calls: args.calls.ids(engine, None).await?,
        target,
        changing: args.changing,
    };
    let creating = engine.create_checks(request);
    let created = engine.cancellable(&call, creating, interrupts).await?;
    print(&created, || created_lines(&created).join("\n"));
    Ok(ExitCode::SUCCESS)
}

fn created_lines(created: &CreatedChecks) -> Vec<String> {
    let mut lines: Vec<String> = created.checks.iter().flat_map(check_lines).collect();
    lines.extend(left_out_lines(&created.left_out, created.missing));
    let checks = counted(created.checks.len(), "check", "checks");
    lines.extend(
        created
            .files
            .iter()
            .map(|file| format!("{checks} in {file}")),
    );
    lines
}

fn check_lines(check: &CreatedCheck) -> Vec<String> {
    let head = format!(
        "{}  {}: {}",
        check.member,
        check.name,
        check.expects.join("; ")
    );
    let mut lines = vec![one_line(&head)];
    for (word, places) in [("not compared", &check.volatile), ("asks for", &check.asks)] {
        if !places.is_empty() {
            lines.push(one_line(&format!("  {word}: {}", places.join(", "))));
        }
    }
    lines
}

/// Returns a line for each call that was left out, and one for the calls that no longer exist.
fn left_out_lines(calls: &[UnusedCall], missing: usize) -> Vec<String> {
    let mut lines: Vec<_> = calls.iter().map(left_out_line).collect();
    if missing > 0 {
        let calls = counted(missing, "call", "calls");
        lines.push(format!("left out: {calls} that the history no longer has"));
    }
    lines
}

fn left_out_line(call: &UnusedCall) -> String {
    let UnusedCall {
        entry,
        member,
        tool,
        why,
    } = call;
    one_line(&format!("left out: {} {member}/{tool}: {why}", entry.0))
}

/// Creates a member that answers from recorded calls.
pub(super) async fn mock(engine: &EngineClient, args: MockArgs) -> Result<ExitCode, Report> {
    let named = |name: String| {
        MemberName::parse(&name)
            .map_err(|error| Report::from_error(Code::MemberUnknown, &CliError::NoName(error.0)))
    };
    let of = named(args.of)?;
    let request = CreateMock {
        member: named(args.name)?,
        calls: args.calls.ids(engine, Some(of.clone())).await?,
        of,
    };
    let created = engine.create_mock(request).await?;
    print(&json!(created), || {
        let mut lines = left_out_lines(&created.left_out, created.missing);
        let calls = counted(created.calls, "recorded call", "recorded calls");
        lines.push(format!(
            "Created {}, which answers from {calls}: {}",
            created.member, created.folder
        ));
        lines.join("\n")
    });
    Ok(ExitCode::SUCCESS)
}
