use guild_model::settings::{OnClose, SETTINGS_FILE, ThemeChoice};
use serde_json::json;

use super::*;

struct Room {
    folder: tempfile::TempDir,
}

impl Room {
    fn new() -> Self {
        Self {
            folder: tempfile::tempdir().expect("a folder"),
        }
    }

    fn open(&self) -> SettingsBook {
        let roster = Arc::new(Roster::new(String::new()));
        SettingsBook::open(self.folder.path(), roster, true)
    }

    fn write(&self, text: &str) {
        std::fs::write(self.folder.path().join(SETTINGS_FILE), text).expect("written");
    }

    fn text(&self) -> String {
        std::fs::read_to_string(self.folder.path().join(SETTINGS_FILE)).expect("it is there")
    }
}

fn to(key: &str, value: serde_json::Value) -> [SettingChange; 1] {
    [SettingChange::new(key, value)]
}

#[test]
fn a_text_that_breaks_changes_nothing_also_over_a_restart() {
    let room = Room::new();
    room.write("{\"membersDir\": \"mine\", \"appearance\": {\"theme\": \"dark\"}}");
    let book = room.open();
    room.write("{\n  \"membersDir\": \"mine\"\n  \"window\": {}\n}");
    book.reload();
    for book in [book, room.open()] {
        let state = book.state();
        assert_eq!(state.settings.appearance.theme, ThemeChoice::Dark);
        assert_eq!(state.problems.len(), 1);
        assert_eq!(state.problems[0].line, Some(3));
        let refused = book.change(&to("appearance.theme", json!("light")));
        let refused = refused.expect_err("nothing is written over it");
        assert_eq!(refused.code, Code::SettingsUnusable);
        assert!(refused.message.contains("settings.json:3:3"), "{refused}");
    }
    let dir = members_dir(room.folder.path());
    assert_eq!(
        dir,
        Some(room.folder.path().join("mine")),
        "it is known from before"
    );
}

#[test]
fn the_text_that_was_judged_is_kept_whatever_comes_after_it() {
    let room = Room::new();
    let file = SettingsFile::new(room.folder.path());
    room.write("{\"appearance\": {\"theme\": \"dark\"}}");
    let (_, text) = file.read_text();
    room.write("{\"appearance\": {");
    file.keep_copy(text.as_deref());
    let last = file.last_good().expect("a good text");
    assert_eq!(last.appearance.theme, ThemeChoice::Dark);
}

#[test]
fn unusable_members_folder_has_its_default() {
    let room = Room::new();
    for text in [
        "{\n\"membersDir\"",
        "{\"membersDir\": 5}",
        "{\"membersDir\": null}",
    ] {
        room.write(text);
        assert_eq!(members_dir(room.folder.path()), None, "{text}");
    }
}

#[test]
fn wrong_members_folder_leaves_the_last_one() {
    let room = Room::new();
    room.write("{\"membersDir\": \"mine\"}");
    drop(room.open());
    room.write("{\"membersDir\": 5, \"appearance\": {\"theme\": \"dark\"}}");
    drop(room.open());
    let dir = members_dir(room.folder.path());
    assert_eq!(dir, Some(room.folder.path().join("mine")));
}

#[test]
fn import_keeps_the_text_before_as_a_backup() {
    let room = Room::new();
    let book = room.open();
    assert_eq!(book.text().expect("a text"), "{}\n", "without a file");
    let before = "{\"appearance\": {\"theme\": \"dark\"}} // mine\n";
    room.write(before);
    let imported = "{\"window\": {\"onClose\": \"tray\"}}";
    let changed = book.replace(imported, None).expect_err("another text");
    assert_eq!(changed.code, Code::SettingsChanged);
    assert_eq!(room.text(), before);
    let seen = Some(before.as_bytes());
    book.replace(imported, seen).expect("imported");
    assert_eq!(room.text(), imported);
    let backup = room.folder.path().join("settings.backup.json");
    assert_eq!(
        std::fs::read_to_string(backup).expect("it is there"),
        before
    );
    let settings = book.state().settings;
    assert_eq!(settings.window.on_close, OnClose::Tray);
    assert_eq!(settings.appearance.theme, ThemeChoice::System);
}

#[test]
fn a_field_that_is_wrong_has_its_default_and_the_others_hold() {
    let room = Room::new();
    room.write("{\"appearance\": {\"theme\": \"xx\"}, \"window\": {\"onClose\": \"tray\"}}");
    let state = room.open().state();
    assert_eq!(state.settings.window.on_close, OnClose::Tray);
    assert_eq!(state.settings.appearance.theme, ThemeChoice::System);
    assert_eq!(state.problems[0].field.as_deref(), Some("appearance.theme"));
}

#[test]
fn a_change_keeps_what_a_person_wrote_and_is_told_once() {
    let room = Room::new();
    let text = "{\r\n\t// at night\r\n\t\"appearance\": {\"theme\": \"dark\"},\r\n\t\"mine\": [1,  2],\r\n}\r\n";
    room.write(text);
    let book = room.open();
    let mut held = book.held();
    let state = book.change(&to("appearance.theme", json!("light")));
    assert_eq!(
        state.expect("changed").settings.appearance.theme,
        ThemeChoice::Light
    );
    assert_eq!(room.text(), text.replace("dark", "light"));
    assert!(held.has_changed().expect("it is open"));
    held.mark_unchanged();
    book.reload();
    assert!(!held.has_changed().expect("it is open"), "nothing is new");
    let before = room.text();
    let all_or_none = [
        SettingChange::new("appearance.theme", "light"),
        SettingChange::new("appearance.theme", "xx"),
    ];
    let refused = book.change(&all_or_none).expect_err("one is wrong");
    assert_eq!(refused.code, Code::SettingRefused);
    assert_eq!(room.text(), before);
}

