use serde_json::json;

use super::inputs::ANSWER_BYTES_MAX;
use super::*;
use guild_client_config::{LaunchSpec, NewMember, PlaceholderResolver, TextSegment, TextTemplate};
use guild_model::id::MemberName;
use guild_model::manifest::{Origin, parse};

fn plain(texts: &[&str]) -> InstallInputValue {
    InstallInputValue::Plain(texts.iter().map(|text| (*text).to_owned()).collect())
}

fn given(answers: &[(&str, InstallInputValue)]) -> InstallAnswers {
    let answer = |(key, answer): &(&str, InstallInputValue)| ((*key).to_owned(), answer.clone());
    answers.iter().map(answer).collect()
}

fn args(plan: &LaunchTemplate, answers: &InstallAnswers) -> Vec<String> {
    match plan.filled(answers).expect("filled") {
        LaunchSpec::Command { args, .. } => args.iter().map(|arg| arg.shown()).collect(),
        LaunchSpec::Url { .. } => panic!("a command"),
    }
}

fn command(args: Vec<Argument>) -> LaunchTemplate {
    LaunchTemplate::Command {
        command: TextTemplate::plain("server"),
        args,
        env: [
            ("TOKEN".to_owned(), TextTemplate::input("token")),
            ("DIRS".to_owned(), TextTemplate::input("dirs")),
        ]
        .into(),
        cwd: None,
    }
}

fn asked() -> InstallInputs {
    InstallInputs::new([
        InstallInput {
            secret: true,
            required: true,
            title: "Token".into(),
            ..InstallInput::text("token")
        },
        InstallInput {
            kind: InputKind::Folder,
            several: true,
            default: Some(json!(["/a"])),
            ..InstallInput::text("dirs")
        },
        InstallInput {
            kind: InputKind::Number {
                min: Some(1.into()),
                max: Some(9.into()),
            },
            ..InstallInput::text("limit")
        },
        InstallInput {
            choices: vec!["fast".into(), "slow".into()],
            ..InstallInput::text("mode")
        },
    ])
}

#[test]
fn install_inputs_are_one_shared_schema() {
    assert_eq!(
        asked().schema(),
        json!({
            "type": "object",
            "properties": {
                "token": {"type": "string", "minLength": 1, "writeOnly": true, "title": "Token"},
                "dirs": {
                    "type": "array", "maxItems": 100, "default": ["/a"],
                    "items": {"type": "string", "format": "directory-path", "minLength": 1}
                },
                "limit": {"type": "number", "minimum": 1, "maximum": 9},
                "mode": {"type": "string", "enum": ["fast", "slow"]}
            },
            "required": ["token"],
            "additionalProperties": false
        })
    );
}

#[test]
fn input_has_an_example_and_a_note() {
    let asked = InstallInputs::new([
        InstallInput {
            description: "Where notes are.".into(),
            example: "/home/me/notes".into(),
            ..InstallInput::text("folder")
        },
        InstallInput {
            example: "8".into(),
            ..InstallInput::text("limit")
        },
        InstallInput {
            description: "Of the service.".into(),
            secret: true,
            kept: Some("m/token".into()),
            ..InstallInput::text("token")
        },
    ]);
    let schema = asked.schema();
    let about =
        ["folder", "limit", "token"].map(|key| schema["properties"][key]["description"].clone());
    assert_eq!(
        about,
        [
            "Where notes are.\nFor example: /home/me/notes",
            "For example: 8",
            "Of the service. A value is saved. Leave this empty to keep it.",
        ]
    );
}

