//! Helpers for tests of several modules.

use std::path::Path;

use guild_api::wire::{ArgumentCheck, CallEnd, HistoryFilter, InvokeTool, SearchHistory};
use guild_model::{CallId, Code, MemberName, ToolName};

use crate::hall::{FolderWatchMode, GuildHall, GuildHallOptions};
use guild_settings::paths::Paths;

/// Returns the two folders of a hall inside `folder`.
pub(crate) fn paths_in(folder: &Path) -> Paths {
    Paths {
        members_dir: folder.join("members"),
        data_dir: folder.join("data"),
        cache_dir: None,
    }
}

/// Opens a hall that scans its members once, and cannot start its own program.
pub(crate) async fn open_hall(paths: Paths) -> GuildHall {
    let options = GuildHallOptions {
        watch: FolderWatchMode::Once,
        own_binary: Some(String::new()),
        ..GuildHallOptions::default()
    };
    GuildHall::open(paths, options)
        .await
        .expect("the hall opens")
}

#[tokio::test]
async fn call_answers_with_an_unreadable_history() {
    let folder = tempfile::tempdir().expect("a folder");
    let paths = paths_in(folder.path());
    std::fs::create_dir_all(paths.data_dir.join("history.db")).expect("made");
    let hall = open_hall(paths).await;
    let request = InvokeTool {
        call: CallId::parse("through-the-hall").expect("an id"),
        member: MemberName::parse("nobody").expect("a name"),
        tool: ToolName::parse("nothing").expect("a name"),
        arguments: "{}".into(),
        check: ArgumentCheck::Refuse,
        timeout_ms: None,
    };
    let outcome = hall.invoke(request).await;
    let CallEnd::Failed { report, .. } = &outcome.end else {
        panic!("{outcome:?}");
    };
    assert_eq!(report.code, Code::MemberUnknown);
    let all = SearchHistory {
        filter: HistoryFilter::default(),
        before: None,
        limit: 10,
    };
    let page = hall.history().search(all).await;
    let code = page.trouble.map(|report| report.code);
    assert_eq!(code, Some(Code::HistoryUnreadable));
    hall.shutdown().await;
}
