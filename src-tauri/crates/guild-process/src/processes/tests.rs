use std::process::{Child, Command, Stdio};

use guild_tests::PromiseClock;

use super::*;
use crate::run_mark;

/// A process that is ended with the test.
struct Sleeper(Child);

impl Sleeper {
    fn new(command: &mut Command) -> Self {
        let child = run_mark::unmarked(|| command.stdin(Stdio::null()).spawn());
        Self(child.expect("a process"))
    }

    fn identity(&self) -> Identity {
        Identity::of(self.0.id()).expect("it runs")
    }
}

impl Drop for Sleeper {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn a_process_is_found_by_what_its_environment_says() {
    let run = RunId::new();
    let sleeper = Sleeper::new(
        Command::new("sleep")
            .arg("60")
            .env(RunId::VARIABLE, run.to_string()),
    );
    // Until it executes `sleep`, the environment of the new process is that of the test.
    while fs::read(format!("/proc/{}/cmdline", sleeper.0.id())).expect("it runs")[..]
        != *b"sleep\x0060\0"
    {
        std::thread::yield_now();
    }
    let table = Table::take(0).expect("a table");
    let found = table.trees(|process| process.run == Some(run));
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].identity, sleeper.identity());
    let later = Table::take(sleeper.identity().start + 1).expect("a table");
    assert!(
        later.trees(|process| process.run == Some(run)).is_empty(),
        "those that are older than asked for are not looked at"
    );
}

#[test]
fn process_keeps_its_files_until_killed() {
    let mut command = Command::new("sleep");
    let mut sleeper = Sleeper::new(command.arg("60").stdout(Stdio::piped()));
    let process = sleeper.identity();
    assert!(process.has_its_files());
    let another = Identity {
        start: process.start + 1,
        ..process
    };
    assert!(!another.has_its_files(), "the number alone is not enough");
    let mut output = sleeper.0.stdout.take().expect("a pipe");
    sleeper.0.kill().expect("killed");
    // The output ends when the kernel closes the open files of the process.
    io::copy(&mut output, &mut io::sink()).expect("read");
    assert!(!process.has_its_files(), "though nobody has collected it");
    sleeper.0.wait().expect("collected");
    assert!(!process.has_its_files(), "it is gone");
}

#[test]
fn limit_and_environment_are_read_exactly() {
    let run = RunId::new();
    let limits = |soft: &str| {
        format!(
            "Limit                     Soft Limit           Hard Limit           Units     \n\
             Max core file size        0                    unlimited            bytes     \n\
             Max resident set          {soft:<20} unlimited            bytes     \n"
        )
    };
    let number = run.number().to_string();
    assert_eq!(run_in_limits(limits(&number).as_bytes()), Some(run));
    for soft in ["unlimited", "8589934592", "x", ""] {
        assert_eq!(run_in_limits(limits(soft).as_bytes()), None, "{soft}");
    }
    let environment = |text: String| run_in_environment(text.as_bytes());
    assert_eq!(
        environment(format!("A=1\0GUILD_HALL_RUN={run}\0B=2")),
        Some(run)
    );
    for text in [
        format!("NOT_GUILD_HALL_RUN={run}"),
        format!("A=GUILD_HALL_RUN={run}"),
        format!("GUILD_HALL_RUN={run}0"),
        "GUILD_HALL_RUN=".to_owned(),
        String::new(),
    ] {
        assert_eq!(environment(text.clone()), None, "{text}");
    }
}

#[test]
fn no_signal_reaches_the_next_holder_of_a_number() {
    let mut sleeper = Sleeper::new(Command::new("sleep").arg("60"));
    let real = sleeper.identity();
    for start in [real.start - 1, real.start + 1, 0] {
        signal(Identity { start, ..real }, Signal::KILL);
    }
    assert!(real.is_alive());
    assert!(sleeper.0.try_wait().expect("ours").is_none());
    signal(real, Signal::KILL);
    sleeper.0.wait().expect("it ends");
    assert!(!real.is_alive());
}

#[test]
fn family_is_root_and_descendants_without_self() {
    let shell = Sleeper::new(Command::new("sh").args(["-c", "sleep 60 & wait"]));
    let root = shell.identity();
    let family = loop {
        let table = Table::take(0).expect("a table");
        let family = table.trees(|process| process.identity == root);
        if family.len() == 2 {
            break family;
        }
        std::thread::yield_now();
    };
    let grandchild = family
        .iter()
        .find(|process| process.identity != root)
        .expect("a child");
    let all = Table::take(0)
        .expect("a table")
        .trees(|process| process.identity.pid == std::process::id());
    assert!(all.is_empty(), "we are no one's to end: {all:?}");
    signal(grandchild.identity, Signal::KILL);
}

#[test]
fn a_look_at_all_processes_is_a_matter_of_milliseconds() {
    let mut took = Vec::new();
    let mut seen = 0;
    for _ in 0..20 {
        let began = PromiseClock::start();
        seen = Table::take(0).expect("a table").seen.len();
        took.push(began.took().counted());
    }
    took.sort();
    println!(
        "{seen} processes: {:?} (median), {:?} at most",
        took[10], took[19]
    );
    assert!(seen > 1);
    assert!(took[10] < std::time::Duration::from_millis(500), "{took:?}");
}
