//! A virtual display, and pictures of it.

use std::path::Path;
use std::sync::mpsc;
use std::time::Duration;

use anyhow::{Context, Result, bail};

use crate::program::{self, ChildWaiter, Program};

const START_LIMIT: Duration = Duration::from_secs(20);
const PICTURE_LIMIT: Duration = Duration::from_secs(30);
/// How many pictures are taken until two in a row are alike.
const PICTURES_MAX: usize = 40;

/// Without this variable GTK starts a session bus, with the services on it, which outlive the app.
pub(crate) const SESSION_BUS: &str = "DBUS_SESSION_BUS_ADDRESS";
/// An address that leads to no bus.
pub(crate) const NO_BUS: &str = "disabled:";

/// An X server in memory; it ends with this value.
pub(crate) struct VirtualDisplay {
    name: String,
    server: ChildWaiter,
}

impl VirtualDisplay {
    /// Starts a separate server on a free number.
    pub(crate) fn open(width: u32, height: u32) -> Result<Self> {
        let screen = format!("{width}x{height}x24");
        let mut server = Program::new("Xvfb")
            .args(["-displayfd", "1", "-screen", "0", &screen])
            .args(["-nolisten", "tcp", "-noreset", "-dpi", "96"])
            // It prints each number that it tries in vain.
            .quiet()
            .stdout_piped();
        let mut child = server.spawn()?;
        let stdout = child.stdout.take().context("Xvfb has no stdout")?;
        let server = program::wait_aside(child);
        let (lines, printed) = mpsc::sync_channel(1);
        program::pass_lines(stdout, lines);
        match printed.recv_timeout(START_LIMIT) {
            Ok(number) => Ok(Self {
                name: format!(":{}", number.trim()),
                server,
            }),
            Err(_) => {
                server.stop(Duration::from_secs(2));
                bail!("Xvfb opened no display within {} s", START_LIMIT.as_secs())
            }
        }
    }

    /// Has a program show its windows here.
    pub(crate) fn show(&self, program: Program) -> Program {
        program
            .env("DISPLAY", &self.name)
            .env("GDK_BACKEND", "x11")
            // WebKit's way through the graphics card leaves the window empty on such a display.
            .env("WEBKIT_DISABLE_DMABUF_RENDERER", "1")
            .env(SESSION_BUS, NO_BUS)
            .env("NO_AT_BRIDGE", "1")
            .without_env("WAYLAND_DISPLAY")
    }

    /// Saves a picture of the whole display, once two in a row are alike.
    pub(crate) fn picture(&self, file: &Path) -> Result<()> {
        let mut last = None;
        for _ in 0..PICTURES_MAX {
            self.take(file)?;
            let signature = Program::new("identify")
                .args(["-format", "%#"])
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
            .args(["-silent", "-window", "root", "-strip"])
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
