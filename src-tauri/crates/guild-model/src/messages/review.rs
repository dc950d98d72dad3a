//! Notes in a review: schema changes, suspicious text, and effects that break a client's use.

use thiserror::Error;

/// A container's access to a mounted folder.
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
