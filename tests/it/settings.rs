//! `settings.json`: edited by hand while a hall runs, changed by programs, exported and imported.

use std::path::PathBuf;

use guild_api::event::HallEvent;
use guild_api::wire::{
    ChangeSettings, ImportSettings, SecretPlace, SetSecret, SettingsFileRef, SettingsImport,
};
use guild_engine::{GuildHallOptions, LockMode};
use guild_model::Code;
use guild_model::holder::HallRole;
use guild_model::settings::{ProblemEffect, SettingChange, Settings, SettingsProblem, ThemeChoice};
use serde_json::{Value, json};

use crate::guildhall::CliHarness;
use crate::test_env::{Open, TestEnv, put_in_place};

fn file_of(env: &TestEnv) -> PathBuf {
    std::fs::create_dir_all(env.data_dir()).expect("the data folder");
    env.data_dir().join("settings.json")
}

/// Waits for an event with matching settings.
async fn settings_changed(
    open: &mut Open,
    fits: impl Fn(&Settings, &[SettingsProblem]) -> bool,
) -> (Settings, Vec<SettingsProblem>) {
    open.events
        .find("the settings' change", |event| match event {
            HallEvent::SettingsChanged {
                settings, problems, ..
            } if fits(settings, problems) => Some((Settings::clone(settings), problems.clone())),
            _ => None,
        })
        .await
}

