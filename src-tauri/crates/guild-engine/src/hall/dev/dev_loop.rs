//! The task of one member in development. It waits for changes and runs one round after the other.

use std::sync::Arc;
use std::time::Duration;

use guild_api::wire::DEV_FILES_MAX;
use guild_model::manifest::Manifest;
use guild_model::{Code, MemberName, Report};
use guild_supervisor::messages::DevError;
use tokio::sync::watch;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::watch_view;
use crate::hall::{GuildHall, WeakHall};
use guild_files::members_folder::MANIFEST_FILE;
use guild_roster::ToolSet;
use guild_supervisor::dev::{DevMember, DevSession, SourceWatch};

/// If the same files change again within this time after a round, the server itself has probably
/// written them.
const SOON: Duration = Duration::from_secs(3);
/// Number of consecutive changes within `SOON` after which the next round is delayed.
const OFTEN: u32 = 5;
/// The first delay. It doubles with each further change.
const FIRST_PAUSE: Duration = Duration::from_secs(1);
/// Maximum delay.
const LONGEST_PAUSE: Duration = Duration::from_secs(10);

/// The input of the task of one member.
pub(super) struct DevLoopContext {
    pub(super) hall: WeakHall,
    pub(super) name: MemberName,
    pub(super) member: DevMember,
    pub(super) manifests: watch::Receiver<Arc<Manifest>>,
    pub(super) cancel: CancellationToken,
    /// Whether the manifest has just changed, so that the first round begins at once.
    pub(super) is_news: bool,
}

/// The state that one round leaves for the next.
pub(super) struct DevLoopState {
    /// The tools before the round. After a change of only the manifest, the member may already have
    /// restarted. These are therefore the tools after the previous round.
    pub(super) tools: Arc<ToolSet>,
    /// The changed files of the last round.
    files: Vec<String>,
    ended: Option<Instant>,
    /// The number of consecutive times that the same files changed soon after a round.
    again: u32,
}

/// Runs the rounds of one member until it is cancelled, or the hall is dropped.
pub(super) async fn run_loop(input: DevLoopContext) {
    let DevLoopContext {
        hall,
        name,
        member,
        mut manifests,
        cancel,
        mut is_news,
    } = input;
    let Some((session, mut known)) = hall.upgrade().map(|hall| {
        let session = hall.inner.workshop.session(&name);
        let snapshot = hall.snapshot();
        let entry = snapshot.members.get(&name);
        let tools = entry.map(|entry| Arc::clone(&entry.tools));
        (session, DevLoopState::new(tools.unwrap_or_default()))
    }) else {
        return;
    };
    let (folder, dev) = (member.folder.clone(), member.dev.clone());
    let began = tokio::task::spawn_blocking(move || SourceWatch::begin(folder, &dev)).await;
    let mut sources = match began {
        Ok(Ok(sources)) => Some(sources),
        Ok(Err(report)) => {
            let report = report.of(&name);
            tracing::warn!("{report}");
            session.watching(Some(watch_view(&member, (0, 0))), Some(report));
            None
        }
        // An error means that the runtime shuts down.
        Err(_) => return,
    };
    loop {
        show_watch(&session, &name, &member, sources.as_ref(), &known);
        if !is_news {
            let changed = async {
                match &sources {
                    Some(sources) => sources.changed().await,
                    None => std::future::pending().await,
                }
            };
            tokio::select! {
                biased;
                () = cancel.cancelled() => break,
                manifest = manifests.changed() => match manifest {
                    Ok(()) => is_news = true,
                    Err(_) => break,
                },
                () = changed => {}
            }
        }
        if let Some(pause) = known.pause() {
            tokio::select! {
                () = cancel.cancelled() => break,
                () = tokio::time::sleep(pause) => {}
            }
        }
        let mut files = vec![];
        if let Some(mut watched) = sources.take() {
            let looking = tokio::task::spawn_blocking(move || {
                let files = watched.look();
                (watched, files)
            });
            let Ok((watched, found)) = looking.await else {
                break;
            };
            (sources, files) = (Some(watched), found);
        }
        let restarts = !files.is_empty();
        if std::mem::take(&mut is_news) {
            files.push(MANIFEST_FILE.to_owned());
        }
        if files.is_empty() {
            continue;
        }
        let Some(hall) = hall.upgrade() else { break };
        known.count(&files);
        let manifest = Arc::clone(&manifests.borrow_and_update());
        let task = DevIteration {
            session: &session,
            name: &name,
            member: &member,
            manifest: &manifest,
            restarts,
            cancel: &cancel,
            sources: sources.as_ref(),
        };
        hall.do_round(task, files, &mut known).await;
        known.ended = Some(Instant::now());
        if cancel.is_cancelled() {
            break;
        }
    }
}

