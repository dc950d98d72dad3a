use std::fs;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::Value;

use super::*;
use guild_client_config::ClientProgram::{
    ClaudeCode, ClaudeDesktop, Codex, Cursor, VsCode, Windsurf, Zed,
};

mod switch_over;

const GATEWAY: GatewayConnection = GatewayConnection {
    port: 19_999,
    tokens_required: true,
    listing: None,
};

/// A user with a temporary home folder.
struct User {
    home: tempfile::TempDir,
    configs: ClientConfigFiles,
    tokens: AtomicUsize,
}

impl User {
    fn new() -> Self {
        let home = tempfile::tempdir().expect("a folder");
        let folders = ClientConfigFolders {
            system: System::Linux,
            home: home.path().to_owned(),
            config: home.path().join(".config"),
            claude: None,
            codex: None,
        };
        let data = home.path().join("data");
        Self {
            configs: ClientConfigFiles::new(&data, folders, "/opt/guildhall".into()),
            tokens: AtomicUsize::default(),
            home,
        }
    }

    fn file(&self, program: ClientProgram) -> PathBuf {
        program.file(&self.configs.0.folders)
    }

    fn put(&self, program: ClientProgram, text: &str) {
        let file = self.file(program);
        fs::create_dir_all(file.parent().expect("a folder")).expect("made");
        fs::write(file, text).expect("written");
    }

    fn text(&self, program: ClientProgram) -> String {
        fs::read_to_string(self.file(program)).expect("read")
    }

    async fn preview(&self, program: ClientProgram) -> Result<ClientConfigPreview, Report> {
        self.preview_of(self.subject(program)).await
    }

    async fn preview_of(&self, subject: ConfigFileTarget) -> Result<ClientConfigPreview, Report> {
        self.configs.preview(subject, Endpoint::All, GATEWAY).await
    }

    fn subject(&self, program: ClientProgram) -> ConfigFileTarget {
        self.configs
            .target(None, program.as_str())
            .expect("it is known")
    }

    async fn write_seen(
        &self,
        program: ClientProgram,
        precondition: String,
    ) -> Result<WrittenClientConfig, Report> {
        self.write_of(self.subject(program), precondition).await
    }

    async fn write_of(
        &self,
        subject: ConfigFileTarget,
        precondition: String,
    ) -> Result<WrittenClientConfig, Report> {
        let program = subject.file.program;
        let token = |title: String| async move {
            assert_eq!(title, program.title());
            let made = self.tokens.fetch_add(1, Ordering::Relaxed);
            let client = ClientId::try_from(format!("client-{made}")).expect("an id");
            Ok((client, format!("secret-{made}")))
        };
        let change = ClientConfigChange {
            subject,
            endpoint: Endpoint::All,
            precondition,
        };
        self.configs.write(change, GATEWAY, token).await
    }

    async fn write(&self, program: ClientProgram) -> WrittenClientConfig {
        let seen = self.preview(program).await.expect("a preview");
        let written = self.write_seen(program, seen.precondition).await;
        written.expect("written")
    }

    async fn undo(&self, program: ClientProgram) -> Result<Undone, Report> {
        self.configs.undo(self.subject(program)).await
    }

    async fn shown(&self, program: ClientProgram) -> ClientConfig {
        self.shown_at(program, GATEWAY).await
    }

    async fn shown_at(&self, program: ClientProgram, at: GatewayConnection) -> ClientConfig {
        let listed = self.configs.list(None, Endpoint::All, at).await.clients;
        let mut found = listed.into_iter();
        let found = found.find(|client| client.client == program.as_str());
        found.expect("it is listed")
    }
}

#[tokio::test]
async fn entry_with_another_port_is_not_connected() {
    let user = User::new();
    let moved = GatewayConnection {
        port: 18_000,
        ..GATEWAY
    };
    for program in [Cursor, ClaudeDesktop] {
        user.write(program).await;
        assert!(user.shown(program).await.connected);
        let shown = user.shown_at(program, moved).await;
        assert!(!shown.connected && shown.can_undo, "{program:?}");
    }
}

