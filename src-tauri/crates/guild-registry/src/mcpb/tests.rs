use std::cmp::Ordering;

use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;
use guild_client_config::{LaunchSpec, System};
use guild_import::install::{InstallAnswers, InstallInputValue};
use guild_text::messages::to_strings;

const FOLDER: &str = "bundle-0";

fn machine(system: System) -> Machine {
    Machine {
        system,
        home: "/home/me".into(),
        desktop: "/home/me/Desktop".into(),
        documents: "/home/me/Papers".into(),
        downloads: "/home/me/Downloads".into(),
    }
}

fn example(name: &str) -> Value {
    let own = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let file = own
        .join("../../../tests/data/corpus/mcpb-manifest")
        .join(name);
    serde_json::from_slice(&std::fs::read(file).expect("an example")).expect("JSON")
}

fn read(manifest: &Value) -> BundleManifest {
    parse(manifest.to_string().as_bytes()).expect("a manifest")
}

fn layout(system: System, files: &[&str]) -> Layout {
    let mut layout = Layout::new(system);
    for file in files {
        layout.take(file.as_bytes()).expect("a name");
    }
    layout
}

fn planned(manifest: &Value, system: System, files: &[&str]) -> Result<Planned, String> {
    let planned = read(manifest).plan(&machine(system), &layout(system, files), FOLDER);
    planned.map_err(|wrong| wrong.to_string())
}

fn given(answers: &[(&str, &[&str])]) -> InstallAnswers {
    let texts = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect();
    let answer = |(key, answer): &(&str, &[&str])| {
        ((*key).to_owned(), InstallInputValue::Plain(texts(answer)))
    };
    answers.iter().map(answer).collect()
}

/// Returns the command, its arguments and its variables for display.
fn runs(planned: &Planned, given: &InstallAnswers) -> (Vec<String>, Vec<String>) {
    match planned.plan.filled(given).expect("it runs") {
        LaunchSpec::Command {
            command, args, env, ..
        } => {
            let words = std::iter::once(&command).chain(&args);
            let env = env
                .iter()
                .map(|(name, value)| format!("{name}={}", value.shown()));
            (words.map(|word| word.shown()).collect(), env.collect())
        }
        LaunchSpec::Url { .. } => panic!("a command"),
    }
}

#[test]
fn node_bundle_runs_with_its_answers() {
    let planned = planned(&example("node.json"), System::Linux, &["server/index.js"]);
    let planned = planned.expect("planned");
    let mut answers = given(&[
        ("verbose", &["true"]),
        ("limit", &["3"]),
        ("folders", &["/a", "/b"]),
    ]);
    answers.insert("api_key".into(), InstallInputValue::Secret("k3y".into()));
    let (command, env) = runs(&planned, &answers);
    let expected = [
        "node",
        "${PLUGIN_DIR}/bundle-0/server/index.js",
        "--verbose=true",
        "--limit",
        "3",
        "/a",
        "/b",
    ];
    assert_eq!(command, expected);
    let expected = [
        "API_KEY=•••",
        "CACHE=/home/me/.cache",
        "FOLDERS=/a,/b",
        "MODE=fast",
    ];
    assert_eq!(env, expected);
    assert_eq!(planned.program, None, "node is not of the bundle");
    assert_eq!(planned.unfit, None);
    let notes = ["Several answers are joined by commas in \"FOLDERS\"."];
    assert_eq!(to_strings(&planned.notes), notes);
}

#[test]
fn unanswered_input_drops_its_flag() {
    let planned = planned(&example("node.json"), System::Linux, &["server/index.js"]);
    let planned = planned.expect("planned");
    let (command, env) = runs(&planned, &given(&[("folders", &["/a"])]));
    assert_eq!(
        command,
        ["node", "${PLUGIN_DIR}/bundle-0/server/index.js", "/a"]
    );
    assert_eq!(env, ["CACHE=/home/me/.cache", "FOLDERS=/a", "MODE=fast"]);
}

