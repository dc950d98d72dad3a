//! Tests that rules for tools and containers carry over to the export.

use super::*;

#[test]
fn withheld_tools_are_denied_in_exports() {
    let held = BTreeMap::from([
        ("time", vec!["zones", "next"]),
        ("own", vec!["run"]),
        ("maps", vec![]),
    ]);
    let exported = exported_with(&manifests(), held, TeamTarget::Compose);
    let gateway = exported
        .files
        .iter()
        .find(|file| file.path == "config/gateway.json");
    let gateway: Value = serde_json::from_str(&gateway.expect("the settings").text).expect("JSON");
    assert_eq!(
        gateway["policies"],
        json!({"time": {"now": "ask", "zones": "deny", "next": "deny"}})
    );
    let told = exported.notes.iter().find(|note| note.contains("time (2)"));
    assert!(told.is_some_and(|note| !note.contains("own (")), "{told:?}");
    let without = super::exported(TeamTarget::Compose);
    assert!(
        without
            .notes
            .iter()
            .all(|note| !note.contains("need review here"))
    );
}

#[test]
fn container_gets_its_manifests_limits() {
    let limited =
        json!({"image": "box", "port": 9001, "memory": "64m", "cpus": 1.5, "pids_limit": 20});
    let manifests = manifests_of([
        ("a", json!({"transport": "http", "container": limited})),
        (
            "b",
            json!({"transport": "http", "container": {"image": "box", "port": 9002}}),
        ),
    ]);
    let compose = exported_of(&manifests, TeamTarget::Compose);
    let file = read(&compose.files[0].text).remove(0);
    let services = &file["services"];
    let own = ["mem_limit", "cpus", "pids_limit"].map(|limit| &services["server-a"][limit]);
    assert_eq!(own, [&json!("64m"), &json!(1.5), &json!(20)]);
    let cluster = exported_of(&manifests, TeamTarget::Kubernetes);
    let all = read(&cluster.files[0].text);
    let containers = &all[1]["spec"]["template"]["spec"]["containers"];
    assert_eq!(
        containers[2]["resources"],
        json!({"limits": {"memory": "64Mi", "cpu": "1.5"}})
    );
    let named = ["mem_limit", "cpus", "pids_limit"].map(|limit| services["server-b"].get(limit));
    assert_eq!(named, [None; 3]);
    assert_eq!(
        containers[3]["resources"],
        json!({"limits": {"memory": "512Mi"}})
    );
    let told = |exported: &TeamExport| {
        exported
            .notes
            .iter()
            .any(|note| note.contains("`pids_limit`"))
    };
    assert!(told(&cluster) && !told(&compose));
}
