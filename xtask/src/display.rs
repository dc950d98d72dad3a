//! Opens a virtual display, and takes pictures of it.

use std::path::Path;
use std::time::Duration;

use anyhow::{Result, bail};

use crate::program::{ChildWaiter, Program};

const START_LIMIT: Duration = Duration::from_secs(20);
const PICTURE_LIMIT: Duration = Duration::from_secs(30);
/// Maximum number of pictures that are taken until two consecutive ones are equal.
const PICTURES_MAX: usize = 40;

/// The environment variable with the address of the session bus. Without it, GTK starts a bus and
/// the bus's services, which outlive the app.
pub(crate) const SESSION_BUS: &str = "DBUS_SESSION_BUS_ADDRESS";
/// The value of that variable with which GTK starts no bus.
pub(crate) const NO_BUS: &str = "disabled:";

/// An X server in memory. Dropping this value ends it.
pub(crate) struct VirtualDisplay {
    name: String,
    server: ChildWaiter,
}

impl VirtualDisplay {
    /// Starts an X server with a free display number.
    pub(crate) fn open(width: u32, height: u32) -> Result<Self> {
        let screen = format!("{width}x{height}x24");
        let started = Program::new("Xvfb")
            .args(["-displayfd", "1", "-screen", "0", &screen])
            .words("-nolisten tcp -noreset -dpi 96")
            // Xvfb prints a message for each display number that is in use.
            .quiet()
            .start()?;
        match started.lines.recv_timeout(START_LIMIT) {
            Ok(number) => Ok(Self {
                name: format!(":{}", number.trim()),
                server: started.process,
            }),
            Err(_) => {
                started.process.stop(Duration::from_secs(2));
                bail!("Xvfb opened no display within {} s", START_LIMIT.as_secs())
            }
        }
    }

    /// Makes a program show its windows on this display.
    pub(crate) fn show(&self, program: Program) -> Program {
        program
            .env("DISPLAY", &self.name)
            .env("GDK_BACKEND", "x11")
            // Drawing with the graphics card leaves WebKit's window empty on a virtual display.
            .env("WEBKIT_DISABLE_DMABUF_RENDERER", "1")
            .env(SESSION_BUS, NO_BUS)
            .env("NO_AT_BRIDGE", "1")
            .without_env("WAYLAND_DISPLAY")
    }

    /// Saves a picture of the whole display, once two consecutive pictures are equal.
    pub(crate) fn picture(&self, file: &Path) -> Result<()> {
        let mut last = None;
        for _ in 0..PICTURES_MAX {
            self.take(file)?;
            let signature = Program::new("identify")
                .words("-format %#")
                .args([file])
                .limit(PICTURE_LIMIT)
                .text()?;
            if last.as_ref() == Some(&signature) {
                break;
            }
            last = Some(signature);
        }
        Ok(())
    }

    fn take(&self, file: &Path) -> Result<()> {
        Program::new("import")
            .words("-silent -window root -strip")
            .args([format!("png:{}", file.display())])
            .env("DISPLAY", &self.name)
            .limit(PICTURE_LIMIT)
            .run()
    }
}

impl Drop for VirtualDisplay {
    fn drop(&mut self) {
        self.server.stop(Duration::from_secs(5));
    }
}