/// The input of one round.
pub(super) struct DevIteration<'a> {
    pub(super) session: &'a DevSession,
    pub(super) name: &'a MemberName,
    pub(super) member: &'a DevMember,
    pub(super) manifest: &'a Manifest,
    /// Whether the round has to build and restart the member. After a change of only the manifest,
    /// the supervisor has already restarted the member if necessary.
    pub(super) restarts: bool,
    pub(super) cancel: &'a CancellationToken,
    sources: Option<&'a SourceWatch>,
}

impl DevIteration<'_> {
    /// Whether the files have changed since the round began.
    pub(super) fn is_overtaken(&self) -> bool {
        self.sources.is_some_and(SourceWatch::is_pending)
    }
}

impl DevLoopState {
    fn new(tools: Arc<ToolSet>) -> Self {
        Self {
            tools,
            files: vec![],
            ended: None,
            again: 0,
        }
    }

    /// Counts how often the same files change soon after a round.
    fn count(&mut self, files: &[String]) {
        let soon = self
            .ended
            .is_some_and(|ended| ended.elapsed() < SOON + self.last_pause());
        // A server writes only a few files at a time. If many files change, it has not written
        // them.
        let few = files.len() <= DEV_FILES_MAX;
        let same = few && files.iter().all(|file| self.files.contains(file));
        self.again = if soon && same { self.again + 1 } else { 0 };
        self.files = files.iter().take(DEV_FILES_MAX).cloned().collect();
    }

    /// Returns the delay of the next round if the same files keep changing.
    fn pause(&self) -> Option<Duration> {
        let ended = self.ended?;
        let soon = ended.elapsed() < SOON + self.last_pause();
        let pause = self.last_pause();
        (soon && !pause.is_zero()).then_some(pause)
    }

    fn last_pause(&self) -> Duration {
        match self.again.checked_sub(OFTEN) {
            None => Duration::ZERO,
            Some(more) => FIRST_PAUSE
                .saturating_mul(2_u32.saturating_pow(more))
                .min(LONGEST_PAUSE),
        }
    }
}

/// Publishes the watched files and the problems of the watch.
fn show_watch(
    session: &DevSession,
    name: &MemberName,
    member: &DevMember,
    sources: Option<&SourceWatch>,
    known: &DevLoopState,
) {
    let Some(sources) = sources else { return };
    let restless = (known.again >= OFTEN).then(|| {
        let files: Vec<&str> = known.files.iter().take(3).map(String::as_str).collect();
        Report::from_error(Code::DevUnwatched, &DevError::Restless(files.join(", "))).of(name)
    });
    let problem = sources.problem().cloned().map(|report| report.of(name));
    let view = watch_view(member, sources.counts());
    session.watching(Some(view), problem.or(restless));
}

impl GuildHall {
    /// Returns the member's currently known tools.
    pub(super) fn tools_now(&self, member: &MemberName) -> Arc<ToolSet> {
        let snapshot = self.snapshot();
        let entry = snapshot.members.get(member);
        entry
            .map(|entry| Arc::clone(&entry.tools))
            .unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn self_writing_server_restarts_ever_more_rarely() {
        let mut known = DevLoopState::new(Arc::default());
        let files = ["state.json".to_owned()];
        let mut pauses = vec![];
        for _ in 0..14 {
            if let Some(pause) = known.pause() {
                pauses.push(pause.as_secs());
                tokio::time::sleep(pause).await;
            }
            known.count(&files);
            tokio::time::sleep(Duration::from_secs(1)).await;
            known.ended = Some(Instant::now());
        }
        assert_eq!(pauses, [1, 2, 4, 8, 10, 10, 10, 10]);
        // After a quiet period, or after a change of another file, the next round is not delayed.
        known.count(&["server.py".to_owned()]);
        assert_eq!(known.pause(), None);
        for _ in 0..20 {
            tokio::time::sleep(SOON).await;
            known.count(&files);
            known.ended = Some(Instant::now());
        }
        assert_eq!(known.pause(), None, "a person saves as often as they like");
    }
}
