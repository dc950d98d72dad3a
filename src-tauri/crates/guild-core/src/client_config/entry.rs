//! A server's entry as it stands in a file, whatever the file's format is.

use serde_json::Value;

use crate::note::RunWrong;

/// The longest text of one entry, in bytes.
pub(super) const ENTRY_MAX: usize = 256 * 1024;

/// An entry as it stands in a file.
#[derive(Debug)]
pub(super) struct Entry {
    pub(super) name: String,
    /// The line, from 1.
    pub(super) line: usize,
    /// The line of an entry of the same name before it, which its program does not read.
    pub(super) earlier: Option<usize>,
    /// What stands there, or why it can't be read.
    pub(super) value: Result<Value, RunWrong>,
}
