//! Servers that registries list: read from a stand-in on this machine and from files, kept,
//! searched, and installed.

mod command_line;
mod stand_in;

use std::sync::atomic::{AtomicU32, Ordering};

use guild_core::event::HallEvent;
use guild_core::status::Status;
use guild_core::wire::{
    InstallRegistryServer, OfCall, OfRegistryServer, OfRegistrySource, ReadRegistry, RegistryPage,
    RegistryServer, RegistryStanding, SearchRegistry,
};
use guild_core::{CallId, Code, Report};
use guild_tests::{LIMIT, wait_for};
use serde_json::{Value, json};

use self::stand_in::{Reply, StandIn, api, entry};
use crate::house::{House, Open, Told, name};

fn call() -> CallId {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let id = format!("reading-{}", NEXT.fetch_add(1, Ordering::Relaxed));
    CallId::parse(&id).expect("an id")
}

async fn add(open: &Open, source: &str) {
    let request = OfRegistrySource {
        source: source.to_owned(),
    };
    open.hall
        .add_registry_source(request)
        .await
        .expect("a source");
}

async fn read(open: &Open, source: &str, anew: bool) -> Result<Option<usize>, Report> {
    let request = ReadRegistry {
        source: source.to_owned(),
        call: call(),
        anew,
    };
    open.hall
        .read_registry(request)
        .await
        .map(|source| source.servers)
}

async fn search(open: &Open, source: &str, query: &str) -> RegistryPage {
    let request = SearchRegistry {
        source: source.to_owned(),
        query: query.to_owned(),
        offset: 0,
        limit: 500,
    };
    open.hall.search_registry(request).await.expect("a page")
}

fn names(page: &RegistryPage) -> Vec<&str> {
    page.rows.iter().map(|row| row.server.as_str()).collect()
}

async fn server(open: &Open, source: &str, server: &str) -> RegistryServer {
    let request = OfRegistryServer {
        source: source.to_owned(),
        server: server.to_owned(),
        version: None,
    };
    open.hall.registry_server(request).await.expect("a server")
}

