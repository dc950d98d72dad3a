use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;
use crate::error::Code;

fn read_text(text: &str) -> ParsedSettings {
    read(text.as_bytes(), "settings.json")
}

#[track_caller]
fn good(text: &str) -> Settings {
    let read = read_text(text);
    assert_eq!(read.problems, [], "{text}");
    read.settings.expect("settings")
}

#[test]
fn unset_setting_has_its_default() {
    for text in [
        "",
        "\u{feff} \n",
        "{}",
        "{\"window\": null, \"keys\": null, \"membersDir\": null}",
    ] {
        assert_eq!(good(text), Settings::default(), "{text:?}");
    }
    let defaults = Settings::default();
    assert_eq!(defaults.limits.call_ms, 30_000);
    assert_eq!(defaults.appearance.zoom, 100);
}

#[test]
fn comments_and_trailing_commas_are_let_through() {
    let settings = good(
        "\u{feff}// mine\n{\n  \"$schema\": \"./x\", /* a */\r\n  \"appearance\": {\"zoom\": 1.25e2,},\n  \
         \"keys\": {\"palette\": \"shift+ctrl+p\", \"tools\": \"\",},\n  \"membersDir\": \"mine\",\n} // end",
    );
    assert_eq!(settings.appearance.zoom, 125);
    assert_eq!(settings.keys["palette"], "Ctrl+Shift+P");
    assert_eq!(settings.keys["tools"], "");
    assert_eq!(settings.members_dir.as_deref(), Some("mine"));
}

#[test]
fn a_mistake_names_its_place_and_takes_nothing_with_it() {
    let text = "{\n  \"limits\": \"fr\",\n  \"appearance\": {\"theme\": \"dark\", \"zoom\": 20},\n  \
                \"window\": [],\n  \"membersdir\": 1,\n  \"keys\": {\"run\": \"Hyper+K\", \"dock\": \"F6\"}\n}";
    let read = read_text(text);
    let settings = read.settings.clone().expect("the rest holds");
    assert_eq!(settings.appearance.theme, ThemeChoice::Dark);
    assert_eq!(settings.appearance.zoom, 100);
    assert_eq!(settings.keys.len(), 1);
    let told: Vec<_> = read
        .problems
        .iter()
        .map(|p| (p.effect, p.line, p.column, p.field.as_deref()))
        .collect();
    let (default, kept) = (ProblemEffect::Default, ProblemEffect::Kept);
    assert_eq!(
        told,
        [
            (default, Some(2), Some(13), Some("limits")),
            (default, Some(3), Some(43), Some("appearance.zoom")),
            (default, Some(4), Some(13), Some("window")),
            (kept, Some(5), Some(3), Some("membersdir")),
            (default, Some(6), Some(19), Some("keys.run")),
        ]
    );
    assert_eq!(read.problems[3].report.hint, "Did you mean `membersDir`?");
}

#[test]
fn unknown_action_suggests_the_intended_one() {
    let text = "{\n \"keys\": {\n  \"palete\": \"Ctrl+U\",\n  \"x\": null,\n  \"dock\": \"F6\"}}";
    let read = read_text(text);
    let settings = read.settings.expect("settings");
    assert_eq!(settings.keys.keys().collect::<Vec<_>>(), ["dock"]);
    let [near, far] = read.problems.as_slice() else {
        panic!("two: {:?}", read.problems);
    };
    for (problem, line, field) in [(near, 3, "keys.palete"), (far, 4, "keys.x")] {
        assert_eq!(problem.effect, ProblemEffect::Kept);
        assert_eq!((problem.line, problem.column), (Some(line), Some(3)));
        assert_eq!(problem.field.as_deref(), Some(field));
    }
    assert_eq!(
        near.report.message,
        "settings.json:3:3: `keys.palete` is not a known setting; it has no effect."
    );
    assert_eq!(near.report.hint, "Did you mean `keys.palette`?");
    let change = |value: Value| [SettingChange::new("keys.palete", value)];
    let refused = rewritten(text, &change(json!("F7")), "settings.json").expect_err("refused");
    assert_eq!(refused.hint, "Did you mean `keys.palette`?", "{refused}");
    let without = rewritten(text, &change(Value::Null), "settings.json").expect("taken out");
    assert!(!without.contains("palete"), "{without}");
}

#[test]
fn a_file_that_can_not_be_read_names_the_line() {
    for (text, line) in [
        ("{\n  \"membersDir\" \"de\"\n}", Some(2)),
        ("{\n\n  \"membersDir\": \"de\"", Some(3)),
        ("[]", Some(1)),
        ("{\"a\": /* never", Some(1)),
        ("{\"membersDir\": \"de\",\n\"membersDir\": \"en\"}", Some(2)),
    ] {
        let read = read_text(text);
        assert_eq!(read.settings, None, "{text}");
        assert_eq!(read.problems.len(), 1);
        assert_eq!(read.problems[0].effect, ProblemEffect::Unread);
        assert_eq!(read.problems[0].line, line, "{text}");
        assert_eq!(read.problems[0].report.code, Code::SettingsUnusable);
    }
    let deep = format!("{{\"x\": {}1{}}}", "[".repeat(600), "]".repeat(600));
    assert_eq!(read_text(&deep).settings, None);
    let long = format!("{{}}{}", " ".repeat(SETTINGS_BYTES_MAX as usize));
    assert!(
        read_text(&long).problems[0]
            .report
            .message
            .contains("bytes")
    );
    let latin = read(b"{\n\"a\": \"\xe4\"}", "settings.json");
    assert_eq!((latin.settings, latin.problems[0].line), (None, Some(2)));
}

