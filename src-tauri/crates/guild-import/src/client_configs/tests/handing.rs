//! Tests of replacing servers by the gateway's entry, and of restoring them.

use guild_client_config::{ListAt, Untouchable};

use super::*;

impl User {
    /// Returns a program's file without those of these servers that it contains.
    fn handing(&self, program: Program, names: &'static [&'static str]) -> Subject {
        let leaving = move |file: &ConfigFile, text: &str| -> Result<_, Untouchable> {
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
        program: Program,
        names: &'static [&'static str],
    ) -> WrittenClientConfig {
        let subject = self.handing(program, names);
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
        (Program::Cursor, TWO),
        (
            Program::Codex,
            "[mcp_servers.a]\r\ncommand = 'x' # why\r\n\r\n[mcp_servers.b]\r\nurl = 'y'\r\n",
        ),
    ] {
        user.put(program, text);
        let subject = user.handing(program, &["a", "absent"]);
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
    user.put(Program::Cursor, TWO);
    let seen = user.preview_of(user.handing(Program::Cursor, &["a"])).await;
    let precondition = seen.expect("a preview").precondition;
    for other in [&["a", "b"][..], &["b"], &[]] {
        let subject = user.handing(Program::Cursor, other);
        let refused = user.write_of(subject, precondition.clone()).await;
        assert_eq!(
            refused.expect_err("another").code,
            Code::ClientConfigChanged
        );
    }
    assert_eq!(user.text(Program::Cursor), TWO);
    assert_eq!(user.tokens.load(Ordering::Relaxed), 0);
}

#[tokio::test]
async fn servers_that_go_one_after_another_all_come_back_to_the_byte() {
    let user = User::new();
    user.put(Program::Cursor, TWO);
    user.hand_over(Program::Cursor, &["a"]).await;
    user.hand_over(Program::Cursor, &["a", "b"]).await;
    // Connected again without listing servers.
    user.write(Program::Cursor).await;
    let now = user.text(Program::Cursor);
    assert!(!now.contains("\"a\"") && !now.contains("\"b\""), "{now}");
    user.undo(Program::Cursor).await.expect("undone");
    assert_eq!(user.text(Program::Cursor), TWO);
}

#[tokio::test]
async fn undo_keeps_the_programs_later_changes() {
    let user = User::new();
    user.put(Program::ClaudeCode, TWO);
    user.hand_over(Program::ClaudeCode, &["a"]).await;
    let put = |from: &str, to: &str| {
        let later = user.text(Program::ClaudeCode).replace(from, to);
        user.put(Program::ClaudeCode, &later);
    };
    put("\"n\": 1,", "\"n\": 2,");
    user.hand_over(Program::ClaudeCode, &["b"]).await;
    put("\"n\": 2,", "\"n\": 3,");
    assert!(user.shown(Program::ClaudeCode).await.can_undo);
    user.undo(Program::ClaudeCode).await.expect("undone");
    assert_eq!(
        user.text(Program::ClaudeCode),
        TWO.replace("\"n\": 1,", "\"n\": 3,")
    );
}

#[tokio::test]
async fn undo_works_without_the_gateways_entry() {
    let user = User::new();
    user.put(Program::Cursor, TWO);
    user.hand_over(Program::Cursor, &["a", "b"]).await;
    user.put(Program::Cursor, "{\n  \"mcpServers\": {},\n  \"n\": 2\n}\n");
    assert!(
        user.shown(Program::Cursor).await.can_undo,
        "they are missing"
    );
    user.undo(Program::Cursor).await.expect("undone");
    assert_eq!(
        user.text(Program::Cursor),
        TWO.replace("\"n\": 1,\n", "\"n\": 2\n")
    );
    // If the servers exist again, there is nothing to undo.
    user.hand_over(Program::Cursor, &["a"]).await;
    user.put(Program::Cursor, "{\"mcpServers\": {\"a\": {\"mine\": 1}}}");
    assert!(!user.shown(Program::Cursor).await.can_undo);
}

