//! An import of settings is killed at every one of its writes to the data folder: all that is set is as
//! it was or as it was to be, and whoever imports next finds nothing in the way.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use serde_json::{Value, json};

use super::tracer::Tracer;
use crate::guildhall::guildhall_bin;

/// More than an import has.
const WRITES_MAX: usize = 400;
/// All files that hold what is set.
const SET: [&str; 5] = [
    "settings.json",
    "gateway.json",
    "config.yml",
    "history.json",
    "registry.json",
];
/// What is there while an import is not done.
const UNDONE: &str = "settings-import.json";

struct Place(PathBuf);

impl Place {
    fn data(&self) -> PathBuf {
        self.0.join("data")
    }

    fn words(&self, words: &[&str]) -> Vec<String> {
        let folders = ["--members", "members", "--data", "data"].map(|word| match word {
            "members" | "data" => self.0.join(word).display().to_string(),
            option => option.to_owned(),
        });
        let words = words.iter().map(|&word| word.to_owned());
        folders.into_iter().chain(words).collect()
    }

    fn command(program: &Path) -> Command {
        let mut command = Command::new(program);
        command
            .env("GUILD_HALL_LOGIN_SHELL", "off")
            .env("DBUS_SESSION_BUS_ADDRESS", "disabled:")
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        command
    }

    fn run(&self, words: &[&str]) {
        let mut command = Self::command(guildhall_bin());
        let ended = command
            .args(self.words(words))
            .stdin(Stdio::null())
            .status();
        assert!(ended.expect("it runs").success(), "{words:?}");
    }

    /// Everything that is set, as a hall that opens finds it.
    fn set(&self) -> Value {
        let file = self.0.join("seen.json");
        let _ = fs::remove_file(&file);
        self.run(&["settings", "export", &file.display().to_string()]);
        crate::house::json(&file)
    }

    /// An import that begins once it is told to.
    fn import(&self, parcel: &Path) -> Child {
        let mut command = Self::command(Path::new("/bin/sh"));
        let parcel = parcel.display().to_string();
        command
            .args(["-c", r#"read begin; exec "$0" "$@""#])
            .arg(guildhall_bin())
            .args(self.words(&["settings", "import", &parcel, "--yes"]))
            .stdin(Stdio::piped())
            .spawn()
            .expect("it starts")
    }
}

fn begin(child: &mut Child) {
    let mut stdin = child.stdin.take().expect("its stdin");
    stdin.write_all(b"begin\n").expect("it reads");
}

/// What is set, another in each part.
fn parcel(base: &Value, old: bool) -> Value {
    let (language, policy, calls, ladder) = match old {
        true => ("de", "deny", 1_000, false),
        false => ("en", "ask", 2_000, true),
    };
    let mut parcel = base.clone();
    parcel["settings"]["language"] = language.into();
    // The same in both, to be set by whoever comes next.
    parcel["settings"]["appearance"]["zoom"] = 110.into();
    parcel["settings"]["keys"] = json!({"dock": if old { "F6" } else { "F7" }});
    parcel["gateway"]["policies"] = json!({"forge": {"heat": policy}});
    parcel["history"]["keepCalls"] = calls.into();
    parcel["discovery"]["cache"] = ladder.into();
    let source = format!("https://{}.example.com/", if old { "old" } else { "new" });
    parcel["registries"] = json!([source]);
    parcel
}

#[test]
fn an_import_of_settings_that_is_killed_at_any_write_is_done_or_never_was() {
    let folder = tempfile::tempdir().expect("a folder");
    let place = Place(folder.path().to_owned());
    fs::create_dir(place.0.join("members")).expect("made");
    let base = place.set();
    let file = |name: &str, old: bool| {
        let file = place.0.join(name);
        fs::write(&file, parcel(&base, old).to_string()).expect("written");
        file
    };
    let (old_file, new_file) = (file("old.json", true), file("new.json", false));
    place.run(&[
        "settings",
        "import",
        &old_file.display().to_string(),
        "--yes",
    ]);
    let old = place.set();
    let read = |name: &str| fs::read(place.data().join(name)).ok();
    let kept = SET.map(|name| (name, read(name)));
    assert!(
        kept.iter().all(|(_, text)| text.is_some()),
        "each file is written: {kept:?}"
    );
    place.run(&[
        "settings",
        "import",
        &new_file.display().to_string(),
        "--yes",
    ]);
    let new = place.set();
    for part in ["settings", "gateway", "discovery", "history", "registries"] {
        assert_ne!(old[part], new[part], "each part differs");
    }

    let (mut kills, mut as_it_was, mut done, mut cut_off) = (0, 0, 0, 0);
    for count in 1..=WRITES_MAX {
        fs::remove_dir_all(place.data()).expect("removed");
        fs::create_dir(place.data()).expect("made");
        for (name, text) in &kept {
            fs::write(place.data().join(name), text.as_ref().expect("a text")).expect("written");
        }
        let mut child = place.import(&new_file);
        let tracer = match Tracer::seize(child.id(), &place.data()) {
            Ok(tracer) => tracer,
            Err(error) => {
                println!("programs may not be followed here, so none is killed: {error}");
                child.kill().expect("it is ours");
                child.wait().expect("it has ended");
                return;
            }
        };
        begin(&mut child);
        let write = tracer.kill_at(count);
        let _ = child.wait();
        if place.data().join(UNDONE).exists() {
            cut_off += 1;
            // Whoever keeps the folder next sees to it, whatever it is there for.
            place.run(&["settings", "set", "appearance.zoom", "110"]);
        }
        let seen = place.set();
        let at = || write.as_deref().unwrap_or("its end");
        assert!(
            seen == old || seen == new,
            "killed at write {count}, {}: {seen:#}",
            at()
        );
        assert!(
            !place.data().join(UNDONE).exists(),
            "killed at write {count}, {}",
            at()
        );
        if seen == old {
            as_it_was += 1;
            for (name, text) in &kept {
                assert_eq!(
                    read(name),
                    *text,
                    "{name}, killed at write {count}, {}",
                    at()
                );
            }
        } else {
            done += 1;
        }
        if write.is_none() {
            assert_eq!(seen, new, "nobody killed it");
            println!(
                "{kills} imports killed: {as_it_was} never were, {done} are done; {cut_off} were cut \
                 off between two files"
            );
            assert!(
                kills > 20 && cut_off > 5,
                "{kills} kills, {cut_off} cut off"
            );
            return;
        }
        kills += 1;
        // It goes well the next time.
        if count % 8 == 0 {
            place.run(&[
                "settings",
                "import",
                &new_file.display().to_string(),
                "--yes",
            ]);
            assert_eq!(place.set(), new, "after {}", at());
        }
    }
    panic!("an import has fewer writes than {WRITES_MAX}");
}
