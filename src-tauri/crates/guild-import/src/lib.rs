//! Other programs' configuration files: discovery, import, switching over, and undo.

pub mod client_configs;
pub mod found;
pub mod install;
pub mod messages;
pub mod newcomer;
