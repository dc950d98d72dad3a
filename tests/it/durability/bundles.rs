//! Kills the installation of a bundle at each of its writes to the members folder. The member is
//! complete or missing, an older version stays until the new one is complete, and the next
//! installation removes leftovers.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use guild_tests::bundles::weather;

use super::names_in;
use super::tracer::Tracer;
use crate::guildhall::guildhall_bin;

/// More writes than an installation has.
const WRITES_MAX: usize = 200;

/// Starts an installation that waits for its answers.
fn install(folder: &Path, bundle: &Path) -> Child {
    Command::new(guildhall_bin())
        .env("GUILD_HALL_LOGIN_SHELL", "off")
        .env("DBUS_SESSION_BUS_ADDRESS", "disabled:")
        .arg("--members")
        .arg(folder.join("members"))
        .arg("--data")
        .arg(folder.join("data"))
        .arg("add")
        .arg(bundle)
        .args(["--yes", "--inputs", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("it starts")
}

fn answer(child: &mut Child) {
    let mut stdin = child.stdin.take().expect("its stdin");
    stdin.write_all(br#"{"api_key": "k"}"#).expect("it reads");
}

/// Returns the version of a complete member. Fails if its command names a missing file.
fn whole(member: &Path) -> String {
    let manifest = crate::test_env::json(&member.join("plugin.json"));
    let cwd = manifest["cwd"].as_str().expect("a folder");
    let bundle = member.join(cwd.strip_prefix("${PLUGIN_DIR}/").expect("of its own"));
    let version = manifest["version"].as_str().expect("a version").to_owned();
    for entry in &weather(&version).entries {
        let name = std::str::from_utf8(&entry.name).expect("text");
        if !name.ends_with('/') {
            let content = fs::read(bundle.join(name)).expect("a file of the bundle");
            assert_eq!(content, entry.content, "{name} of {version}");
        }
    }
    version
}

#[test]
fn killed_install_leaves_a_whole_member_or_none() {
    let folder = tempfile::tempdir().expect("a folder");
    let members = folder.path().join("members");
    let old = weather("1.0.0").write(folder.path(), "old.mcpb");
    let new = weather("1.1.0").write(folder.path(), "new.mcpb");
    for update in [false, true] {
        let (mut kills, mut left) = (0, 0);
        for count in 1..=WRITES_MAX {
            let _ = fs::remove_dir_all(&members);
            let _ = fs::remove_dir_all(folder.path().join("data"));
            fs::create_dir_all(&members).expect("made");
            if update {
                let mut child = install(folder.path(), &old);
                answer(&mut child);
                assert!(child.wait().expect("it ends").success());
            }
            let mut child = install(folder.path(), &new);
            let Some(mut tracer) = Tracer::follow(&mut child, &members) else {
                return;
            };
            answer(&mut child);
            let write = tracer.kill_at(count);
            let _ = child.wait();
            let seen: Vec<String> = names_in(&members)
                .into_iter()
                .filter(|name| !name.starts_with('.'))
                .collect();
            if update || !seen.is_empty() {
                assert_eq!(seen, ["weather"], "after {write:?}");
                let version = whole(&members.join("weather"));
                assert!(version == "1.1.0" || update, "after {write:?}: {version}");
            }
            let kept = names_in(&members.join("weather"));
            let bundles = |names: &[String]| {
                let names = names.iter().filter(|name| name.starts_with("bundle-"));
                names.count()
            };
            let aside = names_in(&members).iter().any(|name| name.starts_with('.'));
            left += usize::from(aside || bundles(&kept) > 1);

            let mut next = install(folder.path(), &new);
            answer(&mut next);
            assert!(next.wait().expect("it ends").success(), "after {write:?}");
            assert_eq!(names_in(&members), ["weather"], "after {write:?}");
            assert_eq!(whole(&members.join("weather")), "1.1.0");
            let kept = names_in(&members.join("weather"));
            assert_eq!(bundles(&kept), 1, "after {write:?}: {kept:?}");
            if write.is_none() {
                println!("update {update}: {kills} installs killed, {left} left something");
                assert!(
                    kills > 5 && left > 2,
                    "{kills} kills, {left} left something"
                );
                break;
            }
            kills += 1;
            assert!(count < WRITES_MAX, "an install has fewer writes");
        }
    }
}
