//! An import of settings is killed at every one of its writes to the data folder: all that is set is as
//! it was or as it was to be, what a person changed meanwhile is as they changed it, and whoever comes
//! while it is under way waits for it.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::thread;

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde_json::{Value, json};
use tempfile::TempDir;

use super::tracer::Tracer;
use crate::guildhall::guildhall_bin;

/// More than an import has.
const WRITES_MAX: usize = 400;
/// All files that hold what is set.
const SET: [&str; 4] = [
    "settings.json",
    "gateway.json",
    "config.yml",
    "history.json",
];
/// What is there while an import is not done.
const UNDONE: &str = "settings-import.json";
/// What a person changes by the program.
const SET_KEYS: [&str; 4] = ["settings", "set", "keys.dock", "F9"];

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

    fn guildhall(&self, words: &[&str]) -> Command {
        let mut command = Self::command(guildhall_bin());
        command.args(self.words(words)).stdin(Stdio::null());
        command
    }

    fn run(&self, words: &[&str]) {
        let ended = self.guildhall(words).status();
        assert!(ended.expect("it runs").success(), "{words:?}");
    }

    fn is_cut_off(&self) -> bool {
        self.data().join(UNDONE).exists()
    }

    fn change(&self, name: &str, change: impl FnOnce(String) -> String) {
        let file = self.data().join(name);
        let text = fs::read_to_string(&file).expect("it is there");
        let changed = change(text.clone());
        assert_ne!(changed, text, "{name}");
        fs::write(&file, changed).expect("written");
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
    let (theme, policy, calls, ladder) = match old {
        true => ("dark", "deny", 1_000, false),
        false => ("light", "ask", 2_000, true),
    };
    let mut parcel = base.clone();
    parcel["settings"]["appearance"]["theme"] = theme.into();
    // The same in both, to be set by whoever comes next.
    parcel["settings"]["appearance"]["zoom"] = 110.into();
    parcel["settings"]["keys"] = json!({"dock": if old { "F6" } else { "F7" }});
    parcel["gateway"]["policies"] = json!({"forge": {"heat": policy}});
    parcel["history"]["keepCalls"] = calls.into();
    parcel["discovery"]["cache"] = ladder.into();
    parcel
}

