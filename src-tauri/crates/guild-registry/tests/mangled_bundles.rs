//! Tests the parser of bundle manifests with valid and with randomly damaged files.

use guild_client_config::System;
use guild_import::install::InstallAnswers;
use guild_registry::mcpb::{Layout, Machine, parse};

#[test]
fn mangled_bundle_manifests_run_nothing_invalid() {
    guild_tests::mangled::each("mcpb-manifest", |bytes| {
        let Ok(manifest) = parse(bytes) else { return };
        assert!(!manifest.about.name.trim().is_empty() && manifest.notes.len() <= 50);
        for system in [System::Linux, System::MacOs, System::Windows] {
            let machine = Machine {
                system,
                home: "/home/me".into(),
                desktop: "/home/me/Desktop".into(),
                documents: "/home/me/Papers".into(),
                downloads: "/home/me/Downloads".into(),
            };
            let mut files = Layout::new(system);
            for file in ["server/index.js", "server/tool", "src/server.py"] {
                files.take(file.as_bytes()).expect("a name");
            }
            let Ok(planned) = manifest.plan(&machine, &files, "bundle-0") else {
                continue;
            };
            // The inputs always have a schema for a form, and checking answers never panics.
            assert!(planned.inputs.schema()["properties"].is_object());
            let _ = planned.inputs.read("{}");
            if let Ok(run) = planned.plan.filled(&InstallAnswers::new()) {
                run.fits_a_manifest().expect("filled is what fits");
            }
        }
    });
}