const CURSOR: &str = "\u{feff}{\r\n  // mine\r\n  \"mcpServers\": {\"a\": {}},\r\n}\r\n";

#[tokio::test]
async fn written_config_equals_preview_plus_token() {
    let user = User::new();
    user.put(Cursor, CURSOR);
    let seen = user.preview(Cursor).await.expect("a preview");
    assert_eq!(seen.before.as_deref(), Some(CURSOR));
    assert!(seen.after.contains("Bearer <token>"), "{}", seen.after);
    assert_eq!(user.text(Cursor), CURSOR, "a preview writes nothing");
    let written = user.write(Cursor).await;
    assert_eq!(user.text(Cursor), seen.after.replace("<token>", "secret-0"));
    let kept = fs::read_dir(user.home.path().join("data/client-configs")).expect("kept");
    for file in kept {
        let file = fs::read_to_string(file.expect("a file").path()).expect("read");
        assert!(!file.contains("secret-"), "no token is kept: {file}");
    }
    let backup = written.backup.expect("a backup");
    assert_eq!(fs::read_to_string(backup).expect("read"), CURSOR);
    let shown = user.shown(Cursor).await;
    assert!(shown.connected && shown.can_undo && shown.exists);
    user.undo(Cursor).await.expect("undone");
    assert_eq!(user.text(Cursor), CURSOR);
    let shown = user.shown(Cursor).await;
    assert!(!shown.connected && !shown.can_undo);
    let again = user
        .undo(Cursor)
        .await
        .expect_err("nothing is left to undo");
    assert_eq!(again.code, Code::ClientConfigChanged);
}

#[tokio::test]
async fn changed_file_is_not_written() {
    let user = User::new();
    user.put(Codex, "model = \"x\"\n");
    let seen = user.preview(Codex).await.expect("a preview");
    user.put(Codex, "model = \"y\"\n");
    let refused = user.write_seen(Codex, seen.precondition).await;
    assert_eq!(
        refused.expect_err("changed").code,
        Code::ClientConfigChanged
    );
    assert_eq!(user.text(Codex), "model = \"y\"\n");
    assert_eq!(user.tokens.load(Ordering::Relaxed), 0);
    // A new file is not written either, and neither is a file for an endpoint other than the
    // previewed one.
    let seen = user.preview(Zed).await.expect("a preview");
    user.put(Zed, "");
    let refused = user.write_seen(Zed, seen.precondition).await;
    assert_eq!(
        refused.expect_err("it is there now").code,
        Code::ClientConfigChanged
    );
}

#[tokio::test]
async fn new_file_is_private_and_removed_by_undo() {
    let user = User::new();
    for program in ClientProgram::ALL {
        let shown = user.shown(program).await;
        assert!(!shown.exists && !shown.connected);
        let written = user.write(program).await;
        assert_eq!(written.backup, None);
        assert!(user.text(program).contains("secret-"), "{program:?}");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let metadata = fs::metadata(user.file(program)).expect("a file");
            assert_eq!(metadata.permissions().mode() & 0o777, 0o600, "{program:?}");
        }
        user.undo(program).await.expect("undone");
        assert!(!user.file(program).exists(), "{program:?}");
    }
}

#[tokio::test]
async fn an_undo_leaves_what_the_program_wrote_in_the_meantime() {
    let user = User::new();
    user.put(ClaudeCode, "{\n  \"numStartups\": 1\n}\n");
    user.write(ClaudeCode).await;
    let later = user.text(ClaudeCode).replace("\": 1,", "\": 2,");
    user.put(ClaudeCode, &later);
    // After a second connection, an undo still restores the entry from before the first write.
    user.write(ClaudeCode).await;
    assert!(user.text(ClaudeCode).contains("secret-1"));
    let later = user.text(ClaudeCode).replace("\": 2,", "\": 3,");
    user.put(ClaudeCode, &later);
    user.undo(ClaudeCode).await.expect("undone");
    assert_eq!(user.text(ClaudeCode), "{\n  \"numStartups\": 3\n}\n");
}

