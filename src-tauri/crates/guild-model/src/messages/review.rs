//! Notes in a review: changes of a schema, suspicious text, and things that stop working.

use thiserror::Error;

/// The access of a container to a mounted folder.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum MountUse {
    #[error("(read only)")]
    ReadOnly,
    #[error("(may write)")]
    Writes,
    #[error("(read only, dangerous)")]
    ReadsDangerously,
    #[error("(may write, dangerous)")]
    WritesDangerously,
}
