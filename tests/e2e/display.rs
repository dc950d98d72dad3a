//! A virtual display for one test.

use std::process::Stdio;

use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, Command};

use crate::desktop::LIMIT;

/// An X server. It is killed when this value is dropped.
pub(crate) struct Display {
    server: Child,
    number: String,
}

impl Display {
    /// Starts an X server with the screen size that most tests use.
    pub(crate) async fn open() -> Self {
        Self::of(Command::new("Xvfb").args(["-screen", "0", "1400x1000x24"])).await
    }

    /// Starts this X server, and waits for the number of its display.
    pub(crate) async fn of(server: &mut Command) -> Self {
        let mut server = server
            // The server chooses a free number and writes it to stdout.
            .args(["-displayfd", "1", "-nolisten", "tcp"])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .kill_on_drop(true)
            .spawn()
            .expect("the X server has to be installed");
        let stdout = server.stdout.take().expect("its stdout");
        let mut line = String::new();
        tokio::time::timeout(LIMIT, BufReader::new(stdout).read_line(&mut line))
            .await
            .expect("a display within the limit")
            .expect("its number");
        let number = line.trim().to_owned();
        Self { server, number }
    }

    pub(crate) fn number(&self) -> &str {
        &self.number
    }

    pub(crate) fn process(&self) -> u32 {
        self.server.id().expect("it has not ended")
    }

    pub(crate) async fn end(&mut self) {
        self.server.kill().await.expect("the display ends");
    }
}
