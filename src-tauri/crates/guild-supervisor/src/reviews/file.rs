//! `reviews.json` of the data folder: members' approved launches, and the handling of changes of
//! their tools.

use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::path::Path;

use crate::messages::{ReviewError, ReviewProblem};
use guild_api::wire::AcceptedLaunch;
use guild_model::messages::io_message;
use guild_model::{Code, MemberName, Report};
use serde::{Deserialize, Serialize};

use super::list;
use guild_files::files::{read_bounded, write_atomically};

const FILE: &str = "reviews.json";
/// The name to which a malformed file is renamed at the next approval.
const MALFORMED: &str = "reviews.malformed.json";
/// Maximum size of the file, in bytes.
const BYTES_MAX: u64 = 16 << 20;
/// Maximum number of members that are stored. Guild Hall has at most half as many members.
const MEMBERS_MAX: usize = 4_000;
const VERSION: u32 = 1;

/// Handling of a member's changed tools.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ToolChangeMode {
    /// Agents get changed tools at once.
    Pass,
    /// The member's next list counts as reviewed. Until then agents get none of its tools.
    #[default]
    First,
    /// Agents get only the reviewed tools.
    Held,
}

impl ToolChangeMode {
    /// Whether changed tools are withheld from agents until a person approves them.
    pub fn withholds(self) -> bool {
        match self {
            Self::Pass => false,
            Self::First | Self::Held => true,
        }
    }
}

/// Stored state of one member.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Reviewed {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub accepted: Option<AcceptedLaunch>,
    /// Handling of changed tools.
    pub changes: ToolChangeMode,
}

#[derive(Debug, Serialize, Deserialize)]
struct ReviewsFile<M> {
    version: u32,
    members: M,
}

#[derive(Debug, Clone, Default)]
pub(super) struct ReviewFile {
    pub(super) members: BTreeMap<MemberName, Reviewed>,
    /// The reason why the file can't be used.
    pub(super) trouble: Option<Report>,
    malformed: bool,
}

impl ReviewFile {
    /// Reads the file. Blocking.
    pub(super) fn read(data_dir: &Path) -> Self {
        let path = data_dir.join(FILE);
        let unusable = |problem: ReviewProblem, malformed| {
            let trouble = ReviewError::Unusable(path.clone(), problem);
            let report = Report::from_error(Code::ReviewsUnreadable, &trouble);
            tracing::warn!("{report}");
            Self {
                trouble: Some(report),
                malformed,
                ..Self::default()
            }
        };
        let bytes = match read_bounded(&path, BYTES_MAX) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == ErrorKind::NotFound => return Self::default(),
            Err(error) => {
                let malformed = error.kind() == ErrorKind::FileTooLarge;
                return unusable(ReviewProblem::Unread(io_message(&error)), malformed);
            }
        };
        match serde_json::from_slice::<ReviewsFile<BTreeMap<MemberName, Reviewed>>>(&bytes) {
            Ok(file) if file.version == VERSION => Self {
                members: file.members,
                ..Self::default()
            },
            Ok(file) => unusable(ReviewProblem::Version(file.version), true),
            Err(error) => {
                let said = error.to_string();
                unusable(ReviewProblem::Unread(said), true)
            }
        }
    }

    /// Writes a change, and returns the changed content. `member` is never removed to make room.
    /// Blocking.
    ///
    /// # Errors
    /// `data-unwritable`, and `reviews-unreadable` for a file that can't be read at all.
    pub(super) fn with(
        &self,
        data_dir: &Path,
        member: &MemberName,
        change: impl FnOnce(&mut BTreeMap<MemberName, Reviewed>),
    ) -> Result<Self, Report> {
        let path = data_dir.join(FILE);
        let refused = |problem: ReviewProblem| {
            let trouble = ReviewError::Unwritable(path.clone(), problem);
            Report::from_error(Code::DataUnwritable, &trouble)
        };
        let unwritable = |error: std::io::Error| refused(ReviewProblem::Unread(io_message(&error)));
        let mut next = self.clone();
        if let Some(trouble) = &self.trouble {
            if !self.malformed {
                return Err(trouble.clone());
            }
            std::fs::rename(&path, data_dir.join(MALFORMED))
                .or_else(|error| match error.kind() {
                    ErrorKind::NotFound => Ok(()),
                    _ => Err(error),
                })
                .map_err(unwritable)?;
            next.trouble = None;
            next.malformed = false;
            // If a member has a reviewed list, agents still get only its reviewed tools.
            for held in list::members(data_dir) {
                let changes = ToolChangeMode::Held;
                next.members.entry(held).or_insert(Reviewed {
                    accepted: None,
                    changes,
                });
            }
        }
        change(&mut next.members);
        let mut bytes = next.to_json().map_err(unwritable)?;
        while next.members.len() > MEMBERS_MAX || bytes.len() as u64 > BYTES_MAX {
            next.forget_oldest(member).map_err(refused)?;
            bytes = next.to_json().map_err(unwritable)?;
        }
        // The data folder may not exist yet.
        guild_files::files::create_own_folder(data_dir)
            .and_then(|()| write_atomically(&path, &bytes))
            .map_err(unwritable)?;
        Ok(next)
    }

    fn to_json(&self) -> std::io::Result<Vec<u8>> {
        let file = ReviewsFile {
            version: VERSION,
            members: &self.members,
        };
        serde_json::to_vec_pretty(&file).map_err(std::io::Error::other)
    }

    /// Removes the member with the oldest approval, except `but`, to make room. A person then has
    /// to approve the removed member again.
    fn forget_oldest(&mut self, but: &MemberName) -> Result<(), ReviewProblem> {
        let at = |known: &Reviewed| known.accepted.as_ref().map(|accepted| accepted.at_ms);
        let others = self.members.iter().filter(|(name, _)| *name != but);
        let oldest = others.min_by_key(|(_, known)| at(known));
        let Some(name) = oldest.map(|(name, _)| name.clone()) else {
            return Err(ReviewProblem::TooLong);
        };
        self.members.remove(&name);
        Ok(())
    }
}
