//! Notes in the review of a member's launch.

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
