//! Extends the limit of starts that still make progress: first starts of package runners, which
//! download, and any command on a busy machine.

use std::time::Duration;

use guild_model::status::StartStep;
use guild_process::{Output, ProcessActivity};
use tokio::sync::mpsc;
use tokio::task::spawn_blocking;
use tokio::time::{Instant, sleep};

use super::ActorEvent;

/// Maximum duration of a start by a package runner.
pub(super) const LONGEST: Duration = Duration::from_secs(10 * 60);
/// Maximum duration of any other start that makes progress, as a multiple of its limit. Time in
/// which the process waits for a processor doesn't count.
const STRETCH: u32 = 4;
/// Maximum time without progress once the start of a package runner has exceeded its limit. If the
/// start limit is shorter, the start limit is used instead.
const QUIET_MAX: Duration = Duration::from_secs(30);
/// Like [`QUIET_MAX`], for a command that is not a package runner.
const QUIET_PLAIN_MAX: Duration = Duration::from_secs(5);
/// Maximum time between two samples of a process.
const LOOK: Duration = Duration::from_millis(250);
/// Minimum time between two samples of a process.
const LOOK_MIN: Duration = Duration::from_millis(10);
/// Delay before the steps of a package runner are shown. A package runner with a filled cache
/// finishes earlier.
const SHOWN_FROM: Duration = Duration::from_millis(1_500);
/// A process that used at most this much processor time between two samples is idle: timers and
/// signals use that much.
const IDLE: Duration = Duration::from_millis(5);

/// Returns the command words of a package runner, which downloads a server and starts it.
pub(super) fn package_runner(command: &str, args: &[String]) -> Option<String> {
    let (command, args) = match args {
        // Windows starts scripts this way.
        [flag, script, rest @ ..] if stem(command) == "cmd" && flag.eq_ignore_ascii_case("/c") => {
            (script.as_str(), rest)
        }
        args => (command, args),
    };
    let program = stem(command);
    let needs: &[&str] = match program.as_str() {
        "npx" | "pnpx" | "bunx" | "uvx" => return Some(program),
        "npm" => &["exec", "x"],
        "pnpm" | "yarn" => &["dlx"],
        "bun" => &["x"],
        "uv" => &["tool", "run"],
        "pipx" | "docker" | "podman" | "nerdctl" | "deno" => &["run"],
        _ => return None,
    };
    let verb = args.iter().find(|word| !word.starts_with('-'))?;
    needs
        .contains(&verb.as_str())
        .then(|| format!("{program} {verb}"))
}

/// Returns the name of a program in lowercase, without its folder and without an extension of
/// Windows programs.
fn stem(command: &str) -> String {
    let name = command.rsplit(['/', '\\']).next().unwrap_or(command);
    let name = name.to_ascii_lowercase();
    let ends = [".exe", ".cmd", ".bat", ".ps1"];
    let end = ends.into_iter().find(|end| name.ends_with(end));
    name[..name.len() - end.map_or(0, str::len)].to_owned()
}

/// Determines the deadline of a start from the progress of its process.
pub(super) struct StartDeadline {
    pub(super) pid: u32,
    /// The manifest's start limit, counted from the call of [`expired`](Self::expired). The program
    /// was executed before that, so the process has already run on a processor.
    pub(super) limit: Duration,
    /// Whether the process is a package runner, which has much more time and shows its steps.
    pub(super) is_runner: bool,
    pub(super) output: Output,
    pub(super) events: mpsc::Sender<ActorEvent>,
}

/// The state of a process at one moment.
#[derive(Debug, Clone, Copy, PartialEq)]
struct ActivitySample {
    leader: Option<ProcessActivity>,
    family: Option<ProcessActivity>,
    lines: u64,
}

impl StartDeadline {
    /// Follows the process and reports its steps until the process's time is over. Returns the
    /// elapsed time, which exceeds the limit if the process makes progress. Progress means that a
    /// process starts or ends, uses the processor or waits for it, moves bytes, or writes to
    /// stderr.
    pub(super) async fn expired(self) -> Duration {
        let began = Instant::now();
        let (quiet_max, longest, shown_from) = match self.is_runner {
            true => (self.limit.clamp(LOOK * 4, QUIET_MAX), LONGEST, SHOWN_FROM),
            false => {
                let quiet_max = self.limit.min(QUIET_PLAIN_MAX);
                (quiet_max, stretched(self.limit), self.limit)
            }
        };
        let pause = (self.limit / 8).clamp(LOOK_MIN, LOOK);
        // Most starts are over before any sample is needed.
        let unseen = self.limit.saturating_sub(quiet_max);
        sleep(unseen.min(shown_from.saturating_sub(pause))).await;
        let mut last = self.look().await;
        let mut moved_at = began + unseen;
        let mut waited = last.waited_share(None, began.elapsed());
        let mut shown = None;
        loop {
            let looked_at = Instant::now();
            sleep(pause).await;
            let now = self.look().await;
            let elapsed = began.elapsed();
            if now.has_moved_since(&last) {
                moved_at = Instant::now();
            }
            waited += now.waited_share(Some(&last), looked_at.elapsed());
            let runner_moves = now.runner_has_moved_since(&last);
            last = now;
            let is_over = elapsed >= self.limit;
            let has_had_all =
                elapsed >= LONGEST.max(self.limit) || elapsed.saturating_sub(waited) >= longest;
            if has_had_all || is_over && moved_at.elapsed() >= quiet_max {
                return elapsed;
            }
            let step = match (is_over, self.is_runner) {
                (true, true) => Some(StartStep::Overtime),
                (true, false) => Some(StartStep::Late),
                (false, false) => None,
                (false, true) if elapsed < SHOWN_FROM => None,
                (false, true) if runner_moves => Some(StartStep::Installing),
                // The runner has started the server.
                (false, true) if now.has_children() => None,
                (false, true) => shown,
            };
            if step != shown {
                shown = step;
                let _ = self.events.send(ActorEvent::Step(step)).await;
            }
        }
    }

