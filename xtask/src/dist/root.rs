//! Runs programs in a clean Debian in a folder. Each program runs in a separate mount namespace, so
//! that its mounts disappear when it ends.

use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use fs_err as fs;

use super::sources::{self, DebianSources};
use crate::program::Program;

/// The user who runs the packaged programs.
const USER: &str = "guest";
/// The home folder of that user.
pub(crate) const HOME: &str = "/home/guest";
/// The keys for Debian's signatures.
const KEYRING: &str = "/usr/share/keyrings/debian-archive-keyring.gpg";
/// The time to fetch and unpack a system of a hundred packages.
const INSTALL_LIMIT: Duration = Duration::from_secs(20 * 60);
/// How long the last processes in a system may take to end.
const LEAVE_LIMIT: Duration = Duration::from_secs(20);
/// The folder in a system with the packages to install.
const HANDED_IN: &str = "tmp/packages";
/// Variables of the user who started the task, which programs in a system must not get.
const NOT_HANDED_ON: &[&str] = &[
    "GUILD_HALL_DATA",
    "GUILD_HALL_MEMBERS",
    "TMPDIR",
    "XDG_CACHE_HOME",
    "XDG_CONFIG_DIRS",
    "XDG_CONFIG_HOME",
    "XDG_CURRENT_DESKTOP",
    "XDG_DATA_DIRS",
    "XDG_DATA_HOME",
    "XDG_RUNTIME_DIR",
];

/// A shell script that mounts the system folders that programs need below the folder `$1`. It then
/// mounts the pairs of paths up to `--`, read-only.
const MOUNT: &str = r#"
    root=$1
    shift
    while [ "$1" != -- ]; do
        mount --bind "$1" "$root$2"
        mount -o remount,bind,ro "$root$2"
        shift 2
    done
    shift
    mount -t proc proc "$root/proc"
    mkdir -p "$root/dev/shm"
    mount -t tmpfs -o mode=1777 shm "$root/dev/shm"
"#;

/// The packages of a system.
pub(crate) struct Contents<'a> {
    /// The packages to install, in the format of the `Depends` field of a package.
    pub(crate) depends: &'a str,
    /// Packages that are fetched at the same time, but installed later by [`Root::install_kept`].
    pub(crate) kept: &'a [&'a str],
}

/// A Debian system in a folder, in which programs can be run.
pub(crate) struct Root {
    folder: PathBuf,
    /// The folder with the fetched packages.
    packages: PathBuf,
}

impl Root {
    /// Copies a system with only these packages and their dependencies to `folder`. The original
    /// stays in `original` for later calls.
    pub(crate) fn with(contents: &Contents<'_>, original: &Path, folder: &Path) -> Result<Self> {
        ensure!(
            is_root(),
            "a system in a folder is made by root alone\nhint: run this as root"
        );
        let sources = DebianSources::of_this_machine()?;
        let stamp = original.join("made");
        let packages = original.join("packages");
        let wanted = format!(
            "{sources}\n{}\n{}\n",
            contents.depends,
            contents.kept.join(" ")
        );
        if !fs::read_to_string(&stamp).is_ok_and(|made| made == wanted) {
            make(&sources, contents, original, &packages)?;
            // Written last, so that an interrupted run starts over.
            fs::write(&stamp, wanted).context("writing down what was made")?;
        }
        Program::new("cp")
            .words("--archive --reflink=auto")
            .args([original.join("root").as_path(), folder])
            .limit(INSTALL_LIMIT)
            .run()?;
        Ok(Self {
            folder: folder.to_owned(),
            packages,
        })
    }

    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Returns a command that runs a program in the system as root.
    pub(crate) fn by_root<S: AsRef<str>>(&self, words: &[S]) -> Program {
        self.inside("root", "/root", words)
    }

    /// Returns a command that runs a program in the system as the system's user.
    pub(crate) fn by_user<S: AsRef<str>>(&self, words: &[S]) -> Program {
        self.inside(USER, HOME, words)
    }

