//! Checks of time limits that a busy machine does not break.
//!
//! A promise such as "all processes are gone within 5 s" holds for a machine that has time for
//! them. [`PromiseClock`] excludes the time in which the machine was starved: tasks waited for a
//! processor, a disk or memory, or this process woke up late. An idle machine is rarely starved, so
//! its clock is as strict as any other. Even if many tasks share the processors, a part of the time
//! counts. So an action that hangs also fails on a busy machine.

use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Interval at which the meter reads the waiting times.
const TICK: Duration = Duration::from_millis(10);
/// Delay with which even an idle machine may wake up a thread.
const USUAL_DELAY: Duration = Duration::from_millis(2);

static METER: LazyLock<Mutex<Meter>> = LazyLock::new(|| {
    std::thread::spawn(|| {
        loop {
            std::thread::sleep(TICK);
            meter().advance(Instant::now(), Load::read());
        }
    });
    Mutex::new(Meter::new(Instant::now(), Load::read()))
});

fn meter() -> MutexGuard<'static, Meter> {
    METER.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Measures how long an action takes without the time in which the machine was starved.
#[derive(Debug, Clone, Copy)]
pub struct PromiseClock {
    began: Instant,
    starved_before: Duration,
}

impl PromiseClock {
    /// Returns a clock that starts now.
    pub fn start() -> Self {
        let mut meter = meter();
        let began = Instant::now();
        meter.advance(began, Load::read());
        Self {
            began,
            starved_before: meter.starved,
        }
    }

    /// Returns the time since the start, and the part of it in which the machine was starved.
    pub fn took(&self) -> Took {
        let mut meter = meter();
        let now = Instant::now();
        meter.advance(now, Load::read());
        Took {
            wall: now.saturating_duration_since(self.began),
            starved: meter.starved.saturating_sub(self.starved_before),
        }
    }

    /// Checks that no more time than promised has passed since the start.
    ///
    /// # Panics
    /// When it took longer. The message contains `what` and the times.
    #[track_caller]
    pub fn assert_within(&self, promise: Duration, what: &str) {
        let took = self.took();
        println!("{what}: {took}");
        took.assert_within(promise, what);
    }
}

/// How long an action took.
#[derive(Debug, Clone, Copy)]
pub struct Took {
    wall: Duration,
    starved: Duration,
}

impl Took {
    /// Returns the time that counts, without the time in which the machine was starved.
    pub fn counted(&self) -> Duration {
        self.wall.saturating_sub(self.starved)
    }

    /// Checks that the action took no longer than promised.
    ///
    /// # Panics
    /// When it took longer. The message contains `what` and the times.
    #[track_caller]
    pub fn assert_within(&self, promise: Duration, what: &str) {
        assert!(
            self.counted() < promise,
            "{what}: took {self}, where {promise:?} is promised"
        );
    }
}

impl std::fmt::Display for Took {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?}, starved for {:?} of it", self.wall, self.starved)
    }
}

/// Adds up the time in which the machine was starved.
#[derive(Debug)]
struct Meter {
    last: Instant,
    load: Load,
    starved: Duration,
}

impl Meter {
    fn new(now: Instant, load: Load) -> Self {
        Self {
            last: now,
            load,
            starved: Duration::ZERO,
        }
    }

    /// Counts the part of the time since the last call as starved in which tasks waited, or by
    /// which this call is late.
    fn advance(&mut self, now: Instant, load: Load) {
        let passed = now.saturating_duration_since(self.last);
        let for_processors = load.for_processors.saturating_sub(self.load.for_processors);
        let for_others = load.for_others.saturating_sub(self.load.for_others);
        // A task that shares a processor still gets its share of the time. Half of that share
        // counts, the other half allows for delays of sharing.
        let share = 1.0 / (2.0 * load.tasks_per_processor.max(1.0));
        let waited = for_processors.min(passed.mul_f64(1.0 - share)) + for_others;
        let late = match passed.saturating_sub(TICK) {
            delay if delay > USUAL_DELAY => delay,
            _ => Duration::ZERO,
        };
        self.starved += waited.max(late).min(passed);
        self.last = now;
        self.load = load;
    }
}

/// Waiting times of this machine's tasks since the machine's start. All zero if the system does not
/// measure them.
#[derive(Debug, Clone, Copy, Default)]
struct Load {
    /// How long at least one task has waited for a processor.
    for_processors: Duration,
    /// How long at least one task has waited for a disk or memory.
    for_others: Duration,
    /// The number of running or runnable tasks per processor.
    tasks_per_processor: f64,
}

