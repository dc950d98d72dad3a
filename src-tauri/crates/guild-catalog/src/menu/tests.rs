use serde_json::{Value, json};

use super::*;
use guild_model::endpoint::AGENT_NAME_MAX;
use guild_model::tool::ToolSpec;
use guild_schema::validate::ArgumentError;
use guild_schema::validate::Validator;

fn read(tool: MenuTool, arguments: &Value) -> Result<MenuCall, String> {
    let raw = serde_json::value::to_raw_value(arguments).expect("JSON");
    tool.read(Some(&raw))
}

fn json_of(text: &str) -> Value {
    serde_json::from_str(text).expect("JSON")
}

#[test]
fn the_definitions_are_tools_under_their_names() {
    for tool in MenuTool::ALL {
        let spec = ToolSpec::from_raw(json_of(tool.definition())).expect("a tool");
        assert_eq!(spec.name().as_str(), tool.name());
        assert_eq!(MenuTool::by_name(tool.name()), Some(tool));
        assert!(tool.name().len() <= AGENT_NAME_MAX);
        assert_eq!(spec.input_schema()["type"], "object");
        let reads = !matches!(tool, MenuTool::CallWrite);
        assert_eq!(spec.hints().read_only, Some(reads), "{}", tool.name());
    }
    let names = MenuTool::ALL.map(MenuTool::name);
    assert_eq!(names, MenuTool::NAMES);
    assert_eq!(MenuTool::by_name("tools_call"), None);
}

#[test]
fn the_definitions_state_the_limits_that_hold() {
    let schema = |tool: MenuTool| json_of(tool.definition())["inputSchema"].clone();
    let limit = &schema(MenuTool::Search)["properties"]["limit"];
    assert_eq!(limit["maximum"], FOUND_MAX);
    assert_eq!(limit["default"], FOUND_DEFAULT);
    let context = &schema(MenuTool::ReadResult)["properties"]["context"];
    let (max, usual) = CONTEXT_CHARS;
    assert_eq!(
        (&context["maximum"], &context["default"]),
        (&json!(max), &json!(usual))
    );
    let names = &schema(MenuTool::DescribeBatch)["properties"]["names"];
    assert_eq!(names["maxItems"], BATCH_MAX);
}

#[test]
fn valid_menu_arguments_are_read() {
    for (tool, arguments) in [
        (MenuTool::Search, json!({"task": "make a file"})),
        (
            MenuTool::Search,
            json!({"task": "make a file", "limit": 50}),
        ),
        (MenuTool::Describe, json!({"name": "a__b"})),
        (MenuTool::DescribeBatch, json!({"names": ["a__b", "c__d"]})),
        (MenuTool::CallRead, json!({"name": "a__b"})),
        (
            MenuTool::CallWrite,
            json!({"name": "a__b", "arguments": {}}),
        ),
    ] {
        let schema = json_of(tool.definition())["inputSchema"].clone();
        let checked = Validator::build(&schema).check(&arguments);
        assert!(checked.errors.is_empty(), "{arguments}: {checked:?}");
        assert!(read(tool, &arguments).is_ok(), "{arguments}");
    }
}

#[test]
fn arguments_are_read_into_types() {
    let Ok(MenuCall::Search { task, limit }) =
        read(MenuTool::Search, &json!({"task": "x", "limit": 5.0}))
    else {
        panic!("a search");
    };
    assert_eq!((task.as_str(), limit), ("x", 5));
    let Ok(MenuCall::DescribeBatch { names }) =
        read(MenuTool::DescribeBatch, &json!({"names": ["a", "b", "a"]}))
    else {
        panic!("a batch");
    };
    assert_eq!(names, ["a", "b"], "each once");
    let text = r#"{"name":"n","arguments":{"z": 1.50,  "a":12345678901234567890123}}"#;
    let raw: Box<serde_json::value::RawValue> = serde_json::from_str(text).expect("JSON");
    let Ok(MenuCall::CallWrite { name, arguments }) = MenuTool::CallWrite.read(Some(&raw)) else {
        panic!("a call");
    };
    assert_eq!(name, "n");
    assert_eq!(
        arguments.expect("arguments").get(),
        r#"{"z": 1.50,  "a":12345678901234567890123}"#,
        "as they were written"
    );
}

