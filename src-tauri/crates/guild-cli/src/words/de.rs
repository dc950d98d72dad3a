//! German.

mod help;

pub(super) use self::help::{all, help};