#[tokio::test]
async fn connecting_twice_still_undoes_to_the_file_as_it_was() {
    let user = User::new();
    user.put(Cursor, CURSOR);
    user.write(Cursor).await;
    user.write(Cursor).await;
    assert!(user.text(Cursor).contains("secret-1"));
    user.undo(Cursor).await.expect("undone");
    assert_eq!(user.text(Cursor), CURSOR);
}

#[tokio::test]
async fn an_entry_that_a_person_changed_is_not_undone() {
    let user = User::new();
    user.put(Cursor, "{}");
    user.write(Cursor).await;
    let changed = user.text(Cursor).replace("secret-0", "mine");
    user.put(Cursor, &changed);
    let refused = user.undo(Cursor).await.expect_err("changed by hand");
    assert_eq!(refused.code, Code::ClientConfigChanged);
    assert_eq!(user.text(Cursor), changed);
}

#[tokio::test]
async fn unsafe_file_is_named_and_untouched() {
    let user = User::new();
    for text in ["{\"mcpServers\": []}", "{", "[]"] {
        user.put(Windsurf, text);
        let refused = user.preview(Windsurf).await.expect_err("refused");
        assert_eq!(refused.code, Code::ClientConfigRefused);
        assert!(
            refused
                .message
                .contains("mcp_config.json was not changed: line 1: "),
            "{refused}"
        );
    }
    fs::write(user.file(Windsurf), b"\xff\xfe{}").expect("written");
    let refused = user.preview(Windsurf).await.expect_err("no text");
    assert!(refused.message.contains("UTF-8"), "{refused}");
    let unknown = user.configs.target(None, "emacs").expect_err("unknown");
    assert_eq!(unknown.code, Code::ProgramUnknown);
    assert!(unknown.hint.contains("gemini-cli"), "{unknown}");
}

#[tokio::test]
async fn without_a_token_none_is_asked_for() {
    let user = User::new();
    let open = GatewayConnection {
        port: 1,
        tokens_required: false,
        listing: None,
    };
    let member = Endpoint::parse("/members/a/mcp")
        .expect("an endpoint")
        .expect("a name");
    let subject = user.subject(VsCode);
    let seen = user.configs.preview(subject.clone(), member.clone(), open);
    let seen = seen.await.expect("a preview");
    let change = ClientConfigChange {
        subject,
        endpoint: member,
        precondition: seen.precondition,
    };
    let nobody = |_| async { Err(Report::new(Code::ClientUnknown, "asked for", "")) };
    user.configs
        .write(change, open, nobody)
        .await
        .expect("written");
    let text = user.text(VsCode);
    assert!(text.contains("http://127.0.0.1:1/members/a/mcp"), "{text}");
    assert!(!text.contains("Bearer"), "{text}");
}

/// The moments before a file is written at which the program may be killed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kill {
    /// The backup exists, but the record does not.
    BeforeRecord,
    /// The record exists, but the file is not written.
    BeforeWrite,
}

impl User {
    /// Begins a write like [`ClientConfigState::write`], up to the moment of the kill.
    async fn write_until(&self, program: ClientProgram, kill: Kill) {
        self.write_of_until(self.subject(program), kill).await;
    }

    async fn write_of_until(&self, subject: ConfigFileTarget, kill: Kill) {
        let seen = self.preview_of(subject.clone()).await.expect("a preview");
        let change = ClientConfigChange {
            subject,
            endpoint: Endpoint::All,
            precondition: seen.precondition,
        };
        let inner = &self.configs.0;
        let file = &change.subject.file;
        let (target, gone) = inner.checked(&change, GATEWAY).expect("as seen");
        let token = format!("secret-{}", self.tokens.fetch_add(1, Ordering::Relaxed));
        let edit = inner.edit(
            file,
            &target,
            &gone,
            (&Endpoint::All, GATEWAY, Some(&token)),
        );
        let record = self.record(file.program);
        let earlier = fs::read(&record).ok();
        let edit = edit.expect("an edit");
        let kept = inner.record(file, &target, &edit, (gone, None));
        kept.expect("kept");
        if kill == Kill::BeforeRecord {
            match earlier {
                Some(bytes) => fs::write(record, bytes).expect("written"),
                None => fs::remove_file(record).expect("removed"),
            }
        }
    }

