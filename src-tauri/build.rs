//! Makes a permission of each command, and sees to it that the binary can be built at any time.

use std::path::Path;

/// Names the commands, each of which has a permission `allow-NAME`.
const CAPABILITY: &str = "src-tauri/capabilities/main.json";

/// The page that is embedded while the UI has not been built, relative to `tauri.conf.json`.
const NO_UI: &str = r#"{"build":{"frontendDist":"src-tauri/no-ui"}}"#;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    for path in [
        "src-tauri/build.rs",
        "src-tauri/capabilities",
        "src-tauri/no-ui",
        "icons",
        // Tauri embeds the UI without reporting its files to cargo.
        "ui/dist",
    ] {
        println!("cargo:rerun-if-changed={path}");
    }
    if !Path::new("ui/dist/index.html").exists() {
        // `cargo clippy --workspace` on a fresh clone has no UI yet; the window then says how to
        // get one. Tauri's macro reads this variable while the library compiles.
        println!("cargo:warning=ui/dist is missing: `cargo xtask run` builds the UI first");
        println!("cargo:rustc-env=TAURI_CONFIG={NO_UI}");
    }
    let capability = std::fs::read_to_string(CAPABILITY)?;
    let allowed = capability
        .split('"')
        .filter_map(|part| part.strip_prefix("allow-"));
    let commands = allowed.map(|name| &*name.replace('-', "_").leak());
    let commands: Vec<&'static str> = commands.collect();
    let manifest = tauri_build::AppManifest::new().commands(commands.leak());
    let attributes = tauri_build::Attributes::new()
        .capabilities_path_pattern("./src-tauri/capabilities/**/*")
        .app_manifest(manifest);
    tauri_build::try_build(attributes)?;
    Ok(())
}
