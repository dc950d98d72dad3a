//! What the shell says to people outside its page: in the tray, in notifications and in a terminal.
//!
//! A language is a value of [`Words`], so that one with a sentence missing does not compile.

mod de;
mod en;

use std::fmt;
use std::path::Path;

use clap::Command;
use guild_core::language::Language;
use guild_core::presence::notices::{Matter, Notice};
use guild_core::presence::outlook::Outlook;
use guild_core::status::Status;

/// All of it in one language.
#[derive(Debug)]
pub(crate) struct Words {
    /// How the hall is doing, in one line.
    pub(crate) state: fn(&Outlook) -> String,
    /// A member in trouble, as a line of the menu.
    pub(crate) troubled: fn(&str, Status) -> String,
    /// So many members more are in trouble.
    pub(crate) more_troubled: fn(usize) -> String,
    /// So many of a member's tools are held back.
    pub(crate) held: fn(&str, usize) -> String,
    /// So many calls of agents wait for consent.
    pub(crate) approvals: fn(usize) -> String,
    /// So many questions of servers wait for an answer.
    pub(crate) questions: fn(usize) -> String,
    pub(crate) open: &'static str,
    pub(crate) palette: &'static str,
    pub(crate) start_all: &'static str,
    pub(crate) stop_all: &'static str,
    pub(crate) settings: &'static str,
    pub(crate) quit: &'static str,
    pub(crate) import_awaited: ImportAwaited,
    /// The hall could not be opened.
    pub(crate) not_opened: &'static str,
    /// Before what to do about something.
    pub(crate) hint: &'static str,
    pub(crate) no_display: &'static str,
    /// The window could not be set up.
    pub(crate) no_window: fn(&dyn fmt::Display) -> String,
    /// `--safe-render` could not be obeyed.
    pub(crate) no_safe_render: fn(&dyn fmt::Display) -> String,
    /// The words of the command with their help, of which English stands at themselves.
    pub(crate) help: fn(Command) -> Command,
    /// What is wrong with the words of the command; `None` where clap says it itself.
    pub(crate) mistake: fn(&clap::Error) -> Option<String>,
    /// What a notification is about.
    pub(crate) title: fn(&Notice) -> String,
    /// One thing of a notification, where it tells of several.
    pub(crate) named: fn(&Matter) -> String,
    /// What it says where it tells of one thing.
    pub(crate) alone: fn(&Matter) -> String,
    /// So much more than what is named.
    pub(crate) more: fn(usize) -> String,
}

/// What is said while another program imports settings.
#[derive(Debug)]
pub(crate) struct ImportAwaited {
    pub(crate) title: &'static str,
    /// Which process does, and into which folder.
    pub(crate) who: fn(u32, &Path) -> String,
    /// What comes of it.
    pub(crate) then: &'static str,
}

impl Words {
    /// The words of a language.
    pub(crate) fn of(language: Language) -> &'static Self {
        match language {
            Language::En => &en::WORDS,
            Language::De => &de::WORDS,
        }
    }

    /// What a notification says below its title.
    pub(crate) fn body(&self, notice: &Notice) -> String {
        if let ([only], 0) = (&notice.named[..], notice.more) {
            return (self.alone)(only);
        }
        let mut parts: Vec<String> = notice.named.iter().map(self.named).collect();
        if notice.more > 0 {
            parts.push((self.more)(notice.more));
        }
        parts.join(", ")
    }
}

/// The parts that have anything in them, one after another.
fn joined(parts: impl IntoIterator<Item = (usize, String)>) -> String {
    let parts = parts.into_iter().filter(|(count, _)| *count > 0);
    parts.map(|(_, text)| text).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests;
