//! guild-engine
