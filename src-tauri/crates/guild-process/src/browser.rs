//! Opening an address in the system's browser.
//!
//! The one program that is started here and outlives this one: it belongs to the person, not to
//! Guild Hall. It is given the address as one argument, and no shell reads it.

use std::ffi::OsStr;
use std::io;
use std::process::{Command, Stdio};

use crate::command::hand_on;

/// The system's own way to open an address.
const OPENER: (&str, &[&str]) = if cfg!(target_os = "macos") {
    ("open", &[])
} else if cfg!(windows) {
    ("rundll32", &["url.dll,FileProtocolHandler"])
} else {
    ("xdg-open", &[])
};

/// Opens an address. Blocking, for as long as a process takes to begin; what becomes of it is the
/// browser's to show.
///
/// # Errors
/// When the system's opener can't be started, or the address would be read as an option.
pub fn open(address: &str) -> io::Result<()> {
    if address.starts_with('-') {
        return Err(io::Error::other("it is no address"));
    }
    let (program, words) = OPENER;
    let mut opener = Command::new(program);
    hand_on(&mut opener);
    opener.args(words).arg(OsStr::new(address));
    opener
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    #[cfg(unix)]
    {
        use std::os::unix::process::CommandExt;
        // What ends our group, a terminal's ^C, is not meant for the browser.
        opener.process_group(0);
    }
    let mut child = opener.spawn().map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => io::Error::other(format!("there is no {program} here")),
        _ => error,
    })?;
    // Whoever started it has to take note of its end.
    std::thread::Builder::new()
        .name("browser".to_owned())
        .spawn(move || drop(child.wait()))
        .map(drop)
}
