//! Earlier stderr lines of members: the files of their logs.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::LogLine;
use guild_model::error::Report;
use guild_model::id::MemberName;

/// The most lines in one answer.
pub const LOG_PAGE_MAX: usize = 2_000;
/// The longest search text for a log, in bytes.
pub const LOG_QUERY_MAX: usize = 1_000;

/// Which lines of a member's log are wanted.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct LogFilter {
    /// Only lines that contain this text, ignoring case; empty for all.
    pub contains: String,
    /// Only lines of the start of this number.
    pub start: Option<u64>,
}

/// A question for lines of a member's log, from the newest backwards.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ReadMemberLog {
    /// The member.
    pub member: MemberName,
    /// Only lines with a lower number: where the page before ended. `None` for the newest.
    pub before: Option<u64>,
    /// Which lines.
    pub filter: LogFilter,
    /// At most so many; 2,000 are the most.
    pub limit: usize,
}

/// Lines of a member's log. A page ends where its limit or its share of work is reached, so one
/// without lines is not the last: that is the one without `before`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct LogPage {
    /// The member.
    pub member: MemberName,
    /// The lines in their order, without colour codes where they come from a file.
    pub lines: Vec<LogLine>,
    /// Where the next page goes on; `None` where nothing older is kept.
    pub before: Option<u64>,
    /// How much of the files was gone through so far, from their end, in bytes.
    pub searched_bytes: u64,
    /// How much there is, in bytes.
    pub total_bytes: u64,
    /// The folder of the logs.
    pub folder: String,
    /// The reason why files could not be read; the lines in memory are still there.
    pub problem: Option<Report>,
}

/// A question for a member's whole log in a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SaveMemberLog {
    /// The member.
    pub member: MemberName,
    /// Which lines.
    pub filter: LogFilter,
    /// The file's path; an existing file is replaced.
    pub path: String,
}

/// A log that was written to a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SavedMemberLog {
    /// The file.
    pub path: String,
    /// How many lines it has.
    pub lines: usize,
}

/// One file of a bundle for a bug report.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct BundledFile {
    /// Its name in the bundle.
    pub name: String,
    /// Its content, in words.
    pub what: String,
    /// How large it is, in bytes.
    pub bytes: u64,
    /// How many places of it were masked.
    pub masked: usize,
}

/// The content of a bundle for a bug report.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Bundled {
    /// The file that it was written to; `None` where it was only looked at.
    pub path: Option<String>,
    /// A name for the file.
    pub suggested_name: String,
    /// Its files.
    pub files: Vec<BundledFile>,
    /// The files that were left out, with reasons.
    pub left_out: Vec<String>,
}

/// Where a bundle is to be written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct WriteBundle {
    /// The file's path; an existing file is replaced.
    pub path: String,
}
