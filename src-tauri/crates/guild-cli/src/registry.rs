//! `guildhall registry`: servers that MCP registries list, looked for and installed.

mod installing;
mod reaching;
mod telling;

use std::path::Path;
use std::process::ExitCode;

use clap::{Args, Subcommand};
use guild_core::note::CliTrouble;
use guild_core::wire::{
    OfRegistryServer, OfRegistrySource, REGISTRY_PAGE_MAX, ReadRegistry, RegistryPage,
    RegistryServer, RegistrySource, SearchRegistry,
};
use guild_core::{CallId, Code, Report};
use serde_json::json;

use self::installing::{InstallArgs, install};
use self::telling::{age, row, server_told, source_told};
use crate::interrupts::{Interrupts, interrupted};
use crate::reach::Reach;
use crate::words;
use crate::{harmless, print_line, tell};

/// How many servers a search prints unless more are wanted.
const ROWS: usize = 50;

/// What is done with registries.
#[derive(Debug, Args)]
pub(crate) struct RegistryArgs {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    /// Lists the sources, adds one, removes one, or reads one from where it is.
    Sources {
        #[command(subcommand)]
        what: Option<OfSources>,
    },
    /// Lists the servers that have all the words in their name, title or description. An address
    /// that was never read is read first; after that, what was read is searched.
    Search {
        /// The words; without any, all servers are listed.
        words: Vec<String>,
        /// Only of this source.
        #[arg(long, value_name = "PATH|URL")]
        source: Option<String>,
        /// How many are listed of each source.
        #[arg(long, default_value_t = ROWS)]
        limit: usize,
    },
    /// Shows a server: its versions, and each way to run it with all that it would run and ask.
    Show(ShowArgs),
    /// Makes a member of a server, after what it would run was shown and agreed to. The member runs
    /// when it was reviewed: `guildhall review`.
    Install(InstallArgs),
}

#[derive(Debug, Subcommand)]
enum OfSources {
    /// Lists them.
    List,
    /// Adds the path of a file, or an address. Nothing is fetched.
    Add {
        /// A file, or an address.
        source: String,
    },
    /// Removes one, and what was read of it.
    Remove {
        /// As it is listed.
        source: String,
    },
    /// Reads what a source lists, and keeps it.
    Read {
        /// As it is listed; without one, all of them are read.
        source: Option<String>,
        /// Read all of it, and not only what changed since.
        #[arg(long)]
        anew: bool,
    },
}

/// A server that is meant.
#[derive(Debug, Args)]
pub(crate) struct ShowArgs {
    /// What it is listed as, e.g. `com.example/notes`.
    name: String,
    /// Another version than the newest.
    #[arg(long, value_name = "VERSION")]
    version: Option<String>,
    /// Of this source, and not of the first that lists it.
    #[arg(long, value_name = "PATH|URL")]
    source: Option<String>,
}

impl RegistryArgs {
    /// Whether a member is made of it.
    pub(crate) fn installs(&self) -> bool {
        matches!(self.what, What::Install(_))
    }
}

/// Does what is asked.
pub(crate) async fn registry(
    reach: &Reach,
    args: RegistryArgs,
    as_json: bool,
    interrupts: &mut Interrupts,
) -> Result<ExitCode, Report> {
    let doing = async {
        match args.what {
            What::Sources { what } => {
                sources(reach, what.unwrap_or(OfSources::List), as_json).await
            }
            What::Search {
                words,
                source,
                limit,
            } => search(reach, &words.join(" "), source, limit, as_json).await,
            What::Show(args) => show(reach, args, as_json).await,
            What::Install(args) => install(reach, args, as_json).await,
        }
    };
    tokio::select! {
        done = doing => done,
        () = interrupts.next() => Err(interrupted()),
    }
}

async fn sources(reach: &Reach, what: OfSources, as_json: bool) -> Result<ExitCode, Report> {
    let sources = match what {
        OfSources::List => reach.registry_sources().await?,
        OfSources::Add { source } => {
            let source = whole(&source);
            reach
                .add_registry_source(OfRegistrySource { source })
                .await?
        }
        OfSources::Remove { source } => {
            let known = reach.registry_sources().await?.sources;
            let source = named(&known, &source)?;
            reach
                .remove_registry_source(OfRegistrySource { source })
                .await?
        }
        OfSources::Read { source, anew } => {
            let known = reach.registry_sources().await?.sources;
            let read: Vec<String> = match source {
                Some(source) => vec![named(&known, &source)?],
                None => known.into_iter().map(|source| source.source).collect(),
            };
            for source in read {
                read_source(reach, source, anew).await?;
            }
            reach.registry_sources().await?
        }
    };
    if as_json {
        print_line(&json!(sources).to_string());
        return Ok(ExitCode::SUCCESS);
    }
    for source in &sources.sources {
        print_line(&harmless(&source_told(source)));
    }
    if sources.sources.is_empty() {
        tell("No source is named yet: `guildhall registry sources add PATH|URL`.");
    }
    Ok(ExitCode::SUCCESS)
}

