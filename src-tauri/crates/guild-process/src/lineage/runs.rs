//! The known runs, and the search for the run that a process or one of its ancestors belongs to
//! (Linux).

use std::collections::HashMap;

use super::Lineage;
use crate::process_registry::run::{Identity, RunId};
use crate::processes::{Stat, run_of};

/// Limit of the inspected ancestors of one process.
const ANCESTORS_MAX: usize = 1_000;
/// Number of attempts to read the ancestors of a process. An attempt fails if one of the ancestors
/// ends while they are read.
const TRIES: usize = 5;

/// The runs to which a process may belong.
#[derive(Debug, Default, Clone)]
pub(crate) struct KnownRuns(HashMap<RunId, KnownRun>);

#[derive(Debug, Clone)]
struct KnownRun {
    member: String,
    leader: Option<Identity>,
}

/// The marks that show that a process belongs to a member.
#[derive(Debug, Clone, Copy)]
pub(crate) enum RunMarkFilter {
    /// The marks of the known runs.
    Known,
    /// The marks of all runs except the given one, whose mark this program itself carries.
    AllBut(Option<RunId>),
}

impl KnownRuns {
    pub(crate) fn begin(&mut self, run: RunId, member: &str) {
        let (member, leader) = (member.to_owned(), None);
        self.0.insert(run, KnownRun { member, leader });
    }

    pub(crate) fn leads(&mut self, run: RunId, leader: Identity) {
        if let Some(known) = self.0.get_mut(&run) {
            known.leader = Some(leader);
        }
    }

    pub(crate) fn ended(&mut self, run: RunId) {
        self.0.remove(&run);
    }

    /// Returns the origin of a process. The search for ancestors ends at the process `root`. Blocks
    /// for about a millisecond.
    pub(crate) fn lineage_of(&self, pid: u32, root: Option<u32>, marks: RunMarkFilter) -> Lineage {
        (0..TRIES)
            .find_map(|_| self.try_lineage_of(pid, root, marks))
            .unwrap_or(Lineage::Unknown)
    }

    /// Makes one attempt. Returns `None` if one of the ancestors ended during it.
    fn try_lineage_of(&self, pid: u32, root: Option<u32>, marks: RunMarkFilter) -> Option<Lineage> {
        let mut text = Vec::new();
        let (mut pid, mut child) = (pid, None);
        let mut child_start = u64::MAX;
        for _ in 0..ANCESTORS_MAX {
            if Some(pid) == root {
                return Some(Lineage::Outside);
            }
            let Some(stat) = Stat::read_into(pid, &mut text) else {
                // The system hides the parent, which may belong to another user. The parent is not
                // a process of a member, because the child would have inherited the member's mark.
                let still = |child| Stat::read(child).is_some_and(|stat| stat.parent == pid);
                return child.is_some_and(still).then_some(Lineage::Outside);
            };
            // A parent is at least as old as its child. This process is younger, so the pid was
            // reused.
            if stat.has_ended() || stat.start > child_start {
                return None;
            }
            if let Some(member) = self.member_of(pid, &stat) {
                return Some(Lineage::Member(Some(member.to_owned())));
            }
            if let Some(run) = run_of(pid, &mut text) {
                let member = self.0.get(&run).map(|known| known.member.clone());
                let counts = match marks {
                    RunMarkFilter::Known => member.is_some(),
                    RunMarkFilter::AllBut(own) => Some(run) != own,
                };
                if counts {
                    return Some(Lineage::Member(member));
                }
            }
            if stat.parent <= 1 {
                return Some(Lineage::Outside);
            }
            (child, child_start) = (Some(pid), stat.start);
            pid = stat.parent;
        }
        Some(Lineage::Unknown)
    }

    fn member_of(&self, pid: u32, stat: &Stat) -> Option<&str> {
        let is_led = |leader: &Identity| {
            let numbers = [pid, stat.group, stat.session];
            numbers.contains(&leader.pid) && stat.start >= leader.start
        };
        let mut known = self.0.values();
        known
            .find(|known| known.leader.as_ref().is_some_and(is_led))
            .map(|known| known.member.as_str())
    }
}

#[cfg(test)]
mod tests {
    use std::io::{BufRead, BufReader};
    use std::os::unix::process::CommandExt;
    use std::process::{Child, Command, Stdio};

    use super::*;
    use crate::run_mark;

    /// A shell that starts `sleep` as the script in the test says, and prints the pid of `sleep`.
    struct TestShell {
        shell: Child,
        inner: u32,
    }

