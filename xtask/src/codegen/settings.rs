//! `docs/settings.schema.json`: the settings' schema, for editors.

use anyhow::{Context, Result};

/// The whole file.
pub(crate) fn schema() -> Result<String> {
    let schema = guild_model::settings::json_schema();
    let mut text = serde_json::to_string_pretty(&schema).context("writing the settings' schema")?;
    text.push('\n');
    Ok(text)
}
