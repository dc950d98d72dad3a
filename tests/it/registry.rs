//! Servers in registries: searched in a local stand-in and in files, cached for a limited time, and
//! installed.

mod command_line;
mod stand_in;

use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, SystemTime};

use guild_api::wire::{
    ChangeSettings, InstallRegistryServer, RegistryPage, RegistryServer, RegistryServerRef,
    SearchRegistry,
};
use guild_model::settings::SettingChange;
use guild_model::status::Status;
use guild_model::{CallId, Code, Report};
use guild_tests::LIMIT;
use serde_json::{Value, json};

use self::stand_in::{Asked, Reply, StandIn, api, entry};
use crate::test_env::{Open, TestEnv, name};

fn call() -> CallId {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let id = format!("search-{}", NEXT.fetch_add(1, Ordering::Relaxed));
    CallId::parse(&id).expect("an id")
}

async fn search(
    open: &Open,
    source: &str,
    query: &str,
    cursor: Option<String>,
) -> Result<RegistryPage, Report> {
    let request = SearchRegistry {
        source: Some(source.to_owned()),
        query: query.to_owned(),
        cursor,
        call: call(),
    };
    open.hall.search_registry(request).await
}

fn names(page: &RegistryPage) -> Vec<&str> {
    page.rows.iter().map(|row| row.server.as_str()).collect()
}

async fn server(open: &Open, source: &str, server: &str) -> RegistryServer {
    let request = RegistryServerRef {
        source: Some(source.to_owned()),
        server: server.to_owned(),
        version: None,
    };
    open.hall.registry_server(request).await.expect("a server")
}

/// Installs the server in the first way that is possible. Returns the names of the saved secrets.
async fn install(
    open: &Open,
    source: &str,
    server: &RegistryServer,
    called: &str,
    answers: Value,
) -> Result<Vec<String>, Report> {
    let mut installs = server.ways.iter().filter_map(|way| way.install.as_ref());
    let request = InstallRegistryServer {
        source: Some(source.to_owned()),
        server: server.server.clone(),
        version: server.version.clone(),
        way: installs.next().expect("a way").id.clone(),
        member: name(called),
        answers: answers.to_string(),
    };
    let installed = open.hall.install_registry_server(request).await?;
    assert_eq!(installed.member, name(called));
    Ok(installed.secrets)
}

