//! guild-process