/// Installs the first way that can be.
async fn install(
    open: &Open,
    source: &str,
    server: &RegistryServer,
    called: &str,
    answers: Value,
) -> Result<Vec<String>, Report> {
    let mut installs = server.ways.iter().filter_map(|way| way.install.as_ref());
    let request = InstallRegistryServer {
        source: source.to_owned(),
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

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_address_is_read_page_after_page_and_opens_again_without_a_network() {
    let house = House::new("registry-pages");
    let registry = StandIn::new(api(250)).await;
    let open = house.open().await;
    let source = registry.url.as_str();
    add(&open, source).await;
    assert!(registry.asked().is_empty(), "nothing is fetched by itself");
    let unread = search(&open, source, "").await;
    assert_eq!((unread.total, unread.source.as_of_ms), (0, None));
    assert!(registry.asked().is_empty(), "a search fetches nothing");

    assert_eq!(read(&open, source, false).await.expect("read"), Some(250));
    let asked = registry.asked();
    assert_eq!(asked.len(), 3, "{asked:#?}");
    assert!(
        asked
            .iter()
            .all(|asked| asked.part("version") == Some("latest"))
    );
    let found = search(&open, source, "SERVER-02 example").await;
    assert_eq!(found.total, 50);
    assert_eq!(found.rows[0].server, "com.example/server-0200");
    let second = SearchRegistry {
        source: source.to_owned(),
        query: String::new(),
        offset: 200,
        limit: 100,
    };
    let second = open.hall.search_registry(second).await.expect("a page");
    assert_eq!((second.rows.len(), second.total), (50, 250));
    open.close().await;

    let source = source.to_owned();
    drop(registry);
    let open = house.open().await;
    let kept = search(&open, &source, "").await;
    assert_eq!(kept.total, 250);
    assert!(kept.source.as_of_ms.is_some(), "it says how old it is");
    let refused = read(&open, &source, false)
        .await
        .expect_err("nobody answers");
    assert_eq!(refused.code, Code::RegistryUnread, "{refused}");
    assert_eq!(
        search(&open, &source, "").await.total,
        250,
        "what was read stays"
    );
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_changed_since_is_asked_for_and_takes_the_place_of_what_was() {
    let house = House::new("registry-changes");
    let registry = StandIn::new(api(3)).await;
    let open = house.open().await;
    let source = registry.url.as_str();
    add(&open, source).await;
    read(&open, source, false).await.expect("read");
    registry.asked();

    registry.answers(|asked| {
        // An hour before the newest change: clocks differ.
        let since = asked.part("updated_since").expect("changes are asked for");
        assert_eq!(since, "2026-11-01T09%3A00%3A00Z");
        Reply::json(&json!({"servers": [
            entry("com.example/server-0001", "1.1.0", json!({}), json!({"updatedAt": "2026-11-20T10:00:00Z"})),
            entry("com.example/server-0002", "1.0.0", json!({}), json!({"status": "deleted", "statusMessage": "It leaks."})),
            entry("com.example/new", "1.0.0", json!({}), json!({})),
        ]}))
    });
    assert_eq!(read(&open, source, false).await.expect("read"), Some(4));
    let page = search(&open, source, "").await;
    let told: Vec<_> = page
        .rows
        .iter()
        .map(|row| (row.server.as_str(), row.version.as_str(), row.standing))
        .collect();
    assert_eq!(
        told,
        [
            ("com.example/new", "1.0.0", RegistryStanding::Active),
            ("com.example/server-0000", "1.0.0", RegistryStanding::Active),
            ("com.example/server-0001", "1.1.0", RegistryStanding::Active),
            (
                "com.example/server-0002",
                "1.0.0",
                RegistryStanding::Deleted
            ),
        ]
    );
    let both = server(&open, source, "com.example/server-0001").await;
    assert_eq!(both.versions, ["1.1.0", "1.0.0"]);

    registry.answers(api(2));
    assert_eq!(
        read(&open, source, true).await.expect("read"),
        Some(2),
        "all anew"
    );
    assert!(
        registry
            .asked()
            .iter()
            .all(|asked| asked.part("updated_since").is_none()
                || asked.part("updated_since") == Some("2026-11-01T09%3A00%3A00Z"))
    );
    assert_eq!(search(&open, source, "").await.total, 2);
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_older_api_is_asked_where_the_steady_one_is_not_there() {
    let house = House::new("registry-v0");
    let registry = StandIn::new(|asked| match asked.path.starts_with("/sub/v0/servers?") {
        // The shape of before September 2025.
        true => Reply::json(&json!({
            "servers": [{"name": "com.example/old", "version_detail": {"version": "0.1.0"}}],
            "metadata": {"next_cursor": null},
        })),
        false => Reply::status(404),
    })
    .await;
    let open = house.open().await;
    let source = format!("{}/sub", registry.url);
    add(&open, &source).await;
    assert_eq!(read(&open, &source, false).await.expect("read"), Some(1));
    let paths: Vec<String> = registry
        .asked()
        .into_iter()
        .map(|asked| asked.path)
        .collect();
    assert!(paths[0].starts_with("/sub/v0.1/servers?"), "{paths:?}");
    assert_eq!(search(&open, &source, "").await.rows[0].version, "0.1.0");
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_document_that_is_the_same_is_not_sent_again() {
    let house = House::new("registry-etag");
    let registry = StandIn::new(|asked| match asked.etag.as_deref() {
        Some("\"one\"") => Reply::status(304),
        _ => Reply::Says(
            200,
            "etag: \"one\"\r\n".to_owned(),
            json!([{"name": "com.example/a", "version": "1"}, {"name": "wrong"}]).to_string(),
        ),
    })
    .await;
    let open = house.open().await;
    let source = format!("{}/list.json", registry.url);
    add(&open, &source).await;
    assert_eq!(read(&open, &source, false).await.expect("read"), Some(1));
    let first = search(&open, &source, "").await;
    assert_eq!(
        read(&open, &source, false).await.expect("the same"),
        Some(1)
    );
    let etags: Vec<_> = registry
        .asked()
        .into_iter()
        .map(|asked| asked.etag)
        .collect();
    assert_eq!(etags, [None, Some("\"one\"".to_owned())]);
    let again = search(&open, &source, "").await;
    assert!(again.source.as_of_ms >= first.source.as_of_ms);
    assert_eq!(again.left_out_count, 1, "what is wrong is still said");
    assert_eq!(again.left_out[0].name, "wrong");
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_registry_that_fails_halfway_leaves_what_was_read_before() {
    let house = House::new("registry-failing");
    let registry = StandIn::new(api(120)).await;
    let open = house.open().await;
    let source = registry.url.as_str();
    add(&open, source).await;
    read(&open, source, false).await.expect("read");
    type Failing = fn(&stand_in::Asked) -> Reply;
    let next = |cursor: &str| json!({"servers": [], "metadata": {"nextCursor": cursor}});
    let first_of_many = next("more");
    let endless = next("same");
    type Answers = Box<dyn Fn(&stand_in::Asked) -> Reply + Send + Sync>;
    let cases: [(&str, Answers); 6] = [
        ("page 2: the server answers with HTTP 500", {
            Box::new(move |asked| match asked.part("cursor") {
                None => Reply::json(&first_of_many),
                Some(_) => Reply::status(500),
            })
        }),
        (
            "it is no JSON",
            Box::new(|_| Reply::Says(200, String::new(), "<html>".into())),
        ),
        (
            "says that it comes after itself",
            Box::new(move |_| Reply::json(&endless)),
        ),
        (
            "the answer is larger than 16 MiB",
            Box::new(|_| Reply::Floods),
        ),
        ("more than 5 redirects", {
            let there: Failing =
                |_| Reply::Says(302, "location: /v0.1/servers\r\n".into(), String::new());
            Box::new(there)
        }),
        ("it is read over https", {
            let away: Failing = |_| {
                Reply::Says(
                    302,
                    "location: http://registry.example/\r\n".into(),
                    String::new(),
                )
            };
            Box::new(away)
        }),
    ];
    for (why, answers) in cases {
        registry.answers(answers);
        let report = read(&open, source, true).await.expect_err(why);
        assert_eq!(report.code, Code::RegistryUnread, "{report}");
        assert!(report.message.contains(why), "{why}: {report}");
        assert_eq!(search(&open, source, "").await.total, 120, "{why}");
    }
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_that_says_when_to_come_again_is_asked_again() {
    let house = House::new("registry-busy");
    let busy = AtomicU32::new(2);
    let registry = StandIn::new(move |asked| {
        let left = busy.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| {
            left.checked_sub(1)
        });
        match left {
            Ok(_) => Reply::Says(429, "retry-after: 0\r\n".into(), String::new()),
            Err(_) => api(1)(asked),
        }
    })
    .await;
    let open = house.open().await;
    add(&open, &registry.url).await;
    assert_eq!(
        read(&open, &registry.url, false).await.expect("read"),
        Some(1)
    );
    assert_eq!(registry.asked().len(), 3);
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_reading_tells_how_far_it_is_and_ends_when_it_is_cancelled() {
    let house = House::new("registry-cancel");
    let registry = StandIn::new(|asked| match asked.part("cursor") {
        None => api(150)(asked),
        Some(_) => Reply::Hangs,
    })
    .await;
    let open = house.open().await;
    add(&open, &registry.url).await;
    let call = call();
    let request = ReadRegistry {
        source: registry.url.clone(),
        call: call.clone(),
        anew: false,
    };
    let mut told = Told::of(&open.hall);
    let hall = open.hall.clone();
    let reading = tokio::spawn(async move { hall.read_registry(request).await });
    let says = wait_for(
        &mut told,
        LIMIT,
        "the first page",
        |envelope| match &envelope.event {
            HallEvent::CallProgress { call: of, progress } if *of == call => {
                progress.message.clone()
            }
            _ => None,
        },
    )
    .await;
    assert_eq!(says, "100 servers so far");
    let of = OfCall { call };
    open.hall.cancel_call(&of.call);
    let ended = tokio::time::timeout(LIMIT, reading).await.expect("it ends");
    let report = ended.expect("no panic").expect_err("it was cancelled");
    assert_eq!(report.code, Code::CallCancelled, "{report}");
    assert_eq!(search(&open, &registry.url, "").await.source.as_of_ms, None);
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_file_is_read_as_it_is_now_and_its_wrong_entries_are_said() {
    let house = House::new("registry-file");
    let open = house.open().await;
    let file = house.members_dir().with_file_name("servers.json");
    std::fs::write(
        &file,
        json!({"name": "com.example/one", "version": "1"}).to_string(),
    )
    .expect("written");
    let source = file.display().to_string();
    add(&open, &source).await;
    assert_eq!(
        names(&search(&open, &source, "").await),
        ["com.example/one"]
    );
    let more = json!([
        {"name": "com.example/one", "version": "1"},
        {"name": "com.example/two", "version": "1"},
        {"name": "no name", "version": "1"},
        {"name": "com.example/three", "packages": "none"},
    ]);
    std::fs::write(&file, more.to_string()).expect("written");
    let page = search(&open, &source, "").await;
    assert_eq!(names(&page), ["com.example/one", "com.example/two"]);
    let why: Vec<_> = page
        .left_out
        .iter()
        .map(|entry| (entry.at, entry.why.as_str()))
        .collect();
    assert_eq!(
        why,
        [
            (3, "its name is not of the form `com.example/name`"),
            (4, "`packages` is no list"),
        ]
    );
    std::fs::write(&file, "[").expect("written");
    let broken = SearchRegistry {
        source: source.clone(),
        query: String::new(),
        offset: 0,
        limit: 1,
    };
    let report = open
        .hall
        .search_registry(broken)
        .await
        .expect_err("it is broken");
    assert_eq!(report.code, Code::RegistryUnread, "{report}");
    let request = OfRegistrySource { source };
    let left = open
        .hall
        .remove_registry_source(request)
        .await
        .expect("removed");
    assert!(left.sources.is_empty());
    open.close().await;
}

/// An entry with a package that asks for much.
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
async fn what_is_installed_waits_for_its_review_with_its_version_pinned_and_its_secrets_kept() {
    let house = House::new("registry-install");
    let mut open = house.open().await;
    let file = house.members_dir().with_file_name("servers.json");
    std::fs::write(&file, notes().to_string()).expect("written");
    let source = file.display().to_string();
    add(&open, &source).await;
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
    assert!(!house.members_dir().join("notes").exists());

    let secrets = install(&open, &source, &notes, "notes", answers.clone()).await;
    assert_eq!(secrets.expect("installed"), ["notes/NOTES_TOKEN"]);
    open.status("notes", Status::Unreviewed).await;
    let manifest = std::fs::read_to_string(house.members_dir().join("notes/plugin.json"));
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
    let page = search(&open, &source, "notes").await;
    let member = &page.rows[0].members[0];
    assert_eq!(
        (member.version.as_str(), member.newer),
        ("1.4.0", true),
        "a newer one is there"
    );
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_listed_otherwise_than_it_was_shown_is_not_installed() {
    let house = House::new("registry-other");
    let open = house.open().await;
    let file = house.members_dir().with_file_name("servers.json");
    std::fs::write(&file, notes().to_string()).expect("written");
    let source = file.display().to_string();
    add(&open, &source).await;
    let shown = server(&open, &source, "com.example/notes").await;
    let mut other = notes();
    other["packages"][0]["identifier"] = json!("@example/other");
    std::fs::write(&file, other.to_string()).expect("written");
    let answers = json!({"folder": ["/a"], "NOTES_TOKEN": "t"});
    let report = install(&open, &source, &shown, "notes", answers)
        .await
        .expect_err("another");
    assert_eq!(report.code, Code::RegistryUnknown, "{report}");
    assert!(!house.members_dir().join("notes").exists());
    open.close().await;
}
