//! Shows the system's dialogs for files and folders. The engine writes the files.
//!
//! Only the window uses these dialogs, so their types are defined here and not in the API. Their
//! counterparts in `ui/src/ipc` are written by hand.

use std::path::PathBuf;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use guild_engine::GuildHall;
use guild_history::messages::HistoryError;
use guild_model::error::{Code, Report};
use serde::Deserialize;
use tauri::{Runtime, WebviewWindow};
use tauri_plugin_dialog::{DialogExt, FileDialogBuilder, FilePath};
use tokio::sync::oneshot;

/// Maximum length of a suggested name, in characters.
const NAME_MAX: usize = 120;

/// Content to save in a file that the user chooses.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SaveFile {
    /// The suggested file name. Folders in it are removed.
    suggested_name: String,
    /// The content of the file.
    content: Content,
}

/// The content of a file: text, written as UTF-8, or bytes in standard base64.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Content {
    Text(String),
    Base64(String),
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PickPath {
    kind: PickPathKind,
    /// The suggested name of a new file.
    suggested_name: Option<String>,
}

#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum PickPathKind {
    File,
    Folder,
    NewFile,
}

/// Asks the user for a path, and writes the file to it. Returns the path, or `None` if the user
/// cancels.
pub(crate) async fn save<R: Runtime>(
    window: WebviewWindow<R>,
    hall: &GuildHall,
    request: SaveFile,
) -> Result<Option<String>, Report> {
    let bytes = match request.content {
        Content::Text(text) => text.into_bytes(),
        Content::Base64(base64) => STANDARD.decode(base64).map_err(|error| {
            let trouble = HistoryError::NoBase64(error.to_string());
            Report::from_error(Code::FileUnwritable, &trouble)
        })?,
    };
    let name = Some(request.suggested_name);
    let Some(path) = ask(&window, PickPathKind::NewFile, name).await else {
        return Ok(None);
    };
    let shown = path.display().to_string();
    hall.save_file(path, bytes).await?;
    Ok(Some(shown))
}

/// Asks the user for a path. Reads and writes no file.
pub(crate) async fn pick<R: Runtime>(
    window: WebviewWindow<R>,
    request: PickPath,
) -> Option<String> {
    let path = ask(&window, request.kind, request.suggested_name).await?;
    Some(path.display().to_string())
}

/// Shows the dialog, and waits without a time limit.
async fn ask<R: Runtime>(
    window: &WebviewWindow<R>,
    kind: PickPathKind,
    name: Option<String>,
) -> Option<PathBuf> {
    let (answer, answered) = oneshot::channel::<Option<FilePath>>();
    let done = move |path| {
        // Sending fails if the caller no longer waits because the window was closed.
        let _ = answer.send(path);
    };
    let mut dialog: FileDialogBuilder<R> = window.dialog().file().set_parent(window);
    if let Some(name) = name {
        dialog = dialog.set_file_name(file_name(&name));
    }
    match kind {
        PickPathKind::File => dialog.pick_file(done),
        PickPathKind::Folder => dialog.pick_folder(done),
        PickPathKind::NewFile => dialog.save_file(done),
    }
    answered.await.ok()??.into_path().ok()
}

/// Returns a file name without folders. The suggestion may come from a server, so it is not
/// trusted.
fn file_name(suggested: &str) -> String {
    let last = suggested.rsplit(['/', '\\']).next().unwrap_or_default();
    let name: String = last
        .chars()
        .filter(|c| !c.is_control() && !r#":*?"<>|"#.contains(*c))
        .take(NAME_MAX)
        .collect();
    let name = name.trim_matches(['.', ' ']);
    if name.is_empty() { "result" } else { name }.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_suggested_name_leads_nowhere_else() {
        for (suggested, name) in [
            ("result.json", "result.json"),
            ("../../.bashrc", "bashrc"),
            (r"C:\Windows\x.dll", "x.dll"),
            ("a\u{0}b\nc", "abc"),
            ("..", "result"),
            ("", "result"),
        ] {
            assert_eq!(file_name(suggested), name, "{suggested:?}");
        }
        assert_eq!(file_name(&"x".repeat(500)).len(), NAME_MAX);
    }
}
