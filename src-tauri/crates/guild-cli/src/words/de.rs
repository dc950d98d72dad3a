//! German.

mod help;

#[cfg(test)]
pub(super) use self::help::all;
pub(super) use self::help::help;