    fn record(&self, program: ClientProgram) -> PathBuf {
        let name = format!("data/client-configs/{}.json", program.as_str());
        self.home.path().join(name)
    }
}

const KILLS: [Kill; 2] = [Kill::BeforeRecord, Kill::BeforeWrite];
/// An entry with the gateway's name that a person wrote.
const BY_HAND: &str =
    "{\n  \"mcpServers\": { \"guild-hall\": { \"command\": \"mine\" } }, // kept\n}\n";

#[tokio::test]
async fn unwritten_config_has_no_undo() {
    for (kill, text) in KILLS.into_iter().flat_map(|kill| {
        let texts = [None, Some(CURSOR), Some(BY_HAND), Some("")];
        texts.map(|text| (kill, text))
    }) {
        let user = User::new();
        if let Some(text) = text {
            user.put(Cursor, text);
        }
        user.write_until(Cursor, kill).await;
        let file = user.file(Cursor);
        assert_eq!(fs::read_to_string(&file).ok().as_deref(), text);
        assert!(!user.shown(Cursor).await.can_undo, "{kill:?}");
        let error = user.undo(Cursor).await.expect_err("nothing");
        assert_eq!(error.code, Code::ClientConfigChanged, "{error}");
        assert_eq!(fs::read_to_string(&file).ok().as_deref(), text, "{error}");
        assert!(!user.record(Cursor).exists(), "{kill:?}");
        // The next write and its undo are not affected.
        user.write(Cursor).await;
        user.undo(Cursor).await.expect("undone");
        assert_eq!(fs::read_to_string(&file).ok().as_deref(), text, "{kill:?}");
    }
}

#[tokio::test]
async fn undo_after_killed_reconnect_restores_original() {
    for (kill, text, edited) in KILLS.into_iter().flat_map(|kill| {
        let texts = [None, Some(CURSOR), Some(BY_HAND)];
        let edited = texts.map(|text| [false, true].map(|edited| (kill, text, edited)));
        edited.into_iter().flatten()
    }) {
        let case = format!("{kill:?}, {text:?}, edited: {edited}");
        let user = User::new();
        if let Some(text) = text {
            user.put(Cursor, text);
        }
        user.write(Cursor).await;
        let first = user.text(Cursor);
        user.write_until(Cursor, kill).await;
        assert_eq!(user.text(Cursor), first, "{case}");
        if edited {
            // Some programs store more than their settings in the file.
            user.put(Cursor, &format!("{first}\n"));
        }
        assert!(user.shown(Cursor).await.can_undo, "{case}");
        user.undo(Cursor).await.expect("undone");
        let file = user.file(Cursor);
        let now = fs::read_to_string(&file).ok();
        match (edited, text) {
            (false, text) => assert_eq!(now.as_deref(), text, "{case}"),
            (true, Some(text)) => assert_eq!(now, Some(format!("{text}\n")), "{case}"),
            (true, None) => {
                let now = now.expect("the program wrote to it");
                assert!(!now.contains("guild-hall"), "{case}: {now}");
            }
        }
        assert!(!user.record(Cursor).exists(), "{case}");
    }
}

#[tokio::test]
async fn a_write_after_a_kill_still_undoes_to_before_the_first() {
    for kill in KILLS {
        let user = User::new();
        user.put(Cursor, CURSOR);
        user.write(Cursor).await;
        user.write_until(Cursor, kill).await;
        user.write(Cursor).await;
        assert!(user.text(Cursor).contains("secret-2"), "{kill:?}");
        user.undo(Cursor).await.expect("undone");
        assert_eq!(user.text(Cursor), CURSOR, "{kill:?}");
    }
}

#[tokio::test]
async fn an_undo_that_was_killed_before_it_forgot_is_told_to_be_done() {
    for text in [CURSOR, BY_HAND] {
        let user = User::new();
        user.put(Cursor, text);
        user.write(Cursor).await;
        let (record, backup) = (user.record(Cursor), text.to_owned());
        let kept = fs::read(&record).expect("a record");
        user.undo(Cursor).await.expect("undone");
        fs::write(&record, kept).expect("written");
        fs::write(record.with_extension("before"), backup).expect("written");
        assert!(!user.shown(Cursor).await.can_undo);
        user.undo(Cursor).await.expect_err("it is done");
        assert_eq!(user.text(Cursor), text);
    }
}

