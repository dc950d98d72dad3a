//! The development loop of a server author. After a change of a member's files, a *round* builds
//! and restarts the member, compares its tools with the previous ones, and runs its examples.
//!
//! Each enabled member that the user wrote and that has a `dev` field has a task, which runs one
//! round after the other. Changes during a round cause one further round.

mod dev_loop;
mod examples;
mod round;

use std::collections::BTreeMap;
use std::sync::Arc;

use guild_api::event::HallEvent;
use guild_api::wire::{DevRound, DevState, DevWatch, ExampleView, RunExamples};
use guild_model::manifest::SaveExample;
use guild_model::manifest::{Manifest, command_words, parse, with_example};
use guild_model::messages::{CallError, Unknown};
use guild_model::{Code, MemberName, Report};
use guild_supervisor::messages::DevError;
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;
use tokio_util::task::AbortOnDropHandle;

use self::dev_loop::{DevLoopContext, run_loop};
pub(in crate::hall) use self::examples::ended;
use super::GuildHall;
use guild_files::blocking::blocking;
use guild_files::members_folder::MANIFEST_FILE;
use guild_roster::near;
use guild_supervisor::dev::{DevMember, DevSession, edit_file};

/// A member in development, and the channels to its task.
struct DevFollower {
    member: DevMember,
    manifests: watch::Sender<Arc<Manifest>>,
    /// Cancelled to end the task, and when the hall closes.
    cancel: CancellationToken,
}

impl Drop for DevFollower {
    fn drop(&mut self) {
        self.cancel.cancel();
    }
}

impl GuildHall {
    /// Returns the watched files of a member, its examples, and the results of its last rounds.
    ///
    /// # Errors
    /// `member-unknown`.
    pub fn dev_state(&self, member: &MemberName) -> Result<DevState, Report> {
        let entry = self.entry(member)?;
        Ok(self.dev_state_of(member, entry.manifest.as_deref()))
    }

    fn dev_state_of(&self, member: &MemberName, manifest: Option<&Manifest>) -> DevState {
        let shown = self.inner.workshop.session(member).shown();
        let examples = manifest.map(|manifest| manifest.examples.as_slice());
        DevState {
            member: member.clone(),
            watch: shown.watch,
            problem: shown.problem,
            examples: examples
                .unwrap_or_default()
                .iter()
                .map(|example| ExampleView {
                    name: example.name.clone(),
                    tool: example.tool.clone(),
                    arguments: example.arguments.clone(),
                    expects: example.expect.in_words(),
                })
                .collect(),
            rounds: shown.rounds.into(),
        }
    }

    /// Checks that the member is in development: it has a `dev` field, is enabled, and was written
    /// by the user.
    ///
    /// # Errors
    /// `member-unknown`, the errors of the member's manifest, and `dev-off` with the fix.
    pub async fn is_developed(&self, member: &MemberName) -> Result<(), Report> {
        let manifest = self.read_manifest(member).await?;
        if manifest.own_dev().is_some() {
            return Ok(());
        }
        let trouble = match (&manifest.origin, manifest.enabled, &manifest.dev) {
            (Some(_), _, Some(_)) => DevError::Elsewhere,
            (_, false, _) => DevError::SwitchedOff,
            _ => DevError::NotSaid,
        };
        Err(Report::from_error(Code::DevOff, &trouble).of(member))
    }

    /// Waits until the hall closes.
    pub(crate) async fn until_closing(&self) {
        self.inner.closing.cancelled().await;
    }

    /// Runs a member's examples one after the other. Starts the member if needed.
    /// [`GuildHall::cancel_call`] cancels the run. An event is published after each step.
    ///
    /// # Errors
    /// `member-unknown`, `example-unknown`, the errors of the member's manifest, `call-cancelled`,
    /// `too-many-calls`, `shutting-down`.
    pub async fn run_examples(&self, request: RunExamples) -> Result<DevRound, Report> {
        let RunExamples {
            call,
            member,
            names,
        } = request;
        let manifest = self.read_manifest(&member).await?;
        let mut examples = manifest.examples.clone();
        if let Some(names) = &names {
            if let Some(unknown) = names
                .iter()
                .find(|name| !examples.iter().any(|example| example.name == **name))
            {
                let known: Vec<&str> = examples.iter().map(|e| e.name.as_str()).collect();
                let next = near(unknown, known.into_iter()).unwrap_or(Unknown::HasExamples);
                let trouble = CallError::NoExample(format!("{unknown:?}"), next);
                return Err(Report::from_error(Code::ExampleUnknown, &trouble).of(&member));
            }
            examples.retain(|example| names.contains(&example.name));
        }
        let running = self.register(&call)?;
        let session = self.inner.workshop.session(&member);
        let alone = tokio::select! {
            alone = session.alone() => alone,
            () = running.token.cancelled() => {
                let trouble = DevError::BrokenOff;
                return Err(Report::from_error(Code::CallCancelled, &trouble).of(&member));
            }
        };
        let mut round = self.begin_round(&session, &member, vec![]);
        self.check_examples(&session, &mut round, &examples, &running.token, || false)
            .await;
        self.end_round(&session, &mut round);
        drop(alone);
        Ok(round)
    }

