//! `guildhall add registry`: searches MCP registries, and installs servers from them.

mod format;
mod install;

use std::path::Path;
use std::process::ExitCode;

use clap::{Args, Subcommand};
use guild_api::wire::{RegistryServer, RegistryServerRef, SearchRegistry};
use guild_model::{CallId, Report};

use self::format::{format_server, format_source, row};
use self::install::{InstallArgs, install};
use crate::engine_client::EngineClient;
use crate::terminal::{absolute, counted, print, print_hint};

/// Maximum number of servers that a search prints by default.
const ROWS: usize = 50;
/// Maximum number of result pages that a search requests.
const PAGES_MAX: usize = 40;

#[derive(Debug, Args)]
pub(crate) struct RegistryArgs {
    #[command(subcommand)]
    what: RegistryCommand,
}

#[derive(Debug, Subcommand)]
enum RegistryCommand {
    /// Search the official registry, or the registry that the setting `registry` names
    ///
    /// A registry's API searches the names of servers for the longest word. Guild Hall then
    /// searches their names, titles and descriptions for the other words.
    Search {
        /// The words to search for. Without words, list all servers
        words: Vec<String>,
        /// Search this address or file instead
        #[arg(long, value_name = "PATH|URL")]
        source: Option<String>,
        /// List at most this many servers
        #[arg(long, default_value_t = ROWS)]
        limit: usize,
    },
    /// Show a server's versions, and the command and the inputs of each way to run it
    Show(ShowArgs),
    /// Add a server as a member. Shows the server's command, and asks before adding it
    ///
    /// The member can start once you have reviewed it with `guildhall review`.
    Install(InstallArgs),
}

/// The server to show or to install.
#[derive(Debug, Args)]
pub(crate) struct ShowArgs {
    /// The name in the registry, such as com.example/notes
    name: String,
    /// Use this version instead of the newest
    #[arg(long, value_name = "VERSION")]
    version: Option<String>,
    /// Read this address or file instead of the registry
    #[arg(long, value_name = "PATH|URL")]
    source: Option<String>,
}

impl RegistryArgs {
    pub(crate) fn installs(&self) -> bool {
        matches!(self.what, RegistryCommand::Install(_))
    }
}

pub(crate) async fn registry(
    engine: &EngineClient,
    args: RegistryArgs,
) -> Result<ExitCode, Report> {
    match args.what {
        RegistryCommand::Search {
            words,
            source,
            limit,
        } => search(engine, &words.join(" "), source, limit).await,
        RegistryCommand::Show(args) => show(engine, args).await,
        RegistryCommand::Install(args) => install(engine, args).await,
    }
}

async fn search(
    engine: &EngineClient,
    query: &str,
    source: Option<String>,
    limit: usize,
) -> Result<ExitCode, Report> {
    let call = CallId::numbered("registry", std::process::id().into());
    let mut request = SearchRegistry {
        source: source.as_deref().map(location),
        query: query.to_owned(),
        cursor: None,
        call,
    };
    let mut page = engine.search_registry(request.clone()).await?;
    for _ in 1..PAGES_MAX {
        if page.rows.len() >= limit || page.next.is_none() {
            break;
        }
        request.cursor = page.next.take();
        let next = engine.search_registry(request.clone()).await?;
        page.rows.extend(next.rows);
        page.left_out.extend(next.left_out);
        page.left_out_count += next.left_out_count;
        page.next = next.next;
        page.source = next.source;
    }
    let is_all = page.next.is_none() && page.rows.len() <= limit;
    page.rows.truncate(limit);
    print(&page, || {
        page.rows.iter().map(row).collect::<Vec<_>>().join("\n")
    });
    let mut text = counted(page.rows.len(), "server", "servers");
    if !is_all {
        text.push_str("; there are more: use more words, or a higher --limit");
    }
    if page.left_out_count > 0 {
        let entries = counted(page.left_out_count, "invalid entry", "invalid entries");
        text.push_str(&format!("; left out {entries}"));
    }
    print_hint(format!("{}: {text}", format_source(&page.source)));
    Ok(ExitCode::SUCCESS)
}

async fn show(engine: &EngineClient, args: ShowArgs) -> Result<ExitCode, Report> {
    let server = server(engine, &args).await?;
    print(&server, || format_server(&server));
    print_hint(format_source(&server.source));
    Ok(ExitCode::SUCCESS)
}

async fn server(engine: &EngineClient, args: &ShowArgs) -> Result<RegistryServer, Report> {
    let request = RegistryServerRef {
        source: args.source.as_deref().map(location),
        server: args.name.clone(),
        version: args.version.clone(),
    };
    engine.registry_server(request).await
}

/// Returns an address unchanged, and a path in its absolute form.
fn location(source: &str) -> String {
    match source.contains("://") {
        true => source.to_owned(),
        false => absolute(Path::new(source)),
    }
}
