use serde_json::json;

use super::*;
use guild_model::manifest;
use guild_model::tool::Provenance;

fn body_of(manifest: &Value) -> Option<String> {
    let parsed = manifest::parse(manifest.to_string().as_bytes(), "plugin.json");
    prediction_body(&parsed.manifest.expect("a manifest"), "small")
}

fn outline(manifest: &Value) -> Value {
    let body: Value = serde_json::from_str(&body_of(manifest).expect("a body")).expect("JSON");
    let told = body["messages"][1]["content"].as_str().expect("a text");
    serde_json::from_str(told).expect("JSON in it")
}

fn answer(content: &Value) -> Vec<u8> {
    let choice = json!({"index": 0, "message": {"role": "assistant", "content": content}});
    json!({"id": "1", "choices": [choice]})
        .to_string()
        .into_bytes()
}

fn refused(answer: &[u8]) -> NoPrediction {
    predicted(answer).expect_err("no tools")
}

#[test]
fn prediction_request_has_no_secret_or_folder() {
    let manifest = json!({
        "name": "weather", "version": "1", "transport": "stdio",
        "description": "Reads /home/anna/notes with ghp_0123456789abcdefghij0123",
        "command": "/home/anna/.local/bin/weather-mcp",
        "args": [
            "-y", "@scope/weather@1.2", "--root=/home/anna/data", "--token", "hunter2-hunter2",
            "--mount", "/home/anna/in:/in", "C:\\Users\\anna\\x.json", "~/notes", "../up/here",
            "-e", "MODE=hunter2", "--env=MODE=hunter2", "-e", "PLAIN",
            "https://me:word@weather.example.org/v1?api_key=hunter2", "${PLUGIN_DIR}/run.js",
            "${secret:weather}", "file:///home/anna/a.db", "host:/srv/anna/b",
        ],
        "env": {"API_KEY": "hunter2", "HOME_DIR": "/home/anna", "PLAIN": "hunter2"},
    });
    let body = body_of(&manifest).expect("a body");
    for secret in ["hunter2", "anna", "ghp_", "word"] {
        assert!(!body.contains(secret), "{secret} in {body}");
    }
    assert_eq!(
        outline(&manifest),
        json!({
            "name": "weather",
            "description": "Reads .../notes with <token>",
            "command": "weather-mcp",
            "args": [
                "-y", "@scope/weather@1.2", "--root=.../data", "--token", "<token>", "--mount",
                ".../in:.../in", "C:.../x.json", ".../notes", ".../here",
                "-e", "MODE=<value>", "--env=MODE=<value>", "-e", "PLAIN",
                "https://<credentials>@weather.example.org/v1?api_key=<api_key>",
                "${PLUGIN_DIR}/run.js", "${secret:weather}", ".../a.db", "host:.../b",
            ],
            "environment": ["API_KEY", "HOME_DIR", "PLAIN"],
        })
    );
    let read: Value = serde_json::from_str(&body).expect("JSON");
    assert_eq!(
        (&read["model"], &read["stream"]),
        (&json!("small"), &json!(false))
    );
    assert_eq!(Some(body), body_of(&manifest), "the same each time");
}

#[test]
fn prediction_request_is_small_for_any_manifest() {
    let long = "x ".repeat(10_000);
    let manifest = json!({
        "name": "large", "version": "1", "transport": "stdio", "description": long,
        "command": "x", "args": vec!["y".repeat(1_000); 200],
        "env": (0..500).map(|n| (format!("V{n}"), json!("v"))).collect::<serde_json::Map<_, _>>(),
    });
    assert!(body_of(&manifest).expect("a body").len() < 24 * 1024);
    let elsewhere = json!({
        "name": "far", "version": "1", "description": "", "transport": "http",
        "url": "https://far.example.org/mcp",
    });
    assert_eq!(body_of(&elsewhere), None);
}

