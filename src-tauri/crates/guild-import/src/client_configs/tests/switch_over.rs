//! Tests of replacing servers by the gateway's entry, and of restoring them.

use guild_client_config::{ListAt, TextEditError};

use super::*;
use guild_client_config::ClientProgram::{ClaudeCode, Codex, Cursor};

impl User {
    /// Returns a target from which the named servers are removed, if the program's file has them.
    fn switching(
        &self,
        program: ClientProgram,
        names: &'static [&'static str],
    ) -> ConfigFileTarget {
        let leaving = move |file: &ConfigFile, text: &str| -> Result<_, TextEditError> {
            let entry = |name: &&str| EntryAt {
                list: ListAt {
                    holders: Vec::new(),
                    key: program.list().to_owned(),
                },
                name: (*name).to_owned(),
            };
            let all = names.iter().map(entry);
            Ok(all
                .filter(|at| matches!(file.entry(text, at), Ok(Some(_))))
                .collect())
        };
        self.subject(program).without(leaving)
    }

    async fn hand_over(
        &self,
        program: ClientProgram,
        names: &'static [&'static str],
    ) -> WrittenClientConfig {
        let subject = self.switching(program, names);
        let seen = self.preview_of(subject.clone()).await.expect("a preview");
        let written = self.write_of(subject, seen.precondition).await;
        written.expect("written")
    }
}

const TWO: &str = "{\n  \"mcpServers\": {\n    \"a\": {\"x\": 1.50}, // one\n    \"b\": {}\n  },\n  \
                   \"n\": 1,\n}\n";

#[tokio::test]
async fn switch_over_is_undone_to_the_byte() {
    let user = User::new();
    for (program, text) in [
        (Cursor, TWO),
        (
            Codex,
            "[mcp_servers.a]\r\ncommand = 'x' # why\r\n\r\n[mcp_servers.b]\r\nurl = 'y'\r\n",
        ),
    ] {
        user.put(program, text);
        let subject = user.switching(program, &["a", "absent"]);
        let seen = user.preview_of(subject.clone()).await.expect("a preview");
        assert_eq!(seen.taken_out, ["a"]);
        let written = user
            .write_of(subject, seen.precondition)
            .await
            .expect("written");
        let now = user.text(program);
        assert!(now.contains("secret-") && !now.contains("1.50"), "{now}");
        assert!(!now.contains("command"), "{now}");
        let backup = written.backup.expect("a backup");
        assert_eq!(fs::read_to_string(backup).expect("read"), text);
        assert!(user.shown(program).await.can_undo);
        user.undo(program).await.expect("undone");
        assert_eq!(user.text(program), text);
        assert!(!user.shown(program).await.can_undo);
    }
}

#[tokio::test]
async fn another_choice_than_the_one_that_was_seen_is_not_written() {
    let user = User::new();
    user.put(Cursor, TWO);
    let seen = user.preview_of(user.switching(Cursor, &["a"])).await;
    let precondition = seen.expect("a preview").precondition;
    for other in [&["a", "b"][..], &["b"], &[]] {
        let subject = user.switching(Cursor, other);
        let refused = user.write_of(subject, precondition.clone()).await;
        assert_eq!(
            refused.expect_err("another").code,
            Code::ClientConfigChanged
        );
    }
    assert_eq!(user.text(Cursor), TWO);
    assert_eq!(user.tokens.load(Ordering::Relaxed), 0);
}

#[tokio::test]
async fn servers_that_go_one_after_another_all_come_back_to_the_byte() {
    let user = User::new();
    user.put(Cursor, TWO);
    user.hand_over(Cursor, &["a"]).await;
    user.hand_over(Cursor, &["a", "b"]).await;
    // The program is connected again, without servers to remove.
    user.write(Cursor).await;
    let now = user.text(Cursor);
    assert!(!now.contains("\"a\"") && !now.contains("\"b\""), "{now}");
    user.undo(Cursor).await.expect("undone");
    assert_eq!(user.text(Cursor), TWO);
}

#[tokio::test]
async fn undo_keeps_the_programs_later_changes() {
    let user = User::new();
    user.put(ClaudeCode, TWO);
    user.hand_over(ClaudeCode, &["a"]).await;
    let put = |from: &str, to: &str| {
        let later = user.text(ClaudeCode).replace(from, to);
        user.put(ClaudeCode, &later);
    };
    put("\"n\": 1,", "\"n\": 2,");
    user.hand_over(ClaudeCode, &["b"]).await;
    put("\"n\": 2,", "\"n\": 3,");
    assert!(user.shown(ClaudeCode).await.can_undo);
    user.undo(ClaudeCode).await.expect("undone");
    assert_eq!(user.text(ClaudeCode), TWO.replace("\"n\": 1,", "\"n\": 3,"));
}

