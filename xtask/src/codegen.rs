//! Generates files from the API contract: the window's types, the commands that the desktop shell
//! permits, the schemas for editors, and the reference.
//!
//! All files are generated in memory first, so that `--check` and the tests can compare without
//! writing.

mod commands;
mod shape;
mod shell;
mod typescript;

use std::path::Path;

use anyhow::{Context, Result, bail};
use fs_err as fs;
use guild_api::{event, wire};
use schemars::generate::SchemaSettings;
use serde::Serialize;

use self::shape::Contract;

/// A file that is generated from the contract.
pub(crate) struct Generated {
    /// The file's path from the root of the repository.
    pub(crate) path: &'static str,
    /// The file's content.
    pub(crate) text: String,
}

/// Generates all files in memory.
pub(crate) fn generate() -> Result<Vec<Generated>> {
    let contract = read_contract()?;
    Ok(vec![
        Generated {
            path: "ui/src/ipc/bindings.ts",
            text: typescript::bindings(&contract),
        },
        Generated {
            path: "docs/commands.md",
            text: commands::reference(&contract),
        },
        Generated {
            path: "src-tauri/capabilities/main.json",
            text: shell::capability(),
        },
        Generated {
            path: "guild-members/plugin.schema.json",
            text: pretty(&guild_model::manifest::json_schema())?,
        },
        Generated {
            path: "docs/settings.schema.json",
            text: pretty(&guild_model::settings::json_schema())?,
        },
    ])
}

/// Formats a schema for editors.
fn pretty(schema: &impl Serialize) -> Result<String> {
    Ok(serde_json::to_string_pretty(schema).context("writing a schema")? + "\n")
}

/// Writes the files that differ, and prints their paths.
pub(crate) fn write(root: &Path) -> Result<()> {
    for file in drifted(root)? {
        let path = root.join(file.path);
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)?;
        }
        fs::write(&path, &file.text)?;
        println!("wrote {}", file.path);
    }
    Ok(())
}

/// Fails if files differ from the generated ones, and names them.
pub(crate) fn check(root: &Path) -> Result<()> {
    let drifted = drifted(root)?;
    if drifted.is_empty() {
        return Ok(());
    }
    let names: Vec<_> = drifted.iter().map(|file| file.path).collect();
    bail!(
        "generated files differ from the contract: {}\nhint: run `cargo xtask codegen` and commit them",
        names.join(", ")
    )
}

fn drifted(root: &Path) -> Result<Vec<Generated>> {
    Ok(generate()?
        .into_iter()
        .filter(|file| fs::read_to_string(root.join(file.path)).ok().as_ref() != Some(&file.text))
        .collect())
}

fn read_contract() -> Result<Contract> {
    // Describes the JSON that Rust serializes. A field with `None` is `null` there, so no field is
    // optional.
    let mut generator = SchemaSettings::draft2020_12()
        .for_serialize()
        .into_generator();
    let commands = wire::commands(&mut generator);
    let event = event::schema(&mut generator);
    Contract::read(&commands, &event, generator.take_definitions(true))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_committed_files_follow_from_the_contract() {
        if let Err(drift) = check(crate::root()) {
            panic!("{drift}");
        }
    }
}
