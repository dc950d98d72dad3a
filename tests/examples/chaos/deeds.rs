//! Carries out the steps of the plan.

use std::sync::Arc;
use std::time::{Duration, Instant};

use rustix::process::Signal;
use tokio::task::JoinSet;
use tokio::time::sleep;

use crate::app::App;
use crate::cast::CAST;
use crate::plan::{Change, Deed, Step};
use crate::stranger::Stranger;
use crate::world::World;
use crate::{Outcome, calls, processes};

/// Time limit for the members' processes to end after the program was killed.
const GONE: Duration = Duration::from_secs(5);
/// How long the first start of the quiet members may take.
const FIRST_START: Duration = Duration::from_secs(90);
const LOOK: Duration = Duration::from_millis(20);
/// The time that the program gets to replace a killed watchdog, before the program itself is
/// killed. If both are dead, only the next start of the program can end the members' processes.
const REPLACED: Duration = Duration::from_secs(1);
/// If the program is down for longer than this, there is time for a command that works alone.
const LONG_MS: u64 = 5_000;

/// The running program, and the tasks that run concurrently.
pub(crate) struct Run {
    world: Arc<World>,
    app: Option<App>,
    generation: u32,
    watchdog_fell: Option<Instant>,
    aside: JoinSet<()>,
}

impl Run {
    pub(crate) async fn begin(world: Arc<World>) -> Outcome<Self> {
        let mut run = Self {
            world,
            app: None,
            generation: 0,
            watchdog_fell: None,
            aside: JoinSet::new(),
        };
        run.start().await?;
        Ok(run)
    }

    async fn start(&mut self) -> Outcome<()> {
        self.generation += 1;
        let app = App::start(&self.world, self.generation).await?;
        if self.generation == 1 {
            // A tool can only be called after it was listed once.
            let quiet = || CAST.iter().filter(|role| role.quiet).map(|role| role.name);
            let asked = Instant::now();
            while !self.world.are_ready(quiet()) {
                if asked.elapsed() > FIRST_START {
                    return Err(format!("no quiet member up within {FIRST_START:?}").into());
                }
                sleep(LOOK).await;
            }
        }
        app.admit(&self.world);
        self.app = Some(app);
        Ok(())
    }

    /// Performs each step at its time, or as soon as the steps before it are done.
    pub(crate) async fn play(&mut self, steps: &[Step], length: Duration) -> Outcome<()> {
        let begun = Instant::now();
        for step in steps {
            sleep(step.at.saturating_sub(begun.elapsed())).await;
            self.perform(&step.deed).await?;
            // Removes finished tasks from the set.
            while self.aside.try_join_next().is_some() {}
        }
        sleep(length.saturating_sub(begun.elapsed())).await;
        Ok(())
    }

    /// Ends all tasks, then the program.
    pub(crate) async fn end(&mut self) -> Outcome<()> {
        while self.aside.join_next().await.is_some() {}
        self.quit().await
    }

