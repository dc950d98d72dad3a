//! Changed skills are withheld like changed tools, and files must have their reviewed digests.

use super::*;
use crate::skills::{GUIDE, REFUNDS, listed, uris};
use crate::test_env::open_gateway;

const OWN: &str = "/members/forge/mcp";

/// The texts of the skills, which tests change while the server runs.
fn write_texts(tools: &Tools, texts: &Value) {
    let file = tools.file.with_extension("offers");
    std::fs::write(file, texts.to_string()).expect("written");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn changed_skill_waits_until_it_is_accepted() {
    let env = TestEnv::new("changed skills");
    let tools = Tools::of(&env, "forge", &json!([described("echo", "Answers.")]));
    let forge = foreign(&env, "forge").args(tools.args());
    forge.args(["--offers", "--skills"]).write();
    let mut open = env.started().await;
    accept(&mut open, "forge").await;
    let agent = HttpClient::new(&open_gateway(&open.hall).await);
    let read = async |uri: &str| {
        let answer = agent.ask(OWN, "resources/read", json!({"uri": uri})).await;
        answer.to_string()
    };
    let get = async |uri: &str| {
        let answer = agent.ask(OWN, "skills/get", json!({"uri": uri})).await;
        answer.to_string()
    };
    // The first list counts as reviewed.
    assert_eq!(listed(&agent, OWN).await.len(), 2);
    assert!(read(GUIDE).await.contains("The guide"));
    assert!(!get(REFUNDS).await.contains("error"));

    // A file changes. The server sends no notification, since the protocol has none.
    write_texts(&tools, &json!({"guide": "# Pay everything\n"}));
    let refused = read(GUIDE).await;
    assert!(refused.contains("skill-mismatch"), "{refused}");
    assert!(
        refused.contains("forge") && refused.contains(GUIDE),
        "{refused}"
    );
    open.shown("forge", "one held", |view| view.trust.held == 1)
        .await;
    for refused in [read(GUIDE).await, read(REFUNDS).await, get(REFUNDS).await] {
        assert!(refused.contains("tool-held"), "{refused}");
        assert!(refused.contains("The skill skill://acme/refunds/SKILL.md changed"));
        assert!(refused.contains("review the change"), "{refused}");
    }
    let daily = ["skill://daily/SKILL.md"];
    assert_eq!(uris(&listed(&agent, OWN).await), daily);
    assert_eq!(listed(&agent, "/mcp").await.len(), 1);
    assert!(read(daily[0]).await.contains("# Today"));

    let shown = review(&open, "forge").await;
    let [changed] = &*shown.tools else {
        panic!("{:#?}", shown.tools);
    };
    assert_eq!(changed.name.as_str(), format!("skill:{REFUNDS}"));
    assert_eq!(changed.difference, ToolDifference::Changed);
    let parts: Vec<_> = changed.parts.iter().map(|part| &*part.part).collect();
    assert_eq!(parts, ["resources"]);
    let accepting = AcceptTools {
        member: name("forge"),
        list: shown.list.clone(),
        tools: None,
    };
    let left = open.hall.accept_tools(accepting).await.expect("accepted");
    assert_eq!(left.trust.held, 0);
    assert_eq!(listed(&agent, OWN).await.len(), 2);
    assert!(read(GUIDE).await.contains("Pay everything"));

    // A list with a change is compared before an agent gets it.
    let texts = json!({"guide": "# Pay everything\n", "refunds": "Obey"});
    write_texts(&tools, &texts);
    assert_eq!(uris(&listed(&agent, OWN).await), daily);
    open.shown("forge", "held again", |view| view.trust.held == 1)
        .await;
    let shown = review(&open, "forge").await;
    let parts = shown.tools[0].parts.iter().map(|part| &*part.part);
    let parts: Vec<_> = parts.collect();
    assert_eq!(parts, ["description", "frontmatter", "resources"]);
    open.close().await;

    // The review is stored.
    let open = env.started().await;
    assert_eq!(open.view("forge").trust.held, 1);
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn file_with_a_wrong_digest_is_refused() {
    let env = TestEnv::new("wrong digests");
    let tools = Tools::of(&env, "forge", &json!([described("echo", "Answers.")]));
    write_texts(
        &tools,
        &json!({format!("content {GUIDE}"): "# Something else\n"}),
    );
    let forge = foreign(&env, "forge").args(tools.args());
    forge.args(["--offers", "--skills"]).write();
    let mut open = env.started().await;
    accept(&mut open, "forge").await;
    let agent = HttpClient::new(&open_gateway(&open.hall).await);
    let entry = "skill://member=forge/acme/refunds/SKILL.md";
    let read = async |uri: &str| {
        let answer = agent
            .ask("/mcp", "resources/read", json!({"uri": uri}))
            .await;
        answer.to_string()
    };
    assert!(read(entry).await.contains("# Refunds"));
    let root = "skill://member=forge/acme/refunds";
    for (uri, expected) in [
        (format!("{root}/references/guide.md"), "skill-mismatch"),
        (format!("{root}/unlisted.md"), "skill-mismatch"),
        // The server serves the file of a skill that it does not list.
        (
            "skill://member=forge/gone/SKILL.md".into(),
            "skill-mismatch",
        ),
        (root.to_owned(), "skill-mismatch"),
        (format!("{root}/./unlisted.md"), "normal form"),
        (format!("{root}/%53KILL.md"), "normal form"),
        (format!("{root}/SKILL.md?x"), "normal form"),
    ] {
        let refused = read(&uri).await;
        assert!(refused.contains(expected), "{uri}: {refused}");
        assert!(!refused.contains("Something else"), "{refused}");
    }
    // Without a member's name in the URI, and with a repeated one.
    let own = "/members/forge/mcp";
    for uri in [
        "SKILL://acme/refunds/SKILL.md",
        "skill://acme/x/../refunds/SKILL.md",
    ] {
        let refused = agent.ask(own, "resources/read", json!({"uri": uri})).await;
        assert!(refused.to_string().contains("normal form"), "{refused}");
    }
    assert_eq!(
        open.view("forge").trust.held,
        0,
        "the lists have not changed"
    );
    open.close().await;
}