    /// Inserts a call into a member's manifest as an example. All other bytes of the file stay
    /// unchanged.
    ///
    /// # Errors
    /// `member-unknown`, `arguments-not-json`, the errors of the manifest, `manifest-field` if the
    /// example can't be inserted, `file-unwritable`.
    pub async fn save_example(&self, request: SaveExample) -> Result<DevState, Report> {
        let member = request.member.clone();
        let folder = self.member_folder(&member).await?;
        // Only one change is written at a time, so that two examples saved at the same time are
        // both kept.
        let _alone = self.inner.workshop.writing().await;
        let path = folder.join(MANIFEST_FILE);
        let written = blocking(move || {
            let file = path.display().to_string();
            let written = edit_file(&path, |bytes| with_example(bytes, &file, &request))?;
            parse(&written, &file).manifest
        });
        let manifest = written.await.flatten();
        let manifest = manifest.map_err(|report| report.of(&member))?;
        Ok(self.dev_state_of(&member, Some(&manifest)))
    }

    /// Watches the members in development, until the hall closes.
    pub(super) fn follow_sources(&self) {
        let weak = self.weak();
        let closing = self.inner.closing.clone();
        let tasks = self.inner.context.tasks.clone();
        let mut followed = self.inner.workshop.followed();
        let mut running: BTreeMap<MemberName, DevFollower> = BTreeMap::new();
        let following = tokio::spawn(async move {
            loop {
                let wanted = followed.borrow_and_update().clone();
                running.retain(|name, _| {
                    let stays = wanted.contains_key(name);
                    if !stays && let Some(hall) = weak.upgrade() {
                        hall.inner.workshop.unwatched(name);
                    }
                    stays
                });
                for (name, member) in wanted {
                    let known = running.get_mut(&name);
                    if let Some(known) = known.filter(|known| known.goes_on_as(&member)) {
                        if known.member.manifest != member.manifest {
                            // This can't fail, since the task ends only after its token is
                            // cancelled.
                            let _ = known.manifests.send(Arc::clone(&member.manifest));
                            known.member = member;
                        }
                        continue;
                    }
                    let is_news = running.remove(&name).is_some();
                    let (manifests, receiver) = watch::channel(Arc::clone(&member.manifest));
                    let cancel = closing.child_token();
                    tasks.spawn(run_loop(DevLoopContext {
                        hall: weak.clone(),
                        name: name.clone(),
                        member: member.clone(),
                        manifests: receiver,
                        cancel: cancel.clone(),
                        is_news,
                    }));
                    let following = DevFollower {
                        member,
                        manifests,
                        cancel,
                    };
                    running.insert(name, following);
                }
                if followed.changed().await.is_err() {
                    return;
                }
            }
        });
        let following = AbortOnDropHandle::new(following);
        self.inner.workshop.follow(following);
    }

    /// Publishes a round's current state.
    fn publish_round(&self, session: &DevSession, round: &DevRound) {
        session.show(round);
        self.inner.context.roster.tell(HallEvent::DevRound {
            round: Box::new(round.clone()),
        });
    }
}

impl DevFollower {
    /// Whether the running task can continue with the new state of the member.
    fn goes_on_as(&self, member: &DevMember) -> bool {
        self.member.folder == member.folder && self.member.dev == member.dev
    }
}

fn watch_view(member: &DevMember, (files, folders): (usize, usize)) -> DevWatch {
    let build = (!member.dev.build.is_empty()).then(|| command_words(&member.dev.build));
    DevWatch {
        patterns: member.dev.watch.clone(),
        build,
        files,
        folders,
    }
}
