//! The system's own dialogs for files. The engine writes the files.
//!
//! Only the window needs them, so their types are here and, by hand, in `ui/src/bridge`.

use std::path::PathBuf;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use guild_engine::GuildHall;
use guild_history::messages::HistoryTrouble;
use guild_model::error::{Code, Report};
use serde::Deserialize;
use tauri::{Runtime, WebviewWindow};
use tauri_plugin_dialog::{DialogExt, FileDialogBuilder, FilePath};
use tokio::sync::oneshot;

/// The longest name that is suggested, in characters.
const NAME_MAX: usize = 120;

/// Something to be saved where the user says.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SaveFile {
    /// The file's name until the user picks another; parts that lead to another folder are removed.
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

/// A question for a path.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PickPath {
    kind: PickPathKind,
    /// The name of a new file until the user picks another.
    suggested_name: Option<String>,
}

/// The purpose of a picked path.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum PickPathKind {
    File,
    Folder,
    NewFile,
}

/// Asks where to, and writes the file there. Answers with the path, or with nothing when the user
/// cancelled.
pub(crate) async fn save<R: Runtime>(
    window: WebviewWindow<R>,
    hall: &GuildHall,
    request: SaveFile,
) -> Result<Option<String>, Report> {
    let bytes = match request.content {
        Content::Text(text) => text.into_bytes(),
        Content::Base64(base64) => STANDARD.decode(base64).map_err(|error| {
            let trouble = HistoryTrouble::NoBase64(error.to_string());
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

/// Asks for a path and touches nothing.
pub(crate) async fn pick<R: Runtime>(
    window: WebviewWindow<R>,
    request: PickPath,
) -> Option<String> {
    let path = ask(&window, request.kind, request.suggested_name).await?;
    Some(path.display().to_string())
}

/// Shows the dialog, and waits for it: a user may take as long as they like.
async fn ask<R: Runtime>(
    window: &WebviewWindow<R>,
    kind: PickPathKind,
    name: Option<String>,
) -> Option<PathBuf> {
    let (answer, answered) = oneshot::channel::<Option<FilePath>>();
    let done = move |path| {
        // The window may be gone, and with it the question.
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

/// A name without a way to another folder, for a name that may come from a server.
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