impl Load {
    fn read() -> Self {
        let waited = |resource: &str| {
            let text = std::fs::read_to_string(format!("/proc/pressure/{resource}"));
            text.ok().as_deref().and_then(total_of).unwrap_or_default()
        };
        let statistics = std::fs::read_to_string("/proc/stat").unwrap_or_default();
        let running = statistics
            .lines()
            .find_map(|line| line.strip_prefix("procs_running "))
            .and_then(|count| count.trim().parse::<f64>().ok());
        Self {
            for_processors: waited("cpu"),
            for_others: waited("io") + waited("memory"),
            tasks_per_processor: running.unwrap_or_default() / processors() as f64,
        }
    }
}

fn processors() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Returns the total waiting time from the line that begins with `some`. The line has it in
/// microseconds.
fn total_of(text: &str) -> Option<Duration> {
    let line = text.lines().find_map(|line| line.strip_prefix("some "))?;
    let total = line
        .split(' ')
        .find_map(|field| field.strip_prefix("total="))?;
    total.parse().ok().map(Duration::from_micros)
}

#[cfg(test)]
mod tests {
    use super::*;

    const PROMISE: Duration = Duration::from_secs(1);

    /// Returns a clock's result after `ticks`, each of which took `passed` and added `more` load.
    fn after(ticks: u32, passed: Duration, more: Load) -> Took {
        let began = Instant::now();
        let mut meter = Meter::new(began, Load::default());
        for tick in 1..=ticks {
            let load = Load {
                for_processors: more.for_processors * tick,
                for_others: more.for_others * tick,
                ..more
            };
            meter.advance(began + passed * tick, load);
        }
        Took {
            wall: passed * ticks,
            starved: meter.starved,
        }
    }

    /// Returns the load of this number of tasks per processor, some of which always wait.
    fn shared_by(tasks_per_processor: f64) -> Load {
        Load {
            for_processors: TICK,
            tasks_per_processor,
            ..Load::default()
        }
    }

    #[test]
    #[should_panic(expected = "the end: took 1.1s, starved for 11ms of it, where 1s is promised")]
    fn slow_action_on_idle_machine_fails() {
        let idle = Load {
            for_processors: Duration::from_micros(100),
            tasks_per_processor: 0.5,
            ..Load::default()
        };
        after(110, TICK, idle).assert_within(PROMISE, "the end");
    }

    #[test]
    #[should_panic(expected = "starved for 0ns of it")]
    fn slow_action_where_nothing_is_counted_fails() {
        let slack = Duration::from_millis(1);
        after(110, TICK + slack, Load::default()).assert_within(PROMISE, "the end");
    }

    #[test]
    #[should_panic(expected = "took 60s, starved for 48s of it")]
    fn hang_on_busy_machine_fails() {
        after(6_000, TICK, shared_by(2.5)).assert_within(PROMISE * 5, "the end");
    }

    #[test]
    fn action_on_busy_machine_keeps_its_promise() {
        // With ten tasks per processor, the action takes twenty times as long as on an idle
        // machine.
        after(20 * 90, TICK, shared_by(10.0)).assert_within(PROMISE, "shared");
        after(600, TICK * 100, Load::default()).assert_within(PROMISE * 10, "woken late");
        let disk = Load {
            for_others: TICK,
            ..Load::default()
        };
        after(6_000, TICK, disk).assert_within(PROMISE, "waiting for a disk");
    }

    #[test]
    fn starved_time_never_exceeds_the_time_passed() {
        let load = Load {
            for_others: TICK * 3,
            ..shared_by(4.0)
        };
        let took = after(10, TICK, load);
        assert_eq!((took.starved, took.counted()), (TICK * 10, Duration::ZERO));
    }

    #[test]
    fn total_is_that_of_the_line_some() {
        let text = "some avg10=0.00 avg60=0.00 avg300=0.00 total=131413807\nfull avg10=0.00 avg60=0.00 avg300=0.00 total=5\n";
        assert_eq!(total_of(text), Some(Duration::from_micros(131_413_807)));
        assert_eq!(total_of("full avg10=0.00 total=5\n"), None);
    }

    #[test]
    fn wait_on_real_machine_counts_unless_starved() {
        let clock = PromiseClock::start();
        std::thread::sleep(TICK * 5);
        let took = clock.took();
        assert!(took.wall >= TICK * 5 && took.starved <= took.wall, "{took}");
        assert_eq!(took.counted() + took.starved, took.wall);
    }

    #[test]
    fn busy_loops_are_seen_as_starving() {
        if Load::read().for_processors.is_zero() {
            return;
        }
        let clock = PromiseClock::start();
        let enough = Duration::from_millis(500);
        std::thread::scope(|scope| {
            for _ in 0..3 * processors() {
                scope.spawn(|| {
                    while clock.began.elapsed() < enough {
                        std::hint::spin_loop();
                    }
                });
            }
        });
        let took = clock.took();
        assert!(took.starved > took.wall / 2, "{took}");
    }
}
