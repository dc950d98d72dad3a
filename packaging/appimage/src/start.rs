//! The modes in which the file is started.

use std::env;
use std::ffi::OsString;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::{Context, Result};

use crate::cache;
use crate::image::Image;

/// Where `--appimage-extract` puts everything, as with every AppImage.
const EXTRACTED: &str = "squashfs-root";

const HELP: &str = "\
Options of the AppImage itself; all others are those of Guild Hall:
  --appimage-extract           unpack everything into ./squashfs-root
  --appimage-extract-and-run   the same as without: it never mounts anything
  --appimage-offset            where the file system image begins
  --appimage-version           the version
  --appimage-help              this text
Started under the name `guildhall`, by a link, it is the command line.";

pub(crate) fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("Guild Hall could not be started: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<()> {
    let file = env::current_exe().context("finding the AppImage")?;
    let mut arguments = env::args_os();
    let name = arguments.next().unwrap_or_default();
    let mut arguments: Vec<OsString> = arguments.collect();
    match arguments.first().and_then(|first| first.to_str()) {
        Some("--appimage-help") => println!("{HELP}"),
        Some("--appimage-version") => println!("{}", env!("CARGO_PKG_VERSION")),
        Some("--appimage-offset") => println!("{}", Image::of(&file)?.offset()),
        Some("--appimage-extract") => {
            let folder = Path::new(EXTRACTED);
            Image::of(&file)?.unpack(folder)?;
            println!("{}", folder.display());
        }
        Some("--appimage-extract-and-run") => {
            arguments.remove(0);
            start(&file, &name, &arguments)?;
        }
        _ => start(&file, &name, &arguments)?,
    }
    Ok(())
}

/// Puts the program in this process' place.
fn start(file: &Path, name: &OsString, arguments: &[OsString]) -> Result<()> {
    let folder = cache::unpacked(file, &root()?)?;
    let error = Command::new(folder.join("AppRun"))
        .args(arguments)
        .env("APPDIR", &folder)
        .env("APPIMAGE", file)
        .env("ARGV0", name)
        .env("OWD", env::current_dir().unwrap_or_default())
        .exec();
    Err(error).with_context(|| format!("starting {}", folder.display()))
}

/// The folder of what AppImages of Guild Hall were unpacked to.
fn root() -> Result<PathBuf> {
    let whole = |name: &str| {
        env::var_os(name)
            .map(PathBuf::from)
            .filter(|path| path.is_absolute())
    };
    let cache = whole("XDG_CACHE_HOME")
        .or_else(|| whole("HOME").map(|home| home.join(".cache")))
        .context("neither XDG_CACHE_HOME nor HOME names a folder")?;
    Ok(cache.join("guild-hall").join("appimage"))
}