#[test]
fn many_mistakes_are_counted() {
    let fields: Vec<String> = (0..200).map(|n| format!("\"x{n}\": 1")).collect();
    let read = read_text(&format!("{{{}}}", fields.join(",")));
    assert_eq!(read.problems.len(), PROBLEMS_MAX + 1);
    assert!(read.problems[PROBLEMS_MAX].report.message.contains("150"));
    assert_eq!(read.settings, Some(Settings::default()));
    let kept = |read: &ParsedSettings| {
        let mut effects = read.problems.iter().map(|problem| problem.effect);
        effects.all(|effect| effect == ProblemEffect::Kept)
    };
    assert!(kept(&read), "what nobody knows is kept, told or not");
    let wrong = read_text(&format!("{{{},\"limits\": 1}}", fields.join(",")));
    assert!(!kept(&wrong), "a mistake counts, told or not");
}

#[test]
fn a_change_leaves_what_was_there() {
    let text = "{\n  // at night\n  \"appearance\": { \"theme\": \"dark\" },\n  \"later\": {\"x\": [1,2]}, \n}\n";
    let change = |key: &str, value: Value| SettingChange::new(key, value);
    let changes = [
        change("appearance.theme", json!("light")),
        change("keys.zoom-in", json!("ctrl+i")),
        change("membersDir", json!("m")),
    ];
    let new = rewritten(text, &changes, "settings.json").expect("changed");
    assert!(new.starts_with(
        "{\n  // at night\n  \"appearance\": { \"theme\": \"light\" },\n  \"later\": {\"x\": [1,2]}"
    ));
    let settings = read_text(&new).settings.expect("settings");
    assert_eq!(settings.keys["zoom-in"], "Ctrl+I");
    assert_eq!(settings.appearance.theme, ThemeChoice::Light);
    assert_eq!(settings.members_dir.as_deref(), Some("m"));
    let back = rewritten(
        &new,
        &[change("keys.zoom-in", json!(null))],
        "settings.json",
    );
    let back = read_text(&back.expect("changed"))
        .settings
        .expect("settings");
    assert!(back.keys.is_empty());
}

#[test]
fn a_new_file_names_its_schema() {
    let changes = [SettingChange::new("window.onClose", "tray")];
    let new = rewritten("", &changes, "settings.json").expect("written");
    assert_eq!(
        new,
        "{\n  \"$schema\": \"./settings.schema.json\",\n  \"window\": {\n    \"onClose\": \"tray\"\n  }\n}\n"
    );
    assert_eq!(good(&new).window.on_close, OnClose::Tray);
}

#[test]
fn invalid_setting_is_not_written() {
    for (key, value, code) in [
        ("appearance.theme", json!("fr"), Code::SettingRefused),
        ("appearance.zoom", json!(301), Code::SettingRefused),
        ("keys.palette", json!("Hyper+K"), Code::SettingRefused),
        ("shortcut.palette", json!("k"), Code::SettingRefused),
        ("updates.address", json!("ftp://x"), Code::SettingRefused),
        (
            "updates.address",
            json!("http://localhost.evil"),
            Code::SettingRefused,
        ),
        ("membersDir", json!(" "), Code::SettingRefused),
        ("window", json!({}), Code::SettingUnknown),
        ("keys", json!({}), Code::SettingUnknown),
        ("keys.palete", json!("Ctrl+U"), Code::SettingUnknown),
        ("keys.zoom.in", json!("Ctrl+U"), Code::SettingUnknown),
        ("nothing", json!(null), Code::SettingUnknown),
    ] {
        let refused = rewritten("{}", &[SettingChange::new(key, value)], "settings.json");
        assert_eq!(refused.expect_err(key).code, code, "{key}");
    }
    let broken = rewritten(
        "{\n",
        &[SettingChange::new("membersDir", "m")],
        "settings.json",
    );
    let broken = broken.expect_err("broken");
    assert!(broken.message.contains("settings.json:2:1"), "{broken}");
}

#[test]
fn declaration_describes_each_setting() {
    let mut paths = Vec::new();
    let defaults = schema::as_value(&Settings::default());
    for (key, value) in defaults.as_object().expect("an object") {
        match value.as_object() {
            Some(_) if key == KEYS => {}
            Some(section) => paths.extend(section.keys().map(|inner| format!("{key}.{inner}"))),
            None => paths.push(key.clone()),
        }
    }
    let declared: Vec<&str> = fields().iter().map(|field| field.key.as_str()).collect();
    assert_eq!(paths, declared);
    let validator = jsonschema::validator_for(json_schema()).expect("a schema");
    assert!(validator.is_valid(&defaults));
    for field in fields() {
        assert_eq!(*field.default(), value_at(&defaults, &field.key));
        assert!(
            !field.doc().is_empty() && !field.title().is_empty(),
            "{}",
            field.key
        );
        let wrong = [json!([]), json!({})];
        assert!(
            wrong.iter().all(|value| field.check(value).is_err()),
            "{}",
            field.key
        );
    }
}

