//! Generates `guild-members/plugin.schema.json`, the schema of the manifest for editors.

use anyhow::{Context, Result};

/// Returns the content of the whole file.
pub(crate) fn schema() -> Result<String> {
    let schema = guild_model::manifest::json_schema();
    let mut text =
        serde_json::to_string_pretty(&schema).context("writing the manifest's schema")?;
    text.push('\n');
    Ok(text)
}
