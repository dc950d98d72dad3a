use std::process::{Child, Command, Stdio};

use super::*;
use crate::run_mark;

/// A process of a run. It is ended with the test at the latest.
struct Kept(Child);

impl Kept {
    fn start(run: Option<RunId>, words: &[&str]) -> Self {
        let mut command = Command::new(words[0]);
        command.args(&words[1..]).stdin(Stdio::null());
        let start = || command.spawn().expect("a process");
        Self(match run {
            Some(run) => run_mark::marked(run, start),
            None => run_mark::unmarked(start),
        })
    }

    fn identity(&self) -> Identity {
        Identity::of(self.0.id()).expect("it is ours to collect")
    }

    fn is_over(&mut self) -> bool {
        self.0.try_wait().expect("ours").is_some()
    }
}

impl Drop for Kept {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Creates the folder of a killed program. The folder is not locked.
fn left_behind(running: &Path, entries: &[(RunId, String)]) -> PathBuf {
    let folder = running.join(RunId::new().to_string());
    fs::create_dir_all(&folder).expect("a folder");
    fs::write(folder.join(LOCK), "").expect("written");
    for (run, text) in entries {
        fs::write(folder.join(run.to_string()), text).expect("written");
    }
    folder
}

fn entry(boot: &str, leader: Option<Identity>) -> String {
    let leader = leader.map(|Identity { pid, start }| format!("leader {pid} {start}\n"));
    format!("boot {boot}\nmember forge\n{}", leader.unwrap_or_default())
}

#[test]
fn killed_programs_processes_are_ended() {
    let place = tempfile::tempdir().expect("a folder");
    let boot = boot_id().expect("an id");
    let (led, hidden) = (RunId::new(), RunId::new());
    // The first process can be recognized only by its pid, and the second only by its mark.
    let mut leader = Kept::start(None, &["sleep", "1000"]);
    let mut stray = Kept::start(Some(hidden), &["env", "-i", "setsid", "sleep", "1000"]);
    let folder = left_behind(
        place.path(),
        &[
            (led, entry(&boot, Some(leader.identity()))),
            (hidden, entry(&boot, None)),
        ],
    );
    sweep(place.path());
    assert!(leader.is_over() && stray.is_over());
    assert!(!folder.exists());
}

#[test]
fn a_process_that_is_not_the_one_written_down_is_left_alone() {
    let place = tempfile::tempdir().expect("a folder");
    let boot = boot_id().expect("an id");
    let mut bystander = Kept::start(None, &["sleep", "1000"]);
    let real = bystander.identity();
    let other_start = Identity {
        start: real.start - 1,
        ..real
    };
    let other_boot = "00000000-0000-4000-8000-000000000000";
    let folder = left_behind(
        place.path(),
        &[
            (RunId::new(), entry(&boot, Some(other_start))),
            (RunId::new(), entry(other_boot, Some(real))),
            (RunId::new(), entry("", Some(real))),
            (
                RunId::new(),
                format!("leader {} {}\n", real.pid, real.start),
            ),
            (
                RunId::new(),
                format!("boot {boot}\nleader {} {}", real.pid, real.start),
            ),
            (RunId::new(), "\u{0}\u{1}".to_owned()),
        ],
    );
    sweep(place.path());
    assert!(!bystander.is_over());
    assert!(!folder.exists(), "what it tells of is no more");
}

#[test]
fn a_run_of_another_boot_is_not_looked_for_by_its_mark_either() {
    let place = tempfile::tempdir().expect("a folder");
    let run = RunId::new();
    let mut marked = Kept::start(Some(run), &["sleep", "1000"]);
    left_behind(place.path(), &[(run, entry("another", None))]);
    sweep(place.path());
    assert!(!marked.is_over());
}

#[test]
fn a_hall_that_lives_is_never_swept() {
    let place = tempfile::tempdir().expect("a folder");
    let run = RunId::new();
    let mut member = Kept::start(Some(run), &["sleep", "1000"]);
    let journal = RunJournal::open(place.path()).expect("a journal");
    journal.begin(run, "forge").expect("written");
    journal
        .leads(run, RunRoot::ProcessTree(member.identity()))
        .expect("written");
    sweep(place.path());
    assert!(!member.is_over());
    // Dropping the journal releases the lock, as the death of its program would.
    drop(journal);
    sweep(place.path());
    assert!(member.is_over());
    assert_eq!(fs::read_dir(place.path()).expect("a list").count(), 0);
}

#[test]
fn closed_ledger_leaves_only_running_processes() {
    let place = tempfile::tempdir().expect("a folder");
    let journal = RunJournal::open(place.path()).expect("a journal");
    let (over, left) = (RunId::new(), RunId::new());
    for run in [over, left] {
        journal.begin(run, "a name\nleader 1 1").expect("written");
    }
    let text = fs::read_to_string(journal.folder.join(over.to_string())).expect("text");
    assert_eq!(
        RunJournalEntry::parse(&text).head,
        None,
        "a name is no line of its own"
    );
    journal.ended(over).expect("forgotten");
    journal.ended(over).expect("and again");
    journal.close().expect("closed");
    assert!(journal.folder.exists(), "one is left");
    journal.ended(left).expect("forgotten");
    journal.close().expect("closed");
    assert_eq!(fs::read_dir(place.path()).expect("a list").count(), 0);
}

#[test]
fn concurrent_sweeps_do_not_interfere() {
    let place = tempfile::tempdir().expect("a folder");
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                for _ in 0..20 {
                    sweep(place.path());
                    let journal = RunJournal::open(place.path()).expect("a journal");
                    journal
                        .begin(RunId::new(), "forge")
                        .expect("its folder is there");
                    drop(journal);
                }
            });
        }
    });
    sweep(place.path());
    assert_eq!(fs::read_dir(place.path()).expect("a list").count(), 0);
}

#[test]
fn mangled_entries_name_no_process_that_can_not_be_a_run_s() {
    guild_tests::mangled::each("ledger", |bytes| {
        let text = String::from_utf8_lossy(bytes);
        if let Some(head) = RunJournalEntry::parse(&text).head {
            assert!(head.leader().pid > 1, "{text}");
        }
    });
}
