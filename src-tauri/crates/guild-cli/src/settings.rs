//! `guildhall settings`: reads and changes the settings, through the running hall or without one.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Args, Subcommand};
use guild_api::wire::{
    ChangeSettings, ImportSettings, Nothing, SettingsFileRef, SettingsImport, SettingsState,
};
use guild_model::settings::ImportChange;
use guild_model::settings::{
    KEYS, ProblemEffect, SettingChange, SettingsProblem, fields, find, unknown, value_at,
};
use guild_model::{Code, Report};
use serde_json::{Value, json};

use crate::engine_client::EngineClient;
use crate::terminal::{absolute, confirm, counted, is_json, print};
use crate::{eprint_line, help, print_line};

/// The setting whose change takes effect only at the next start of Guild Hall.
const MEMBERS_DIR: &str = "membersDir";

/// The arguments of `settings`. Without an action, lists all settings.
#[derive(Debug, Args)]
#[command(after_help = help::SETTINGS)]
pub(crate) struct SettingsArgs {
    #[command(subcommand)]
    action: Option<SettingsCommand>,
}

#[derive(Debug, Subcommand)]
enum SettingsCommand {
    /// Print one setting
    Get {
        /// The name of the setting, such as window.onClose
        key: String,
    },
    /// Change one setting, and keep the rest of the file
    Set {
        /// The name of the setting, such as window.onClose
        key: String,
        /// The new value; null sets the default
        value: String,
    },
    /// Print the path of the settings file
    Path,
    /// List all mistakes in the settings file. The exit code is 1 if there are any
    Check,
    /// Copy the settings file, for another machine
    Export {
        /// The file to write
        file: PathBuf,
    },
    /// Replace the settings with an exported file. Shows the changes, and asks first
    ///
    /// The previous settings are saved in settings.backup.json.
    Import {
        /// The exported file
        file: PathBuf,
        /// Import without asking. The changes are still shown
        #[arg(long)]
        yes: bool,
    },
}

impl SettingsArgs {
    /// Whether the action writes a setting of the hall.
    pub(crate) fn changes(&self) -> bool {
        matches!(
            self.action,
            Some(SettingsCommand::Set { .. } | SettingsCommand::Import { .. })
        )
    }
}

/// Lists, changes, checks, exports or imports the settings.
pub(crate) async fn settings(
    engine: &EngineClient,
    args: SettingsArgs,
) -> Result<ExitCode, Report> {
    let now = async || engine.settings(Nothing {}).await;
    match args.action {
        None => list(&now().await?),
        Some(SettingsCommand::Get { key }) => get(&now().await?, &key)?,
        Some(SettingsCommand::Set { key, value }) => set(engine, key, &value).await?,
        Some(SettingsCommand::Path) => {
            let file = now().await?.file;
            print(&json!({ "file": file }), || file.clone());
        }
        Some(SettingsCommand::Check) => return Ok(check(&now().await?)),
        Some(SettingsCommand::Export { file }) => {
            let path = engine.export_settings(of_file(&file)).await?.path;
            print(&json!({ "path": path }), || format!("Exported to {path}."));
        }
        Some(SettingsCommand::Import { file, yes }) => import(engine, &file, yes).await?,
    }
    Ok(ExitCode::SUCCESS)
}

fn list(state: &SettingsState) {
    if is_json() {
        print_line(&json!(state).to_string());
        return;
    }
    let now = json!(state.settings);
    for field in fields() {
        let value = value_at(&now, &field.key);
        let mark = match value == *field.default() {
            true => " (default)",
            false => "",
        };
        print_line(&format!("{} = {value}{mark}", field.key));
        let range = match field.range() {
            range if range.is_empty() => range,
            range => format!(" [{range}]"),
        };
        print_line(&format!("    {}{range}", field.doc()));
    }
    for (action, keys) in &state.settings.keys {
        print_line(&format!("{KEYS}.{action} = {}", json!(keys)));
    }
    for problem in &state.problems {
        eprint_line(&problem.report);
    }
}

fn get(state: &SettingsState, key: &str) -> Result<(), Report> {
    find(key).ok_or_else(|| unknown(key))?;
    let value = value_at(&json!(state.settings), key);
    print(&value, || match &value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    });
    Ok(())
}

