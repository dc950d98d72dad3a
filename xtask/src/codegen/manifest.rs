//! `guild-members/plugin.schema.json`: the manifest's schema, for editors.

use anyhow::{Context, Result};

/// The whole file.
pub(crate) fn schema() -> Result<String> {
    let schema = guild_model::manifest::json_schema();
    let mut text =
        serde_json::to_string_pretty(&schema).context("writing the manifest's schema")?;
    text.push('\n');
    Ok(text)
}