#[test]
fn invalid_menu_arguments_are_explained() {
    for (tool, arguments, said) in [
        (MenuTool::Search, json!({}), "tools_search needs task."),
        (MenuTool::Search, json!([]), "takes an object"),
        (MenuTool::Search, json!({"task": " "}), "task is empty."),
        (
            MenuTool::Search,
            json!({"task": 7}),
            "task is a number, not a text.",
        ),
        (
            MenuTool::Search,
            json!({"query": "x"}),
            "has no argument \"query\"; it takes task and limit.",
        ),
        (
            MenuTool::Search,
            json!({"task": "x", "limit": 0}),
            "from 1 to 50",
        ),
        (
            MenuTool::Search,
            json!({"task": "x", "limit": "5"}),
            "from 1 to 50",
        ),
        (
            MenuTool::Describe,
            json!({"name": null}),
            "tools_describe needs name.",
        ),
        (
            MenuTool::DescribeBatch,
            json!({"names": "a"}),
            "not a list of names",
        ),
        (MenuTool::DescribeBatch, json!({"names": []}), "1 to 20"),
        (
            MenuTool::DescribeBatch,
            json!({"names": vec!["a"; 21]}),
            "1 to 20",
        ),
        (
            MenuTool::DescribeBatch,
            json!({"names": ["a", 1]}),
            "names/1 is a number",
        ),
        (
            MenuTool::CallRead,
            json!({"name": "a", "path": "x"}),
            "go in `arguments`",
        ),
        (
            MenuTool::CallRead,
            json!({"name": "a", "arguments": "{}"}),
            "not a string",
        ),
        (
            MenuTool::CallWrite,
            json!({"name": "a", "arguments": []}),
            "must be a JSON object",
        ),
    ] {
        let wrong = read(tool, &arguments).expect_err("wrong arguments");
        assert!(wrong.contains(said), "{arguments}: {wrong}");
    }
    assert!(MenuTool::Search.read(None).is_err());
}

#[test]
fn found_tools_are_lines_and_data() {
    let why = ["name: issue, create".to_owned()];
    let result = json_of(&found(
        &[FoundTool {
            name: "github__create_issue",
            summary: "Creates an issue. …",
            reads: false,
            why: &why,
            weak: false,
        }],
        1_530,
        None,
    ));
    assert_eq!(
        result["content"][0]["text"],
        "1 of 1530 tools, best first:\n\
         github__create_issue (tools_call_write): Creates an issue. …"
    );
    let first = &result["structuredContent"]["tools"][0];
    assert_eq!(first["why"][0], "name: issue, create");
    assert_eq!(first["call"], "tools_call_write");
    let weak = FoundTool {
        name: "a",
        summary: "A.",
        reads: true,
        why: &why,
        weak: true,
    };
    let result = json_of(&found(&[weak], 3, Some("words alone")));
    assert_eq!(
        result["content"][0]["text"],
        "None of the 3 tools fits well; these are weak matches. Say it in other words: a verb and \
         what it is done to.\na (tools_call_read) [weak match]: A.\nNote: words alone"
    );
    assert_eq!(result["structuredContent"]["tools"][0]["weak"], true);
    let none = json_of(&found(&[], 3, None));
    assert_eq!(none["structuredContent"]["tools"], json!([]));
    assert!(none.get("isError").is_none(), "finding nothing is a result");
}

