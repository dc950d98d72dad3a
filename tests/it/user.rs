//! A user with a separate home folder, in which other apps have their files.

use std::path::{Path, PathBuf};

use guild_client_config::{ClientConfigFolders, ClientProgram, System};
use guild_engine::GuildHallOptions;
use serde_json::Value;
use tokio::process::Command;

use crate::guildhall::{CliHarness, Running};
use crate::test_env::{Open, TestEnv};

/// A user whose hall looks for apps in the home folder.
pub(crate) struct User {
    pub(crate) env: TestEnv,
    pub(crate) home: tempfile::TempDir,
}

impl User {
    pub(crate) fn new(test: &str) -> Self {
        Self {
            env: TestEnv::new(test),
            home: tempfile::tempdir().expect("a home"),
        }
    }

    pub(crate) fn folders(&self) -> ClientConfigFolders {
        let home = self.home.path().to_owned();
        ClientConfigFolders {
            system: System::Linux,
            config: home.join(".config"),
            home,
            claude: None,
            codex: None,
        }
    }

    pub(crate) fn file(&self, program: ClientProgram) -> PathBuf {
        program.file(&self.folders())
    }

    /// Writes an app's file.
    pub(crate) fn has(&self, program: ClientProgram, content: &Value) -> PathBuf {
        let file = self.file(program);
        put(&file, &content.to_string());
        file
    }

    pub(crate) async fn open(&self) -> Open {
        let options = GuildHallOptions {
            programs: Some(self.folders()),
            ..self.env.options()
        };
        self.env.open_with(options).await
    }
}

/// A user of the command line.
pub(crate) struct AtHome {
    pub(crate) cli: CliHarness,
    pub(crate) home: tempfile::TempDir,
}

impl AtHome {
    pub(crate) async fn new(test: &str) -> Self {
        let cli = CliHarness::new(test).await;
        let home = tempfile::tempdir().expect("a home");
        Self { cli, home }
    }

    pub(crate) fn command(&self, words: &[&str]) -> Command {
        let mut command = self.cli.command(words);
        command
            .env("HOME", self.home.path())
            .env("XDG_CONFIG_HOME", self.home.path().join(".config"))
            .env_remove("CLAUDE_CONFIG_DIR")
            .env_remove("CODEX_HOME")
            // Hides the keychain of the person who runs the tests.
            .env("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nowhere");
        command
    }

    pub(crate) fn serve(&self) -> Running {
        self.cli
            .started(self.command(&["serve", "--gateway-port", "0"]))
    }
}

/// Writes a file, and creates its folder.
pub(crate) fn put(file: &Path, text: &str) {
    std::fs::create_dir_all(file.parent().expect("a folder")).expect("made");
    std::fs::write(file, text).expect("written");
}