#[tokio::test]
async fn undo_works_without_the_gateways_entry() {
    let user = User::new();
    user.put(Cursor, TWO);
    user.hand_over(Cursor, &["a", "b"]).await;
    user.put(Cursor, "{\n  \"mcpServers\": {},\n  \"n\": 2\n}\n");
    assert!(user.shown(Cursor).await.can_undo, "they are missing");
    user.undo(Cursor).await.expect("undone");
    assert_eq!(user.text(Cursor), TWO.replace("\"n\": 1,\n", "\"n\": 2\n"));
    // If the servers exist again, there is nothing to undo.
    user.hand_over(Cursor, &["a"]).await;
    user.put(Cursor, "{\"mcpServers\": {\"a\": {\"mine\": 1}}}");
    assert!(!user.shown(Cursor).await.can_undo);
}

#[tokio::test]
async fn a_file_that_is_gone_is_there_again_after_the_undo() {
    let user = User::new();
    user.put(Cursor, TWO);
    user.hand_over(Cursor, &["a"]).await;
    fs::remove_file(user.file(Cursor)).expect("removed");
    assert!(user.shown(Cursor).await.can_undo);
    user.undo(Cursor).await.expect("undone");
    assert_eq!(user.text(Cursor), TWO);
}

#[tokio::test]
async fn unusable_backup_is_kept_aside() {
    let user = User::new();
    user.put(Cursor, TWO);
    user.hand_over(Cursor, &["a"]).await;
    let changed = user.text(Cursor).replace("secret-0", "mine");
    user.put(Cursor, &changed);
    let refused = user.undo(Cursor).await.expect_err("changed by hand");
    assert!(refused.hint.contains("cursor.before"), "{refused}");
    user.write(Cursor).await;
    let folder = user.home.path().join("data/client-configs");
    let kept = fs::read_dir(folder).expect("a folder").map(|file| {
        let file = file.expect("a file");
        let name = file.file_name().to_string_lossy().into_owned();
        (name, fs::read_to_string(file.path()).expect("read"))
    });
    let aside = kept
        .into_iter()
        .find(|(name, _)| name.starts_with("cursor.before-"));
    assert_eq!(aside.expect("kept aside").1, TWO);
    user.undo(Cursor).await.expect("undone");
    assert_eq!(user.text(Cursor), changed);
}

#[tokio::test]
async fn a_kill_at_any_moment_loses_no_server() {
    for kill in KILLS {
        // The process is killed during the first write.
        let user = User::new();
        user.put(Cursor, TWO);
        user.write_of_until(user.switching(Cursor, &["a"]), kill)
            .await;
        assert_eq!(user.text(Cursor), TWO);
        assert!(!user.shown(Cursor).await.can_undo, "{kill:?}");
        user.hand_over(Cursor, &["a"]).await;
        // The process is killed during a second write.
        user.write_of_until(user.switching(Cursor, &["b"]), kill)
            .await;
        let later = user.text(Cursor).replace("\"n\": 1", "\"n\": 2");
        for (now, expect) in [
            (user.text(Cursor), TWO.to_owned()),
            (later, TWO.replace("\"n\": 1", "\"n\": 2")),
        ] {
            let kept: Vec<_> = ["json", "before"]
                .map(|ending| user.record(Cursor).with_extension(ending))
                .map(|file| (fs::read(&file).expect("kept"), file))
                .into();
            user.put(Cursor, &now);
            assert!(user.shown(Cursor).await.can_undo, "{kill:?}");
            user.undo(Cursor).await.expect("undone");
            assert_eq!(user.text(Cursor), expect, "{kill:?}");
            for (bytes, file) in kept {
                fs::write(file, bytes).expect("written");
            }
        }
    }
}

#[tokio::test]
async fn two_files_of_a_program_are_undone_each_by_itself() {
    let user = User::new();
    user.put(Cursor, TWO);
    let project = user.home.path().join("project/.cursor/mcp.json");
    fs::create_dir_all(project.parent().expect("a folder")).expect("made");
    let own = "{\"mcpServers\": {\"a\": {}}}";
    fs::write(&project, own).expect("written");
    let sources = guild_client_config::project_sources(&user.home.path().join("project"));
    let mut files = sources.iter().filter_map(ConfigFile::of);
    let file = files
        .find(|file| file.path == project)
        .expect("it is searched");
    let subject = ConfigFileTarget {
        file: file.clone(),
        ..user.switching(Cursor, &["a"])
    };
    let subject = subject.of_project(Some("/w".into()));
    user.hand_over(Cursor, &["b"]).await;
    let seen = user.preview_of(subject.clone()).await.expect("a preview");
    assert_eq!(seen.project.as_deref(), Some("/w"));
    user.write_of(subject.clone(), seen.precondition)
        .await
        .expect("written");
    let of_user = ConfigFile::of_user(Cursor, &user.configs.0.folders);
    let both = vec![of_user, file];
    assert_eq!(user.configs.can_undo(both.clone()).await, [true, true]);
    user.undo(Cursor).await.expect("undone");
    assert_eq!(user.text(Cursor), TWO);
    assert_eq!(user.configs.can_undo(both).await, [false, true]);
    user.configs.undo(subject).await.expect("undone");
    assert_eq!(fs::read_to_string(&project).expect("read"), own);
}
