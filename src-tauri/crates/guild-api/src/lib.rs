//! The commands and events that the window and the command line use, and the logic of the tray and
//! the notifications.

pub mod desktop;
pub mod event;
pub mod messages;
pub mod wire;
