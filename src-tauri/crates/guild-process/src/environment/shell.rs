//! Selects the login shell and its arguments.

use std::path::{Path, PathBuf};

/// Returns the user's login shell: `$SHELL`, or the shell in the user database.
pub(super) fn of_user() -> Option<PathBuf> {
    let named = std::env::var_os("SHELL")
        .filter(|shell| !shell.is_empty())
        .map(PathBuf::from);
    named
        .or_else(of_database)
        .filter(|shell| shell.is_absolute() && lets_in(shell))
}

#[cfg(unix)]
fn of_database() -> Option<PathBuf> {
    let user = nix::unistd::User::from_uid(nix::unistd::getuid()).ok()??;
    Some(user.shell).filter(|shell| !shell.as_os_str().is_empty())
}

#[cfg(not(unix))]
fn of_database() -> Option<PathBuf> {
    None
}

/// Whether a shell allows a login. Accounts without login have a program as their shell that only
/// prints a message or ends.
fn lets_in(shell: &Path) -> bool {
    !matches!(name(shell).as_str(), "nologin" | "false" | "true" | "sync")
}

fn name(shell: &Path) -> String {
    let stem = shell.file_stem().unwrap_or_default();
    stem.to_string_lossy().to_lowercase()
}

/// Returns the arguments with which the shell reads all its startup files and then runs the
/// printer. The shell is interactive, for users who set their PATH in `.bashrc` or `.zshrc`. It is
/// also a login shell, for users who set it in `.profile` or `.zprofile`.
pub(super) fn arguments(shell: &Path, printer: &str, mark: &str) -> Vec<String> {
    let quoted = format!("'{}'", printer.replace('\'', r"'\''"));
    let command = format!("{quoted} {} {mark}", super::printed::SUBCOMMAND);
    let arguments: &[&str] = match name(shell).as_str() {
        // These shells accept the login option only without other arguments.
        "csh" | "tcsh" => &["-ic"],
        "pwsh" | "powershell" => {
            let quoted = format!("'{}'", printer.replace('\'', "''"));
            let command = format!("& {quoted} {} {mark}", super::printed::SUBCOMMAND);
            return ["-Login", "-Command", &command].map(str::to_owned).into();
        }
        // In this shell, a quoted string is a command only after `^`.
        "nu" => {
            let command = format!("^{command}");
            return ["-i", "-l", "-c", &command].map(str::to_owned).into();
        }
        _ => &["-i", "-l", "-c"],
    };
    let arguments = arguments.iter().map(|&argument| argument.to_owned());
    arguments.chain([command]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said_by(shell: &str, printer: &str) -> Vec<String> {
        arguments(Path::new(shell), printer, "MARK")
    }

    #[test]
    fn each_shell_is_asked_in_its_own_language() {
        for shell in [
            "/bin/bash",
            "/bin/zsh",
            "/usr/bin/fish",
            "/bin/dash",
            "/opt/elvish",
        ] {
            assert_eq!(
                said_by(shell, "/opt/guildhall"),
                ["-i", "-l", "-c", "'/opt/guildhall' print-environment MARK"],
                "{shell}"
            );
        }
        assert_eq!(
            said_by("/bin/tcsh", "/opt/guildhall"),
            ["-ic", "'/opt/guildhall' print-environment MARK"]
        );
        assert_eq!(said_by("/bin/nu", "/g")[3], "^'/g' print-environment MARK");
        assert_eq!(
            said_by("/usr/bin/pwsh", "/o'neill/g"),
            [
                "-Login",
                "-Command",
                "& '/o''neill/g' print-environment MARK"
            ]
        );
    }

    #[test]
    fn a_path_with_spaces_and_quotes_stays_one_word() {
        assert_eq!(
            said_by("/bin/sh", "/my apps/o'neill/guildhall")[3],
            r"'/my apps/o'\''neill/guildhall' print-environment MARK"
        );
    }

    #[test]
    fn an_account_without_a_login_has_no_shell_to_ask() {
        assert!(!lets_in(Path::new("/usr/sbin/nologin")));
        assert!(!lets_in(Path::new("/bin/false")));
        assert!(lets_in(Path::new("/bin/zsh")));
    }
}
