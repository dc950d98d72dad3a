//! Kills the first start of Guild Hall at each of its writes. The next start has complete samples,
//! and removes all leftovers.

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use super::books::{Books, writer};
use super::names_in;
use super::tracer::Tracer;

/// More writes than a start has.
const WRITES_MAX: usize = 200;

fn first_start(folder: &Path) -> Child {
    Command::new(writer())
        .env_remove("GUILD_HALL_MEMBERS")
        .arg("samples")
        .arg(folder)
        .args(["0", "1", "1"])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .expect("it starts")
}

#[test]
fn killed_first_start_leaves_no_partial_sample() {
    let folder = tempfile::tempdir().expect("a folder");
    let data = folder.path().join("data");
    let (mut kills, mut left) = (0, 0);
    for count in 1..=WRITES_MAX {
        let mut child = first_start(folder.path());
        let Some(mut tracer) = Tracer::follow(&mut child, folder.path()) else {
            return;
        };
        Books::begin(&mut child);
        let write = tracer.kill_at(count);
        let _ = child.wait();
        let members = names_in(&data.join("guild-members"));
        assert!(
            members.is_empty() || members == ["clock", "notes", "playground"],
            "after {write:?}: {members:?}"
        );
        left += usize::from(names_in(&data).iter().any(|name| name.starts_with('.')));

        let mut next = first_start(folder.path());
        Books::begin(&mut next);
        assert!(next.wait().expect("it ends").success());
        assert_eq!(names_in(&data), ["guild-members"], "after {write:?}");
        for name in names_in(&data.join("guild-members")) {
            crate::test_env::json(&data.join("guild-members").join(name).join("plugin.json"));
        }
        fs::remove_dir_all(&data).expect("removed");
        if write.is_none() {
            println!("{kills} first starts killed, {left} of them left something");
            assert!(
                kills > 8 && left > 5,
                "{kills} kills, {left} left something"
            );
            return;
        }
        kills += 1;
    }
    panic!("a first start has more than {WRITES_MAX} writes");
}
