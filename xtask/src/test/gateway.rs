//! Starts a gateway for the conformance suite and for clients from other projects.

use std::time::Duration;

use anyhow::{Context, Result, ensure};
use fs_err as fs;
use serde_json::{Value, json};

use super::tally::Tally;
use crate::folder::Folder;
use crate::mark::Mark;
use crate::program::Program;
use crate::programs::Programs;
use crate::serving::Serving;
use crate::setup;

/// How long the members may take until all are ready.
const READY_LIMIT: Duration = Duration::from_secs(120);
/// Time limit of all clients together.
const CLIENTS_LIMIT: Duration = Duration::from_secs(15 * 60);

/// Starts a gateway with members that run the fixture (name, transport, switches) and waits until
/// their tools are listed. `settings` is the content of `gateway.json`.
pub(super) fn serve(
    programs: &Programs,
    members: &[(&str, &str, &[&str])],
    settings: &Value,
) -> Result<(Serving, Folder)> {
    let folder = Folder::new()?;
    for (name, transport, switches) in members {
        folder.add_fixture(&programs.fixture(), name, transport, switches)?;
    }
    let file = folder.data().join("gateway.json");
    fs::write(file, settings.to_string()).context("writing gateway.json")?;
    let guildhall = Program::new(programs.guildhall()).env("GUILD_HALL_LOG", "error");
    let mut serving = Serving::spawn(guildhall, &folder)?;
    let settled = serving.all_settled(members.len(), READY_LIMIT)?;
    ensure!(
        settled.failed.is_empty(),
        "not ready: {}",
        settled.failed.join(", ")
    );
    serving.drop_events();
    Ok((serving, folder))
}

/// Runs real clients that list, describe and call tools through a gateway, with a member for each
/// era and transport.
pub(super) fn clients(mark: &Mark, programs: &Programs, tally: &mut Tally) -> Result<()> {
    let installed = setup::clients()?;
    setup::real_servers()?;
    let members: [(&str, &str, &[&str]); 2] = [
        ("desk", "stdio", &["--asks", "--offers", "--skills"]),
        (
            "shop",
            "http",
            &[
                "--asks", "--offers", "--skills", "--era", "modern", "--answer", "sse",
            ],
        ),
    ];
    let (serving, folder) = serve(programs, &members, &json!({}))?;
    let ran = Program::new(setup::clients_node(&installed))
        .args([crate::root().join("tests/clients/run.mjs")])
        .args([&serving.address])
        .args([installed, setup::python_program("python")])
        .args([programs.guildhall(), folder.data()])
        .marked(mark)
        .limit(CLIENTS_LIMIT)
        .watched(|line| tally.read(line));
    let stopped = serving.stop();
    ran?;
    stopped
}
