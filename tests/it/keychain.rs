//! Secrets in the system's keychain: a real Secret Service on a session bus for one test.

use std::path::Path;
use std::process::{ExitStatus, Stdio};

use guild_tests::{LIMIT, Nonce};
use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::process::{Child, Command};

use crate::guildhall::{CliHarness, Ended, recorded};
use crate::test_env::files_where;

/// The configuration of a bus that does not start services.
const BUS: &str = include_str!("../data/session-bus.conf");
const VALUE: &str = "tok\u{e9}n \"with\" =quotes= \u{1f511}";

/// A session bus with GNOME's keyring, which is unlocked.
struct Desktop {
    home: TempDir,
    address: String,
    bus: Child,
    keyring: Child,
}

impl Desktop {
    async fn start(nonce: &Nonce) -> Self {
        let home = tempfile::tempdir().expect("a folder");
        let folder = home.path().to_str().expect("UTF-8");
        let config = home.path().join("session.conf");
        std::fs::write(&config, BUS.replace("FOLDER", folder)).expect("written");
        let mut bus = Command::new("dbus-daemon");
        bus.arg(format!("--config-file={}", config.display()))
            .args(["--nofork", "--nopidfile", "--print-address=1"]);
        let mut bus = begun(bus, nonce);
        let address = first_line(bus.stdout.take().expect("its stdout")).await;
        let keyring = open_keyring(home.path(), &address, nonce).await;
        Self {
            home,
            address,
            bus,
            keyring,
        }
    }

    /// Ends the keyring and starts it again, like the next login does.
    async fn log_in_again(&mut self, nonce: &Nonce) {
        ended(&mut self.keyring).await;
        self.keyring = open_keyring(self.home.path(), &self.address, nonce).await;
    }

    /// Runs a command with this keychain to its end. `given` is written to its stdin.
    async fn run(&self, cli: &CliHarness, words: &[&str], given: &str) -> Ended {
        let mut command = cli.command(words);
        let file = self.home.path().join("given");
        std::fs::write(&file, given).expect("written");
        command
            .env("DBUS_SESSION_BUS_ADDRESS", &self.address)
            .stdin(std::fs::File::open(&file).expect("opened"));
        std::fs::remove_file(&file).expect("removed");
        cli.output(command).await
    }

    async fn end(mut self) {
        ended(&mut self.keyring).await;
        ended(&mut self.bus).await;
    }
}

async fn open_keyring(home: &Path, address: &str, nonce: &Nonce) -> Child {
    let mut command = Command::new("gnome-keyring-daemon");
    command
        .args(["--foreground", "--unlock", "--components=secrets"])
        .arg(format!("--control-directory={}", home.display()))
        .env("DBUS_SESSION_BUS_ADDRESS", address)
        .env("HOME", home)
        .env("XDG_DATA_HOME", home.join("data"))
        .env("XDG_RUNTIME_DIR", home);
    let mut keyring = begun(command, nonce);
    let mut password = keyring.stdin.take().expect("its stdin");
    password.write_all(b"of the test").await.expect("written");
    drop(password);
    // The keyring closes its stdout when it is ready.
    let mut said = String::new();
    let mut output = keyring.stdout.take().expect("its stdout");
    let reading = tokio::time::timeout(LIMIT, output.read_to_string(&mut said));
    reading.await.expect("an open keyring").expect("its output");
    keyring
}

fn begun(mut command: Command, nonce: &Nonce) -> Child {
    command
        .env(Nonce::VARIABLE, nonce.as_str())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .kill_on_drop(true);
    let begun = command.spawn();
    begun.unwrap_or_else(|error| panic!("{command:?} has to be installed: {error}"))
}

async fn first_line(from: impl AsyncRead + Unpin) -> String {
    let mut line = String::new();
    let mut lines = BufReader::new(from);
    let reading = tokio::time::timeout(LIMIT, lines.read_line(&mut line));
    reading
        .await
        .expect("a line within the limit")
        .expect("a line");
    assert!(!line.is_empty(), "it has ended");
    line.trim().to_owned()
}

async fn ended(process: &mut Child) -> ExitStatus {
    process.start_kill().expect("it can be told to end");
    let waiting = tokio::time::timeout(LIMIT, process.wait());
    waiting.await.expect("it ends").expect("its end")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn keyring_secret_survives_the_next_login() {
    let cli = CliHarness::new("a real keyring").await;
    let nonce = cli.env.nonce.clone();
    let mut desktop = Desktop::start(&nonce).await;
    let forge = cli.env.member("forge").stdio();
    let forge = forge.args(["--stderr-line", "${secret:KEY}"]).recorded();
    let record = forge.record_path();
    forge.write();
    let call = ["call", "forge", "echo", "--args", r#"{"text":"hello"}"#];

    let set = desktop.run(&cli, &["secret", "set", "KEY"], VALUE).await;
    assert_eq!(set.code, Some(0), "{set:#?}");
    let listed = desktop.run(&cli, &["secret", "list"], "").await;
    assert_eq!(listed.stdout, "keychain  KEY\n", "{listed:#?}");
    assert_eq!(
        files_where(&cli.env.data_dir(), has_value),
        [] as [&Path; 0]
    );
    assert_eq!(
        files_where(desktop.home.path(), has_value),
        [] as [&Path; 0]
    );

    desktop.log_in_again(&nonce).await;
    let called = desktop.run(&cli, &call, "").await;
    assert_eq!(called.code, Some(0), "{called:#?}");
    recorded(&record, "the secret, whole", |line| {
        line["args"]
            .as_array()
            .is_some_and(|args| args.iter().any(|arg| arg == VALUE))
    })
    .await;

    let removed = desktop.run(&cli, &["secret", "remove", "KEY"], "").await;
    assert_eq!(removed.code, Some(0), "{removed:#?}");
    let called = desktop.run(&cli, &call, "").await;
    assert!(called.stderr.contains("secret-missing"), "{called:#?}");
    desktop.end().await;
    cli.nothing_left();
}

fn has_value(bytes: &[u8]) -> bool {
    bytes
        .windows(VALUE.len())
        .any(|part| part == VALUE.as_bytes())
}
