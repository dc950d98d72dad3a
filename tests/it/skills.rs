//! Skills of members (SEP-2640): listed in the hall, and served to agents at all endpoints.

use guild_api::wire::{CatalogRequest, OfferList, SetToolPolicies, ToolKind, ToolPolicy};
use guild_model::manifest::Policy;
use guild_model::policy::PolicyRules;
use guild_model::profile::{MountedMember, Profile, ToolChoice};
use guild_tests::{LIMIT, RecordFile};
use serde_json::{Value, json};

use crate::agent::Agent;
use crate::http_client::HttpClient;
use crate::offers::{read, result};
use crate::test_env::{Open, TestEnv, name, open_gateway, tool};

const SKILLS: &str = "io.modelcontextprotocol/skills";
pub(crate) const REFUNDS: &str = "skill://acme/refunds/SKILL.md";
pub(crate) const GUIDE: &str = "skill://acme/refunds/references/guide.md";
const DAILY: &str = "skill://daily/SKILL.md";
const ANVIL: &str = "/members/anvil/mcp";

/// Returns the skills of a list that an agent gets.
pub(crate) async fn listed(agent: &HttpClient, path: &str) -> Vec<Value> {
    let result = agent.result(path, "skills/list", json!({})).await;
    result["skills"].as_array().expect("a list").clone()
}

pub(crate) fn uris(skills: &[Value]) -> Vec<&str> {
    let uris = skills.iter().map(|skill| skill["uri"].as_str());
    uris.map(|uri| uri.expect("a URI")).collect()
}

