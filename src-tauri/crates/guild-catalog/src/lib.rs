//! Rules of the gateway: the names, stubs and menus that agents see, the search, and quirks of
//! known clients.

pub mod claim;
pub mod known;
pub mod menu;
pub mod messages;
pub mod names;
pub mod search;
pub mod strict;
pub mod stub;
