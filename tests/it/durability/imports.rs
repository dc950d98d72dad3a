//! Kills an import of settings at each of its writes to the data folder. Then the settings are
//! either those before the import or the imported ones.

use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use super::tracer::Tracer;
use crate::guildhall::guildhall_bin;

/// More writes than an import has.
const WRITES_MAX: usize = 200;
const OLD: &str = "{\"appearance\": {\"zoom\": 110}} // old\n";
const NEW: &str = "{\"appearance\": {\"zoom\": 120}} // new\n";

/// Returns a command that starts after a line on its stdin.
fn command(folder: &Path, words: &[&str]) -> Command {
    let mut command = Command::new("/bin/sh");
    command
        .args(["-c", r#"read begin; exec "$0" "$@""#])
        .arg(guildhall_bin())
        .args(["--members", "members", "--data", "data"])
        .args(words)
        .current_dir(folder)
        .env("GUILD_HALL_LOGIN_SHELL", "off")
        .env("DBUS_SESSION_BUS_ADDRESS", "disabled:")
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    command
}

#[test]
fn killed_import_leaves_old_or_new_settings() {
    let folder = tempfile::tempdir().expect("a folder");
    let data = folder.path().join("data");
    let settings = data.join("settings.json");
    fs::create_dir(folder.path().join("members")).expect("made");
    fs::write(folder.path().join("new.json"), NEW).expect("written");
    let (mut kept, mut done) = (0, 0);
    for count in 1..=WRITES_MAX {
        let _ = fs::remove_dir_all(&data);
        fs::create_dir(&data).expect("made");
        fs::write(&settings, OLD).expect("written");
        let import = &["settings", "import", "new.json", "--yes"];
        let mut child = command(folder.path(), import).spawn().expect("it starts");
        // Without permission to trace programs, nothing can be checked.
        let Some(mut tracer) = Tracer::follow(&mut child, &data) else {
            return;
        };
        let mut stdin = child.stdin.take().expect("its stdin");
        stdin.write_all(b"begin\n").expect("it reads");
        let write = tracer.kill_at(count);
        let _ = child.wait();
        match fs::read_to_string(&settings).expect("it is there").as_str() {
            OLD => kept += 1,
            NEW => {
                let backup = fs::read_to_string(data.join("settings.backup.json"));
                assert_eq!(backup.expect("a backup"), OLD, "killed at {write:?}");
                done += 1;
            }
            other => panic!("killed at {write:?}: {other}"),
        }
        if write.is_none() {
            assert_eq!(fs::read_to_string(&settings).expect("text"), NEW);
            assert!(kept > 2 && done > 0, "{kept} kept, {done} done");
            return;
        }
    }
    panic!("an import has fewer writes than {WRITES_MAX}");
}
