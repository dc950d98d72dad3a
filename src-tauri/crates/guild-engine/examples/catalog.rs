//! Benchmarks the catalog: `catalog TOOLS RUNS`.
//!
//! Opens a hall whose members have cached tool lists, requests the catalog RUNS times, and prints
//! one line of JSON with times in microseconds: the first request, which parses each tool, the
//! median of the later requests, and the median time for writing a catalog as JSON. Starts no
//! member. `cargo xtask bench catalog` builds and runs this program in release mode.

use std::error::Error;
use std::path::Path;
use std::time::{Duration, Instant};

use guild_api::wire::CatalogRequest;
use guild_engine::{CACHE_FILE, FolderWatchMode, GuildHall, GuildHallOptions, Paths};
use guild_model::manifest::{config_hash, parse};
use guild_model::status::{Freshness, Status};
use serde_json::{Value, json};

/// Number of tools of one member.
const EACH: usize = 100;

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [tools, runs] = arguments.as_slice() else {
        return Err("usage: catalog TOOLS RUNS".into());
    };
    let (tools, runs): (usize, usize) = (tools.parse()?, runs.parse()?);
    let folder = tempfile::tempdir()?;
    let paths = Paths {
        members_dir: folder.path().join("members"),
        data_dir: folder.path().join("data"),
        cache_dir: None,
    };
    for number in 0..tools.div_ceil(EACH) {
        write_member(&paths.members_dir, number)?;
    }
    let options = GuildHallOptions {
        watch: FolderWatchMode::Once,
        ..GuildHallOptions::default()
    };
    let hall = GuildHall::open(paths, options).await?;
    let begun = Instant::now();
    let first_catalog = hall.catalog(CatalogRequest::default()).await?;
    let first = begun.elapsed();
    let (mut asked, mut written) = (Vec::new(), Vec::new());
    for _ in 0..runs.max(1) {
        let begun = Instant::now();
        let catalog = hall.catalog(CatalogRequest::default()).await?;
        asked.push(begun.elapsed());
        if catalog != first_catalog {
            return Err("two catalogues of the same members differ".into());
        }
        let begun = Instant::now();
        let text = serde_json::to_string(&catalog)?;
        written.push((begun.elapsed(), text.len()));
    }
    let count = first_catalog.tools.len();
    let still = |status: Status| status == Status::Stopped;
    let members = hall.roster().members;
    let from_caches = members
        .iter()
        .all(|m| still(m.status) && m.freshness == Freshness::Cached && m.tools == EACH);
    hall.shutdown().await;
    if !from_caches || count < tools {
        return Err(format!("{count} tools, not {tools}, or not from the caches").into());
    }
    let bytes = written.first().map_or(0, |(_, bytes)| *bytes);
    let written = written.into_iter().map(|(time, _)| time).collect();
    let figures = json!({
        "tools": count,
        "first_us": micros(first),
        "us": micros(median(asked)),
        "written_us": micros(median(written)),
        "bytes": bytes,
    });
    println!("{figures}");
    Ok(())
}

/// Writes a member whose command does not exist, with a tool list in its cache file.
fn write_member(members: &Path, number: usize) -> Result<(), Box<dyn Error>> {
    let name = format!("member-{number:03}");
    let folder = members.join(&name);
    std::fs::create_dir_all(&folder)?;
    let manifest = json!({
        "name": name,
        "version": "1.0.0",
        "description": "A member of the bench",
        "transport": "stdio",
        "command": "no-such-server",
    });
    let manifest = manifest.to_string();
    std::fs::write(folder.join("plugin.json"), &manifest)?;
    let parsed = parse(manifest.as_bytes(), "plugin.json").manifest?;
    let tools: Vec<Value> = (0..EACH).map(|tool| tool_of(number, tool)).collect();
    let cache = json!({
        "version": "1.0.0",
        "cachedAt": "2026-01-31T12:00:00.000Z",
        "configHash": config_hash(&parsed),
        "tools": tools,
    });
    std::fs::write(folder.join(CACHE_FILE), cache.to_string())?;
    Ok(())
}

/// Returns a tool as large as the median of real tools.
fn tool_of(member: usize, tool: usize) -> Value {
    let property = |n: usize| {
        let text = format!("What property number {n} of the tool is for, in one line.");
        (
            format!("property_{n}"),
            json!({"type": "string", "description": text}),
        )
    };
    json!({
        "name": format!("tool_{member}_{tool}"),
        "description": format!("Does number {tool} of many things. Then it says how that went."),
        "inputSchema": {
            "type": "object",
            "properties": (0..5).map(property).collect::<serde_json::Map<_, _>>(),
            "required": ["property_0"],
        },
    })
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times.get(times.len() / 2).copied().unwrap_or_default()
}

fn micros(time: Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(u64::MAX)
}
