//! The sample members, over real pipes and ports, served by the command line's own program.

use std::collections::BTreeSet;
use std::path::Path;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use guild_core::Code;
use guild_core::event::HallEvent;
use guild_core::manifest::{Lifecycle, Transport};
use guild_core::status::{Freshness, Status};
use guild_core::validate::Validator;
use guild_core::wire::{AnswerElicitation, CallEnd, ElicitationAction, MemberView, ToolDetail};
use guild_engine::Options;
use guild_tests::{LIMIT, Nonce, eventually, processes_of, wait_for};
use serde_json::{Value, json};

use crate::guildhall::guildhall_bin;
use crate::house::{House, Open, name, request, text};
use crate::offers::{self, read};

/// The samples as they stand in the repository, their processes marked.
fn house_of_samples(test: &str) -> House {
    guildhall_bin();
    let house = House::new(test);
    let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("../guild-members");
    for sample in ["gallery", "lookout", "workshop"] {
        let mut manifest = crate::house::json(&from.join(sample).join("plugin.json"));
        manifest["env"] = json!({Nonce::VARIABLE: house.nonce.as_str()});
        let folder = house.members_dir().join(sample);
        std::fs::create_dir_all(&folder).expect("a folder");
        std::fs::write(folder.join("plugin.json"), manifest.to_string()).expect("written");
    }
    house
}

async fn started(house: &House) -> Open {
    let open = house
        .open_with(Options {
            own_binary: Some(guildhall_bin().display().to_string()),
            ports: Some(house.ports()),
            ..Options::default()
        })
        .await;
    open.hall.start_all().settled().await;
    open
}

/// All tools of a member.
fn tools(open: &Open, member: &str) -> Vec<ToolDetail> {
    let listed = open.hall.member_tools(&name(member)).expect("its tools");
    assert_eq!(listed.problems, [], "{member} lists no malformed tool");
    let detail = |tool: &guild_core::wire::ToolSummary| {
        let detail = open.hall.tool_detail(&tool.member, &tool.name);
        detail.expect("the tool")
    };
    listed.tools.iter().map(detail).collect()
}

