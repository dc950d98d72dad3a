//! Installs the pinned peers below `target/peers`.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result};

use crate::program::Program;

/// Time limit of one installation, which may compile crates.
const LIMIT: Duration = Duration::from_secs(30 * 60);
/// Crates with their versions.
const CRATES: &[(&str, &str)] = &[("mcp-proxy", "0.6.0"), ("mcp-hub", "0.3.0")];
const NPM: (&str, &str) = ("mcp-hub", "4.2.1");
const PYPI: (&str, &str) = ("fastmcp", "4.1.6");
/// A requirement of fastmcp that the package index can't meet.
const OVERRIDE: &str = "certifi>=2026.1\n";

fn folder() -> PathBuf {
    crate::root().join("target/peers")
}

/// Returns the path of an installed crate's program.
pub(super) fn cargo_program(name: &str) -> PathBuf {
    folder().join("cargo/bin").join(name)
}

/// Returns the path of an installed npm package's script.
pub(super) fn npm_script(name: &str, script: &str) -> PathBuf {
    folder().join("npm/node_modules").join(name).join(script)
}

/// Returns the path of a program in the Python environment.
pub(super) fn python_program(name: &str) -> PathBuf {
    folder().join("python/bin").join(name)
}

/// Installs everything that is not installed yet.
pub(super) fn all() -> Result<()> {
    let folder = folder();
    fs::create_dir_all(&folder).with_context(|| format!("creating {}", folder.display()))?;
    for (name, version) in CRATES {
        once(&folder, &format!("{name}-{version}"), || {
            Program::cargo()
                .args([
                    "install",
                    "--locked",
                    "--quiet",
                    "--force",
                    "--version",
                    version,
                ])
                .args(["--root".into(), folder.join("cargo")])
                .args([name])
                .env("CARGO_TARGET_DIR", folder.join("build"))
                .limit(LIMIT)
                .run()
        })?;
    }
    let (name, version) = NPM;
    once(&folder, &format!("npm-{name}-{version}"), || {
        Program::npm()
            .args(["install", "--no-audit", "--no-fund", "--silent", "--prefix"])
            .args([folder.join("npm")])
            .args([format!("{name}@{version}")])
            .limit(LIMIT)
            .run()
    })?;
    let (name, version) = PYPI;
    once(&folder, &format!("{name}-{version}"), || {
        let python = folder.join("python");
        let run = |program: Program| program.limit(LIMIT).run();
        run(Program::new("python3").args(["-m", "venv"]).args([&python]))?;
        let pip = Program::new(python_program("pip"));
        run(pip.args(["install", "--quiet", "--disable-pip-version-check", "uv"]))?;
        let overrides = folder.join("overrides.txt");
        fs::write(&overrides, OVERRIDE).context("writing the overrides")?;
        let uv = Program::new(python_program("uv")).args(["pip", "install", "--quiet"]);
        let uv = uv.args(["--python".into(), python_program("python")]);
        let uv = uv.args(["--override".into(), overrides]);
        run(uv.args([format!("{name}=={version}")]))
    })
}

/// Calls `install`, unless a file records that this was done before.
fn once(folder: &Path, name: &str, install: impl FnOnce() -> Result<()>) -> Result<()> {
    let stamp = folder.join(format!("{name}.installed"));
    if stamp.exists() {
        return Ok(());
    }
    println!("installing {name}");
    install()?;
    fs::write(&stamp, "").with_context(|| format!("writing {}", stamp.display()))
}
