//! Reviews: third-party members that may run, and their approved tools.
//!
//! `reviews.json` of the data folder is read once, when Guild Hall opens. Members' reviewed lists
//! are in separate files ([`list`]). An unreadable file reduces trust, and never adds any. Without
//! `reviews.json`, no third-party member counts as approved. Without its list, no tool of a
//! reviewed member counts as approved.

mod file;
mod list;

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use guild_api::wire::{AcceptedLaunch, LaunchTrust, ToolMark};
use guild_model::manifest::{Manifest, launch_hash};
use guild_model::tool::{ToolDigest, ToolSpec};
use guild_model::{MemberName, Report, ToolName};
use guild_review::trust::launch_view;
use parking_lot::Mutex;

use self::file::ReviewFile;
use self::file::Reviewed;
pub use self::file::ToolChangeMode;
pub use self::list::ReviewedList;
use guild_files::clock::now_ms;
use guild_roster::{ReviewMarks, ToolSet};

/// Approved launches and lists. Their files are read and written on blocking threads.
#[derive(Debug)]
pub struct Reviews {
    data_dir: PathBuf,
    kept: Mutex<ReviewFile>,
    /// Locked during each change of a file, so that [`Self::kept`] doesn't have to be locked while
    /// a file is written.
    writing: Mutex<()>,
    /// The reviewed lists that were read so far.
    lists: Mutex<HashMap<MemberName, Result<Arc<Digests>, Report>>>,
}

/// Digests of a reviewed list, for comparisons.
#[derive(Debug, Default)]
pub(crate) struct Digests {
    by_name: HashMap<ToolName, ToolDigest>,
    /// Whether prompts, resources and templates were reviewed.
    with_offers: bool,
}

/// Review state of a member.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReviewState {
    /// The approval of the member's launch.
    pub launch: LaunchTrust,
    /// Handling of changes of its tools.
    pub changes: ToolChangeMode,
    /// The error of the file that stores the reviews.
    pub warning: Option<Report>,
}

impl ReviewState {
    /// Whether the member may not start, because its launch is not approved.
    pub fn is_unreviewed(&self) -> bool {
        match self.launch {
            LaunchTrust::Own | LaunchTrust::Accepted => false,
            LaunchTrust::Unreviewed | LaunchTrust::Changed => true,
        }
    }
}

impl Reviews {
    /// Reads the approvals. Blocking.
    pub fn read(data_dir: &Path) -> Self {
        Self {
            kept: Mutex::new(ReviewFile::read(data_dir)),
            data_dir: data_dir.to_owned(),
            writing: Mutex::default(),
            lists: Mutex::default(),
        }
    }

    /// Returns the reason why `reviews.json` can't be used. `None` if it can.
    pub fn trouble(&self) -> Option<Report> {
        self.kept.lock().trouble.clone()
    }

    /// Returns the review state of a member with this manifest.
    pub fn standing(&self, member: &MemberName, manifest: Option<&Manifest>) -> ReviewState {
        let kept = self.kept.lock();
        let known = kept.members.get(member);
        let accepted = known.and_then(|known| known.accepted.as_ref());
        let foreign = manifest.filter(|manifest| manifest.origin.is_some());
        let launch = match (foreign, accepted) {
            (None, _) => LaunchTrust::Own,
            (Some(_), None) => LaunchTrust::Unreviewed,
            (Some(manifest), Some(accepted)) => match launch_hash(manifest) {
                hash if hash == accepted.launch.hash => LaunchTrust::Accepted,
                _ => LaunchTrust::Changed,
            },
        };
        let changes = match known {
            Some(known) => known.changes,
            // A reviewed list limits the member's tools even if `reviews.json` can't be used.
            None if kept.trouble.is_some() && list::file(&self.data_dir, member).exists() => {
                ToolChangeMode::Held
            }
            None if launch == LaunchTrust::Own => ToolChangeMode::Pass,
            None => ToolChangeMode::First,
        };
        let of_file = kept.trouble.clone().filter(|_| foreign.is_some());
        drop(kept);
        let warning = of_file.or_else(|| match self.lists.lock().get(member) {
            Some(Err(report)) if changes == ToolChangeMode::Held => Some(report.clone()),
            _ => None,
        });
        ReviewState {
            launch,
            changes,
            warning: warning.map(|report| report.of(member)),
        }
    }

