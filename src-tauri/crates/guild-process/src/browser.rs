//! Opens an address, a file or a folder with the system's default program, and opens a terminal in
//! a folder.
//!
//! These programs belong to the user and outlive Guild Hall. Each one receives the address or path
//! as a single argument, without a shell.

use std::ffi::OsStr;
use std::io;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::command::pass_environment;

/// The system's command that opens an address, with its arguments.
const OPENER: (&str, &[&str]) = if cfg!(target_os = "macos") {
    ("open", &[])
} else if cfg!(windows) {
    ("rundll32", &["url.dll,FileProtocolHandler"])
} else {
    ("xdg-open", &[])
};

/// Terminal programs, in the order in which they are tried. `xdg-terminal-exec` starts the terminal
/// that the user chose.
#[cfg(not(any(windows, target_os = "macos")))]
const TERMINALS: &[&str] = &[
    "xdg-terminal-exec",
    "x-terminal-emulator",
    "ptyxis",
    "kgx",
    "gnome-terminal",
    "konsole",
    "xfce4-terminal",
    "mate-terminal",
    "lxterminal",
    "alacritty",
    "kitty",
    "foot",
    "xterm",
];

/// Opens a web address, a file or a folder. Blocks until the system's command has started.
///
/// # Errors
/// When the system's command can't be started, or would read the address as an option.
pub fn open(address: &str) -> io::Result<()> {
    if address.starts_with('-') {
        return Err(io::Error::other("it is not an address"));
    }
    let (program, words) = OPENER;
    let mut opener = Command::new(program);
    opener.args(words).arg(OsStr::new(address));
    start(opener)
}

/// Opens a terminal in a folder. Blocks until the terminal has started.
///
/// # Errors
/// When no terminal can be started. The first error that is not a missing program is returned, if
/// there is one.
pub fn open_terminal(folder: &Path) -> io::Result<()> {
    let mut refused = None;
    for mut terminal in terminals(folder) {
        terminal.current_dir(folder);
        match start(terminal) {
            Ok(()) => return Ok(()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => {
                refused.get_or_insert(error);
            }
        }
    }
    Err(refused.unwrap_or_else(|| {
        let why = match cfg!(any(windows, target_os = "macos")) {
            true => "no terminal was found",
            false => "no terminal was found; set TERMINAL",
        };
        io::Error::new(io::ErrorKind::NotFound, why)
    }))
}

#[cfg(target_os = "macos")]
fn terminals(folder: &Path) -> Vec<Command> {
    let mut open = Command::new("open");
    open.args(["-a", "Terminal"]).arg(folder);
    vec![open]
}

#[cfg(windows)]
fn terminals(_: &Path) -> Vec<Command> {
    let mut terminal = Command::new("wt.exe");
    // Uses the current folder, since `wt.exe` would split its path at `;`.
    terminal.args(["-d", "."]);
    // `start` opens the console window for `cmd.exe`.
    let mut console = Command::new("cmd.exe");
    console.args(["/C", "start", "cmd.exe"]);
    vec![terminal, console]
}

#[cfg(not(any(windows, target_os = "macos")))]
fn terminals(_: &Path) -> Vec<Command> {
    let own = std::env::var_os("TERMINAL").filter(|name| !name.is_empty());
    let known = TERMINALS.iter().map(Into::into);
    own.into_iter().chain(known).map(Command::new).collect()
}

/// Starts a program for the user, without the variables that are only for Guild Hall.
fn start(mut opener: Command) -> io::Result<()> {
    pass_environment(&mut opener);
    opener
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    #[cfg(unix)]
    {
        use std::os::unix::process::CommandExt;
        // ^C in a terminal ends this program's group, and must not reach the browser.
        opener.process_group(0);
    }
    let mut child = opener.spawn().map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => {
            let program = opener.get_program().to_string_lossy();
            io::Error::new(error.kind(), format!("{program} was not found"))
        }
        _ => error,
    })?;
    // On Unix, an ended child remains as a zombie until its parent waits for it.
    std::thread::Builder::new()
        .name("browser".to_owned())
        .spawn(move || drop(child.wait()))
        .map(drop)
}