async fn set(engine: &EngineClient, key: String, value: &str) -> Result<(), Report> {
    let value = typed(&key, value);
    let change = SettingChange::new(key.clone(), value);
    let request = ChangeSettings {
        changes: vec![change],
    };
    let state = engine.change_settings(request).await?;
    print(&state, || {
        let now = value_at(&json!(state.settings), &key);
        let mut text = format!("{key} is {now} now.");
        if key == MEMBERS_DIR {
            text += "\nGuild Hall uses this folder from its next start.";
        }
        text
    });
    warn_missing_folder(&key, &state);
    Ok(())
}

/// Warns that the new members folder does not exist. The setting is saved anyway, since the folder
/// may be on a disk that is not connected yet.
fn warn_missing_folder(key: &str, state: &SettingsState) {
    let data_dir = Path::new(&state.file).parent();
    let named = state.settings.members_dir.as_ref();
    if let (MEMBERS_DIR, Some(data_dir), Some(named)) = (key, data_dir, named) {
        let folder = data_dir.join(named);
        if !folder.is_dir() {
            let folder = folder.display().to_string();
            eprint_line(format!(
                "The folder {folder} doesn't exist. Create it before the next start."
            ));
        }
    }
}

/// Converts a value from the command line to JSON. `null` is null. The value of a text setting is
/// not changed; other values are parsed as JSON, and are text if that fails.
fn typed(key: &str, text: &str) -> Value {
    let plain = find(key).is_some_and(|field| !field.is_text());
    match (plain, text) {
        (_, "null") => Value::Null,
        (true, text) => serde_json::from_str(text).unwrap_or_else(|_| text.into()),
        (false, text) => text.into(),
    }
}

fn check(state: &SettingsState) -> ExitCode {
    let is_kept = |problem: &&SettingsProblem| problem.effect == ProblemEffect::Kept;
    let kept = state.problems.iter().filter(is_kept).count();
    let mistakes = state.problems.len() - kept;
    if is_json() {
        print_line(&json!({ "file": state.file, "problems": state.problems }).to_string());
    } else if state.problems.is_empty() {
        print_line(&format!("Nothing is wrong with {}.", state.file));
    } else {
        for problem in &state.problems {
            print_line(&problem.report.to_string());
        }
        if mistakes > 0 {
            eprint_line(counted(mistakes, "mistake", "mistakes"));
        }
        if kept > 0 {
            let (one, other) = (
                "unknown field, kept unchanged",
                "unknown fields, kept unchanged",
            );
            eprint_line(counted(kept, one, other));
        }
    }
    match mistakes {
        0 => ExitCode::SUCCESS,
        _ => ExitCode::from(1),
    }
}

async fn import(engine: &EngineClient, file: &Path, yes: bool) -> Result<(), Report> {
    let seen = engine.preview_settings_import(of_file(file)).await?;
    if !is_json() {
        show(&seen);
    }
    let is_mistake = |problem: &&SettingsProblem| problem.effect != ProblemEffect::Kept;
    if let Some(mistake) = seen.problems.iter().find(is_mistake) {
        return Err(mistake.report.clone());
    }
    if seen.changes.is_empty() {
        print(&seen, || "Nothing would change.".to_owned());
        return Ok(());
    }
    if !yes && !confirm("Import these settings?", Code::SettingRefused).await? {
        eprint_line("Nothing was imported.");
        return Ok(());
    }
    let done = engine
        .import_settings(ImportSettings {
            path: seen.path,
            hash: seen.hash,
        })
        .await?;
    print(&done, || {
        "Imported. The previous settings are in settings.backup.json.".to_owned()
    });
    Ok(())
}

fn show(import: &SettingsImport) {
    for problem in &import.problems {
        eprint_line(&problem.report);
    }
    for ImportChange { key, before, after } in &import.changes {
        let [before, after] = [before, after].map(|side| side.as_deref().unwrap_or("-"));
        print_line(&format!("{key}: {before} -> {after}"));
    }
}

fn of_file(file: &Path) -> SettingsFileRef {
    SettingsFileRef {
        path: absolute(file),
    }
}