/// Two states of all that is set, and a way from the one to the other.
struct Imports {
    place: Place,
    new_file: PathBuf,
    old: Value,
    new: Value,
    kept: [(&'static str, Vec<u8>); 4],
}

impl Imports {
    fn new(folder: &TempDir) -> Self {
        let place = Place(folder.path().to_owned());
        fs::create_dir(place.0.join("members")).expect("made");
        let base = place.set();
        let file = |name: &str, old: bool| {
            let file = place.0.join(name);
            fs::write(&file, parcel(&base, old).to_string()).expect("written");
            file
        };
        let (old_file, new_file) = (file("old.json", true), file("new.json", false));
        let import = |file: &Path| {
            let file = file.display().to_string();
            place.run(&["settings", "import", &file, "--yes"]);
        };
        import(&old_file);
        let old = place.set();
        let kept = SET.map(|name| {
            let text = fs::read(place.data().join(name));
            (name, text.expect("each file is written"))
        });
        import(&new_file);
        let new = place.set();
        for part in ["settings", "gateway", "discovery", "history"] {
            assert_ne!(old[part], new[part], "each part differs");
        }
        Self {
            place,
            new_file,
            old,
            new,
            kept,
        }
    }

    /// An import from the old state to the new one that stands still before it does anything; `None`
    /// where programs may not be followed.
    fn followed(&self) -> Option<(Child, Tracer)> {
        let data = self.place.data();
        fs::remove_dir_all(&data).expect("removed");
        fs::create_dir(&data).expect("made");
        for (name, text) in &self.kept {
            fs::write(data.join(name), text).expect("written");
        }
        let mut child = self.place.import(&self.new_file);
        let tracer = Tracer::follow(&mut child, &data)?;
        begin(&mut child);
        Some((child, tracer))
    }

    /// The same in the midst of its writes.
    fn half_done(&self) -> Option<(Child, Tracer)> {
        let (child, mut tracer) = self.followed()?;
        while !self.place.is_cut_off() {
            tracer.stop_at(1).expect("it writes what it is to undo");
        }
        Some((child, tracer))
    }

    /// All that is set is as it was or as it was to be, but for what a person changed in either.
    #[track_caller]
    fn is_old_or_new(&self, mine: fn(&mut Value), how: &str) -> Outcome {
        let seen = self.place.set();
        assert!(!self.place.is_cut_off(), "{how}");
        let [old, new] = [&self.old, &self.new].map(|state| {
            let mut state = state.clone();
            mine(&mut state);
            state
        });
        if seen == new {
            return Outcome::Done;
        }
        assert_eq!(seen, old, "{how}; it was to be {new:#}");
        Outcome::NeverWas
    }
}

#[derive(Debug, PartialEq)]
enum Outcome {
    NeverWas,
    Done,
}

fn untouched(_: &mut Value) {}

#[test]
fn an_import_of_settings_that_is_killed_at_any_write_is_done_or_never_was() {
    let folder = tempfile::tempdir().expect("a folder");
    let imports = Imports::new(&folder);
    let place = &imports.place;
    let (mut kills, mut as_it_was, mut done, mut cut_off) = (0, 0, 0, 0);
    for count in 1..=WRITES_MAX {
        let Some((mut child, mut tracer)) = imports.followed() else {
            return;
        };
        let write = tracer.kill_at(count);
        let _ = child.wait();
        if place.is_cut_off() {
            cut_off += 1;
            // Whoever keeps the folder next sees to it, whatever it is there for.
            place.run(&["settings", "set", "appearance.zoom", "110"]);
        }
        let at = write.as_deref().unwrap_or("its end");
        let how = format!("killed at write {count}, {at}");
        match imports.is_old_or_new(untouched, &how) {
            Outcome::NeverWas => {
                as_it_was += 1;
                for (name, text) in &imports.kept {
                    let seen = fs::read(place.data().join(name)).expect("it is there");
                    assert_eq!(seen, *text, "{name}, {how}");
                }
            }
            Outcome::Done => done += 1,
        }
        if write.is_none() {
            assert_eq!(place.set(), imports.new, "nobody killed it");
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
            let file = imports.new_file.display().to_string();
            place.run(&["settings", "import", &file, "--yes"]);
            assert_eq!(place.set(), imports.new, "after {at}");
        }
    }
    panic!("an import has fewer writes than {WRITES_MAX}");
}

#[test]
fn what_a_person_changes_after_a_kill_is_not_undone_with_the_import() {
    let folder = tempfile::tempdir().expect("a folder");
    let imports = Imports::new(&folder);
    let place = &imports.place;
    let mine = |state: &mut Value| {
        state["settings"]["appearance"]["zoom"] = 120.into();
        state["settings"]["keys"]["dock"] = "F9".into();
        state["gateway"]["policies"]["smith"] = json!({"quench": "deny"});
        state["discovery"]["timeoutMs"] = 900.into();
        state["history"]["keepBytes"] = 123_456_789.into();
    };
    let by_value = |text: String, change: &dyn Fn(&mut Value)| {
        let mut value = serde_json::from_str(&text).expect("JSON");
        change(&mut value);
        format!("{value:#}")
    };
    let (mut cut_off, mut outcomes) = (0, Vec::new());
    for count in 1..=WRITES_MAX {
        let Some((mut child, mut tracer)) = imports.followed() else {
            return;
        };
        let write = tracer.kill_at(count);
        let _ = child.wait();
        cut_off += usize::from(place.is_cut_off());
        // By hand, in whatever the import has left,
        place.change("settings.json", |text| text.replace("110", "120"));
        place.change("gateway.json", |text| {
            by_value(text, &|gateway: &mut Value| {
                gateway["policies"]["smith"] = json!({"quench": "deny"});
            })
        });
        place.change("config.yml", |text| {
            text.replace("discovery:\n", "discovery:\n  timeout: 900\n")
        });
        place.change("history.json", |text| {
            by_value(text, &|history: &mut Value| {
                history["keepBytes"] = 123_456_789.into()
            })
        });
        // and by the program.
        place.run(&SET_KEYS);
        let how = format!("killed at write {count}, {write:?}");
        outcomes.push(imports.is_old_or_new(mine, &how));
        if write.is_none() {
            assert_eq!(outcomes.last(), Some(&Outcome::Done), "nobody killed it");
            let kills = outcomes.len() - 1;
            println!(
                "{kills} imports killed before a person changed each file; {cut_off} were cut off"
            );
            assert!(
                kills > 20 && cut_off > 5,
                "{kills} kills, {cut_off} cut off"
            );
            return;
        }
    }
    panic!("an import has fewer writes than {WRITES_MAX}");
}

/// A program that came while another imports: what it says first, and how it ended.
struct Beside<'scope> {
    first: mpsc::Receiver<String>,
    ended: thread::ScopedJoinHandle<'scope, Option<i32>>,
    pid: i32,
}

impl<'scope> Beside<'scope> {
    /// Begins in a thread of its own: whoever follows a program reaps all that its thread began.
    fn begin<'env>(scope: &'scope thread::Scope<'scope, 'env>, mut command: Command) -> Self {
        let (say, first) = mpsc::channel();
        let (tell_pid, pid) = mpsc::channel();
        let ended = scope.spawn(move || {
            let mut child = command.stderr(Stdio::piped()).spawn().expect("it starts");
            tell_pid.send(child.id()).expect("somebody waits");
            let mut stderr = BufReader::new(child.stderr.take().expect("its stderr"));
            let mut line = String::new();
            stderr.read_line(&mut line).expect("text");
            say.send(line).expect("somebody waits");
            stderr.read_to_string(&mut String::new()).expect("text");
            child.wait().expect("it ends").code()
        });
        let pid = pid.recv().expect("it starts");
        Self {
            first,
            ended,
            pid: i32::try_from(pid).expect("a pid"),
        }
    }

