use proptest::prelude::*;
use serde_json::{Value, json};

use super::fields::{FIELDS, Kind};
use super::*;
use crate::error::Code;

fn read_text(text: &str) -> Read {
    read(text.as_bytes(), "settings.json")
}

#[track_caller]
fn good(text: &str) -> Settings {
    let read = read_text(text);
    assert_eq!(read.problems, [], "{text}");
    read.settings.expect("settings")
}

#[test]
fn what_is_not_set_has_its_default() {
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
    assert!(read.holds("appearance.theme"));
}

#[test]
fn an_action_that_nobody_knows_is_kept_and_told_with_the_one_that_was_meant() {
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
        "settings.json:3:3: `keys.palete` names no action; it is kept and has no effect."
    );
    assert_eq!(near.report.hint, "Did you mean `keys.palette`?");
    let change = |value: Value| [SettingChange::new("keys.palete", value)];
    let refused = rewritten(text, &change(json!("F7")), "settings.json").expect_err("refused");
    assert_eq!(refused.hint, "Did you mean `keys.palette`?", "{refused}");
    let without = rewritten(text, &change(Value::Null), "settings.json").expect("taken out");
    assert!(!without.contains("palete"), "{without}");
}

#[test]
fn no_default_is_told_of_where_none_holds() {
    let read = read_text("{\"membersDir\": 7, \"appearance\": {\"zoom\": 7}}");
    let hints = read.problems.iter().map(|problem| &problem.report.hint);
    let told: Vec<bool> = hints
        .map(|hint| hint.contains("Its default holds"))
        .collect();
    assert_eq!(told, [false, true], "{:?}", read.problems);
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
    let deep = format!("{{\"x\": {}1{}}}", "[".repeat(50), "]".repeat(50));
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
    let kept = |read: &Read| {
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
fn what_does_not_fit_is_not_written() {
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
        ("registry", json!("servers.json"), Code::SettingRefused),
        (
            "registry",
            json!("http://registry.example"),
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

/// The table, the type and the schema say the same.
#[test]
fn the_table_has_each_field_of_the_type_and_the_schema_each_of_the_table() {
    let mut paths = Vec::new();
    let defaults = serde_json::to_value(Settings::default()).expect("JSON");
    for (key, value) in defaults.as_object().expect("an object") {
        match value.as_object() {
            Some(_) if key == fields::KEYS => {}
            Some(section) => paths.extend(section.keys().map(|inner| format!("{key}.{inner}"))),
            None => paths.push(key.clone()),
        }
    }
    let table: Vec<&str> = FIELDS.iter().map(|field| field.key).collect();
    assert_eq!(paths, table);
    let validator = jsonschema::validator_for(&json_schema()).expect("a schema");
    assert!(validator.is_valid(&defaults));
    for field in FIELDS {
        for (value, fits) in tried(field.kind) {
            let checked = field.kind.check(&value).is_ok();
            assert_eq!(checked, fits, "{} {value}", field.key);
            let whole = field
                .key
                .rsplit('.')
                .fold(value, |inner, key| json!({ key: inner }));
            let read = read_text(&whole.to_string());
            assert_eq!(read.problems.is_empty(), fits, "{whole}");
            if fits {
                assert!(validator.is_valid(&whole), "{whole}");
            }
        }
    }
}

#[test]
fn the_user_guide_tells_of_each() {
    let guide = include_str!("../../../../../docs/user-guide.md");
    let (_, section) = guide.split_once("\n### Settings\n").expect("its section");
    let section = section.split("\n### ").next().unwrap_or_default();
    let rows: Vec<&str> = section
        .lines()
        .filter(|line| line.starts_with("| `"))
        .collect();
    for field in FIELDS {
        let begins = format!("| `{}` |", field.key);
        let row = rows
            .iter()
            .find(|row| row.starts_with(&begins))
            .expect(field.key);
        let ends = format!("| {} | {} |", field.doc, field.takes.words());
        assert!(row.ends_with(&ends), "{row}\n{ends}");
    }
    assert!(rows.iter().any(|row| row.contains(fields::KEYS_DOC)));
    assert_eq!(
        rows.len(),
        FIELDS.len() + 1,
        "a row for each, and one for the keys"
    );
}

fn tried(kind: Kind) -> Vec<(Value, bool)> {
    let mut tried = vec![(json!([]), false), (json!({}), false)];
    tried.extend(match kind {
        Kind::Flag => vec![(json!(true), true), (json!("true"), false)],
        Kind::Choice(words) => {
            let words = words.iter().map(|word| (json!(word), true));
            words
                .chain([(json!("other"), false), (json!(1), false)])
                .collect()
        }
        Kind::Whole(least, most) => vec![
            (json!(least), true),
            (json!(most), true),
            (json!(least - 1), false),
            (json!(most + 1), false),
            (json!(1.5), false),
            (json!("100"), false),
        ],
        Kind::Port => vec![
            (json!(1024), true),
            (json!(19_999), true),
            (json!(30_001), true),
            (json!(65_535), true),
            (json!(0), false),
            (json!(1023), false),
            (json!(20_000), false),
            (json!(30_000), false),
            (json!(65_536), false),
            (json!(20.5), false),
            (json!("19999"), false),
        ],
        Kind::Folder => vec![(json!("/a"), true), (json!(""), false), (json!(1), false)],
        Kind::Registry => vec![
            (json!("https://example.com/v0.1"), true),
            (json!("http://127.0.0.1:9/x"), true),
            (json!(std::env::temp_dir().join("servers.json")), true),
            (json!("servers.json"), false),
            (json!("http://example.com"), false),
            (json!(1), false),
        ],
        Kind::Address => vec![
            (json!("https://example.com/x"), true),
            (json!("http://127.0.0.1:9/x"), true),
            (json!("http://127.0.0.1"), true),
            (json!("http://localhost:9"), true),
            (json!("http://[::1]/x@y"), true),
            (json!("http://127.0.0.1:80@evil.com/"), false),
            (json!("http://127.0.0.1:@evil.com/"), false),
            (json!("http://127.0.0.1:80.evil.com/"), false),
            (json!("http://localhost@evil.com/"), false),
            (json!("http://example.com"), false),
            (json!("https://"), false),
        ],
        Kind::PublicKey => vec![
            (json!(crate::updates::tests::KEY), true),
            (json!("RWQ"), false),
            (json!(1), false),
        ],
        Kind::Shortcut => vec![(json!("Ctrl+Alt+K"), true), (json!("K"), false)],
    });
    tried
}

proptest! {
    #[test]
    fn any_bytes_give_settings_or_a_reason(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        let read = read(&bytes, "settings.json");
        prop_assert!(read.settings.is_some() || !read.problems.is_empty());
    }

    /// Near-settings: whatever is read can be changed, and says that then.
    #[test]
    fn what_can_be_read_can_be_changed(
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
            // A section that is no object has no place for it.
            (Some(_), Err(report)) => prop_assert!(report.message.contains("not an object"), "{report}"),
            (None, changed) => prop_assert!(changed.is_err()),
        }
    }
}