    /// Returns the tools, prompts, resources and templates of a member that agents do not get.
    /// Requires a call of `make_ready` before.
    pub fn marks(
        &self,
        member: &MemberName,
        changes: ToolChangeMode,
        tools: &ToolSet,
        offers: &[ToolSpec],
    ) -> ReviewMarks {
        let none = Digests::default();
        let lists = self.lists.lock();
        let reviewed = match changes {
            ToolChangeMode::Pass => return ReviewMarks::new(),
            // Tools from a cache that was written before the approval do not count as reviewed.
            ToolChangeMode::First => &none,
            ToolChangeMode::Held => match lists.get(member) {
                Some(Ok(reviewed)) => reviewed.as_ref(),
                Some(Err(_)) | None => &none,
            },
        };
        let mark = |spec: &ToolSpec| match reviewed.by_name.get(spec.name()) {
            Some(digest) if *digest == spec.digest() => None,
            Some(_) => Some(ToolMark::Changed),
            None => Some(ToolMark::New),
        };
        let tools = tools.tools().iter().map(|tool| &tool.spec);
        tools
            .chain(offers)
            .filter_map(|spec| Some((spec.name().clone(), mark(spec)?)))
            .collect()
    }

    /// Reads a member's reviewed list once, and computes the digests of the current tools.
    /// Blocking.
    pub(crate) fn make_ready<'a>(
        &self,
        member: &MemberName,
        changes: ToolChangeMode,
        tools: impl IntoIterator<Item = &'a ToolSpec>,
    ) {
        if !changes.withholds() {
            return;
        }
        for tool in tools {
            tool.digest();
        }
        if changes == ToolChangeMode::Held && !self.lists.lock().contains_key(member) {
            let read = ReviewedList::read(&self.data_dir, member);
            if let Err(report) = &read {
                tracing::warn!("{report}");
            }
            let digests = read.map(|list| Arc::new(list.digests()));
            self.lists.lock().entry(member.clone()).or_insert(digests);
        }
    }

    /// Records the first tool list after a member's approval as reviewed, and the first lists of
    /// its prompts and resources. Ignores later lists. Blocking.
    ///
    /// # Errors
    /// `data-unwritable`: the lists still count until the program ends. `reviews-unreadable`.
    pub(crate) fn take_first(
        &self,
        member: &MemberName,
        tools: Vec<ToolSpec>,
        offers: Option<Vec<ToolSpec>>,
    ) -> Result<(), Report> {
        let is_first = {
            let mut kept = self.kept.lock();
            let Some(known) = kept.members.get_mut(member) else {
                return Ok(());
            };
            match known.changes {
                ToolChangeMode::Pass => return Ok(()),
                ToolChangeMode::First => {
                    known.changes = ToolChangeMode::Held;
                    true
                }
                ToolChangeMode::Held => false,
            }
        };
        if is_first {
            return self.hold_to(member, tools, offers);
        }
        let is_wanting = match self.lists.lock().get(member) {
            Some(Ok(reviewed)) => !reviewed.with_offers,
            Some(Err(_)) | None => false,
        };
        match offers {
            Some(offers) if is_wanting => {
                let reviewed = ReviewedList::read(&self.data_dir, member)?;
                self.hold_to(member, reviewed.tools, Some(offers))
            }
            _ => Ok(()),
        }
    }

    /// Approves a member's launch. Blocking.
    ///
    /// # Errors
    /// `data-unwritable`, `reviews-unreadable`. Then nothing changes.
    pub fn accept(&self, member: &MemberName, manifest: &Manifest) -> Result<(), Report> {
        let accepted = AcceptedLaunch {
            at_ms: now_ms(),
            launch: launch_view(manifest),
        };
        self.change(member, |known| known.accepted = Some(accepted))
    }

    /// Lets all changes of a member's tools pass without a review. Blocking.
    ///
    /// # Errors
    /// `data-unwritable`, `reviews-unreadable`. Then nothing changes.
    pub fn let_pass(&self, member: &MemberName) -> Result<(), Report> {
        self.change(member, |known| known.changes = ToolChangeMode::Pass)?;
        self.lists.lock().remove(member);
        list::remove(&self.data_dir, member);
        Ok(())
    }

    /// Makes the member's next tool list count as reviewed. Blocking.
    ///
    /// # Errors
    /// `data-unwritable`, `reviews-unreadable`. Then nothing changes.
    pub fn hold_to_next(&self, member: &MemberName) -> Result<(), Report> {
        self.change(member, |known| known.changes = ToolChangeMode::First)
    }

    /// Stores a member's reviewed tools, and its prompts and resources if they are known. Blocking.
    ///
    /// # Errors
    /// `data-unwritable`, `reviews-unreadable`.
    pub fn hold_to(
        &self,
        member: &MemberName,
        tools: Vec<ToolSpec>,
        offers: Option<Vec<ToolSpec>>,
    ) -> Result<(), Report> {
        let list = ReviewedList {
            reviewed_at_ms: now_ms(),
            tools,
            offers,
        };
        self.lists
            .lock()
            .insert(member.clone(), Ok(Arc::new(list.digests())));
        // The list is written first: without a list, agents get no tools of a `Held` member.
        list.write(&self.data_dir, member)?;
        self.change(member, |known| known.changes = ToolChangeMode::Held)
    }

    /// Copies the reviews of the member `from` to the name `to`: the approved launch, and the
    /// reviewed list. Replaces any reviews of an earlier member with the name `to`. Blocking.
    ///
    /// # Errors
    /// `data-unwritable`, `reviews-unreadable`.
    pub fn copy_member(&self, from: &MemberName, to: &MemberName) -> Result<(), Report> {
        let _one_at_a_time = self.writing.lock();
        let before = self.kept.lock().clone();
        if let Some(trouble) = &before.trouble {
            return Err(trouble.clone().of(from));
        }
        let known = before.members.get(from).cloned();
        if known.is_none() && !before.members.contains_key(to) {
            return Ok(());
        }
        self.lists.lock().remove(to);
        match known.as_ref().map(|known| known.changes) {
            // The list is written first: without a list, agents get no tools of a `Held` member.
            Some(ToolChangeMode::Held) => {
                ReviewedList::read(&self.data_dir, from)?.write(&self.data_dir, to)?;
            }
            Some(ToolChangeMode::Pass | ToolChangeMode::First) | None => {
                list::remove(&self.data_dir, to);
            }
        }
        let after = before.with(&self.data_dir, to, |members| {
            match known {
                Some(known) => members.insert(to.clone(), known),
                None => members.remove(to),
            };
        })?;
        *self.kept.lock() = after;
        Ok(())
    }

    /// Removes the reviews of a name that no member has any more. Blocking.
    ///
    /// # Errors
    /// `data-unwritable`.
    pub fn forget_member(&self, member: &MemberName) -> Result<(), Report> {
        let _one_at_a_time = self.writing.lock();
        let before = self.kept.lock().clone();
        if before.members.contains_key(member) {
            let after = before.with(&self.data_dir, member, |members| {
                members.remove(member);
            })?;
            *self.kept.lock() = after;
        }
        self.lists.lock().remove(member);
        list::remove(&self.data_dir, member);
        Ok(())
    }

    /// Returns the last approved launch of a member.
    pub fn accepted(&self, member: &MemberName) -> Option<AcceptedLaunch> {
        self.kept.lock().members.get(member)?.accepted.clone()
    }

    /// Returns a member's reviewed list. Blocking.
    ///
    /// # Errors
    /// `reviews-unreadable`.
    pub fn list(&self, member: &MemberName) -> Result<ReviewedList, Report> {
        ReviewedList::read(&self.data_dir, member)
    }

    fn change(
        &self,
        member: &MemberName,
        change: impl FnOnce(&mut Reviewed),
    ) -> Result<(), Report> {
        let _one_at_a_time = self.writing.lock();
        let before = self.kept.lock().clone();
        let after = before.with(&self.data_dir, member, |members| {
            change(members.entry(member.clone()).or_default());
        })?;
        *self.kept.lock() = after;
        Ok(())
    }
}

#[cfg(test)]
mod tests;