#[cfg(unix)]
#[test]
fn token_that_others_can_read_is_warned_of() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("mcp.json");
    let with_token = r#"{"headers": {"Authorization": "Bearer secret-0"}}"#;
    let in_variable = r#"{"command": "guildhall", "env": {"GUILD_HALL_TOKEN": "secret-0"}}"#;
    for (text, mode, is_warned) in [
        (with_token, 0o644, true),
        (with_token, 0o640, true),
        (with_token, 0o600, false),
        (in_variable, 0o644, true),
        ("{}", 0o644, false),
    ] {
        fs::write(&file, text).expect("written");
        fs::set_permissions(&file, fs::Permissions::from_mode(mode)).expect("set");
        let warned = super::readable_token(&file);
        assert_eq!(warned.is_some(), is_warned, "{mode:o} {text}");
        if let Some(report) = warned {
            assert_eq!(report.code, Code::SecretsUnsafe);
            assert!(report.message.contains("mcp.json"), "{report}");
            assert!(!report.message.contains("secret-0"), "{report}");
        }
    }
    fs::remove_file(&file).expect("removed");
    assert_eq!(super::readable_token(&file), None);
}

#[cfg(unix)]
#[tokio::test]
async fn a_link_stays_a_link_and_permissions_stay() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let user = User::new();
    let dotfiles = user.home.path().join("dotfiles.json");
    fs::write(&dotfiles, "{}").expect("written");
    fs::set_permissions(&dotfiles, fs::Permissions::from_mode(0o640)).expect("set");
    let link = user.file(Cursor);
    fs::create_dir_all(link.parent().expect("a folder")).expect("made");
    symlink(&dotfiles, &link).expect("linked");
    user.write(Cursor).await;
    assert!(link.is_symlink(), "the link is still one");
    let metadata = fs::metadata(&dotfiles).expect("a file");
    assert_eq!(metadata.permissions().mode() & 0o777, 0o640);
    assert!(
        fs::read_to_string(&dotfiles)
            .expect("read")
            .contains("secret-0")
    );
    user.undo(Cursor).await.expect("undone");
    assert_eq!(fs::read_to_string(&dotfiles).expect("read"), "{}");
    fs::remove_file(&dotfiles).expect("removed");
    let refused = user.preview(Cursor).await.expect_err("it leads nowhere");
    assert_eq!(refused.code, Code::ClientConfigRefused);
}

#[cfg(unix)]
#[tokio::test]
async fn a_write_that_fails_leaves_the_file_and_what_can_be_undone() {
    use std::os::unix::fs::PermissionsExt;
    let user = User::new();
    user.put(Cursor, "{}");
    user.write(Cursor).await;
    let before = user.text(Cursor);
    let file = user.file(Cursor);
    fs::set_permissions(&file, fs::Permissions::from_mode(0o400)).expect("set");
    let seen = user.preview(Cursor).await.expect("a preview");
    let refused = user.write_seen(Cursor, seen.precondition).await;
    assert_eq!(refused.expect_err("read-only").code, Code::FileUnwritable);
    assert_eq!(user.text(Cursor), before);
    fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).expect("set");
    user.undo(Cursor).await.expect("undone");
    assert_eq!(user.text(Cursor), "{}");
}

#[tokio::test]
async fn written_command_finds_its_data_folder() {
    let user = User::new();
    let listed = user.configs.list(None, Endpoint::All, GATEWAY).await;
    let mut clients = listed.clients.into_iter();
    let desktop = clients.rfind(|client| client.client == "claude-desktop");
    let snippet: Value = serde_json::from_str(&desktop.expect("known").snippet).expect("JSON");
    let args = &snippet["mcpServers"]["guild-hall"]["args"];
    let data = user.home.path().join("data");
    let expect = serde_json::json!([
        "connect",
        "--url",
        "http://127.0.0.1:19999/mcp",
        "--data",
        data.display().to_string(),
    ]);
    assert_eq!(args, &expect, "{snippet}");
}