    fn waits_for(&self, pid: u32) {
        let said = self.first.recv().expect("it says something");
        assert!(said.contains(&pid.to_string()), "{said}");
        assert!(!self.ended.is_finished(), "it waits");
    }

    fn signal(&self, signal: Signal) {
        kill(Pid::from_raw(self.pid), signal).expect("it is ours");
    }

    fn ended(self) -> Option<i32> {
        self.ended.join().expect("no panic")
    }
}

#[test]
fn who_comes_while_another_imports_waits_until_that_is_over() {
    let folder = tempfile::tempdir().expect("a folder");
    let imports = Imports::new(&folder);
    let place = &imports.place;
    let mine = |state: &mut Value| state["settings"]["keys"]["dock"] = "F9".into();
    for outcome in [Outcome::Done, Outcome::NeverWas] {
        let Some((mut child, mut tracer)) = imports.half_done() else {
            return;
        };
        let importer = child.id();
        thread::scope(|scope| {
            let words: &[&str] = match outcome {
                Outcome::Done => &SET_KEYS,
                Outcome::NeverWas => &["serve", "--no-gateway"],
            };
            let beside = Beside::begin(scope, place.guildhall(words));
            let list = Beside::begin(scope, place.guildhall(&["list"]));
            beside.waits_for(importer);
            list.waits_for(importer);
            list.signal(Signal::SIGINT);
            assert!(list.ended().is_some_and(|code| code != 0), "it gave up");
            if outcome == Outcome::Done {
                tracer.go_on();
            } else {
                tracer.kill();
                while !place.data().join("hall.sock").exists() && !beside.ended.is_finished() {
                    thread::yield_now();
                }
                place.run(&SET_KEYS);
                beside.signal(Signal::SIGTERM);
            }
            let _ = child.wait();
            assert_eq!(beside.ended(), Some(0));
        });
        let how = format!("the import was to be {outcome:?}");
        assert_eq!(imports.is_old_or_new(mine, &how), outcome);
    }
}