async fn search(
    reach: &Reach,
    query: &str,
    source: Option<String>,
    limit: usize,
    as_json: bool,
) -> Result<ExitCode, Report> {
    let mut pages = Vec::new();
    for source in known(reach, source).await? {
        let page = page(reach, &source.source, query, limit).await?;
        let is_known = page.source.as_of_ms.is_some();
        pages.push(match is_known {
            true => page,
            false => {
                read_source(reach, source.source.clone(), false).await?;
                self::page(reach, &source.source, query, limit).await?
            }
        });
    }
    if as_json {
        print_line(&json!({ "pages": pages }).to_string());
        return Ok(ExitCode::SUCCESS);
    }
    for page in &pages {
        for found in &page.rows {
            print_line(&harmless(&row(found)));
        }
        let mut told = words::registry::shown(page.rows.len(), page.total);
        if page.left_out_count > 0 {
            told.push_str(&format!(
                "; {}",
                words::registry::left_out(page.left_out_count)
            ));
        }
        let as_of = age(page.source.as_of_ms);
        tell(harmless(&format!(
            "{}: {told}; {as_of}",
            page.source.source
        )));
    }
    Ok(ExitCode::SUCCESS)
}

async fn show(reach: &Reach, args: ShowArgs, as_json: bool) -> Result<ExitCode, Report> {
    let (source, server) = server(reach, &args).await?;
    if as_json {
        print_line(&json!({ "source": source, "server": server }).to_string());
        return Ok(ExitCode::SUCCESS);
    }
    print_line(&harmless(&server_told(&server)));
    Ok(ExitCode::SUCCESS)
}

/// A server, and the source that lists it.
async fn server(reach: &Reach, args: &ShowArgs) -> Result<(String, RegistryServer), Report> {
    let mut first = None;
    for source in known(reach, args.source.clone()).await? {
        if source.as_of_ms.is_none() {
            read_source(reach, source.source.clone(), false).await?;
        }
        let request = OfRegistryServer {
            source: source.source.clone(),
            server: args.name.clone(),
            version: args.version.clone(),
        };
        match reach.registry_server(request).await {
            Ok(server) => return Ok((source.source, server)),
            Err(report) => first = first.or(Some(report)),
        }
    }
    Err(first.unwrap_or_else(no_source))
}

/// The sources that are meant; none is an error.
async fn known(reach: &Reach, source: Option<String>) -> Result<Vec<RegistrySource>, Report> {
    let mut known = reach.registry_sources().await?.sources;
    if let Some(source) = source {
        let source = named(&known, &source)?;
        known.retain(|one| one.source == source);
    }
    match known.is_empty() {
        true => Err(no_source()),
        false => Ok(known),
    }
}

async fn page(
    reach: &Reach,
    source: &str,
    query: &str,
    limit: usize,
) -> Result<RegistryPage, Report> {
    let mut offset = 0;
    let mut whole: Option<RegistryPage> = None;
    loop {
        let request = SearchRegistry {
            source: source.to_owned(),
            query: query.to_owned(),
            offset,
            limit: (limit - offset).min(REGISTRY_PAGE_MAX),
        };
        let page = reach.search_registry(request).await?;
        offset += page.rows.len();
        let is_all = page.rows.is_empty() || offset >= limit.min(page.total);
        let whole = match &mut whole {
            Some(whole) => {
                whole.rows.extend(page.rows);
                whole
            }
            None => whole.insert(page),
        };
        if is_all {
            return Ok(whole.clone());
        }
    }
}

async fn read_source(reach: &Reach, source: String, anew: bool) -> Result<(), Report> {
    tell(harmless(&format!("Reading {source} …")));
    let call = CallId::try_from(format!("registry-{}", std::process::id()));
    let call =
        call.map_err(|error| Report::told(Code::RegistryUnread, &CliTrouble::Name(error.0)))?;
    let read = reach
        .read_registry(ReadRegistry { source, call, anew })
        .await?;
    tell(harmless(&source_told(&read)));
    Ok(())
}

/// The source that is named as it is listed, or as it was given.
fn named(known: &[RegistrySource], source: &str) -> Result<String, Report> {
    let whole = whole(source);
    let names = known.iter().map(|known| &known.source);
    let mut fitting = names.filter(|name| **name == source || **name == whole);
    fitting.next().cloned().ok_or_else(|| {
        let trouble = CliTrouble::NoSource(format!("{source:?}"));
        Report::told(Code::RegistryUnknown, &trouble)
    })
}

/// An address as it is, a path from its root.
fn whole(source: &str) -> String {
    if source.contains("://") {
        return source.to_owned();
    }
    let path = std::path::absolute(Path::new(source));
    path.map_or_else(|_| source.to_owned(), |path| path.display().to_string())
}

fn no_source() -> Report {
    Report::told(Code::RegistryUnknown, &CliTrouble::NoSources)
}