fn change(key: &str, value: Value) -> ChangeSettings {
    ChangeSettings {
        changes: vec![SettingChange::new(key, value)],
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn edited_settings_apply_at_once() {
    let env = TestEnv::new("settings by hand");
    let file = file_of(&env);
    let mut open = env.open().await;
    let held = open.hall.settings();

    put_in_place(&file, "{\"limits\": {\"callMs\": 1234}}");
    settings_changed(&mut open, |settings, _| settings.limits.call_ms == 1_234).await;
    assert_eq!(held.borrow().limits.call_ms, 1_234);

    put_in_place(&file, "{\n  \"limits\": {\n    \"callMs\" 5\n  }\n}");
    let (settings, problems) =
        settings_changed(&mut open, |_, problems| !problems.is_empty()).await;
    assert_eq!(settings.limits.call_ms, 1_234, "what held before goes on");
    assert_eq!(problems[0].effect, ProblemEffect::Unread);
    assert_eq!(problems[0].line, Some(3));
    let refused = open
        .hall
        .change_settings(change("appearance.theme", json!("dark")))
        .await;
    assert_eq!(refused.expect_err("broken").code, Code::SettingsUnusable);

    put_in_place(
        &file,
        "{\"limits\": {\"callMs\": 0}, \"appearance\": {\"theme\": \"dark\"}}",
    );
    let (settings, problems) = settings_changed(&mut open, |_, problems| {
        problems.iter().any(|problem| problem.field.is_some())
    })
    .await;
    assert_eq!(settings.limits.call_ms, 30_000, "its default holds");
    assert_eq!(settings.appearance.theme, ThemeChoice::Dark);
    assert_eq!(problems[0].field.as_deref(), Some("limits.callMs"));

    put_in_place(&file, "{}");
    settings_changed(&mut open, |_, problems| problems.is_empty()).await;
    assert_eq!(**held.borrow(), Settings::default());
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn settings_limit_applies_without_a_manifests() {
    let env = TestEnv::new("limits of the settings");
    env.member("open").write();
    env.member("set")
        .manifest(json!({"timeouts": {"call_ms": 4_000}}))
        .write();
    let open = env.started().await;
    let limit = |member: &str| {
        let member = guild_model::MemberName::parse(member).expect("a name");
        let tool = guild_model::ToolName::parse("add").expect("a name");
        let detail = open.hall.tool_detail(&member, &tool).expect("it is listed");
        detail.call_timeout_ms
    };
    assert_eq!((limit("open"), limit("set")), (30_000, 4_000));
    let changed = open
        .hall
        .change_settings(change("limits.callMs", json!(2_000)));
    changed.await.expect("changed");
    // The change has restarted no member.
    assert_eq!((limit("open"), limit("set")), (2_000, 4_000));
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_limit_of_the_settings_ends_what_takes_longer() {
    for (key, switches, code) in [
        (
            "startMs",
            &["--never-listen"] as &[&str],
            Code::StartTimeout,
        ),
        ("handshakeMs", &["--listen-mute"], Code::HandshakeTimeout),
        (
            "discoveryMs",
            &["--on", "tools/list", "--listen-mute"],
            Code::ListFailed,
        ),
    ] {
        let env = TestEnv::new(&format!("{key} of the settings"));
        let set = json!({"limits": {key: 600}});
        put_in_place(&file_of(&env), &set.to_string());
        let slow = env.http("slow").args(switches.iter().copied());
        slow.write();
        let mut open = env.started().await;
        let view = open.shown("slow", "an error", |view| view.error.is_some());
        let report = view.await.error.expect("an error");
        assert_eq!(report.code, code, "{key}: {report}");
        assert!(report.message.contains("within 0.6 s"), "{key}: {report}");
        open.close().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn cli_changes_settings_with_and_without_a_hall() {
    let place = CliHarness::new("guildhall settings").await;
    let file = file_of(&place.env);
    let text = "{\n  // mine\n  \"later\": {\"x\": [1,2]},\n  \"window\": { \"onClose\": \"quit\" } // now\n}\n";
    put_in_place(&file, text);
    let set = place
        .run(&["settings", "set", "window.onClose", "tray"])
        .await;
    assert_eq!(set.code, Some(0), "{set:?}");
    let after = std::fs::read_to_string(&file).expect("text");
    assert_eq!(after, text.replace("quit", "tray"));
    let got = place.run(&["settings", "get", "window.onClose"]).await;
    assert_eq!(got.stdout, "tray\n");
    for (words, code, said) in [
        (["set", "limits.callMs", "0"], 2, "setting-refused"),
        (["set", "window.onclose", "tray"], 5, "window.onClose"),
    ] {
        let words = ["settings", words[0], words[1], words[2]];
        let refused = place.run(&words).await;
        assert_eq!(refused.code, Some(code), "{refused:?}");
        assert!(refused.stderr.contains(said), "{refused:?}");
    }
    let gone = ["settings", "set", "membersDir", "not there"];
    let set = place.run(&gone).await;
    assert_eq!(set.code, Some(0), "{set:?}");
    let folder = place.env.data_dir().join("not there");
    let missing = format!("The folder {} doesn't exist", folder.display());
    assert!(set.stderr.starts_with(&missing), "{set:?}");
    std::fs::create_dir(folder).expect("made");
    let set = place.run(&gone).await;
    assert_eq!((set.code, set.stderr.as_str()), (Some(0), ""), "{set:?}");
    let set = place.run(&["settings", "set", "membersDir", "null"]).await;
    assert_eq!((set.code, set.stderr.as_str()), (Some(0), ""), "{set:?}");
    let good = place.run(&["settings", "check"]).await;
    assert_eq!(
        good.code,
        Some(0),
        "what nobody knows is no mistake: {good:?}"
    );
    assert_eq!(good.stderr, "1 unknown field, kept unchanged\n", "{good:?}");
    put_in_place(&file, "{\"appearance\": {\n\"zoom\": 5}}");
    let wrong = place.run(&["settings", "check"]).await;
    assert_eq!(wrong.code, Some(1), "{wrong:?}");
    assert!(wrong.stdout.contains("settings.json:2:9"), "{wrong:?}");
    assert_eq!(wrong.stderr, "1 mistake\n", "{wrong:?}");
    put_in_place(&file, "{\"lter\": 1, \"window\": 1, \"later\": 1}");
    let both = place.run(&["settings", "check"]).await;
    assert_eq!(both.code, Some(1), "{both:?}");
    let counted = "1 mistake\n2 unknown fields, kept unchanged\n";
    assert_eq!(both.stderr, counted, "{both:?}");
    put_in_place(&file, "{}");

    let options = GuildHallOptions {
        tenure: LockMode::Serve(HallRole::App),
        ..GuildHallOptions::default()
    };
    let mut open = place.env.open_with(options).await;
    let set = place
        .run_beside(&["settings", "set", "limits.callMs", "4321"])
        .await;
    assert_eq!(set.code, Some(0), "{set:?}");
    settings_changed(&mut open, |settings, _| settings.limits.call_ms == 4_321).await;
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn export_with_secret_is_refused() {
    const SECRET: &str = "planted-secret-5f1c";
    let env = TestEnv::new("settings with a secret");
    let copy = file_of(&env).with_file_name("copy.json");
    put_in_place(
        &file_of(&env),
        &format!("{{\"registry\": \"https://a.example/{SECRET}\"}}"),
    );
    let open = env.open().await;
    let export = || {
        open.hall.export_settings(SettingsFileRef {
            path: copy.display().to_string(),
        })
    };
    let set = SetSecret {
        name: "KEY".into(),
        value: SECRET.to_owned(),
        place: Some(SecretPlace::File),
    };
    open.hall.set_secret(set).await.expect("kept");
    let refused = export().await.expect_err("a secret");
    assert_eq!(refused.code, Code::FileUnwritable);
    assert!(!refused.message.contains(SECRET), "{refused:?}");
    assert!(!copy.exists());
    put_in_place(&file_of(&env), "{}");
    export().await.expect("exported");
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn exported_settings_are_imported_whole() {
    let (from, to) = (TestEnv::new("settings out"), TestEnv::new("settings in"));
    let copy = file_of(&from).with_file_name("copy.json");
    let of = || SettingsFileRef {
        path: copy.display().to_string(),
    };
    let text = "{\n  // mine\n  \"appearance\": {\"theme\": \"dark\"},\n  \"keys\": {\"dock\": \"F6\"},\n  \"later\": 1\n}\n";
    put_in_place(&file_of(&from), text);
    let open = from.open().await;
    open.hall.export_settings(of()).await.expect("exported");
    open.close().await;
    assert_eq!(std::fs::read_to_string(&copy).expect("text"), text);

    let open = to.open().await;
    let own = change("keys.palette", json!("F7"));
    open.hall.change_settings(own).await.expect("changed");
    let before = std::fs::read_to_string(file_of(&to)).expect("text");
    let preview = open.hall.preview_settings_import(of()).await;
    let preview = preview.expect("settings");
    let keys: Vec<_> = preview.changes.iter().map(|it| it.key.as_str()).collect();
    assert_eq!(keys, ["appearance.theme", "keys.dock", "keys.palette"]);
    assert_eq!(
        preview.problems.len(),
        1,
        "an unknown field: {:?}",
        preview.problems
    );
    let import = |hash: &str| ImportSettings {
        path: of().path,
        hash: hash.to_owned(),
    };
    let other = open.hall.import_settings(import("another")).await;
    assert_eq!(other.expect_err("another text").code, Code::SettingsChanged);

    for (wrong, code) in [
        ("{\"appearance\": {\"zoom\": 5}}", "`appearance.zoom`"),
        ("{", "wrong.json:1:2"),
        (
            "{\"guildHallSettings\": 1, \"settings\": {}}",
            "no Guild Hall settings",
        ),
    ] {
        let file = copy.with_file_name("wrong.json");
        std::fs::write(&file, wrong).expect("written");
        let path = file.display().to_string();
        let seen = open
            .hall
            .preview_settings_import(SettingsFileRef { path: path.clone() });
        let refused = match seen.await {
            Ok(SettingsImport { hash, .. }) => {
                open.hall
                    .import_settings(ImportSettings { path, hash })
                    .await
            }
            Err(report) => Err(report),
        };
        let refused = refused.expect_err(wrong);
        assert_eq!(refused.code, Code::SettingsUnusable, "{refused}");
        assert!(refused.message.contains(code), "{refused}");
        assert_eq!(std::fs::read_to_string(file_of(&to)).expect("text"), before);
    }

    let imported = open.hall.import_settings(import(&preview.hash)).await;
    imported.expect("imported");
    assert_eq!(std::fs::read_to_string(file_of(&to)).expect("text"), text);
    let backup = to.data_dir().join("settings.backup.json");
    assert_eq!(std::fs::read_to_string(backup).expect("text"), before);
    let settings = open.hall.settings().borrow().clone();
    assert_eq!(settings.keys.get("dock").map(String::as_str), Some("F6"));
    assert!(!settings.keys.contains_key("palette"));
    open.close().await;
}