    impl TestShell {
        fn start(script: &str, run: Option<RunId>) -> Self {
            let mut command = Command::new("sh");
            command
                .args(["-c", script])
                .env_remove(RunId::VARIABLE)
                .process_group(0)
                .stdin(Stdio::null())
                .stdout(Stdio::piped());
            let started = match run {
                Some(run) => run_mark::marked(run, || command.spawn()),
                None => run_mark::unmarked(|| command.spawn()),
            };
            let mut shell = started.expect("a shell");
            let mut line = String::new();
            let stdout = shell.stdout.as_mut().expect("a pipe");
            BufReader::new(stdout).read_line(&mut line).expect("a line");
            let inner = line.trim().parse().expect("a number");
            Self { shell, inner }
        }

        fn leader(&self) -> Identity {
            Identity::of(self.shell.id()).expect("it runs")
        }
    }

    impl Drop for TestShell {
        fn drop(&mut self) {
            if let Some(inner) = Identity::of(self.inner) {
                crate::processes::signal(inner, rustix::process::Signal::KILL);
            }
            let _ = self.shell.kill();
            let _ = self.shell.wait();
        }
    }

    const CHILD: &str = "sleep 60 & echo $!; wait";
    /// A process in its own session, with an empty environment and without its original parent.
    const DAEMON: &str =
        "env -i setsid sh -c 'sleep 60 >/dev/null & echo $!' & wait $!; exec sleep 60 >/dev/null";

    fn known(run: RunId, leader: Option<Identity>) -> KnownRuns {
        let mut runs = KnownRuns::default();
        runs.begin(run, "forge");
        if let Some(leader) = leader {
            runs.leads(run, leader);
        }
        runs
    }

    fn forge() -> Lineage {
        Lineage::Member(Some("forge".into()))
    }

    #[test]
    fn descendant_of_a_leader_without_mark_is_its_members() {
        let run = RunId::new();
        let tree = TestShell::start(CHILD, None);
        let root = Some(std::process::id());
        let runs = known(run, Some(tree.leader()));
        let all = RunMarkFilter::AllBut(None);
        assert_eq!(runs.lineage_of(tree.inner, root, all), forge());
        let runs = known(run, None);
        assert_eq!(runs.lineage_of(tree.inner, root, all), Lineage::Outside);
    }

    #[test]
    fn daemon_is_recognized_by_its_mark() {
        let run = RunId::new();
        let tree = TestShell::start(DAEMON, Some(run));
        let root = Some(std::process::id());
        let runs = known(run, None);
        let of = |runs: &KnownRuns, marks| runs.lineage_of(tree.inner, root, marks);
        assert_eq!(of(&runs, RunMarkFilter::AllBut(None)), forge());
        assert_eq!(of(&runs, RunMarkFilter::Known), forge());
        assert_eq!(
            of(&runs, RunMarkFilter::AllBut(Some(run))),
            Lineage::Outside
        );
        let none = KnownRuns::default();
        assert_eq!(
            of(&none, RunMarkFilter::AllBut(None)),
            Lineage::Member(None)
        );
        assert_eq!(of(&none, RunMarkFilter::Known), Lineage::Outside);
    }

    #[test]
    fn process_group_keeps_an_orphan_with_its_member() {
        let run = RunId::new();
        let orphan = "sh -c 'sleep 60 >/dev/null & echo $!' & wait $!; exec sleep 60 >/dev/null";
        let tree = TestShell::start(orphan, None);
        let runs = known(run, Some(tree.leader()));
        let root = Some(std::process::id());
        assert_eq!(
            runs.lineage_of(tree.inner, root, RunMarkFilter::Known),
            forge()
        );
        let mut later = tree.leader();
        later.start += 1_000_000;
        let runs = known(run, Some(later));
        let lineage = runs.lineage_of(tree.inner, root, RunMarkFilter::Known);
        assert_eq!(lineage, Lineage::Outside, "its number is another's now");
    }

    #[test]
    fn ended_process_is_unknown() {
        let mut tree = TestShell::start(CHILD, None);
        let pid = tree.shell.id();
        tree.shell.kill().expect("killed");
        let runs = KnownRuns::default();
        let lineage = || runs.lineage_of(pid, None, RunMarkFilter::AllBut(None));
        while lineage() != Lineage::Unknown {
            std::thread::yield_now();
        }
        tree.shell.wait().expect("collected");
        assert_eq!(lineage(), Lineage::Unknown);
    }
}
