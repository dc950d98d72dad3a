//! Tests of fields that belong to another file or another transport.

use serde_json::json;

use super::super::{config_hash, launch_hash, parse};
use crate::error::Code;

#[test]
fn another_programs_file_points_to_import() {
    let text = json!({"mcpServers": {"notes": {"command": "npx", "args": ["-y", "notes"]}}});
    let report = parse(text.to_string().as_bytes(), "plugin.json")
        .manifest
        .expect_err("it is no manifest");
    assert_eq!(report.code, Code::ManifestField);
    assert!(report.message.contains("`mcpServers`"), "{report}");
    assert!(!report.message.contains("more"), "nothing else: {report}");
    assert!(report.hint.contains("guildhall add"), "{report}");
}

#[test]
fn headers_of_a_command_are_kept_over_http() {
    let manifest = |transport: &str, key: &str| {
        let text = json!({
            "name": "m", "transport": transport, "command": "server", "args": ["${PORT}"],
            "headers": {"Authorization": format!("Bearer ${{secret:{key}}}")},
        });
        parse(text.to_string().as_bytes(), "plugin.json")
    };
    let parsed = manifest("http", "KEY");
    assert_eq!(parsed.warnings, []);
    let http = parsed.manifest.expect("a manifest");
    assert_eq!(http.headers["Authorization"], "Bearer ${secret:KEY}");
    assert!(http.secrets().contains("KEY"));
    let other = manifest("http", "OTHER").manifest.expect("a manifest");
    assert_ne!(launch_hash(&http), launch_hash(&other));
    assert_ne!(config_hash(&http), config_hash(&other));
    let stdio = manifest("stdio", "KEY");
    let told = stdio.warnings.iter();
    let told = told.filter(|report| {
        report
            .message
            .contains("`headers` has no effect over stdio")
    });
    assert_eq!(told.count(), 1);
    let stdio = stdio.manifest.expect("a manifest");
    assert!(stdio.headers.is_empty() && stdio.secrets().is_empty());
}