#[test]
fn a_new_file_has_its_schema_beside_it() {
    let room = Room::new();
    room.open()
        .change(&to("appearance.theme", json!("light")))
        .expect("changed");
    assert!(room.text().contains("./settings.schema.json"));
    let schema = room.folder.path().join("settings.schema.json");
    let text = std::fs::read_to_string(&schema).expect("it is there");
    let schema_read: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(schema_read["title"], "Guild Hall settings");
    // The schema of another version is updated.
    std::fs::write(&schema, "{}").expect("written");
    room.open();
    assert_eq!(std::fs::read_to_string(&schema).expect("it is there"), text);
}

#[cfg(unix)]
#[test]
fn a_link_is_followed_and_its_permissions_stay() {
    use std::os::unix::fs::PermissionsExt;
    let (room, elsewhere) = (Room::new(), Room::new());
    elsewhere.write("{\"appearance\": {\"theme\": \"dark\"}}");
    let real = elsewhere.folder.path().join(SETTINGS_FILE);
    std::fs::set_permissions(&real, std::fs::Permissions::from_mode(0o640)).expect("set");
    let link = room.folder.path().join(SETTINGS_FILE);
    std::os::unix::fs::symlink(&real, &link).expect("linked");
    let book = room.open();
    assert_eq!(
        book.file.watched_paths(),
        [link.clone(), real.canonicalize().expect("there")]
    );
    book.change(&to("appearance.theme", json!("light")))
        .expect("changed");
    assert!(link.is_symlink());
    assert_eq!(elsewhere.text(), "{\"appearance\": {\"theme\": \"light\"}}");
    let mode = std::fs::metadata(&real)
        .expect("there")
        .permissions()
        .mode();
    assert_eq!(mode & 0o777, 0o640);
    std::fs::remove_file(&real).expect("removed");
    let refused = book
        .change(&to("appearance.theme", json!("dark")))
        .expect_err("it leads nowhere");
    assert_eq!(refused.code, Code::SettingsUnusable);
}

#[test]
fn removed_settings_return_to_defaults() {
    let room = Room::new();
    room.write("{\"appearance\": {\"theme\": \"dark\"}, \"membersDir\": \"mine\"}");
    let book = room.open();
    std::fs::remove_file(room.folder.path().join(SETTINGS_FILE)).expect("removed");
    book.reload();
    assert_eq!(book.state().settings, Settings::default());
    room.write("{");
    assert_eq!(members_dir(room.folder.path()), None, "no copy is left");
}

#[tokio::test]
async fn missing_members_folder_is_reported_at_once() {
    let room = Room::new();
    std::fs::create_dir(room.folder.path().join("there")).expect("made");
    let roster = Arc::new(Roster::new(String::new()));
    let book = SettingsBook::open(room.folder.path(), Arc::clone(&roster), true);
    let mut events = roster.subscribe();
    for folder in ["there", "gone", "there"] {
        book.change(&to("membersDir", json!(folder))).expect("set");
    }
    book.change(&to("appearance.theme", json!("dark")))
        .expect("set");
    let mut warnings = Vec::new();
    loop {
        let told = events.next().await.expect("an event");
        match &told.event {
            HallEvent::Warning { report } => warnings.push(report.clone()),
            HallEvent::SettingsChanged { settings, .. }
                if settings.appearance.theme == ThemeChoice::Dark =>
            {
                break;
            }
            _ => {}
        }
    }
    let [warning] = warnings.as_slice() else {
        panic!("one: {warnings:?}");
    };
    assert_eq!(warning.code, Code::MembersFolderUnreadable);
    assert!(warning.message.contains("gone"), "{warning}");
    assert!(
        warning.hint.contains("settings set membersDir"),
        "{warning}"
    );
}

#[test]
fn programs_that_change_it_at_once_lose_nothing_of_each_other() {
    let room = Room::new();
    let schema = guild_model::settings::json_schema();
    let actions = schema["properties"]["keys"]["propertyNames"]["enum"].as_array();
    let actions = actions.expect("all actions");
    let each = |number: usize| {
        let book = room.open();
        for step in 0..10 {
            let action = actions[number * 10 + step].as_str().expect("an id");
            let key = format!("keys.{action}");
            book.change(&to(&key, json!("F6"))).expect("changed");
        }
    };
    std::thread::scope(|scope| {
        for number in 0..4 {
            scope.spawn(move || each(number));
        }
    });
    assert_eq!(room.open().state().settings.keys.len(), 40);
}

#[test]
fn mangled_settings_are_refused_or_changed_in_one_place_alone() {
    let room = Room::new();
    let book = room.open();
    guild_tests::mangled::each("settings", |bytes| {
        let path = room.folder.path().join(SETTINGS_FILE);
        std::fs::write(&path, bytes).expect("written");
        let before = room.open().state();
        let unread = |problem: &SettingsProblem| problem.effect == ProblemEffect::Unread;
        let readable = !before.problems.iter().any(unread);
        match book.change(&to("limits.callMs", json!(12_345))) {
            Ok(after) => {
                assert!(readable);
                let limits = Limits {
                    call_ms: 12_345,
                    ..before.settings.limits
                };
                assert_eq!(
                    after.settings,
                    Settings {
                        limits,
                        ..before.settings
                    }
                );
            }
            Err(report) => {
                assert_eq!(std::fs::read(&path).expect("there"), bytes, "{report}");
                assert!(
                    !readable || report.message.contains("not an object"),
                    "{report}"
                );
            }
        }
    });
}