#[test]
fn bundle_inputs_schema_has_local_folders() {
    let planned = planned(&example("node.json"), System::Linux, &["server/index.js"]);
    let schema = planned.expect("planned").inputs.schema();
    assert_eq!(schema["required"], json!(["api_key", "folders"]));
    assert_eq!(schema["properties"]["api_key"]["writeOnly"], json!(true));
    let folders = &schema["properties"]["folders"];
    assert_eq!(
        folders["default"],
        json!(["/home/me/Desktop", "/home/me/Papers"])
    );
    assert_eq!(folders["items"]["format"], json!("directory-path"));
    let limit = &schema["properties"]["limit"];
    assert_eq!(
        (&limit["minimum"], &limit["maximum"]),
        (&json!(1), &json!(14))
    );
    let config = &schema["properties"]["config"];
    assert_eq!(config.get("default"), None, "an empty text is no answer");
}

#[test]
fn secret_name_marks_a_bundle_answer() {
    let mut manifest = example("python.json");
    manifest["user_config"] = json!({
        "access_token": {"type": "string", "title": "T", "description": ""},
        "token_count": {"type": "number", "title": "N", "description": ""},
    });
    let planned = planned(&manifest, System::Linux, &["server/main.py"]).expect("planned");
    let secret: Vec<&str> = planned
        .inputs
        .iter()
        .filter(|input| input.secret)
        .map(|input| input.key.as_str())
        .collect();
    assert_eq!(secret, ["access_token"]);
}

#[test]
fn bundle_program_runs_from_its_folder() {
    let files = ["server/tool", "server/tool.exe", "server/config.json"];
    let linux = planned(&example("binary.json"), System::Linux, &files).expect("planned");
    let (command, _) = runs(&linux, &InstallAnswers::new());
    let expected = [
        "${PLUGIN_DIR}/bundle-0/server/tool",
        "--config",
        "server/config.json",
    ];
    assert_eq!(command, expected);
    assert_eq!(linux.program.as_deref(), Some("server/tool"));
    let unfit = "The bundle is made for macOS and Windows, but this system is Linux.";
    assert_eq!(linux.unfit.expect("for others").to_string(), unfit);
    let Ok(LaunchSpec::Command { cwd, .. }) = linux.plan.filled(&InstallAnswers::new()) else {
        panic!("a command");
    };
    let cwd = cwd.map(|cwd| cwd.shown());
    assert_eq!(
        cwd.as_deref(),
        Some("${PLUGIN_DIR}/bundle-0"),
        "paths begin there"
    );

    let windows = planned(&example("binary.json"), System::Windows, &files).expect("planned");
    let (command, _) = runs(&windows, &InstallAnswers::new());
    assert_eq!(command[0], "${PLUGIN_DIR}/bundle-0/server/tool.exe");
    assert_eq!(command[2], "server/config-windows.json");
    assert_eq!(windows.unfit, None);
    let mac = planned(&example("binary.json"), System::MacOs, &files).expect("planned");
    let (_, env) = runs(&mac, &InstallAnswers::new());
    assert_eq!(env, ["DYLD_LIBRARY_PATH=server/lib"]);
}

#[test]
fn a_program_that_is_not_in_the_bundle_is_refused() {
    for command in [
        "server/tool",
        "${__dirname}/server/tool",
        "./x",
        "../../bin/sh",
    ] {
        let mut manifest = example("binary.json");
        manifest["server"]["mcp_config"]["command"] = command.into();
        let wrong = planned(&manifest, System::Linux, &["manifest.json"]).expect_err("refused");
        assert!(
            wrong.ends_with("is not in the bundle"),
            "{command}: {wrong}"
        );
    }
    let uv = planned(&example("uv.json"), System::Linux, &["manifest.json"]);
    assert!(uv.expect_err("refused").ends_with("is not in the bundle"));
}