    /// Returns a command that runs a program in the system. The started process becomes that
    /// program, so signals to the process reach the program.
    fn inside<S: AsRef<str>>(&self, user: &str, home: &str, words: &[S]) -> Program {
        let program = Program::new("unshare")
            .words("--mount --propagation private")
            .args(["sh", "-ec", &format!(r#"{MOUNT} exec "$@""#), "sh"])
            .args([&self.folder])
            .args(["--"]);
        self.with_words(program, user, home, words)
    }

    /// Returns a command that runs a program as the system's user in a process namespace. When the
    /// program or this process ends, all processes that the program started end too. `seen` has
    /// files and folders that are mounted read-only: each with its path outside and its path inside
    /// the system.
    pub(crate) fn apart<S: AsRef<str>>(
        &self,
        seen: &[(PathBuf, PathBuf)],
        words: &[S],
    ) -> Result<Program> {
        // The shell stays as the first process of the namespace.
        let script = format!(r#"{MOUNT} status=0; "$@" || status=$?; exit "$status""#);
        let mut program = Program::new("setpriv")
            .words("--pdeathsig KILL unshare")
            .words("--mount --propagation private")
            .words("--pid --fork --kill-child")
            .args(["sh", "-ec", &script, "sh"])
            .args([&self.folder]);
        for (outside, inside) in seen {
            self.make_place_for(outside, inside)?;
            program = program.args([outside, inside]);
        }
        Ok(self.with_words(program.args(["--"]), USER, HOME, words))
    }

    /// Adds the command and a user's environment to a program that enters the system.
    fn with_words<S: AsRef<str>>(
        &self,
        program: Program,
        user: &str,
        home: &str,
        words: &[S],
    ) -> Program {
        let mut program = program
            .args(["chroot", &format!("--userspec={user}:{user}")])
            .args([&self.folder])
            .args(["env", "--chdir", home])
            .args(words.iter().map(AsRef::as_ref))
            .env("HOME", home)
            .env(
                "PATH",
                "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
            )
            .env("LC_ALL", "C.UTF-8")
            .env("DEBIAN_FRONTEND", "noninteractive")
            .limit(INSTALL_LIMIT);
        for name in NOT_HANDED_ON {
            program = program.without_env(name);
        }
        program
    }

    /// Makes an empty file or folder as a mount point.
    fn make_place_for(&self, outside: &Path, inside: &Path) -> Result<()> {
        let place = self.folder.join(inside.strip_prefix("/").unwrap_or(inside));
        let making = || format!("making a place for {}", outside.display());
        if outside.is_dir() {
            return fs::create_dir_all(&place).with_context(making);
        }
        let folder = place.parent().unwrap_or(&place);
        fs::create_dir_all(folder).with_context(making)?;
        fs::write(&place, "").with_context(making)
    }

    pub(crate) fn install_kept(&self) -> Result<()> {
        let inside = self.folder.join(HANDED_IN);
        fs::create_dir(&inside).context("a folder for packages")?;
        let mut names = Vec::new();
        for entry in fs::read_dir(&self.packages).context("reading the kept packages")? {
            let file = entry.context("reading the kept packages")?.path();
            let name = file.file_name().unwrap_or_default();
            fs::copy(&file, inside.join(name)).context("handing a package in")?;
            names.push(format!("/{HANDED_IN}/{}", name.to_string_lossy()));
        }
        let words = [vec!["dpkg".to_owned(), "--install".to_owned()], names].concat();
        self.by_root(&words)
            .text()
            .context("installing what was kept")?;
        fs::remove_dir_all(&inside).context("taking the packages out again")
    }

    /// Fails if a process still runs in the system, or a mount is left.
    pub(crate) fn leave(self) -> Result<()> {
        let folder = self.folder;
        let start = Instant::now();
        loop {
            let users = users_of(&folder);
            if users.is_empty() {
                return Ok(());
            }
            ensure!(
                start.elapsed() < LEAVE_LIMIT,
                "{} is still in use:\n{}",
                folder.display(),
                users.join("\n")
            );
            thread::sleep(Duration::from_millis(50));
        }
    }

    /// Returns all paths in the system, except those of the kernel and of the package system.
    pub(crate) fn files(&self) -> Result<Vec<String>> {
        let said = Program::new("find")
            .args([&self.folder])
            .args(["-xdev", "-mindepth", "1", "-printf", "%P\\n"])
            .text()?;
        let mut files: Vec<String> = said
            .lines()
            .filter(|path| !sources::is_of_the_package_system(path))
            .map(str::to_owned)
            .collect();
        files.sort();
        Ok(files)
    }
}

/// Returns the processes whose root is this folder, or that have a mount in it.
pub(crate) fn users_of(folder: &Path) -> Vec<String> {
    let Ok(processes) = fs::read_dir("/proc") else {
        return Vec::new();
    };
    let named = folder.display().to_string();
    processes
        .filter_map(|process| {
            let process = process.ok()?.path();
            process.file_name()?.to_str()?.parse::<u32>().ok()?;
            let lives = fs::read_link(process.join("root")).is_ok_and(|at| at.starts_with(folder));
            let mounts = fs::read_to_string(process.join("mountinfo"))
                .is_ok_and(|mounts| mounts.contains(&named));
            let words = fs::read_to_string(process.join("cmdline")).unwrap_or_default();
            (lives || mounts).then(|| format!("{} {}", process.display(), words.replace('\0', " ")))
        })
        .collect()
}

/// Installs the original of a system.
fn make(
    sources: &DebianSources,
    contents: &Contents<'_>,
    original: &Path,
    packages: &Path,
) -> Result<()> {
    println!("making a clean Debian in {}", original.display());
    if original.exists() {
        fs::remove_dir_all(original)?;
    }
    fs::create_dir_all(packages)?;
    let folder = original.join("root");
    Program::new("unshare")
        .words("--mount --propagation private debootstrap --variant=minbase")
        .args([&format!("--keyring={KEYRING}"), &sources.suite])
        .args([&folder])
        .args([&sources.mirror])
        .limit(INSTALL_LIMIT)
        .text()
        .context("making a Debian of its smallest form")?;
    let write = |path: &str, text: &str| {
        let file = folder.join(path);
        fs::write(&file, text)
    };
    write("etc/apt/sources.list", &sources.list)?;
    // Prevents installed services from starting.
    write("usr/sbin/policy-rc.d", "#!/bin/sh\nexit 101\n")?;
    Program::new("chmod")
        .args(["755"])
        .args([folder.join("usr/sbin/policy-rc.d")])
        .run()?;
    let root = Root {
        folder: folder.clone(),
        packages: packages.to_owned(),
    };
    root.by_root(&["useradd", "--create-home", "--uid", "1000", USER])
        .run()?;
    root.by_root(&["apt-get", "--quiet=2", "update"]).run()?;
    let apt = ["apt-get", "--quiet=2", "--yes", "--no-install-recommends"];
    root.by_root(&[&apt[..], &["satisfy", contents.depends]].concat())
        .text()
        .context("installing what the package depends on")?;
    root.by_root(&["apt-get", "clean"]).run()?;
    let fetch = ["--download-only", "install"];
    root.by_root(&[&apt[..], &fetch, contents.kept].concat())
        .text()
        .context("fetching what is kept")?;
    let fetched = folder.join("var/cache/apt/archives");
    for entry in fs::read_dir(&fetched).context("reading what was fetched")? {
        let file = entry.context("reading what was fetched")?.path();
        if file.extension().is_some_and(|kind| kind == "deb") {
            fs::copy(&file, packages.join(file.file_name().unwrap_or_default()))?;
        }
    }
    root.by_root(&["apt-get", "clean"]).run()
}

fn is_root() -> bool {
    nix::unistd::geteuid().is_root()
}
