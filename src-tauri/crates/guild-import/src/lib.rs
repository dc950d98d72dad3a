//! Works with other apps' configuration files: scan, import, switch over, and undo. Also installs
//! servers from questions and answers.

pub mod client_configs;
pub mod install;
pub mod messages;
pub mod newcomer;
pub mod scan;