/// Waits until the catalog has a member's skills.
async fn known(open: &Open, member: &str) {
    let began = tokio::time::Instant::now();
    loop {
        let catalog = open.hall.catalog(CatalogRequest::default()).await;
        let offers = catalog.expect("the catalogue").offers;
        let is_known = |name: &str| name == format!("{member}/skill:{REFUNDS}");
        if let Some(skill) = offers.iter().find(|offer| is_known(&offer.name)) {
            assert_eq!(skill.kind, ToolKind::Skill);
            return;
        }
        assert!(began.elapsed() < LIMIT, "never known: {offers:#?}");
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn skills_of_two_members_are_served() {
    let env = TestEnv::new("skills");
    let folder = |name: &str| env.member(name).args(["--offers"]).recorded();
    let anvil = folder("anvil").args(["--skills"]);
    anvil.write();
    folder("forge")
        .args(["--skills", "--era", "modern"])
        .write();
    let plain = folder("plain");
    plain.write();
    let records = [&anvil, &plain].map(|folder| RecordFile::new(&folder.record_path()));
    let open = env.started().await;
    let address = open_gateway(&open.hall).await;
    let origin = address.strip_suffix("/mcp").expect("an endpoint");
    let agent = HttpClient::new(&address);

    // The hall lists them.
    let offers = open
        .hall
        .member_offers(&name("anvil"))
        .await
        .expect("offers");
    assert_eq!(offers.problems, []);
    let [refunds, daily] = &*offers.skills else {
        panic!("{:?}", offers.skills);
    };
    assert_eq!((&*refunds.uri, &*refunds.name), (REFUNDS, "refunds"));
    let files = refunds.files.as_deref().expect("files");
    assert_eq!((files.len(), &*files[1].uri, files[1].size), (2, GUIDE, 12));
    assert_eq!((&*daily.uri, &daily.files), (DAILY, &None));

    // The member's own endpoint passes its list on unchanged.
    let own = listed(&agent, ANVIL).await;
    assert_eq!(uris(&own), [REFUNDS, DAILY]);
    assert_eq!(own[0]["x-other"].to_string(), r#"{"z":1,"a":null}"#);
    let got = agent
        .result(ANVIL, "skills/get", json!({"uri": REFUNDS}))
        .await;
    assert_eq!(got["skill"], own[0]);

    // At an endpoint with several members, only the URIs differ.
    let all = listed(&agent, "/mcp").await;
    let expected = ["anvil", "forge"].map(|member| {
        ["acme/refunds", "daily"].map(|path| format!("skill://member={member}/{path}/SKILL.md"))
    });
    assert_eq!(uris(&all), expected.as_flattened());
    let original = all[0].to_string().replace("member=anvil/", "");
    assert_eq!(original, own[0].to_string());
    for (skill, member) in [(&all[0], "anvil"), (&all[2], "forge")] {
        let uri = skill["uri"].as_str().expect("a URI");
        let got = agent
            .result("/mcp", "skills/get", json!({"uri": uri}))
            .await;
        assert_eq!(got["skill"], *skill);
        let guide = uri.replace("SKILL.md", "references/guide.md");
        assert_eq!(skill["resources"][1]["uri"], *guide);
        let answer = agent
            .result("/mcp", "resources/read", json!({"uri": guide}))
            .await;
        assert_eq!(answer["contents"][0]["uri"], *guide, "clients compare it");
        assert_eq!(answer["contents"][0]["text"], "# The guide\n", "{member}");
    }
    let reads = records[0].of_method("resources/read");
    let read_uris: Vec<_> = reads
        .iter()
        .map(|it| &it["message"]["params"]["uri"])
        .collect();
    assert_eq!(read_uris, [GUIDE], "the other one went to forge");

    // A URI without a member's name is ambiguous here.
    for (path, uri) in [
        ("/mcp", REFUNDS),
        ("/mcp", "skill://member=forge/none/SKILL.md"),
        (ANVIL, GUIDE),
        ("/members/plain/mcp", REFUNDS),
    ] {
        let answer = agent.ask(path, "skills/get", json!({"uri": uri})).await;
        assert_eq!(answer["error"]["code"], -32_602, "{path} {uri}: {answer}");
    }
    assert!(listed(&agent, "/members/plain/mcp").await.is_empty());
    for method in ["skills/list", "skills/get"] {
        assert!(records[1].of_method(method).is_empty(), "{method}");
    }

    // Newer agents get the fields that their version requires.
    let mut newer = Agent::open(format!("{origin}/mcp"), "2026-07-28").await;
    let found = newer.ask("server/discover", json!({})).await;
    let capabilities = &found.result()["capabilities"];
    assert_eq!(capabilities["extensions"][SKILLS], json!({}));
    let uri = &all[0]["uri"];
    for (method, params) in [
        ("skills/list", json!({})),
        ("skills/get", json!({"uri": uri})),
    ] {
        let reply = newer.ask(method, params).await;
        let answer = reply.result();
        assert_eq!(answer["resultType"], "complete", "{method}: {answer}");
        assert!(
            answer["ttlMs"].is_u64() && answer["cacheScope"].is_string(),
            "{answer}"
        );
    }

    // The hall reads a file for its user.
    let answered = open.hall.read_resource(read("anvil", REFUNDS)).await;
    let text = result(&answered)["contents"][0]["text"].to_string();
    assert!(text.contains("# Refunds"), "{text}");
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn policies_and_profiles_apply_to_skills() {
    const DESK: &str = "/profiles/desk/mcp";
    let env = TestEnv::new("skills with policies");
    for name in ["anvil", "forge"] {
        env.member(name).args(["--offers", "--skills"]).write();
    }
    let open = env.started().await;
    let agent = HttpClient::new(&open_gateway(&open.hall).await);
    known(&open, "anvil").await;
    let reads = async |path: &str, uri: &str| {
        let answer = agent.ask(path, "resources/read", json!({"uri": uri})).await;
        answer.to_string()
    };
    let set = async |policy: Policy| {
        let one = ToolPolicy {
            member: name("anvil"),
            tool: tool(&format!("skill:{REFUNDS}")),
            policy: Some(policy),
        };
        let tools = vec![one];
        let request = SetToolPolicies {
            profile: None,
            tools,
        };
        open.hall.set_tool_policies(request).await.expect("set");
    };

    // Without a policy, a file's content is passed on. The only skill with a URI has it.
    assert!(reads(ANVIL, GUIDE).await.contains("The guide"));
    set(Policy::Deny).await;
    assert_eq!(uris(&listed(&agent, ANVIL).await), [DAILY]);
    assert_eq!(listed(&agent, "/mcp").await.len(), 3);
    let denied = "skill://member=anvil/acme/refunds/SKILL.md";
    let got = agent
        .ask("/mcp", "skills/get", json!({"uri": denied}))
        .await;
    assert!(got.to_string().contains("tool-denied"), "{got}");
    for (path, uri) in [(ANVIL, REFUNDS), (ANVIL, GUIDE), ("/mcp", denied)] {
        let refused = reads(path, uri).await;
        assert!(refused.contains("tool-denied"), "{refused}");
    }
    // With `ask`, only reading a file needs a person. No window is open here.
    set(Policy::Ask).await;
    agent
        .result(ANVIL, "skills/get", json!({"uri": REFUNDS}))
        .await;
    let refused = reads(ANVIL, GUIDE).await;
    assert!(refused.contains("needs the user's approval"), "{refused}");
    set(Policy::Allow).await;

    let offers = ToolChoice::Only {
        tools: vec![tool(&format!("skill:{REFUNDS}"))],
    };
    let mounted = MountedMember {
        member: name("anvil"),
        without_prefix: false,
        tools: ToolChoice::All,
        offers,
        changes: Default::default(),
    };
    let profile = Profile {
        name: guild_model::profile::ProfileName::parse("desk").expect("a name"),
        listing: None,
        result_tokens: None,
        rules: PolicyRules::default(),
        members: vec![mounted],
    };
    let request = guild_api::wire::SaveProfile {
        profile,
        instead_of: None,
    };
    open.hall.save_profile(request).await.expect("saved");
    assert_eq!(uris(&listed(&agent, DESK).await), [denied]);
    // One member of the profile has this skill, so its original URI works, too.
    for uri in [
        GUIDE,
        "skill://member=anvil/acme/refunds/references/guide.md",
    ] {
        assert!(reads(DESK, uri).await.contains("The guide"), "{uri}");
    }
    for uri in [DAILY, "skill://member=forge/acme/refunds/SKILL.md"] {
        let refused = reads(DESK, uri).await;
        assert!(refused.contains("error"), "{refused}");
    }
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn unusable_skills_are_left_out_with_reasons() {
    let env = TestEnv::new("unusable skills");
    for (name, fault) in [
        ("mixed", "--malformed-offers"),
        ("endless", "--repeat-offers"),
    ] {
        let folder = env.member(name).args(["--offers", "--skills", fault]);
        folder.write();
    }
    let open = env.started().await;
    let agent = HttpClient::new(&open_gateway(&open.hall).await);
    let problems = async |member: &str| {
        let offers = open
            .hall
            .member_offers(&name(member))
            .await
            .expect("offers");
        let problems = offers.problems.into_iter();
        let of_skills = problems.filter(|problem| problem.list == OfferList::Skills);
        let problems = of_skills.map(|problem| (problem.index, problem.reason));
        (offers.skills.len(), problems.collect::<Vec<_>>())
    };
    let (count, mixed) = problems("mixed").await;
    assert_eq!(count, 2);
    let indexes: Vec<_> = mixed.iter().map(|(index, _)| *index).collect();
    assert_eq!(indexes, [Some(1), Some(3), Some(4)], "{mixed:?}");
    let (count, endless) = problems("endless").await;
    assert_eq!((count, endless.len()), (0, 1), "{endless:?}");
    assert_eq!(endless[0].0, None);
    // Agents get only valid skills.
    let valid = listed(&agent, "/mcp").await;
    let of_mixed = uris(&valid).into_iter().filter(|uri| uri.contains("mixed"));
    assert_eq!(of_mixed.count(), 2);
    open.close().await;
}