#[test]
fn one_unknown_name_fails_no_other() {
    let names = ["git__status", "git__log", "time__now"];
    let known = ToolDescriptionResult {
        name: "git__log".into(),
        outcome: Ok(r#"{"name":"git__log","inputSchema":{}}"#.into()),
    };
    let unknown = |name: &str| ToolDescriptionResult {
        name: name.into(),
        outcome: Err(NotDescribed::unknown(
            name,
            &NearNames::of(names.into_iter()),
        )),
    };
    let (result, object) = described_batch(&[unknown("git_status"), known.clone()]);
    let result = json_of(&result);
    assert_eq!(result["structuredContent"], json_of(&object));
    assert_eq!(result["content"][0]["text"], object);
    assert_eq!(result["structuredContent"]["tools"][0]["name"], "git__log");
    let error = &result["structuredContent"]["errors"][0];
    assert_eq!(error["near"][0], "git__status");
    assert!(result.get("isError").is_none());

    let (all_failed, _) = described_batch(&[unknown("x"), unknown("y")]);
    assert_eq!(json_of(&all_failed)["isError"], true);
    assert_eq!(
        json_of(&described(&known))["structuredContent"]["name"],
        "git__log"
    );
    let failed = json_of(&described(&unknown("status")));
    assert_eq!(failed["isError"], true);
    assert_eq!(
        failed["content"][0]["text"],
        "No tool named \"status\". Near names: git__status."
    );
}

#[test]
fn wrong_arguments_are_answered_with_each_place_and_the_schema() {
    let error = |pointer: &str, message: &str| ArgumentError {
        pointer: pointer.into(),
        message: message.into(),
        keyword: "required".into(),
    };
    let schema = r#"{"type":"object","required":["repo"]}"#;
    let text = wrong_arguments(
        "github__create_issue",
        &[error("/repo", "is missing"), error("", "too few")],
        schema,
    );
    assert_eq!(
        text,
        format!(
            "The arguments do not fit github__create_issue, and it was not called:\n\
             - /repo: is missing\n- the arguments: too few\n\
             Fix them and call again. Its inputSchema:\n{schema}"
        )
    );
    let many = wrong_arguments("t", &vec![error("/x", "wrong"); 30], schema);
    assert!(many.contains("- 10 more\n"), "{many}");
}

#[test]
fn a_search_names_the_members_that_are_not_known_yet() {
    let found = found(&[], 3, None);
    assert_eq!(with_unlisted(found.clone(), &[]), found);
    let members: Vec<String> = (0..12).map(|number| format!("m{number}")).collect();
    let noted = json_of(&with_unlisted(found, &members));
    assert_eq!(noted["structuredContent"]["notKnownYet"], json!(members));
    let note = noted["content"][1]["text"].as_str().expect("a note");
    assert!(
        note.contains("m0, m1") && note.contains("m9 and 2 more"),
        "{note}"
    );
    let not = NotDescribed::unknown("m1__x", &NearNames::default());
    let text = not.while_unlisted(&members[..1]).text();
    assert!(text.contains("were never listed: m0."), "{text}");
}

#[test]
fn candidates_are_named_and_none_is_taken() {
    let near = ["a__b-c", "a__b_c"].map(str::to_owned).to_vec();
    let text = NotDescribed::several("a__b.c", near).text();
    assert!(
        text.contains("several") && text.contains("a__b-c, a__b_c"),
        "{text}"
    );
}

#[test]
fn result_parts_are_read_by_their_arguments() {
    let part = |arguments: Value| match read(MenuTool::ReadResult, &arguments) {
        Ok(MenuCall::ReadResult { part, .. }) => Ok(part),
        Ok(other) => panic!("{other:?}"),
        Err(error) => Err(error),
    };
    assert_eq!(
        part(json!({"handle": "r1-a", "offset": 5.0, "unit": "lines"})),
        Ok(ResultPart::Text {
            offset: 5,
            limit: None,
            lines: true
        })
    );
    assert_eq!(
        part(json!({"handle": "r1-a", "pointer": "", "limit": 2})),
        Ok(ResultPart::Json {
            pointer: String::new(),
            offset: 0,
            limit: Some(2)
        })
    );
    assert_eq!(
        part(json!({"handle": "r1-a", "search": "x", "regex": true, "pointer": null})),
        Ok(ResultPart::Matches {
            search: "x".into(),
            regex: true,
            context: CONTEXT_CHARS.1,
            offset: 0,
            limit: None
        })
    );
    for (arguments, error) in [
        (json!({}), "result_read needs handle."),
        (
            json!({"handle": "r", "unit": "words"}),
            "unit is \"characters\" or \"lines\".",
        ),
        (
            json!({"handle": "r", "pointer": "", "unit": "lines"}),
            "result_read with pointer has no argument \"unit\"; it takes handle and offset and \
             limit and pointer.",
        ),
        (
            json!({"handle": "r", "search": "x", "regex": 1}),
            "regex is a number, not true or false.",
        ),
        (
            json!({"handle": "r", "limit": 0}),
            "limit is a whole number from 1 to 4294967296, or left out.",
        ),
        (
            json!({"handle": "r", "search": "x".repeat(1_001)}),
            "search has at most 1000 characters.",
        ),
    ] {
        assert_eq!(part(arguments), Err(error.to_owned()));
    }
}
