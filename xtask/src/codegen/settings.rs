//! Generates `docs/settings.schema.json`, the schema of the settings for editors.

use anyhow::{Context, Result};

/// Returns the content of the whole file.
pub(crate) fn schema() -> Result<String> {
    let schema = guild_model::settings::json_schema();
    let mut text = serde_json::to_string_pretty(&schema).context("writing the settings' schema")?;
    text.push('\n');
    Ok(text)
}
