//! A member's reviewed list, which limits its tools: `reviewed-tools/NAME.json` of the data folder.

use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use crate::messages::{ReviewError, ReviewProblem};
use guild_model::messages::io_message;
use guild_model::tool::{ToolSpec, salvage_texts};
use guild_model::{Code, MemberName, Report};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::Digests;
use guild_files::files::{read_bounded, write_atomically};

const FOLDER: &str = "reviewed-tools";
/// Maximum size of a list that is read or written, in bytes.
const BYTES_MAX: u64 = 32 << 20;
/// Maximum number of files in the folder that are listed.
const FILES_MAX: usize = 4_000;
const VERSION: u32 = 1;

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct ReviewedListFile<T> {
    version: u32,
    reviewed_at_ms: u64,
    tools: Vec<T>,
    /// `None` in files from before prompts, resources and templates were reviewed.
    #[serde(skip_serializing_if = "Option::is_none")]
    offers: Option<Vec<T>>,
}

/// A reviewed list.
#[derive(Debug, Clone)]
pub struct ReviewedList {
    /// Time of the last approval in the list, in milliseconds since 1970.
    pub reviewed_at_ms: u64,
    /// The approved tools.
    pub tools: Vec<ToolSpec>,
    /// The approved prompts, resources and templates. `None` before their first review.
    pub offers: Option<Vec<ToolSpec>>,
}

impl ReviewedList {
    /// Reads the list. Blocking.
    ///
    /// # Errors
    /// `reviews-unreadable`, also if there is no list.
    pub fn read(data_dir: &Path, member: &MemberName) -> Result<Self, Report> {
        let path = file(data_dir, member);
        let unusable = |problem: ReviewProblem| {
            let trouble = ReviewError::ListUnusable(path.clone(), problem);
            Report::from_error(Code::ReviewsUnreadable, &trouble).of(member)
        };
        let bytes = read_bounded(&path, BYTES_MAX)
            .map_err(|error| unusable(ReviewProblem::Unread(io_message(&error))))?;
        let file: ReviewedListFile<&RawValue> = serde_json::from_slice(&bytes)
            .map_err(|error| unusable(ReviewProblem::Unread(error.to_string())))?;
        if file.version != VERSION {
            return Err(unusable(ReviewProblem::Version(file.version)));
        }
        let (tools, _) = salvage_texts(file.tools);
        Ok(Self {
            reviewed_at_ms: file.reviewed_at_ms,
            tools,
            offers: file.offers.map(|offers| salvage_texts(offers).0),
        })
    }

    /// Writes the list. Blocking.
    ///
    /// # Errors
    /// `data-unwritable`. Then the file stays unchanged.
    pub(super) fn write(&self, data_dir: &Path, member: &MemberName) -> Result<(), Report> {
        let path = file(data_dir, member);
        let offers = self.offers.as_ref();
        let written = serde_json::to_vec(&ReviewedListFile {
            version: VERSION,
            reviewed_at_ms: self.reviewed_at_ms,
            tools: self.tools.iter().map(ToolSpec::raw).collect(),
            offers: offers.map(|offers| offers.iter().map(ToolSpec::raw).collect()),
        })
        .map_err(std::io::Error::other)
        .and_then(|bytes| {
            if bytes.len() as u64 > BYTES_MAX {
                return Err(std::io::Error::from(ErrorKind::FileTooLarge));
            }
            guild_files::files::create_own_folder(&data_dir.join(FOLDER))?;
            write_atomically(&path, &bytes)
        });
        written.map_err(|error| {
            let trouble = ReviewError::ListUnwritable(path.clone(), io_message(&error));
            Report::from_error(Code::DataUnwritable, &trouble).of(member)
        })
    }

    pub(super) fn digests(&self) -> Digests {
        let digest = |tool: &ToolSpec| (tool.name().clone(), tool.digest());
        Digests {
            by_name: self.all().map(digest).collect(),
            with_offers: self.offers.is_some(),
        }
    }

    /// Returns the tools, prompts, resources and templates by their names.
    pub fn by_name(&self) -> BTreeMap<&str, &ToolSpec> {
        self.all()
            .map(|tool| (tool.name().as_str(), tool))
            .collect()
    }

    fn all(&self) -> impl Iterator<Item = &ToolSpec> {
        self.tools.iter().chain(self.offers.iter().flatten())
    }
}

/// Returns the path of a member's list, existing or not.
pub(super) fn file(data_dir: &Path, member: &MemberName) -> PathBuf {
    data_dir.join(FOLDER).join(format!("{member}.json"))
}

/// Returns the members that have a list. Blocking.
pub(super) fn members(data_dir: &Path) -> Vec<MemberName> {
    let Ok(entries) = std::fs::read_dir(data_dir.join(FOLDER)) else {
        return vec![];
    };
    let name = |entry: std::fs::DirEntry| {
        let name = entry.file_name().to_string_lossy().into_owned();
        MemberName::parse(name.strip_suffix(".json")?).ok()
    };
    let entries = entries.take(FILES_MAX).flatten();
    entries.filter_map(name).collect()
}

/// Removes a member's list, once it no longer applies. Blocking.
pub(super) fn remove(data_dir: &Path, member: &MemberName) {
    let path = file(data_dir, member);
    match std::fs::remove_file(&path) {
        Err(error) if error.kind() != ErrorKind::NotFound => {
            tracing::debug!(%member, %error, "a reviewed list can't be removed");
        }
        _ => {}
    }
}
