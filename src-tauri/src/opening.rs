//! Opens items with other programs of the system: a member's folder, manifest or log, a terminal in
//! that folder, the data folder, a crash report, or a web address.
//!
//! The page passes the name of a member or a crash report, never a path.

use std::path::{Path, PathBuf};

use guild_engine::{GuildHall, MemberLogs};
use guild_model::error::{Code, Report};
use guild_model::id::MemberName;
use serde::Deserialize;
use tauri::{AppHandle, Url, async_runtime};
use tauri_plugin_opener::OpenerExt;

/// Maximum size of a web address, in bytes.
const ADDRESS_MAX: usize = 2_048;

/// An item to open.
#[derive(Debug, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub(crate) enum Openable {
    Folder { member: MemberName },
    Manifest { member: MemberName },
    Log { member: MemberName },
    Terminal { member: MemberName },
    DataFolder,
    CrashReport { name: String },
    Address { address: String },
}

/// Opens an item.
///
/// # Errors
/// `member-unknown`, and `not-opened` if the item does not exist or the system can't open it.
pub(crate) async fn open(
    app: &AppHandle,
    hall: &GuildHall,
    openable: Openable,
) -> Result<(), Report> {
    let data_dir = PathBuf::from(hall.info().data_dir);
    let path = match openable {
        Openable::Folder { member } => hall.member_folder(&member).await?,
        Openable::Manifest { member } => hall.member_folder(&member).await?.join("plugin.json"),
        Openable::Terminal { member } => {
            let folder = hall.member_folder(&member).await?;
            return run(move || guild_engine::open_terminal(&folder).map_err(|e| e.to_string()))
                .await;
        }
        Openable::Log { member } => {
            hall.member_folder(&member).await?;
            let logs = MemberLogs::of(&data_dir);
            let newest = async_runtime::spawn_blocking(move || logs.newest_file(&member)).await;
            let newest = newest.ok().flatten();
            newest.ok_or_else(|| not_opened("the member has not written a log yet"))?
        }
        Openable::DataFolder => data_dir,
        Openable::CrashReport { name } => {
            let find = move || guild_engine::crash_report::path(&data_dir, &name);
            let found = async_runtime::spawn_blocking(find).await.ok().flatten();
            found.ok_or_else(|| not_opened("the crash report does not exist"))?
        }
        Openable::Address { address } => {
            let address = check_address(&address)?;
            return run_opener(app, address.into()).await;
        }
    };
    if !exists(&path).await {
        return Err(not_opened(&format!("{} does not exist", path.display())));
    }
    let text = path.to_str().map(str::to_owned);
    let text = text.ok_or_else(|| not_opened("the path is not valid Unicode"))?;
    run_opener(app, text).await
}

async fn exists(path: &Path) -> bool {
    let path = path.to_owned();
    let looking = async_runtime::spawn_blocking(move || path.exists());
    looking.await.unwrap_or(false)
}

async fn run_opener(app: &AppHandle, target: String) -> Result<(), Report> {
    let app = app.clone();
    run(move || {
        // The plugin can't remove variables from the environment of the program that it starts.
        if guild_engine::withholds_variables() {
            return guild_engine::open_outside(&target).map_err(|error| error.to_string());
        }
        let opened = app.opener().open_path(target, None::<&str>);
        opened.map_err(|error| error.to_string())
    })
    .await
}

async fn run(open: impl FnOnce() -> Result<(), String> + Send + 'static) -> Result<(), Report> {
    let opened = async_runtime::spawn_blocking(open).await;
    let opened = opened.unwrap_or_else(|error| Err(error.to_string()));
    opened.map_err(|why| not_opened(&why))
}

/// Parses the address of a web page. Rejects addresses with other schemes, because these may start
/// other programs.
fn check_address(address: &str) -> Result<Url, Report> {
    let is_page = |url: &Url| {
        matches!(url.scheme(), "http" | "https")
            && url.username().is_empty()
            && url.password().is_none()
    };
    let parsed = Url::parse(address).ok();
    let page = parsed.filter(|url| address.len() <= ADDRESS_MAX && is_page(url));
    page.ok_or_else(|| not_opened("the address is not a web page's"))
}

fn not_opened(why: &str) -> Report {
    let message = format!("Nothing was opened: {why}.");
    Report::new(
        Code::NotOpened,
        message,
        "Copy the path or the address and open it yourself.",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn address_of_web_page_is_accepted_alone() {
        for page in ["https://example.com/a?b#c", "http://127.0.0.1:8080/"] {
            assert!(check_address(page).is_ok(), "{page}");
        }
        for other in [
            "file:///etc/passwd",
            "javascript:alert(1)",
            "ssh://example.com",
            "https://user:secret@example.com/",
            "-https://example.com",
            "example.com",
        ] {
            let report = check_address(other).expect_err(other);
            assert_eq!(report.code, Code::NotOpened);
        }
        let long = format!("https://example.com/{}", "a".repeat(ADDRESS_MAX));
        assert!(check_address(&long).is_err());
    }

    #[test]
    fn page_can_not_name_a_path() {
        let named = r#"{"kind": "folder", "path": "/etc", "member": "../etc"}"#;
        assert!(serde_json::from_str::<Openable>(named).is_err());
    }
}
