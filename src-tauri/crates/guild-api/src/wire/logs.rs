//! Members' logs, which contain their stderr lines, and bundles for bug reports.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::LogLine;
use guild_model::error::Report;
use guild_model::id::MemberName;

/// Maximum number of lines in one answer.
pub const LOG_PAGE_MAX: usize = 2_000;
/// Maximum length of a search text, in bytes.
pub const LOG_QUERY_MAX: usize = 1_000;

/// A filter for the lines of a member's log.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct LogFilter {
    /// Only lines that contain this text, ignoring case. Empty for all lines.
    pub contains: String,
    /// Only lines that the member wrote after its start with this number and before its next start.
    pub start: Option<u64>,
}

/// A request for lines of a member's log, from the newest to the oldest.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ReadMemberLog {
    pub member: MemberName,
    /// Only lines with a lower number: `before` of the previous page. `None` for the newest lines.
    pub before: Option<u64>,
    /// The lines to include.
    pub filter: LogFilter,
    /// The maximum number of lines, at most 2,000.
    pub limit: usize,
}

/// One page of a member's log. A page also ends at a limit of searched bytes, so further lines may
/// follow a page without lines. The last page has no `before`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct LogPage {
    pub member: MemberName,
    /// The lines in chronological order. Lines from a file have no color codes.
    pub lines: Vec<LogLine>,
    /// The `before` of the next page's request. `None` if no older lines exist.
    pub before: Option<u64>,
    /// The number of bytes, counted from the end of the log files, that this and the previous pages
    /// searched.
    pub searched_bytes: u64,
    /// The total size of the files, in bytes.
    pub total_bytes: u64,
    pub folder: String,
    /// Why log files could not be read. The page then has only the lines in memory.
    pub problem: Option<Report>,
}

/// A request to write a member's log to a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SaveMemberLog {
    pub member: MemberName,
    /// The lines to include.
    pub filter: LogFilter,
    /// The file's path. An existing file is replaced.
    pub path: String,
}

/// The written log.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SavedMemberLog {
    pub path: String,
    /// The number of lines in the file.
    pub lines: usize,
}

/// The report of a crash: a text file in the data folder.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct CrashReport {
    /// The name of the file in the data folder.
    pub name: String,
    /// The time of the crash, in milliseconds since the epoch.
    pub at_ms: u64,
    /// The program that crashed, such as `guildhall`.
    pub program: String,
    pub version: String,
    /// The place in the source code and the message.
    pub message: String,
}

/// The crash reports that the user has not dismissed, newest first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct CrashReports {
    pub reports: Vec<CrashReport>,
}

/// One file of a bundle for a bug report.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct BundledFile {
    /// The file's name in the bundle.
    pub name: String,
    /// A description of its content.
    pub what: String,
    /// The file's size in bytes.
    pub bytes: u64,
    /// The number of masked passages.
    pub masked: usize,
}

/// The content of a bundle for a bug report.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Bundled {
    /// The written file. `None` for a preview.
    pub path: Option<String>,
    /// A suggested name for the file.
    pub suggested_name: String,
    pub files: Vec<BundledFile>,
    /// The files that were left out, with reasons.
    pub left_out: Vec<String>,
}

/// A request to write a bundle for a bug report.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct WriteBundle {
    /// The file's path. An existing file is replaced.
    pub path: String,
}
