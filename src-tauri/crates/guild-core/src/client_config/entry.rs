//! A server's entry in a file, independent of the file's format.

use serde_json::Value;

use crate::note::RunWrong;

/// Longest text of one entry, in bytes.
pub(super) const ENTRY_MAX: usize = 256 * 1024;

#[derive(Debug)]
pub(super) struct Entry {
    pub(super) name: String,
    /// 1-based.
    pub(super) line: usize,
    /// Line of an earlier entry with the same name. The program ignores that one.
    pub(super) earlier: Option<usize>,
    /// The entry's value, or the reason it can't be read.
    pub(super) value: Result<Value, RunWrong>,
}