#[tokio::test]
async fn a_file_that_is_gone_is_there_again_after_the_undo() {
    let user = User::new();
    user.put(Program::Cursor, TWO);
    user.hand_over(Program::Cursor, &["a"]).await;
    fs::remove_file(user.file(Program::Cursor)).expect("removed");
    assert!(user.shown(Program::Cursor).await.can_undo);
    user.undo(Program::Cursor).await.expect("undone");
    assert_eq!(user.text(Program::Cursor), TWO);
}

#[tokio::test]
async fn unusable_backup_is_kept_aside() {
    let user = User::new();
    user.put(Program::Cursor, TWO);
    user.hand_over(Program::Cursor, &["a"]).await;
    let changed = user.text(Program::Cursor).replace("secret-0", "mine");
    user.put(Program::Cursor, &changed);
    let refused = user
        .undo(Program::Cursor)
        .await
        .expect_err("changed by hand");
    assert!(refused.hint.contains("cursor.before"), "{refused}");
    user.write(Program::Cursor).await;
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
    user.undo(Program::Cursor).await.expect("undone");
    assert_eq!(user.text(Program::Cursor), changed);
}

#[tokio::test]
async fn a_kill_at_any_moment_loses_no_server() {
    for kill in KILLS {
        // Killed during the first write.
        let user = User::new();
        user.put(Program::Cursor, TWO);
        user.write_of_until(user.handing(Program::Cursor, &["a"]), kill)
            .await;
        assert_eq!(user.text(Program::Cursor), TWO);
        assert!(!user.shown(Program::Cursor).await.can_undo, "{kill:?}");
        user.hand_over(Program::Cursor, &["a"]).await;
        // Killed during a second write.
        user.write_of_until(user.handing(Program::Cursor, &["b"]), kill)
            .await;
        let later = user.text(Program::Cursor).replace("\"n\": 1", "\"n\": 2");
        for (now, expect) in [
            (user.text(Program::Cursor), TWO.to_owned()),
            (later, TWO.replace("\"n\": 1", "\"n\": 2")),
        ] {
            let kept: Vec<_> = ["json", "before"]
                .map(|ending| user.record(Program::Cursor).with_extension(ending))
                .map(|file| (fs::read(&file).expect("kept"), file))
                .into();
            user.put(Program::Cursor, &now);
            assert!(user.shown(Program::Cursor).await.can_undo, "{kill:?}");
            user.undo(Program::Cursor).await.expect("undone");
            assert_eq!(user.text(Program::Cursor), expect, "{kill:?}");
            for (bytes, file) in kept {
                fs::write(file, bytes).expect("written");
            }
        }
    }
}

#[tokio::test]
async fn two_files_of_a_program_are_undone_each_by_itself() {
    let user = User::new();
    user.put(Program::Cursor, TWO);
    let project = user.home.path().join("project/.cursor/mcp.json");
    fs::create_dir_all(project.parent().expect("a folder")).expect("made");
    let own = "{\"mcpServers\": {\"a\": {}}}";
    fs::write(&project, own).expect("written");
    let sources = guild_client_config::project_sources(&user.home.path().join("project"));
    let mut files = sources.iter().filter_map(ConfigFile::of);
    let file = files
        .find(|file| file.path == project)
        .expect("it is searched");
    let subject = Subject {
        file: file.clone(),
        ..user.handing(Program::Cursor, &["a"])
    };
    let subject = subject.of_project(Some("/w".into()));
    user.hand_over(Program::Cursor, &["b"]).await;
    let seen = user.preview_of(subject.clone()).await.expect("a preview");
    assert_eq!(seen.project.as_deref(), Some("/w"));
    user.write_of(subject.clone(), seen.precondition)
        .await
        .expect("written");
    let of_user = ConfigFile::of_user(Program::Cursor, &user.configs.0.folders);
    let both = vec![of_user, file];
    assert_eq!(user.configs.can_undo(both.clone()).await, [true, true]);
    user.undo(Program::Cursor).await.expect("undone");
    assert_eq!(user.text(Program::Cursor), TWO);
    assert_eq!(user.configs.can_undo(both).await, [false, true]);
    user.configs.undo(subject).await.expect("undone");
    assert_eq!(fs::read_to_string(&project).expect("read"), own);
}
