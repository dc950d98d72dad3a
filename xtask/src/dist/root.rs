//! A clean Debian in a folder. What is mounted in it is mounted in a namespace of its own, which
//! ends with this process however that ends.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use anyhow::{Context, Result, ensure};

use super::sources::{self, Sources};
use crate::program::Program;

/// Who uses the packages in there.
pub(crate) const USER: &str = "guest";
/// That user's home folder.
pub(crate) const HOME: &str = "/home/guest";
/// The keys that Debian signs its packages with.
const KEYRING: &str = "/usr/share/keyrings/debian-archive-keyring.gpg";
/// A system of a hundred packages is fetched and unpacked.
const INSTALL_LIMIT: Duration = Duration::from_secs(20 * 60);
/// What belongs to the user who started the task, and to nobody in there.
const NOT_HANDED_ON: &[&str] = &[
    "GUILD_HALL_DATA",
    "GUILD_HALL_MEMBERS",
    "XDG_CACHE_HOME",
    "XDG_CONFIG_HOME",
    "XDG_DATA_HOME",
    "XDG_RUNTIME_DIR",
];

/// A system that commands can be run in.
pub(crate) struct Root {
    folder: PathBuf,
    /// Keeps the namespace; it ends when its standard input does, which this process holds.
    keeper: Child,
}

impl Root {
    /// A copy, in `folder`, of a system that has what `depends` names and nothing that is not needed
    /// for that. The original is kept in `kept` for the next time.
    pub(crate) fn with(depends: &str, kept: &Path, folder: &Path) -> Result<Self> {
        ensure!(
            is_root(),
            "a system in a folder is made by root alone\nhint: run this as root"
        );
        let sources = Sources::of_this_machine()?;
        let stamp = kept.join("made");
        let wanted = format!("{sources}\n{depends}\n");
        if !fs::read_to_string(&stamp).is_ok_and(|made| made == wanted) {
            make(&sources, depends, kept)?;
            // Written last: what was cut off begins anew.
            fs::write(&stamp, wanted).context("writing down what was made")?;
        }
        Program::new("cp")
            .args(["--archive", "--reflink=auto"])
            .args([kept.join("root").as_path(), folder])
            .limit(INSTALL_LIMIT)
            .run()?;
        Self::enter(folder)
    }

    /// Mounts what programs need, where nobody else sees it.
    fn enter(folder: &Path) -> Result<Self> {
        const MOUNTS: &str = r#"
            mount -t proc proc "$1/proc"
            mkdir -p "$1/dev/shm"
            mount -t tmpfs -o mode=1777 shm "$1/dev/shm"
            echo ready
            exec cat
        "#;
        let mut keeper = Command::new("unshare")
            .args([
                "--mount",
                "--propagation",
                "private",
                "sh",
                "-ec",
                MOUNTS,
                "sh",
            ])
            .arg(folder)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .context("starting `unshare`")?;
        let mut said = String::new();
        let stdout = keeper.stdout.take().context("no stdout")?;
        // It says so at once, or ends.
        let read = BufReader::new(stdout).read_line(&mut said);
        let root = Self {
            folder: folder.to_owned(),
            keeper,
        };
        read.context("waiting for the mounts")?;
        ensure!(
            said.trim() == "ready",
            "nothing can be mounted here\nhint: it takes the capability CAP_SYS_ADMIN"
        );
        Ok(root)
    }

    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// A program in there, run by root.
    pub(crate) fn by_root<S: AsRef<str>>(&self, words: &[S]) -> Program {
        self.inside(&[], "/root", words)
    }

    /// A program in there, run by its user.
    pub(crate) fn by_user<S: AsRef<str>>(&self, words: &[S]) -> Program {
        let of = format!("--userspec={USER}:{USER}");
        self.inside(&[&of], HOME, words)
    }

    /// The process that is started is the program itself in the end: it gets the signals.
    fn inside<S: AsRef<str>>(&self, options: &[&str], home: &str, words: &[S]) -> Program {
        let namespace = format!("--mount=/proc/{}/ns/mnt", self.keeper.id());
        let mut program = Program::new("nsenter")
            .args([&namespace, "chroot"])
            .args(options)
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

    /// All paths in there but those of the kernel and of the package system itself.
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

impl Drop for Root {
    fn drop(&mut self) {
        // Its input ends, and with it the last process of the namespace.
        drop(self.keeper.stdin.take());
        if self.keeper.wait().is_err() {
            eprintln!(
                "the keeper of {} could not be waited for",
                self.folder.display()
            );
        }
    }
}

/// Makes the system that copies are taken of.
fn make(sources: &Sources, depends: &str, kept: &Path) -> Result<()> {
    println!("making a clean Debian in {}", kept.display());
    if kept.exists() {
        fs::remove_dir_all(kept).with_context(|| format!("removing {}", kept.display()))?;
    }
    fs::create_dir_all(kept).with_context(|| format!("creating {}", kept.display()))?;
    let folder = kept.join("root");
    Program::new("unshare")
        .args([
            "--mount",
            "--propagation",
            "private",
            "debootstrap",
            "--variant=minbase",
        ])
        .args([&format!("--keyring={KEYRING}"), &sources.suite])
        .args([&folder])
        .args([&sources.mirror])
        .limit(INSTALL_LIMIT)
        .text()
        .context("making a Debian of its smallest form")?;
    let write = |path: &str, text: &str| {
        let file = folder.join(path);
        fs::write(&file, text).with_context(|| format!("writing {}", file.display()))
    };
    write("etc/apt/sources.list", &sources.list)?;
    // Nothing that is installed starts.
    write("usr/sbin/policy-rc.d", "#!/bin/sh\nexit 101\n")?;
    Program::new("chmod")
        .args(["755"])
        .args([folder.join("usr/sbin/policy-rc.d")])
        .run()?;
    let root = Root::enter(&folder)?;
    root.by_root(&["useradd", "--create-home", "--uid", "1000", USER])
        .run()?;
    root.by_root(&["apt-get", "--quiet=2", "update"]).run()?;
    root.by_root(&[
        "apt-get",
        "--quiet=2",
        "--yes",
        "--no-install-recommends",
        "satisfy",
        depends,
    ])
    .text()
    .context("installing what the package depends on")?;
    root.by_root(&["apt-get", "clean"]).run()
}

fn is_root() -> bool {
    nix::unistd::geteuid().is_root()
}