fn parsed(schema: &str) -> Value {
    serde_json::from_str(schema).expect("a schema")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_three_samples_come_up_each_in_its_own_way() {
    let house = house_of_samples("samples come up");
    let mut open = started(&house).await;
    let expected = [
        ("workshop", Transport::Http, Lifecycle::Eager, Status::Ready),
        ("gallery", Transport::Stdio, Lifecycle::Eager, Status::Ready),
        (
            "lookout",
            Transport::Http,
            Lifecycle::OnDemand,
            Status::Stopped,
        ),
    ];
    for (member, transport, lifecycle, status) in expected {
        // One that is started on demand is stopped again once its tools are known.
        let view = open.status(member, status).await;
        assert_eq!(view.transport, Some(transport));
        assert_eq!(view.lifecycle, lifecycle);
        assert!(view.tools > 3, "{view:#?}");
        assert_eq!((&view.error, &view.warnings[..]), (&None, &[][..]));
        let runs = status == Status::Ready;
        assert_eq!(view.pid.is_some(), runs, "{view:#?}");
        let has_port = runs && transport == Transport::Http;
        assert_eq!(view.port.is_some(), has_port, "{view:#?}");
    }
    eventually(LIMIT, "two processes are left", || {
        (processes_of(&house.nonce).len() == 2).then_some(())
    })
    .await;
    let result = open
        .result("lookout", "keep_watch", r#"{"seconds":0.01}"#)
        .await;
    assert_eq!(text(&result), "Watched for 0.01 seconds. All is quiet.");
    // A call does not wait until the list was read anew.
    let listed = |view: &MemberView| view.freshness == Freshness::Live;
    let view = open.shown("lookout", "its list is live", listed).await;
    assert_eq!(view.status, Status::Ready);
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_tool_is_called_with_the_examples_of_its_own_schema() {
    let house = house_of_samples("examples");
    let open = started(&house).await;
    for member in ["workshop", "gallery", "lookout"] {
        for tool in tools(&open, member) {
            let tool_name = tool.summary.name.as_str();
            let schema = parsed(&tool.input_schema);
            let examples = schema["examples"].as_array().cloned().unwrap_or_default();
            assert!(!examples.is_empty(), "{member}/{tool_name} has no example");
            for example in examples {
                let arguments = example.to_string();
                let outcome = open.outcome(member, tool_name, &arguments).await;
                match outcome.end {
                    CallEnd::Result { result, is_error } => {
                        assert_eq!(is_error, tool_name == "stumble", "{tool_name}: {result}");
                        check_result(&tool, &arguments, &parsed(&result));
                    }
                    CallEnd::Failed { report, rpc, .. } => {
                        assert_eq!(tool_name, "breakdown", "{member}: {arguments}: {report}");
                        assert_eq!(report.code, Code::RpcError);
                        let rpc = rpc.expect("the error as it was sent");
                        assert_eq!(rpc.code, -32_050);
                        assert!(rpc.data.is_some_and(|data| data.contains("east wing")));
                    }
                }
            }
        }
    }
    open.close().await;
}

/// What a tool says of its result holds; one of the workshop's has received what was sent.
fn check_result(tool: &ToolDetail, arguments: &str, result: &Value) {
    let tool_name = &tool.summary.name;
    let structured = result.get("structuredContent");
    if let Some(schema) = &tool.output_schema {
        let structured = structured.unwrap_or_else(|| panic!("{tool_name}: {result}"));
        let checked = Validator::build(&parsed(schema)).check(structured);
        assert_eq!(checked.errors, [], "{tool_name}: {structured}");
    }
    if tool.summary.member.as_str() == "workshop" {
        let received = structured.map(|structured| &structured["received"]);
        assert_eq!(received, Some(&parsed(arguments)), "{tool_name}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_gallery_shows_a_picture_a_table_and_a_failure() {
    let house = house_of_samples("gallery");
    let open = started(&house).await;
    let result = open
        .result("gallery", "painting", r#"{"sky":"noon","side":32}"#)
        .await;
    let picture = &result["content"][0];
    assert_eq!(
        (&picture["type"], &picture["mimeType"]),
        (&"image".into(), &"image/png".into())
    );
    let png = STANDARD.decode(picture["data"].as_str().expect("base64"));
    let png = png.expect("base64");
    assert!(png.starts_with(b"\x89PNG\r\n\x1a\n"), "{png:?}");
    assert_eq!(png[16..24], [0, 0, 0, 32, 0, 0, 0, 32], "32 by 32 pixels");

    let ledger = open.result("gallery", "ledger", r#"{"year":2025}"#).await;
    let rows = ledger["structuredContent"]["rows"]
        .as_array()
        .expect("rows");
    assert_eq!(rows.len(), 2, "{ledger:#}");
    assert!(
        text(&ledger).contains("Three pears"),
        "the same as text, for those who read only that: {ledger:#}"
    );

    let before = open.view("gallery");
    let stumble = open.result("gallery", "stumble", "{}").await;
    assert_eq!(stumble["isError"], true);
    assert!(text(&stumble).contains("the doorstep"));
    let view = open.view("gallery");
    assert_eq!(
        (view.status, view.error, view.pid),
        (Status::Ready, None, before.pid)
    );
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_lookout_tells_its_progress_and_a_slow_call_is_cancelled() {
    let house = house_of_samples("lookout");
    let mut open = started(&house).await;
    let climb = request("lookout", "climb_tower", r#"{"stairs":4,"pace":0.01}"#);
    let mut told = open.progress_of(climb).await;
    // The first is that the member is being started.
    let stairs: Vec<_> = (1..=4).map(|stair| (f64::from(stair), Some(4.0))).collect();
    assert_eq!(told.split_off(told.len() - 4), stairs);

    open.shown("lookout", "the climb is over", |view| view.calls == 0)
        .await;
    let watch = request("lookout", "keep_watch", r#"{"seconds":600}"#);
    let id = watch.call.clone();
    let hall = open.hall.clone();
    let running = tokio::spawn(async move { hall.invoke(watch).await });
    open.shown("lookout", "the call runs", |view| view.calls == 1)
        .await;
    open.hall.cancel_call(&id);
    let outcome = running.await.expect("an outcome");
    let CallEnd::Failed { report, .. } = outcome.end else {
        panic!("it was cancelled: {outcome:#?}");
    };
    assert_eq!(report.code, Code::CallCancelled);
    let view = open
        .shown("lookout", "it is ready for the next", |view| {
            view.calls == 0
        })
        .await;
    assert_eq!(view.error, None);
    let after = open.result("lookout", "keep_watch", r#"{"seconds":0}"#);
    assert!(text(&after.await).contains("All is quiet"));
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_workshop_has_every_kind_of_form_field() {
    let house = house_of_samples("fields");
    let open = started(&house).await;
    let mut found = BTreeSet::new();
    for tool in tools(&open, "workshop") {
        assert_eq!(tool.schema_notes, [""; 0], "nothing has to be cut");
        kinds_of(&parsed(&tool.input_schema), &mut found);
    }
    let wanted = [
        "$ref",
        "any value",
        "array",
        "array of array",
        "array of choices",
        "array of object",
        "array with bounds",
        "array without repeats",
        "boolean",
        "choice of numbers",
        "choice of several kinds",
        "choice of texts",
        "choice with titles",
        "choice, long",
        "const",
        "default",
        "default null",
        "default of a list",
        "format date",
        "format date-time",
        "format duration",
        "format email",
        "format hostname",
        "format ipv4",
        "format password",
        "format time",
        "format uri",
        "format uuid",
        "integer",
        "integer in steps",
        "integer with bounds",
        "map of number",
        "map of object",
        "map of string",
        "map with named keys",
        "nested object",
        "no fields at all",
        "nullable by anyOf",
        "nullable by type",
        "number",
        "number in steps",
        "number with bounds",
        "number with open bounds",
        "object without shape",
        "optional",
        "required",
        "several types",
        "string",
        "string with bounds",
        "string with pattern",
        "tree",
        "tuple",
        "union of kinds",
        "union told apart by a field",
        "unnamed fields allowed",
        "unnamed fields refused",
    ];
    let missing: Vec<_> = wanted
        .iter()
        .filter(|kind| !found.contains(**kind))
        .collect();
    assert!(
        missing.is_empty(),
        "missing: {missing:?}; found: {found:#?}"
    );
    open.close().await;
}

/// Walks a tool's schema and notes the kinds of field that stand in it.
fn kinds_of(schema: &Value, found: &mut BTreeSet<String>) {
    let properties = schema["properties"].as_object();
    if properties.is_some_and(serde_json::Map::is_empty) {
        found.insert("no fields at all".into());
    }
    note_object(schema, "", found);
    for (definition, value) in schema["$defs"].as_object().into_iter().flatten() {
        // A definition that leads back to itself.
        if value
            .to_string()
            .contains(&format!("#/$defs/{definition}\""))
        {
            found.insert("tree".into());
        }
        note(value, "", found);
    }
}

/// An object's own fields, and whether others are allowed.
fn note_object(schema: &Value, place: &str, found: &mut BTreeSet<String>) {
    let required: Vec<&str> = schema["required"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    for (field, value) in schema["properties"].as_object().into_iter().flatten() {
        let need = if required.contains(&field.as_str()) {
            "required"
        } else {
            "optional"
        };
        found.insert(need.into());
        note(value, place, found);
    }
    match schema.get("additionalProperties") {
        Some(Value::Bool(true)) => {
            found.insert("unnamed fields allowed".into());
        }
        Some(Value::Bool(false)) => {
            found.insert("unnamed fields refused".into());
        }
        Some(Value::Object(value)) => {
            let value = Value::Object(value.clone());
            let kind = value["type"].as_str().unwrap_or("anything");
            found.insert(format!("map of {kind}"));
            note(&value, "", found);
        }
        _ => {}
    }
}

fn note(schema: &Value, place: &str, found: &mut BTreeSet<String>) {
    let has = |key: &str| schema.get(key).is_some();
    let mut add = |kind: &str| {
        found.insert(kind.to_owned());
    };
    let kind = schema["type"].as_str().unwrap_or_default();
    let choices = schema["enum"].as_array();
    if *schema == json!(true)
        || schema.as_object().is_some_and(|words| {
            words
                .keys()
                .all(|word| matches!(word.as_str(), "title" | "description"))
        })
    {
        add("any value");
    }
    for simple in ["$ref", "const", "default"] {
        if has(simple) {
            add(simple);
        }
    }
    match schema.get("default") {
        Some(Value::Null) => add("default null"),
        Some(Value::Array(_)) => add("default of a list"),
        _ => {}
    }
    if let Some(format) = schema["format"].as_str() {
        add(&format!("format {format}"));
    }
    if let Some(choices) = choices {
        match choices {
            all if all.iter().all(Value::is_string) => add("choice of texts"),
            all if all.iter().all(Value::is_number) => add("choice of numbers"),
            _ => add("choice of several kinds"),
        }
        if choices.len() > 50 {
            add("choice, long");
        }
    }
    if let Some(types) = schema["type"].as_array() {
        let nullable = types.contains(&"null".into());
        add(if nullable {
            "nullable by type"
        } else {
            "several types"
        });
    }
    let bounded = |keys: &[&str]| keys.iter().any(|key| has(key));
    match kind {
        "string" => {
            add("string");
            if bounded(&["minLength", "maxLength"]) {
                add("string with bounds");
            }
            if has("pattern") {
                add("string with pattern");
            }
        }
        "number" | "integer" => {
            add(kind);
            if bounded(&["minimum", "maximum"]) {
                add(&format!("{kind} with bounds"));
            }
            if bounded(&["exclusiveMinimum", "exclusiveMaximum"]) {
                add(&format!("{kind} with open bounds"));
            }
            if has("multipleOf") {
                add(&format!("{kind} in steps"));
            }
        }
        "boolean" => add("boolean"),
        "array" => {
            add("array");
            if has("prefixItems") {
                add("tuple");
            }
            if bounded(&["minItems", "maxItems"]) {
                add("array with bounds");
            }
            if has("uniqueItems") {
                add("array without repeats");
            }
            let items = &schema["items"];
            if items.get("enum").is_some() {
                add("array of choices");
            }
            if let Some(of) = items["type"].as_str() {
                add(&format!("array of {of}"));
            }
            if items.is_object() {
                note(items, "", found);
            }
        }
        "object" => {
            if has("properties") {
                add("nested object");
            } else if !has("additionalProperties") {
                add("object without shape");
            }
            if has("propertyNames") {
                add("map with named keys");
            }
            note_object(schema, place, found);
        }
        _ => {}
    }
    note_union(schema, found);
}

fn note_union(schema: &Value, found: &mut BTreeSet<String>) {
    for key in ["anyOf", "oneOf"] {
        let Some(branches) = schema[key].as_array() else {
            continue;
        };
        let all = |fits: &dyn Fn(&Value) -> bool| branches.iter().all(fits);
        let kind = if branches.iter().any(|branch| branch["type"] == "null") {
            "nullable by anyOf"
        } else if all(&|branch| branch.get("const").is_some()) {
            "choice with titles"
        } else if all(&|branch| branch["properties"]["kind"].get("const").is_some()) {
            "union told apart by a field"
        } else {
            "union of kinds"
        };
        found.insert(kind.into());
        for branch in branches {
            note(branch, "", found);
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_gallery_asks_what_a_painting_shall_be_like_and_offers_resources_and_prompts() {
    let house = house_of_samples("the gallery asks and offers");
    let mut open = started(&house).await;
    let _attendance = open.hall.attend();
    let hall = open.hall.clone();
    let call = request("gallery", "commission", r#"{"patron": "the mayor"}"#);
    let running = tokio::spawn(async move { hall.invoke(call).await });
    let question = wait_for(&mut open.events, LIMIT, "a question", |told| {
        match &told.event {
            HallEvent::ElicitationAsked { elicitation } => Some(elicitation.clone()),
            _ => None,
        }
    })
    .await;
    assert_eq!(
        question.message,
        "What shall the painting for the mayor be like?"
    );
    let answer = AnswerElicitation {
        id: question.id.clone(),
        action: ElicitationAction::Accept,
        content: Some(r#"{"sky": "noon", "side": 32, "signed": false}"#.into()),
    };
    open.hall
        .answer_elicitation(answer)
        .await
        .expect("it waits");
    let CallEnd::Result { result, .. } = running.await.expect("the call").end else {
        panic!("it paints");
    };
    let result: Value = serde_json::from_str(&result).expect("JSON");
    assert_eq!(text(&result), "As you wished. A painting for the mayor.");
    let png = STANDARD.decode(result["content"][1]["data"].as_str().expect("base64"));
    assert!(png.expect("base64").starts_with(b"\x89PNG"));

    let offered = open.hall.member_offers(&name("gallery")).await;
    let offered = offered.expect("its offers");
    assert_eq!(offered.problems, []);
    for resource in &offered.resources {
        let answered = open
            .hall
            .read_resource(read("gallery", &resource.uri))
            .await;
        let content = offers::result(&answered)["contents"][0].take();
        let size = content["text"].as_str().map(|text| text.len() as u64);
        assert!(
            resource.size.is_none() || resource.size == size,
            "{resource:?}"
        );
    }
    assert_eq!(offered.templates[0].variables, ["sky"]);
    let answered = open
        .hall
        .read_resource(read("gallery", "gallery://paintings/noon"))
        .await;
    assert_eq!(
        offers::result(&answered)["contents"][0]["mimeType"],
        "image/png"
    );
    let filled = offers::prompt("gallery", &offered.prompts[0].name, &[("sky", "dawn")]);
    let answered = open.hall.get_prompt(filled).await;
    let messages = offers::result(&answered)["messages"].take();
    assert_eq!(messages[1]["content"]["type"], "resource");
    open.close().await;
}
