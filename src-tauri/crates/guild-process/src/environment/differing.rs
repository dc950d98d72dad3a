//! Selects the variables of the login shell that children get.
//!
//! Variables of the shell itself, of a terminal, or of the desktop session are excluded, because
//! children share this program's session. All other variables are selected if they differ from this
//! program's. Variables that only this program has remain unchanged.

use std::collections::BTreeMap;

use crate::appimage;

/// Variables of the shell itself and of a terminal.
const OF_SHELL: &[&str] = &[
    "_",
    "BASHOPTS",
    "BASH_ENV",
    "COLORTERM",
    "COLUMNS",
    "ENV",
    "HISTFILE",
    "HISTSIZE",
    "LINES",
    "OLDPWD",
    "POSIXLY_CORRECT",
    "PROMPT",
    "PROMPT_COMMAND",
    "PS1",
    "PS2",
    "PS3",
    "PS4",
    "PWD",
    "RPROMPT",
    "SHELLOPTS",
    "SHLVL",
    "STY",
    "TERM",
    "TMUX",
    "TMUX_PANE",
    "WINDOWID",
];
/// Variables of the desktop session and of the program that started this one.
const OF_SESSION: &[&str] = &[
    "DBUS_SESSION_BUS_ADDRESS",
    "DESKTOP_STARTUP_ID",
    "DISPLAY",
    "ICEAUTHORITY",
    "SESSION_MANAGER",
    "WAYLAND_DISPLAY",
    "XAUTHORITY",
    "XDG_ACTIVATION_TOKEN",
    "XDG_RUNTIME_DIR",
];
/// Prefixes of the names of further excluded variables.
const BEGINNINGS: &[&str] = &[
    "BASH_FUNC_",
    "GUILD_HALL_",
    "STARSHIP_",
    "TERM_",
    "TMUX_",
    "XDG_SESSION_",
    "ZSH_",
    "P9K_",
    "_P9K_",
];
/// Limit of the size of all selected variables, in bytes. The system limits the total size of a
/// process's variables and arguments.
const BYTES_MAX: usize = 1024 * 1024;

/// Returns the variables in `shells` that differ from those that children would get without the
/// query.
pub(super) fn from_ours(shells: BTreeMap<String, String>) -> BTreeMap<String, String> {
    let own = appimage::users_variables()
        .into_iter()
        .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
        .collect();
    differing(shells, &own)
}

fn differing(
    shells: BTreeMap<String, String>,
    own: &BTreeMap<String, String>,
) -> BTreeMap<String, String> {
    let mut bytes = 0;
    shells
        .into_iter()
        .filter(|(name, _)| is_taken_over(name))
        .map(|(name, value)| match own.get(&name) {
            Some(ours) if name == "PATH" => (name, joined(&value, ours)),
            _ => (name, value),
        })
        .filter(|(name, value)| own.get(name) != Some(value))
        .take_while(|(name, value)| {
            bytes += name.len() + value.len();
            bytes <= BYTES_MAX
        })
        .collect()
}

fn is_taken_over(name: &str) -> bool {
    !(OF_SHELL.contains(&name)
        || OF_SESSION.contains(&name)
        || BEGINNINGS.iter().any(|beginning| name.starts_with(beginning))
        // The system can't pass a variable with such a name.
        || name.contains(['=', '\0']))
}

/// Appends the folders that only this program's PATH has to the shell's PATH, so that every program
/// that was found before is still found.
fn joined(shells: &str, ours: &str) -> String {
    let known: Vec<&str> = shells.split(':').collect();
    let more = ours
        .split(':')
        .filter(|folder| !folder.is_empty() && !known.contains(folder));
    let folders: Vec<&str> = known.iter().copied().chain(more).collect();
    folders.join(":")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(variables: &[(&str, &str)]) -> BTreeMap<String, String> {
        let owned = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
        variables.iter().map(owned).collect()
    }

    #[test]
    fn the_shells_path_comes_first_and_no_folder_of_ours_is_lost() {
        let shells = of(&[("PATH", "/home/me/.nvm/bin:/usr/bin:/bin")]);
        let own = of(&[("PATH", "/opt/app/bin:/usr/bin")]);
        assert_eq!(
            differing(shells, &own)["PATH"],
            "/home/me/.nvm/bin:/usr/bin:/bin:/opt/app/bin"
        );
    }

    #[test]
    fn equal_variables_are_skipped() {
        let own = of(&[
            ("PATH", "/usr/bin"),
            ("LANG", "C.UTF-8"),
            ("ONLY_OURS", "1"),
        ]);
        let shells = of(&[("PATH", "/usr/bin"), ("LANG", "C.UTF-8"), ("NVM_DIR", "/n")]);
        assert_eq!(differing(shells, &own), of(&[("NVM_DIR", "/n")]));
    }

    #[test]
    fn shell_variables_are_skipped() {
        let shells = of(&[
            ("SHLVL", "1"),
            ("PWD", "/home/me"),
            ("OLDPWD", "/"),
            ("_", "/usr/bin/env"),
            ("PS1", "$ "),
            ("TERM", "dumb"),
            ("TERM_PROGRAM", "x"),
            ("TMUX", "x"),
            ("DISPLAY", ":7"),
            ("XDG_RUNTIME_DIR", "/run/user/0"),
            ("BASH_FUNC_nvm%%", "() { x; }"),
            ("GUILD_HALL_DATA", "/elsewhere"),
            ("SSH_AUTH_SOCK", "/run/agent"),
        ]);
        assert_eq!(
            differing(shells, &BTreeMap::new()),
            of(&[("SSH_AUTH_SOCK", "/run/agent")])
        );
    }

    #[test]
    fn variables_past_the_bound_are_left_out() {
        let large = "x".repeat(BYTES_MAX);
        let shells = of(&[("A", "1"), ("B", &large), ("C", "3")]);
        assert_eq!(differing(shells, &BTreeMap::new()), of(&[("A", "1")]));
    }
}