/// Makes all cached answers older by this time.
fn age_answers(env: &TestEnv, by: Duration) {
    let folder = env.data_dir().join("registry");
    for entry in std::fs::read_dir(folder).expect("answers are kept") {
        let path = entry.expect("an answer").path();
        let file = std::fs::File::options().write(true).open(path);
        let time = SystemTime::now() - by;
        file.expect("it opens")
            .set_modified(time)
            .expect("its time");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn search_asks_registry_page_by_page() {
    let env = TestEnv::new("registry-pages");
    let registry = StandIn::new(api(120)).await;
    let open = env.open().await;
    let source = registry.url.as_str();

    let first = search(&open, source, "Server-0 example", None).await;
    let first = first.expect("a page");
    assert_eq!(first.rows.len(), 50);
    assert_eq!(first.source.source, source);
    assert_eq!(first.source.unread, None);
    let second = search(&open, source, "Server-0 example", first.next.clone()).await;
    let second = second.expect("a page");
    assert_eq!(second.rows[0].server, "com.example/server-0050");
    let third = search(&open, source, "Server-0 example", second.next.clone()).await;
    let third = third.expect("a page");
    assert_eq!((third.rows.len(), third.next), (20, None));

    let asked = registry.asked();
    assert_eq!(asked.len(), 3, "{asked:#?}");
    for (asked, cursor) in asked
        .iter()
        .zip([None, Some("after%3A50"), Some("after%3A100")])
    {
        assert_eq!(asked.part("version"), Some("latest"));
        assert_eq!(asked.part("limit"), Some("50"));
        // The registry's API searches for a single text, so only the longest word is sent.
        assert_eq!(asked.part("search"), Some("server%2D0"));
        assert_eq!(asked.part("cursor"), cursor);
    }
    let none = search(&open, source, "server-0 zeppelin", None).await;
    let none = none.expect("a page");
    assert_eq!((none.rows.len(), none.next.is_some()), (0, true));
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn registry_of_setting_is_searched() {
    let env = TestEnv::new("registry-setting");
    let registry = StandIn::new(api(1)).await;
    let open = env.open().await;
    let changes = vec![SettingChange::new("registry", registry.url.as_str())];
    let changed = open.hall.change_settings(ChangeSettings { changes }).await;
    changed.expect("set");
    let request = SearchRegistry {
        source: None,
        query: String::new(),
        cursor: None,
        call: call(),
    };
    let page = open.hall.search_registry(request).await.expect("a page");
    assert_eq!(names(&page), ["com.example/server-0000"]);
    assert_eq!(page.source.source, registry.url);
    assert_eq!(registry.asked()[0].part("search"), None);
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn unreachable_registry_answers_from_cache() {
    let env = TestEnv::new("registry-offline");
    let registry = StandIn::new(api(2)).await;
    let open = env.open().await;
    let source = registry.url.clone();
    let first = search(&open, &source, "server", None)
        .await
        .expect("a page");
    let shown = server(&open, &source, "com.example/server-0001").await;
    assert_eq!(shown.versions, ["1.0.0"]);
    assert_eq!(registry.asked().len(), 2);
    let again = search(&open, &source, "server", None)
        .await
        .expect("a page");
    assert_eq!(again.rows, first.rows);
    assert!(registry.asked().is_empty(), "a fresh answer is used again");
    open.close().await;

    drop(registry);
    age_answers(&env, Duration::from_secs(3_600));
    let open = env.open().await;
    let kept = search(&open, &source, "server", None).await.expect("kept");
    assert_eq!(kept.rows, first.rows);
    let unread = kept.source.unread.expect("it names the reason");
    assert_eq!(unread.code, Code::RegistryUnread, "{unread}");
    let age = first.source.as_of_ms.abs_diff(kept.source.as_of_ms);
    assert!((3_500_000..3_700_000).contains(&age), "{age} ms");
    let kept = server(&open, &source, "com.example/server-0001").await;
    assert!(kept.source.unread.is_some());
    let report = search(&open, &source, "other", None).await;
    let report = report.expect_err("no answer is kept");
    assert_eq!(report.code, Code::RegistryUnread, "{report}");
    assert!(report.hint.contains("`registry`"), "{report}");

    age_answers(&env, Duration::from_secs(31 * 24 * 3_600));
    let old = search(&open, &source, "server", None).await;
    assert_eq!(old.expect_err("it is too old").code, Code::RegistryUnread);
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn old_answer_is_replaced_by_new_one() {
    let env = TestEnv::new("registry-fresh");
    let registry = StandIn::new(api(1)).await;
    let open = env.open().await;
    let source = registry.url.as_str();
    search(&open, source, "", None).await.expect("a page");
    registry.answers(api(2));
    age_answers(&env, Duration::from_secs(600));
    let page = search(&open, source, "", None).await.expect("a page");
    assert_eq!(page.rows.len(), 2);
    assert_eq!(page.source.unread, None);
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn server_is_shown_in_all_its_versions() {
    let env = TestEnv::new("registry-versions");
    let registry = StandIn::new(|asked| match asked.path.as_str() {
        "/sub/v0.1/servers/com%2Eexample%2Fnotes/versions" => {
            let of = |version: &str, latest: bool| {
                let latest = json!({"isLatest": latest});
                entry("com.example/notes", version, json!({}), latest)
            };
            Reply::json(&json!({"servers": [of("1.9.0", false), of("1.10.0", true)]}))
        }
        _ => Reply::status(404),
    })
    .await;
    let open = env.open().await;
    let source = format!("{}/sub", registry.url);
    let newest = server(&open, &source, "com.example/notes").await;
    assert_eq!(newest.version, "1.10.0");
    assert_eq!(newest.versions, ["1.10.0", "1.9.0"]);
    let request = |server: &str, version: &str| RegistryServerRef {
        source: Some(source.clone()),
        server: server.to_owned(),
        version: Some(version.to_owned()),
    };
    let older = request("com.example/notes", "1.9.0");
    let older = open.hall.registry_server(older).await.expect("listed");
    assert_eq!(older.version, "1.9.0");
    for unknown in [
        request("com.example/notes", "2.0.0"),
        request("com.example/none", "1.0.0"),
    ] {
        let report = open.hall.registry_server(unknown).await;
        let report = report.expect_err("it is not listed");
        assert_eq!(report.code, Code::RegistryUnknown, "{report}");
    }
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn document_is_searched_like_a_file() {
    let env = TestEnv::new("registry-document");
    let registry = StandIn::new(|_| {
        let list = json!([{"name": "com.example/a", "version": "1"}, {"name": "wrong"}]);
        Reply::json(&list)
    })
    .await;
    let open = env.open().await;
    let source = format!("{}/list.json", registry.url);
    let page = search(&open, &source, "A", None).await.expect("a page");
    assert_eq!(names(&page), ["com.example/a"]);
    assert_eq!(page.left_out_count, 1);
    assert_eq!(page.left_out[0].name, "wrong");
    assert_eq!(registry.asked()[0].path, "/list.json");
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn failing_registry_names_the_reason() {
    let env = TestEnv::new("registry-failing");
    let registry = StandIn::new(api(1)).await;
    let open = env.open().await;
    let source = registry.url.as_str();
    type Answers = fn(&Asked) -> Reply;
    let cases: [(&str, Answers); 6] = [
        ("the server answers with HTTP 500", |_| Reply::status(500)),
        ("the server answers with HTTP 404", |_| Reply::status(404)),
        ("it is not JSON", |_| {
            Reply::Says(200, String::new(), "<html>".into())
        }),
        ("the answer is larger than 16 MiB", |_| Reply::Floods),
        ("redirects more than 5 times", |_| {
            Reply::Says(302, "location: /v0.1/servers\r\n".into(), String::new())
        }),
        ("use https", |_| {
            Reply::Says(
                302,
                "location: http://registry.example/\r\n".into(),
                String::new(),
            )
        }),
    ];
    for (why, answers) in cases {
        registry.answers(answers);
        let report = search(&open, source, "", None).await.expect_err(why);
        assert_eq!(report.code, Code::RegistryUnread, "{report}");
        assert!(report.message.contains(why), "{why}: {report}");
    }
    let report = search(&open, "servers.json", "", None).await;
    let report = report.expect_err("it is neither a path nor an address");
    assert_eq!(report.code, Code::RegistrySourceRefused, "{report}");
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn search_ends_when_cancelled() {
    let env = TestEnv::new("registry-cancel");
    let registry = StandIn::new(|_| Reply::Hangs).await;
    let open = env.open().await;
    let call = call();
    let request = SearchRegistry {
        source: Some(registry.url.clone()),
        query: String::new(),
        cursor: None,
        call: call.clone(),
    };
    let hall = open.hall.clone();
    let searching = tokio::spawn(async move { hall.search_registry(request).await });
    tokio::time::timeout(LIMIT, async {
        while registry.asked().is_empty() {
            tokio::task::yield_now().await;
        }
    })
    .await
    .expect("the registry is asked");
    open.hall.cancel_call(&call);
    let ended = tokio::time::timeout(LIMIT, searching)
        .await
        .expect("it ends");
    let report = ended.expect("no panic").expect_err("it was cancelled");
    assert_eq!(report.code, Code::CallCancelled, "{report}");
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn file_is_read_again_for_each_search() {
    let env = TestEnv::new("registry-file");
    let open = env.open().await;
    let file = env.members_dir().with_file_name("servers.json");
    let one = json!({"name": "com.example/one", "version": "1"});
    std::fs::write(&file, one.to_string()).expect("written");
    let source = file.display().to_string();
    let page = search(&open, &source, "", None).await.expect("a page");
    assert_eq!(names(&page), ["com.example/one"]);
    let more = json!([
        {"name": "com.example/one", "version": "1"},
        {"name": "com.example/two", "version": "1"},
        {"name": "no name", "version": "1"},
        {"name": "com.example/three", "packages": "none"},
    ]);
    std::fs::write(&file, more.to_string()).expect("written");
    let page = search(&open, &source, "", None).await.expect("a page");
    assert_eq!(names(&page), ["com.example/one", "com.example/two"]);
    let why: Vec<_> = page
        .left_out
        .iter()
        .map(|entry| (entry.at, entry.why.as_str()))
        .collect();
    assert_eq!(
        why,
        [
            (3, "its name doesn't have the form `com.example/name`"),
            (4, "`packages` is not a list"),
        ]
    );
    let many: Vec<Value> = (0..120)
        .map(|at| json!({"name": format!("com.example/s{at:03}"), "version": "1"}))
        .collect();
    std::fs::write(&file, json!(many).to_string()).expect("written");
    let mut page = search(&open, &source, "", None).await.expect("a page");
    let mut count = page.rows.len();
    while let Some(next) = page.next {
        page = search(&open, &source, "", Some(next))
            .await
            .expect("a page");
        count += page.rows.len();
    }
    assert_eq!(count, 120);
    std::fs::write(&file, "[").expect("written");
    let report = search(&open, &source, "", None).await;
    let report = report.expect_err("it is broken");
    assert_eq!(report.code, Code::RegistryUnread, "{report}");
    open.close().await;
}

/// Returns an entry with a package that requires many inputs.
fn notes() -> Value {
    json!({
        "name": "com.example/notes", "version": "1.4.0", "description": "Keeps notes.",
        "packages": [{
            "registryType": "npm", "identifier": "@example/notes", "version": "1.4.0",
            "transport": {"type": "stdio"},
            "packageArguments": [
                {"type": "positional", "valueHint": "folder", "isRequired": true, "isRepeated": true},
                {"type": "named", "name": "--level", "default": "info"},
            ],
            "environmentVariables": [
                {"name": "NOTES_TOKEN", "isRequired": true, "isSecret": true},
                {"name": "NOTES_LIMIT", "format": "number"},
            ],
        }],
    })
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn install_is_pinned_and_waits_for_review() {
    let env = TestEnv::new("registry-install");
    let mut open = env.open().await;
    let file = env.members_dir().with_file_name("servers.json");
    std::fs::write(&file, notes().to_string()).expect("written");
    let source = file.display().to_string();
    let notes = server(&open, &source, "com.example/notes").await;
    assert_eq!(notes.suggested, name("notes"));
    let answers =
        json!({"folder": ["/a", "/b ${c}"], "NOTES_TOKEN": "planted-secret", "NOTES_LIMIT": 7});

    let missing = json!({"NOTES_TOKEN": "planted-secret", "NOTES_LIMIT": "many"});
    let report = install(&open, &source, &notes, "notes", missing)
        .await
        .expect_err("missing");
    assert_eq!(report.code, Code::AdoptionRefused);
    assert!(!report.to_string().contains("planted"), "{report}");
    assert!(!env.members_dir().join("notes").exists());

    let secrets = install(&open, &source, &notes, "notes", answers.clone()).await;
    assert_eq!(secrets.expect("installed"), ["notes/NOTES_TOKEN"]);
    open.status("notes", Status::Unreviewed).await;
    let manifest = std::fs::read_to_string(env.members_dir().join("notes/plugin.json"));
    let manifest: Value = serde_json::from_str(&manifest.expect("a manifest")).expect("JSON");
    let at = manifest["origin"]["at"]
        .as_str()
        .expect("a time")
        .to_owned();
    assert_eq!(
        manifest,
        json!({
            "name": "notes", "version": "1.4.0", "description": "Keeps notes.",
            "transport": "stdio", "command": "npx",
            "args": ["-y", "@example/notes@1.4.0", "/a", "/b $${c}"],
            "env": {"NOTES_LIMIT": "7", "NOTES_TOKEN": "${secret:notes/NOTES_TOKEN}"},
            "origin": {
                "from": "registry", "path": source, "at": at, "server": "com.example/notes",
            },
        })
    );
    let taken = install(&open, &source, &notes, "notes", answers)
        .await
        .expect_err("it is taken");
    assert_eq!(taken.code, Code::AdoptionRefused, "{taken}");

    let again = server(&open, &source, "com.example/notes").await;
    assert_eq!(again.suggested, name("notes-2"));
    assert_eq!((again.members.len(), again.members[0].newer), (1, false));
    let mut newer = self::notes();
    newer["version"] = json!("1.10.0");
    std::fs::write(&file, newer.to_string()).expect("written");
    let page = search(&open, &source, "notes", None).await.expect("a page");
    let member = &page.rows[0].members[0];
    assert_eq!(
        (member.version.as_str(), member.newer),
        ("1.4.0", true),
        "a newer one is there"
    );
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn changed_listing_is_not_installed() {
    let env = TestEnv::new("registry-other");
    let open = env.open().await;
    let file = env.members_dir().with_file_name("servers.json");
    std::fs::write(&file, notes().to_string()).expect("written");
    let source = file.display().to_string();
    let shown = server(&open, &source, "com.example/notes").await;
    let mut other = notes();
    other["packages"][0]["identifier"] = json!("@example/other");
    std::fs::write(&file, other.to_string()).expect("written");
    let answers = json!({"folder": ["/a"], "NOTES_TOKEN": "t"});
    let report = install(&open, &source, &shown, "notes", answers)
        .await
        .expect_err("another");
    assert_eq!(report.code, Code::RegistryUnknown, "{report}");
    assert!(!env.members_dir().join("notes").exists());
    open.close().await;
}