#[test]
fn predicted_tools_have_names_and_sentences_only() {
    let list = r#"{"tools":[{"name":"forecast","description":"Tells.","inputSchema":{"a":1}},{"name":"alerts"}]}"#;
    for content in [
        json!(list),
        json!(format!(
            "<think>hm, {{}}</think>\nHere you are:\n```json\n{list}\n```"
        )),
        json!([{"type": "text", "text": list}]),
        json!(r#"[{"name":"forecast","description":"Tells."},{"name":"alerts","description":""}]"#),
    ] {
        let found = predicted(&answer(&content)).expect("tools");
        assert_eq!(found.found, FoundBy::new(Rung::Prediction, None));
        assert_eq!(
            found.found.confidence,
            guild_model::discovery::Confidence::Guess
        );
        assert_eq!(found.found.rung.provenance(), Some(Provenance::Predicted));
        assert!(!found.found.rung.is_confirmed());
        let names: Vec<&str> = found
            .tools
            .iter()
            .map(|tool| tool.name().as_str())
            .collect();
        assert_eq!(names, ["forecast", "alerts"], "{content}");
        assert_eq!(found.tools[0].description(), "Tells.");
        assert_eq!(found.tools[0].input_schema(), &json!({"type": "object"}));
    }
}

#[test]
fn excess_and_invalid_predictions_are_reported() {
    let tools: Vec<Value> = (0..200).map(|n| json!({"name": format!("t{n}")})).collect();
    let found = predicted(&answer(&json!(json!({"tools": tools}).to_string()))).expect("tools");
    assert_eq!(found.tools.len(), PREDICTED_TOOLS_MAX);
    assert_eq!(found.problems.len(), 1);
    let tools = json!({"tools": [
        {"name": "rm -rf /"}, {"name": "ab\u{202e}c"}, {"name": "n".repeat(200)}, {"name": "good"},
        {"name": "good", "description": "d".repeat(5_000)},
    ]});
    let found = predicted(&answer(&json!(tools.to_string()))).expect("one tool");
    assert_eq!(found.tools.len(), 1);
    assert_eq!(found.problems.len(), 4);
    let long = json!({"tools": [{"name": "long", "description": "d".repeat(5_000)}]});
    let found = predicted(&answer(&json!(long.to_string()))).expect("one tool");
    assert_eq!(found.tools[0].description().len(), DESCRIPTION_MAX);
}

#[test]
fn an_answer_without_tools_says_why() {
    let choice = |choice: Value| json!({"choices": [choice]}).to_string().into_bytes();
    assert!(matches!(refused(b"<html>"), NoPrediction::NotAnAnswer(_)));
    assert!(matches!(refused(b"{}"), NoPrediction::NotAnAnswer(_)));
    assert!(matches!(
        refused(br#"{"choices":[]}"#),
        NoPrediction::NotAnAnswer(_)
    ));
    let declined = choice(json!({"message": {"content": null, "refusal": "I can't."}}));
    assert_eq!(
        refused(&declined),
        NoPrediction::Declined("I can't.".into())
    );
    let filtered = choice(json!({"message": {"content": ""}, "finish_reason": "content_filter"}));
    assert_eq!(refused(&filtered), NoPrediction::Filtered);
    let cut =
        choice(json!({"message": {"content": "{\"tools\":[{\"na"}, "finish_reason": "length"}));
    assert_eq!(refused(&cut), NoPrediction::CutOff);
    assert_eq!(
        refused(&answer(&json!("{\"tools\": [ ]}"))),
        NoPrediction::Unknown
    );
    let talk = answer(&json!("Sorry,\nI do not\u{1b}[31m know ".repeat(100)));
    let NoPrediction::NoList(said) = refused(&talk) else {
        panic!("it has no list");
    };
    assert!(said.starts_with("Sorry, I do not") && said.chars().count() <= SAID_MAX);
    assert_eq!(
        refused(&vec![b' '; PREDICTED_BYTES_MAX + 1]),
        NoPrediction::TooLarge(PREDICTED_BYTES_MAX)
    );
}

#[test]
fn mangled_prediction_gives_tools_or_reason() {
    guild_tests::mangled::each("model-answer", |bytes| match predicted(bytes) {
        Ok(found) => {
            assert!(!found.tools.is_empty() && found.tools.len() <= PREDICTED_TOOLS_MAX);
            assert_eq!(found.found.rung, Rung::Prediction);
            for tool in &found.tools {
                assert!(is_name(tool.name().as_str()), "{:?}", tool.name());
                assert!(tool.description().chars().count() <= DESCRIPTION_MAX);
                assert_eq!(tool.input_schema(), &json!({"type": "object"}));
            }
        }
        Err(none) => assert!(none.to_string().len() < 2_000, "{none}"),
    });
}