#[test]
fn value_outside_its_declaration_is_refused() {
    let key = crate::updates::tests::KEY;
    for (name, good, bad) in [
        ("window.tray", json!([true]), json!(["true", 1])),
        (
            "appearance.theme",
            json!(["dark", "contrast-light"]),
            json!(["other", 1]),
        ),
        (
            "appearance.zoom",
            json!([50, 300, 1e2]),
            json!([49, 301, 1.5, "100"]),
        ),
        (
            "limits.callMs",
            json!([1, 86_400_000]),
            json!([0, 86_400_001, -1]),
        ),
        (
            "gateway.port",
            json!([1024, 19_999, 30_001, 65_535]),
            json!([0, 1023, 20_000, 30_000, 65_536, 20.5, "19999"]),
        ),
        (
            "gateway.listing",
            json!(["lazy", "full", "search"]),
            json!(["", "all"]),
        ),
        (
            "membersDir",
            json!(["/a", "b c"]),
            json!(["", " ", "a\n", 1]),
        ),
        (
            "registry",
            json!([
                "https://example.com/v0.1",
                "http://127.0.0.1:9/x",
                if cfg!(windows) {
                    r"C:\servers.json"
                } else {
                    "/servers.json"
                },
            ]),
            json!(["servers.json", "http://example.com", 1]),
        ),
        (
            "updates.address",
            json!([
                "https://example.com/x",
                "http://127.0.0.1:9/x",
                "http://127.0.0.1",
                "http://localhost:9",
                "http://[::1]/x@y",
            ]),
            json!([
                "http://127.0.0.1:80@evil.com/",
                "http://127.0.0.1:@evil.com/",
                "http://127.0.0.1:80.evil.com/",
                "http://localhost@evil.com/",
                "http://example.com",
                "https://",
            ]),
        ),
        ("updates.key", json!([key]), json!(["RWQ", 1])),
        ("shortcut.palette", json!(["Ctrl+Alt+K"]), json!(["K", 1])),
        ("keys.dock", json!(["", "F6"]), json!(["Hyper+K", 1])),
    ] {
        let field = find(name).expect("a setting");
        for (values, fits) in [(good, true), (bad, false)] {
            for value in values.as_array().expect("values") {
                assert_eq!(field.check(value).is_ok(), fits, "{name} {value}");
                let names = name.rsplit('.');
                let whole = names.fold(value.clone(), |inner, key| json!({ key: inner }));
                let read = read_text(&whole.to_string());
                assert_eq!(read.problems.is_empty(), fits, "{whole}");
            }
        }
    }
}

proptest! {
    #[test]
    fn any_bytes_give_settings_or_a_reason(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        let read = read(&bytes, "settings.json");
        prop_assert!(read.settings.is_some() || !read.problems.is_empty());
    }

    /// Property: every change to a readable settings file succeeds. The generated files are almost
    /// valid.
    #[test]
    fn readable_settings_can_be_changed(
        text in r#"(\{|\}|\[|\]|:|,|"membersDir"|"appearance"|"theme"|"dark"|"zoom"|"keys"|"x"|12|null|true|//é\n|/\*c\*/| |\n){0,14}"#,
        zoom in 50_u16..=300,
    ) {
        let text = format!("{{{text}}}");
        let before = read_text(&text);
        let changes = [SettingChange::new("appearance.zoom", zoom)];
        match (before.settings, rewritten(&text, &changes, "settings.json")) {
            (Some(before), Ok(new)) => {
                let after = read_text(&new).settings.expect("it can be read");
                prop_assert_eq!(after.appearance.zoom, zoom);
                let appearance = Appearance { zoom, ..before.appearance.clone() };
                prop_assert_eq!(after, Settings { appearance, ..before });
            }
            // A section that is not an object can't contain the setting.
            (Some(_), Err(report)) => prop_assert!(report.message.contains("not an object"), "{report}"),
            (None, changed) => prop_assert!(changed.is_err()),
        }
    }
}

#[test]
fn difference_names_setting_and_values() {
    let before = good("{\"keys\": {\"dock\": \"F6\"}}");
    let after = good("{\"appearance\": {\"theme\": \"dark\"}, \"membersDir\": \"m\"}");
    let shown: Vec<_> = differences(&before, &after)
        .into_iter()
        .map(|it| (it.key, it.before, it.after))
        .collect();
    let text = |text: &str| Some(text.to_owned());
    let expected = [
        ("membersDir".to_owned(), None, text("\"m\"")),
        (
            "appearance.theme".to_owned(),
            text("\"system\""),
            text("\"dark\""),
        ),
        ("keys.dock".to_owned(), text("\"F6\""), None),
    ];
    assert_eq!(shown, expected);
    assert_eq!(differences(&after, &after), []);
}
