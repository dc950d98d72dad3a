//! Dangerous bundles: each is refused before anything is written.

use guild_tests::bundles::{DEVICE, Entry, LINK, Packing, manifest, weather};
use serde_json::json;

use super::{Bench, look, unusable};

fn one(name: &str) -> Packing {
    weather("1.0.0").with(Entry::new(name, "evil"))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn ambiguous_bundle_paths_are_refused() {
    let bench = Bench::new("mcpb-hostile");
    let open = bench.open().await;
    let entry = || Entry::new("server/evil", "evil");
    for (packing, message) in [
        (one("../evil"), "points to another folder"),
        (one("server/../../evil"), "points to another folder"),
        (one("/tmp/evil"), "is an absolute path"),
        (one("C:/evil"), "names a drive"),
        (one("server\\..\\evil"), "has a backslash"),
        (one("server/a\nb"), "an invisible character"),
        (one("server/nul"), "is a device name on Windows"),
        (one("server/INDEX.mjs"), "only in upper and lower case"),
        (one("server/index.mjs"), "has duplicate files"),
        (one("server/index.mjs/evil"), "occurs twice"),
        (weather("1.0.0").with(entry().mode(LINK)), "is a link"),
        (
            weather("1.0.0").with(entry().mode(DEVICE)),
            "neither a file nor a folder",
        ),
        (
            weather("1.0.0").with(Entry {
                flags: 1,
                ..entry()
            }),
            "is encrypted",
        ),
        (
            weather("1.0.0").with(Entry {
                local_name: Some(b"server/kind".to_vec()),
                ..entry()
            }),
            "a damaged archive",
        ),
        (
            weather("1.0.0").with(Entry {
                over_first: true,
                ..Entry::new("server/over", manifest("1.0.0").to_string())
            }),
            "a damaged archive",
        ),
    ] {
        let names: Vec<_> = packing.entries.iter().map(|one| one.name.clone()).collect();
        let report = unusable(&open, &bench.put(&packing)).await;
        assert!(
            report.message.contains(message),
            "{message}: {report} {names:?}"
        );
    }
    assert_eq!(bench.everything(), [""; 0]);
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_bomb_is_refused_by_what_it_says_and_by_what_comes_of_it() {
    let bench = Bench::new("mcpb-bomb");
    let open = bench.open().await;
    let zeros = vec![0u8; 64 << 20];
    let bomb = weather("1.0.0").with(Entry::new("server/zeros", zeros.clone()));
    let report = unusable(&open, &bench.put(&bomb)).await;
    assert!(report.message.contains("unpack"), "{report}");

    // The header declares a small size, but the content is longer.
    let liar = weather("1.0.0").with(Entry {
        says: Some(10),
        ..Entry::new("server/zeros", zeros)
    });
    let look = look(&open, &bench.put(&liar)).await;
    let request = super::wanted(&look, "weather", json!({"api_key": "k"}));
    let report = open.hall.install_mcpb(request).await;
    let report = report.expect_err("refused");
    assert!(report.message.contains("server/zeros"), "{report}");
    assert_eq!(bench.everything(), [""; 0]);

    let many = (0..50_001).map(|at| Entry::new(format!("f/{at}"), ""));
    let mut crowd = weather("1.0.0");
    crowd.entries.extend(many);
    let report = unusable(&open, &bench.put(&crowd)).await;
    assert!(report.message.contains("50,000"), "{report}");
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn non_bundle_is_reported() {
    let bench = Bench::new("mcpb-none");
    let open = bench.open().await;
    let good = weather("1.0.0");
    let cut = {
        let bytes = good.bytes();
        bytes[..bytes.len() - 30].to_vec()
    };
    let damaged = {
        let mut bytes = good.bytes();
        let at = bytes.len() - 400;
        bytes[at] ^= 0xff;
        bytes
    };
    let without = Packing {
        entries: vec![Entry::new("readme", "nothing")],
        ..Packing::default()
    };
    let behind = Packing {
        behind: b"more".to_vec(),
        ..good.clone()
    };
    let before = Packing {
        before: b"#!/bin/sh\n".to_vec(),
        ..good.clone()
    };
    let mut broken = good.clone();
    broken.entries[0].content = b"{ not json".to_vec();
    let mut elsewhere = manifest("1.0.0");
    elsewhere["server"]["mcp_config"]["command"] = json!("./server/absent");
    let mut absent = good.clone();
    absent.entries[0].content = elsewhere.to_string().into_bytes();
    for (bytes, message) in [
        (cut, "not a zip archive, or is incomplete"),
        (b"hello".to_vec(), "not a zip archive"),
        (without.bytes(), "has no manifest.json"),
        (behind.bytes(), "not a zip archive, or is incomplete"),
        (before.bytes(), "before its archive"),
        (broken.bytes(), "manifest.json: it can't be read"),
        (absent.bytes(), "is not in the bundle"),
    ] {
        let path = bench.folder.path().join("odd.mcpb");
        std::fs::write(&path, bytes).expect("written");
        let report = unusable(&open, &path).await;
        assert!(report.message.contains(message), "{message}: {report}");
    }
    let report = unusable(&open, bench.folder.path()).await;
    assert!(report.message.contains("is not a file"), "{report}");
    let report = unusable(&open, &bench.folder.path().join("absent.mcpb")).await;
    assert!(report.message.contains("can't be read"), "{report}");

    // After any mutation, the bundle is rejected, or exactly the inspected content is installed.
    let path = bench.folder.path().join("damaged.mcpb");
    std::fs::write(&path, damaged).expect("written");
    let shown = path.display().to_string();
    let looked = open
        .hall
        .look_into_mcpb(guild_api::wire::BundleFileRef { path: shown });
    if let Ok(look) = looked.await {
        let request = super::wanted(&look, "weather", json!({"api_key": "k"}));
        let report = open.hall.install_mcpb(request).await.expect_err("damaged");
        assert!(report.message.contains("weather") || report.message.contains("damaged"));
    }
    assert_eq!(bench.everything(), [""; 0]);
    open.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_signature_or_a_comment_behind_the_archive_is_no_hindrance() {
    let bench = Bench::new("mcpb-signed");
    let open = bench.open().await;
    // A signature may contain the bytes of a record that ends an archive.
    let mut behind = b"MCPB_SIG_V1\x40\0\0\0".to_vec();
    behind.extend(b"PK\x05\x06");
    behind.extend([7; 60]);
    behind.extend(b"MCPB_SIG_END");
    let signed = Packing {
        behind,
        ..weather("1.0.0")
    };
    assert!(look(&open, &bench.put(&signed)).await.signed);
    let mut bytes = weather("1.0.0").bytes();
    let end = bytes.len();
    bytes[end - 2] = 5;
    bytes.extend(b"hello");
    let path = bench.folder.path().join("comment.mcpb");
    std::fs::write(&path, bytes).expect("written");
    assert!(!look(&open, &path).await.signed);
    open.close().await;
}