#[test]
fn a_bundle_for_uv_without_a_command_is_run_by_uv_in_its_folder() {
    let planned = planned(&example("uv.json"), System::Linux, &["src/server.py"]);
    let (command, _) = runs(&planned.expect("planned"), &InstallAnswers::new());
    let expected = [
        "uv",
        "run",
        "--directory",
        "${PLUGIN_DIR}/bundle-0",
        "src/server.py",
    ];
    assert_eq!(command, expected);
}

#[test]
fn unknown_bundle_variable_is_kept_and_noted() {
    let mut manifest = example("odd.json");
    manifest["server"]["mcp_config"]["args"] = json!(["${unknown}", "${", "${user_config.gone}"]);
    let planned = planned(&manifest, System::Linux, &["missing.js"]).expect("planned");
    let (command, _) = runs(&planned, &InstallAnswers::new());
    assert_eq!(command, ["node", "${unknown}", "${"]);
    let notes = to_strings(&planned.notes).join("\n");
    assert!(
        notes.contains("${unknown} is not a variable of MCPB bundles"),
        "{notes}"
    );
    assert!(
        notes.contains("the setting \"gone\", which it doesn't declare"),
        "{notes}"
    );
}

#[test]
fn only_descriptive_bundle_faults_are_ignored() {
    let odd = read(&example("odd.json"));
    assert_eq!(odd.about.description, "");
    assert_eq!(odd.about.tools.len(), 1);
    let notes = to_strings(&odd.notes).join("\n");
    for part in [
        "\"0.9\"",
        "description is a number",
        "2 of its tools",
        "prompts is not a list",
    ] {
        assert!(notes.contains(part), "{part}: {notes}");
    }
    let wrong = |change: fn(&mut Value)| {
        let mut manifest = example("node.json");
        change(&mut manifest);
        let wrong = parse(manifest.to_string().as_bytes()).expect_err("refused");
        wrong.to_string()
    };
    for (change, expected) in [
        ((|m| m["name"] = json!("")) as fn(&mut Value), "has no name"),
        (|m| m["server"]["type"] = json!("ruby"), "use node, python"),
        (
            |m| m["server"]["mcp_config"] = json!(null),
            "has no server.mcp_config",
        ),
        (
            |m| m["server"]["mcp_config"]["args"] = json!("x"),
            "server.mcp_config.args is a string",
        ),
        (
            |m| m["server"]["mcp_config"]["args"][1] = json!(3),
            "server.mcp_config.args[1] is a number",
        ),
        (
            |m| m["server"]["mcp_config"]["env"]["A=B"] = json!("x"),
            "an invalid variable name",
        ),
        (
            |m| m["user_config"]["limit"]["type"] = json!("date"),
            "unknown type \"date\"",
        ),
        (
            |m| m["manifest_version"] = json!(null),
            "has no manifest_version",
        ),
    ] {
        let wrong = wrong(change);
        assert!(wrong.contains(expected), "{expected}: {wrong}");
    }
    let twice = parse(br#"{"name": "a", "name": "b"}"#).expect_err("refused");
    assert!(twice.to_string().contains("can't be read"), "{twice}");
}

#[test]
fn a_name_that_leads_elsewhere_or_means_another_file_is_refused() {
    for (name, expected) in [
        ("../evil", "points to another folder"),
        ("a/../../evil", "points to another folder"),
        ("./a", "points to another folder"),
        ("/etc/passwd", "is an absolute path"),
        ("", "has a part without a name"),
        ("a//b", "has a part without a name"),
        ("C:/evil", "names a drive"),
        ("a/c:evil", "names a drive"),
        ("a\\..\\evil", "has a backslash"),
        ("a\nb", "an invisible character"),
        ("a\u{202e}gpj.exe", "an invisible character"),
        ("a\0b", "an invisible character"),
        ("dir /b", "ends in a dot or a space"),
        ("a.", "ends in a dot or a space"),
        ("con", "is a device name"),
        ("a/NUL.txt", "is a device name"),
        ("Com1", "is a device name"),
        ("lpt9.tar.gz", "is a device name"),
    ] {
        let wrong = Layout::new(System::Linux).take(name.as_bytes());
        let wrong = wrong.expect_err("refused").to_string();
        assert!(wrong.contains(expected), "{name:?}: {wrong}");
    }
    assert!(Layout::new(System::Linux).take(b"\xff").is_err());
    let long = "x".repeat(256);
    assert!(Layout::new(System::Linux).take(long.as_bytes()).is_err());
    let deep = "a/".repeat(60);
    assert!(Layout::new(System::Linux).take(deep.as_bytes()).is_err());
    assert!(Layout::new(System::Linux).take(b"a?b").is_ok());
    assert!(Layout::new(System::Windows).take(b"a?b").is_err());
    for name in [
        "console.js",
        "a.b/nullable",
        "com10",
        "auxiliary",
        "ein Löwe.txt",
    ] {
        assert!(
            Layout::new(System::Windows).take(name.as_bytes()).is_ok(),
            "{name}"
        );
    }
}

#[test]
fn names_that_would_meet_in_one_file_are_refused() {
    for (first, second) in [
        ("a", "a"),
        ("README", "readme"),
        ("Lib/a", "lib/b"),
        ("a", "a/b"),
        ("a/b", "a"),
        ("a/", "a"),
    ] {
        let mut layout = Layout::new(System::Linux);
        layout.take(first.as_bytes()).expect("the first");
        assert!(
            layout.take(second.as_bytes()).is_err(),
            "{first} and {second}"
        );
    }
    let mut layout = Layout::new(System::Linux);
    for name in ["a/", "a/b/", "a/b/c", "a/d", "e/f"] {
        layout
            .take(name.as_bytes())
            .expect("fine beside the others");
    }
    assert!(layout.has_file("a/d") && !layout.has_file("a/b") && !layout.has_file("A/d"));
}

#[test]
fn versions_are_compared_as_their_makers_mean_it() {
    for (one, other, order) in [
        ("1.2.0", "1.10.0", Some(Ordering::Less)),
        ("1.0.0", "1.0.0-rc.1", Some(Ordering::Greater)),
        ("1.0.0-rc.2", "1.0.0-rc.10", Some(Ordering::Less)),
        ("v1.0.0+a", "1.0.0+b", Some(Ordering::Equal)),
        ("1.0", "1.0.0", None),
        ("new", "1.0.0", None),
    ] {
        assert_eq!(compared(one, other), order, "{one} and {other}");
    }
}

proptest! {
    #[test]
    fn any_file_name_stays_below_its_folder(
        names in prop::collection::vec(r"[a-bA-B./\\: ~-]{0,9}|[\x00-\x20a-c/\u{202e}é]{0,6}", 1..12)
    ) {
        let mut layout = Layout::new(System::OWN);
        let mut taken: Vec<(String, BundleEntryKind)> = Vec::new();
        for name in &names {
            let Ok((path, kind)) = layout.take(name.as_bytes()) else { continue };
            let whole = std::path::Path::new("/root").join(path.as_str());
            let plain = |part: std::path::Component<'_>| {
                matches!(part, std::path::Component::RootDir | std::path::Component::Normal(_))
            };
            prop_assert!(whole.starts_with("/root") && whole.components().all(plain), "{name:?}");
            prop_assert_eq!(whole.components().count(), 2 + path.names().count());
            for (other, of_kind) in &taken {
                let same = other.to_lowercase() == path.as_str().to_lowercase();
                let folders = kind == BundleEntryKind::Folder && *of_kind == BundleEntryKind::Folder;
                prop_assert!(!same || (folders && other == path.as_str()), "{other:?} {name:?}");
            }
            taken.push((path.as_str().to_owned(), kind));
        }
    }
}
