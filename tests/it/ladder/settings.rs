//! The settings of fallback discovery in `config.yml`.

use guild_engine::CACHE_FILE;
use guild_model::Code;
use serde_json::json;

use super::{names, saying, tools_of};
use crate::test_env::{TestEnv, name};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn config_file_disables_and_limits_discovery() {
    let env = TestEnv::new("settings");
    // The server prints its tools after the limit in the file, but before the default limit.
    let script = "sleep 4; exec \"$0\" --stdio --listen-mute --says tools";
    let bin = guild_tests::fixture_bin().display().to_string();
    let folder = env.member("one").manifest(json!({
        "command": "sh", "args": ["-c", script, bin], "timeouts": {"start_ms": 700},
    }));
    folder.write();
    let settings = env.data_dir().join("config.yml");
    std::fs::create_dir_all(env.data_dir()).expect("made");
    std::fs::write(&settings, "discovery:\n  enabled: false\n").expect("written");
    let open = env.at_rest().await;
    assert_eq!(tools_of(&open, "one").found, None);
    // Each search reads the file again.
    for (written, expect) in [
        ("discovery: {timeout: 500}\n", &[][..]),
        ("discovery: {cache: false}\n", &["read", "write"]),
    ] {
        std::fs::write(&settings, written).expect("written");
        let failed = open.hall.refresh_member(&name("one")).await;
        assert!(failed.is_err());
        open.hall.at_rest().await;
        assert_eq!(names(&tools_of(&open, "one")), expect, "{written}");
    }
    open.close().await;
    assert!(!folder.path().join(CACHE_FILE).exists(), "nothing is kept");
    // Errors in the file are reported, and the defaults apply.
    std::fs::write(&settings, "discovery:\n  timeout: soon\n").expect("written");
    saying(&env, "one", &["--says", "tools"]).write();
    let open = env.at_rest().await;
    let warnings = open.view("one").warnings;
    assert_eq!(warnings.len(), 1, "{warnings:#?}");
    assert_eq!(warnings[0].code, Code::DiscoverySettings);
    assert!(
        warnings[0].message.starts_with("config.yml:2: "),
        "{}",
        warnings[0]
    );
    assert_eq!(names(&tools_of(&open, "one")), ["read", "write"]);
    open.close().await;
}
