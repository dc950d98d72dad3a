//! Runs the user's text editor on a file, in the terminal of this program.

use std::io;
use std::path::Path;
use std::process::{Command, ExitStatus};

use crate::command::pass_environment;

/// Opens a file in an editor and waits until it is closed. `editor` is a command with options, as
/// in `EDITOR`.
///
/// # Errors
/// When the editor can't be started.
pub fn edit(editor: &str, file: &Path) -> io::Result<ExitStatus> {
    let mut command = by_shell(editor);
    command.arg(file);
    pass_environment(&mut command);
    command.status()
}

/// Lets a shell split the words of `editor`, like `git` and `crontab`.
#[cfg(unix)]
fn by_shell(editor: &str) -> Command {
    let mut command = Command::new("sh");
    command.args(["-c", &format!("{editor} \"$@\""), "editor"]);
    command
}

#[cfg(not(unix))]
fn by_shell(editor: &str) -> Command {
    let mut words = editor.split_whitespace();
    let mut command = Command::new(words.next().unwrap_or(editor));
    command.args(words);
    command
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn editor_with_options_gets_the_file() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("a file");
        let done = edit("touch -c", &file).expect("started");
        assert!(done.success() && !file.exists());
        assert!(edit("touch", &file).expect("started").success());
        assert!(file.exists());
    }
}
