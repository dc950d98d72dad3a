//! The help in German, by the words of the command and of its argument.

mod hall;
mod servers;

/// What is said of some words, where anything is.
pub(in crate::words) fn help(words: &str) -> Option<&'static str> {
    let found = all().find(|(known, _)| *known == words);
    found.map(|(_, text)| *text)
}

/// All of it.
pub(in crate::words) fn all() -> impl Iterator<Item = &'static (&'static str, &'static str)> {
    hall::HALL.iter().chain(servers::SERVERS)
}