    async fn look(&self) -> ActivitySample {
        let pid = self.pid;
        let efforts =
            spawn_blocking(move || (ProcessActivity::of(pid), ProcessActivity::of_tree(pid)));
        let (leader, family) = efforts.await.unwrap_or_default();
        let lines = *self.output.changed().borrow();
        ActivitySample {
            leader,
            family,
            lines,
        }
    }
}

impl ActivitySample {
    /// Whether the process made progress, or would have if it had got a processor.
    fn has_moved_since(&self, earlier: &Self) -> bool {
        let is_busy = |look: &Self| look.family.is_some_and(|family| family.busy);
        self.lines != earlier.lines
            || moved(self.family, earlier.family)
            || is_busy(self) && is_busy(earlier)
    }

    fn runner_has_moved_since(&self, earlier: &Self) -> bool {
        moved(self.leader, earlier.leader)
    }

    /// Returns how much of `time` the process tree waited for a processor since an earlier sample.
    /// Threads wait in parallel, so this is `time` × waiting / (waiting + running), with the sums
    /// of all threads, and at most the waiting time.
    fn waited_share(&self, earlier: Option<&Self>, time: Duration) -> Duration {
        let spent = |look: &Self| {
            look.family
                .map_or((Duration::ZERO, Duration::ZERO), |family| {
                    (family.waited, family.cpu)
                })
        };
        let (waited_before, ran_before) = earlier.map_or((Duration::ZERO, Duration::ZERO), spent);
        let (waited, ran) = spent(self);
        let waited = waited.saturating_sub(waited_before);
        let sum = waited + ran.saturating_sub(ran_before);
        if sum.is_zero() {
            return Duration::ZERO;
        }
        time.mul_f64(waited.as_secs_f64() / sum.as_secs_f64())
            .min(waited)
    }

    fn has_children(&self) -> bool {
        self.family.is_some_and(|family| family.processes > 1)
    }
}

fn moved(now: Option<ProcessActivity>, earlier: Option<ProcessActivity>) -> bool {
    match (now, earlier) {
        (Some(now), Some(earlier)) => now.has_moved_since(&earlier, IDLE),
        (now, earlier) => now.is_some() != earlier.is_some(),
    }
}

/// Returns the maximum duration of a start that makes progress and uses no package runner.
pub(super) fn stretched(limit: Duration) -> Duration {
    limit.saturating_mul(STRETCH).min(LONGEST).max(limit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limit_is_stretched_fourfold_to_ten_minutes() {
        let seconds = Duration::from_secs;
        assert_eq!(stretched(seconds(30)), seconds(120));
        assert_eq!(stretched(seconds(400)), LONGEST);
        assert_eq!(stretched(seconds(1_000)), seconds(1_000));
    }

    #[test]
    fn package_runners_are_known_by_their_words() {
        let of = |line: &str| {
            let mut words = line.split(' ');
            let command = words.next().unwrap_or_default();
            let args: Vec<String> = words.map(str::to_owned).collect();
            package_runner(command, &args)
        };
        for (line, runner) in [
            ("npx -y some-server", "npx"),
            ("/usr/local/bin/npx some-server", "npx"),
            (r"C:\node\npx.CMD some-server", "npx"),
            ("cmd /c npx -y some-server", "npx"),
            ("CMD.EXE /C uvx some-server", "uvx"),
            ("npm exec some-server", "npm exec"),
            ("pnpm --silent dlx some-server", "pnpm dlx"),
            ("yarn dlx some-server", "yarn dlx"),
            ("bunx some-server", "bunx"),
            ("bun x some-server", "bun x"),
            ("uv run server.py", "uv run"),
            ("uv tool run some-server", "uv tool"),
            ("pipx run some-server", "pipx run"),
            ("docker run -i --rm some/server", "docker run"),
            ("podman run some/server", "podman run"),
        ] {
            assert_eq!(of(line).as_deref(), Some(runner), "{line}");
        }
        for line in [
            "node server.js",
            "npm start",
            "npm run npx",
            "bun server.ts",
            "docker compose up",
            "uv",
            "cmd /c node server.js",
            "cmd",
            "npxx some-server",
            "",
        ] {
            assert_eq!(of(line), None, "{line}");
        }
    }
}
