//! Chooses names for new members.

use std::collections::HashSet;

use guild_model::MemberName;

/// Maximum length of a suggested name, in bytes. A member's name may be longer, which leaves room
/// for a number.
const LENGTH_MAX: usize = 56;

/// The used names. Names that differ only in case count as equal, because some file systems treat
/// folder names like that.
#[derive(Debug, Default)]
pub struct UsedMemberNames(HashSet<String>);

impl UsedMemberNames {
    /// Returns a set with these names.
    pub fn taken<'n>(names: impl IntoIterator<Item = &'n str>) -> Self {
        Self(names.into_iter().map(str::to_lowercase).collect())
    }

    /// Checks whether a name is unused, without regard to case.
    pub fn is_free(&self, name: &str) -> bool {
        !self.0.contains(&name.to_lowercase())
    }

    pub(crate) fn take(&mut self, name: &str) {
        self.0.insert(name.to_lowercase());
    }

    /// Returns a valid and unused member name, similar to `wanted`, an app's name for a server.
    pub fn free(&self, wanted: &str) -> MemberName {
        let plain = plain(wanted);
        let mut name = plain.clone();
        let mut turn = 2;
        while !self.is_free(&name) {
            name = format!("{plain}-{turn}");
            turn += 1;
        }
        // Parsing can't fail, because the name has only valid characters.
        MemberName::parse(&name).unwrap_or_else(|_| MemberName::for_folder(&name, 1))
    }

    /// Returns an unused name and reserves it.
    pub(crate) fn suggest(&mut self, wanted: &str) -> MemberName {
        let name = self.free(wanted);
        self.take(name.as_str());
        name
    }
}

fn plain(wanted: &str) -> String {
    let mut plain = String::new();
    for c in wanted.chars() {
        match c {
            c if c.is_ascii_alphanumeric() || matches!(c, '.' | '_') => plain.push(c),
            _ if plain.ends_with('-') => {}
            _ => plain.push('-'),
        }
        if plain.len() >= LENGTH_MAX {
            break;
        }
    }
    let outer = ['-', '.', '_'];
    match plain.trim_matches(outer) {
        "" => "server".to_owned(),
        name => name.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_suggested_name_is_legal_free_and_near() {
        let mut names = UsedMemberNames::taken(["GitHub"]);
        for (wanted, expect) in [
            ("notes", "notes"),
            ("notes", "notes-2"),
            ("Notes", "Notes-3"),
            ("github", "github-2"),
            ("io.github.some/server", "io.github.some-server"),
            ("Mein Wetter ☀", "Mein-Wetter"),
            ("..", "server"),
            ("", "server-2"),
        ] {
            assert_eq!(names.suggest(wanted).as_str(), expect);
        }
        let long = names.suggest(&"x".repeat(300));
        assert!(MemberName::parse(long.as_str()).is_ok());
    }
}