    async fn perform(&mut self, deed: &Deed) -> Outcome<()> {
        let world = Arc::clone(&self.world);
        match *deed {
            Deed::Mood {
                member,
                mood,
                change,
            } => {
                world.stage.give(member, mood)?;
                match change {
                    Change::Kill => self.strike(member),
                    Change::Restart => self.tend("restart_member", member),
                    Change::Stop => self.tend("stop_member", member),
                }
            }
            Deed::Kill { member } => self.strike(member),
            Deed::Freeze { member, ms } => self.freeze(member, ms),
            Deed::Tools { member, count } => {
                world.stage.offer(member, count)?;
                self.aside
                    .spawn(async move { calls::announce(&world, member).await });
            }
            Deed::Stranger { member, ms } => {
                let port = world.member(member).port;
                self.strike(member);
                if let Some(port) = port {
                    self.aside.spawn(async move {
                        if Stranger::stands_at(port, Duration::from_millis(ms)).await {
                            world.count(|counts| counts.strangers += 1);
                        }
                    });
                }
            }
            Deed::Remove { member, ms } => {
                world.stage.remove(member, true)?;
                self.aside.spawn(async move {
                    sleep(Duration::from_millis(ms)).await;
                    if let Err(error) = world.stage.remove(member, false) {
                        world.tell("troubles", format!("{member} can't come back: {error}"));
                    }
                });
            }
            Deed::Command { member, text } => {
                self.aside.spawn(async move {
                    if let Err(error) = calls::command(&world, member, text).await {
                        world.tell("troubles", error.to_string());
                    }
                });
            }
            Deed::Watchdog => {
                for pid in processes::watchdogs(&world.stage, &world.mark) {
                    if processes::signal(&world.stage, &world.mark, pid, Signal::KILL) {
                        world.count(|counts| counts.watchdog_kills += 1);
                        self.watchdog_fell = Some(Instant::now());
                    }
                }
            }
            Deed::Fall { away_ms } => self.fall(away_ms).await?,
            Deed::Quit => {
                self.quit().await?;
                self.start().await?;
            }
        }
        Ok(())
    }

    fn tend(&mut self, command: &'static str, member: &'static str) {
        let world = Arc::clone(&self.world);
        self.aside
            .spawn(async move { calls::tend(&world, command, member).await });
    }

    /// Kills a member's first process.
    fn strike(&self, member: &str) {
        let world = &self.world;
        if let Some(pid) = world.member(member).pid
            && processes::signal(&world.stage, &world.mark, pid, Signal::KILL)
        {
            world.count(|counts| counts.member_kills += 1);
        }
    }

    fn freeze(&mut self, member: &str, ms: u64) {
        let world = Arc::clone(&self.world);
        if let Some(pid) = world.member(member).pid
            && processes::signal(&world.stage, &world.mark, pid, Signal::STOP)
        {
            self.aside.spawn(async move {
                sleep(Duration::from_millis(ms)).await;
                processes::signal(&world.stage, &world.mark, pid, Signal::CONT);
            });
        }
    }

    /// Kills the program, and starts it again after a while. All processes that it has started must
    /// end within five seconds.
    async fn fall(&mut self, away_ms: u64) -> Outcome<()> {
        let Some(app) = self.app.take() else {
            return Err("there is no program to kill".into());
        };
        if let Some(fell) = self.watchdog_fell.take() {
            sleep(REPLACED.saturating_sub(fell.elapsed())).await;
        }
        let killed = app.kill(&self.world).await?;
        self.world.count(|counts| counts.app_kills += 1);
        self.look_later(killed, "killed");
        let fallen = Instant::now();
        if away_ms > LONG_MS {
            // While the program is down, the command itself starts the member.
            calls::command(&self.world, "calm-http", self.generation.into()).await?;
        }
        sleep(Duration::from_millis(away_ms).saturating_sub(fallen.elapsed())).await;
        self.start().await
    }

    /// Ends the program like a user does. No process may remain.
    async fn quit(&mut self) -> Outcome<()> {
        let Some(app) = self.app.take() else {
            return Err("there is no program to end".into());
        };
        let took = app.quit(&self.world).await?;
        let world = &self.world;
        world.count(|counts| counts.longest_end = counts.longest_end.max(took));
        self.look_later(processes::now()?, "asked to end");
        Ok(())
    }

    /// Counts the processes that were started before `moment` and still run after [`GONE`]. By
    /// then, the next process of the program may have started.
    fn look_later(&mut self, moment: u64, what: &'static str) {
        let world = Arc::clone(&self.world);
        self.aside.spawn(async move {
            sleep(GONE).await;
            let all = processes::all(&world.stage, &world.mark).into_iter();
            for process in all.filter(|process| process.start < moment) {
                world.count(|counts| counts.left += 1);
                let fault = format!("{process}, {GONE:?} after its program was {what}");
                world.tell("processes left", fault);
            }
        });
    }
}