#[test]
fn answers_that_do_not_fit_are_told_each_at_its_place() {
    let wrong = |answers: &str| -> Vec<String> {
        let errors = asked().read(answers).expect_err("wrong");
        errors.into_iter().map(|error| error.pointer).collect()
    };
    assert_eq!(wrong("{}"), ["/token"]);
    assert_eq!(wrong(r#"{"token": ""}"#), ["/token"]);
    assert_eq!(wrong(r#"{"token": "t", "limit": 10}"#), ["/limit"]);
    assert_eq!(wrong(r#"{"token": "t", "mode": "odd"}"#), ["/mode"]);
    assert_eq!(wrong(r#"{"token": "t", "dirs": [""]}"#), ["/dirs/0"]);
    assert_eq!(wrong(r#"{"token": "a\u0000b"}"#), ["/token"]);
    let long = format!(r#"{{"token": "{}"}}"#, "x".repeat(ANSWER_BYTES_MAX + 1));
    assert_eq!(wrong(&long), ["/token"]);
    assert_eq!(wrong("[]"), [""]);
    assert_eq!(wrong(r#"{"token": "t", "other": 1}"#).len(), 1);
}

#[test]
fn missing_or_empty_input_has_no_answer() {
    let read = asked().read(r#"{"token": "t", "limit": 2, "dirs": []}"#);
    let read = read.expect("fits");
    let expected = [
        ("token", InstallInputValue::Secret("t".into())),
        ("limit", plain(&["2"])),
    ];
    assert_eq!(read, given(&expected));
    assert!(!format!("{read:?}").contains("\"t\""), "no secret is said");
}

#[test]
fn form_keeps_answers_but_no_stored_secret() {
    let before = given(&[
        ("token", InstallInputValue::Kept("m/token".into())),
        ("dirs", plain(&["/b", "/c"])),
        ("limit", plain(&["3"])),
    ]);
    let again = asked().answered(&before);
    let default = |input: &InstallInput| Some((input.key.clone(), input.default.clone()?));
    let defaults: serde_json::Map<_, _> = again.iter().filter_map(default).collect();
    assert_eq!(json!(defaults), json!({"dirs": ["/b", "/c"], "limit": 3}));
    assert_eq!(again.schema()["required"], json!([]));
    let read = again.read("{}").expect("fits");
    assert_eq!(
        read,
        given(&[("token", InstallInputValue::Kept("m/token".into()))])
    );
    let read = again.read(r#"{"token": "new"}"#).expect("fits");
    assert_eq!(
        read,
        given(&[("token", InstallInputValue::Secret("new".into()))])
    );
}

#[test]
fn missing_answer_omits_its_arguments() {
    let flag = Argument {
        words: vec![TextTemplate::plain("--limit"), TextTemplate::input("limit")],
        repeats: false,
    };
    let plan = command(vec![flag, Argument::word(TextTemplate::plain("end"))]);
    assert_eq!(args(&plan, &InstallAnswers::new()), ["end"]);
    let answers = given(&[("limit", plain(&["5"]))]);
    assert_eq!(args(&plan, &answers), ["--limit", "5", "end"]);
}

#[test]
fn several_answers_repeat_their_arguments() {
    let words = vec![TextTemplate::plain("--dir"), TextTemplate::input("dirs")];
    let answers = given(&[("dirs", plain(&["/a", "/b"]))]);
    let spread = command(vec![Argument {
        words: words.clone(),
        repeats: false,
    }]);
    assert_eq!(args(&spread, &answers), ["--dir", "/a", "/b"]);
    let repeated = command(vec![Argument {
        words,
        repeats: true,
    }]);
    assert_eq!(args(&repeated, &answers), ["--dir", "/a", "--dir", "/b"]);
    let Ok(LaunchSpec::Command { env, .. }) = spread.filled(&answers) else {
        panic!("a command");
    };
    assert_eq!(env["DIRS"].shown(), "/a,/b");
    assert!(!env.contains_key("TOKEN"), "it has no answer");
}

#[test]
fn an_address_that_lacks_an_answer_says_which() {
    let host = [
        TextSegment::Plain("https://".into()),
        TextSegment::Input("host".into()),
        TextSegment::Plain("/mcp".into()),
    ]
    .into_iter()
    .collect();
    let plan = LaunchTemplate::Url {
        url: host,
        headers: [].into(),
    };
    let missing = plan
        .filled(&InstallAnswers::new())
        .map_err(|wrong| wrong.to_string());
    assert_eq!(missing, Err("\"host\" has no answer".to_owned()));
    assert_eq!(plan.unknown_keys(&asked()), ["host"]);
    assert_eq!(plan.open().command_line(), "https://${input:host}/mcp");
}

/// Writes secrets as references, and has no other values.
struct References;

impl PlaceholderResolver for References {
    fn input(&mut self, _: &str) -> String {
        String::new()
    }

    fn secret(&mut self, name: &str, _: &str) -> String {
        format!("${{secret:m/{name}}}")
    }
}

#[test]
fn secrets_become_references_in_manifests() {
    let word = [
        TextSegment::Variable("PLUGIN_DIR".to_owned()),
        TextSegment::Plain("/at/".into()),
        TextSegment::Input("mode".into()),
    ]
    .into_iter()
    .collect();
    let plan = command(vec![Argument::word(word)]);
    let answers = given(&[
        ("token", InstallInputValue::Secret("s3cret".into())),
        ("mode", plain(&["${env:HOME}"])),
        ("dirs", InstallInputValue::Kept("m/dirs".into())),
    ]);
    let run = plan.filled(&answers).expect("filled");
    let name = MemberName::parse("m").expect("a name");
    let origin = Origin {
        from: "registry".into(),
        ..Origin::default()
    };
    let text = NewMember::new(&name, &run, origin).manifest(&mut References);
    assert!(!text.contains("s3cret"), "{text}");
    let manifest = parse(text.as_bytes(), "plugin.json").manifest;
    let written: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    assert!(manifest.is_ok(), "{manifest:?}");
    assert_eq!(written["args"], json!(["${PLUGIN_DIR}/at/$${env:HOME}"]));
    let env = json!({"DIRS": "${secret:m/dirs}", "TOKEN": "${secret:m/token}"});
    assert_eq!(written["env"], env);
}
