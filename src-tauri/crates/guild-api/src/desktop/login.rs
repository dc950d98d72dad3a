//! Start at login on a freedesktop system: the text of a desktop entry in `autostart`.

use crate::messages::DesktopErrorCause;

/// The entry's file name.
pub const ENTRY_NAME: &str = "org.guildhall.desktop.desktop";

/// Returns the entry that starts `program`, an absolute path, with these arguments. The desktop
/// ignores the entry if the program is missing, so that an uninstalled package does not fail at
/// each login.
///
/// # Errors
/// Control characters, which an entry can't contain.
pub fn entry(program: &str, arguments: &[&str]) -> Result<String, DesktopErrorCause> {
    let words = [program].into_iter().chain(arguments.iter().copied());
    let exec: Vec<String> = words.map(word).collect::<Result<_, _>>()?;
    Ok(format!(
        "[Desktop Entry]\n\
         Type=Application\n\
         Version=1.5\n\
         Name=Guild Hall\n\
         Comment=Run, show, try and serve MCP servers\n\
         TryExec={}\n\
         Exec={}\n\
         Icon=guild-hall\n\
         Terminal=false\n\
         StartupNotify=false\n\
         X-GNOME-Autostart-enabled=true\n",
        program.replace('\\', "\\\\"),
        exec.join(" ")
    ))
}

/// Returns the value of an entry's `Exec` key.
pub fn exec(entry: &str) -> Option<&str> {
    entry.lines().find_map(|line| line.strip_prefix("Exec="))
}

/// Whether the user switched the entry off in the desktop's own list of startup programs.
pub fn is_switched_off(entry: &str) -> bool {
    let says = |line: &str, key: &str, value: &str| {
        let pair = line.split_once('=');
        pair.is_some_and(|(name, said)| name.trim() == key && said.trim() == value)
    };
    entry.lines().any(|line| {
        says(line, "Hidden", "true") || says(line, "X-GNOME-Autostart-enabled", "false")
    })
}

/// Quotes one argument for the `Exec` key of a desktop entry: `%` is doubled, the argument is put
/// into double quotes if it needs them, and the backslashes are then doubled, as in every string
/// of a desktop entry.
fn word(text: &str) -> Result<String, DesktopErrorCause> {
    if let Some(odd) = text.chars().find(|c| c.is_control()) {
        let (text, odd) = (format!("{text:?}"), format!("{odd:?}"));
        return Err(DesktopErrorCause::Character(text, odd));
    }
    let plain = |c: char| c.is_alphanumeric() || "/._-+:,@=".contains(c);
    let codes = text.replace('%', "%%");
    if !text.is_empty() && text.chars().all(|c| plain(c) || c == '%') {
        return Ok(codes);
    }
    let mut quoted = String::with_capacity(codes.len() + 2);
    for character in codes.chars() {
        if matches!(character, '"' | '`' | '$' | '\\') {
            quoted.push('\\');
        }
        quoted.push(character);
    }
    Ok(format!("\"{}\"", quoted.replace('\\', "\\\\")))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Parses the command of an entry as the Desktop Entry Specification requires.
    fn run(entry: &str) -> Vec<String> {
        let mut value = String::new();
        let mut characters = exec(entry).expect("an Exec").chars();
        while let Some(character) = characters.next() {
            match character {
                '\\' => match characters.next() {
                    Some('\\') => value.push('\\'),
                    other => panic!("an escape that none is: {other:?}"),
                },
                other => value.push(other),
            }
        }
        let mut words = vec![String::new()];
        let (mut inside, mut characters) = (false, value.chars());
        while let Some(character) = characters.next() {
            let word = words.last_mut().expect("a word");
            match character {
                '"' => inside = !inside,
                ' ' if !inside => words.push(String::new()),
                '\\' if inside => word.push(characters.next().expect("escaped")),
                '%' => {
                    assert_eq!(characters.next(), Some('%'), "no field code");
                    word.push('%');
                }
                other => word.push(other),
            }
        }
        words
    }

    #[test]
    fn an_entry_starts_the_program_and_says_what_it_is() {
        let text = entry("/opt/Guild Hall/guild-hall", &["--hidden"]).expect("an entry");
        assert!(
            text.starts_with("[Desktop Entry]\nType=Application\n"),
            "{text}"
        );
        assert!(
            text.contains("\nExec=\"/opt/Guild Hall/guild-hall\" --hidden\n"),
            "{text}"
        );
        assert!(
            text.contains("\nTryExec=/opt/Guild Hall/guild-hall\n"),
            "{text}"
        );
        assert!(!is_switched_off(&text));
        assert!(entry("/bin/a\nExec=rm", &[]).is_err(), "a second line");
    }

    #[test]
    fn an_entry_that_a_desktop_switched_off_says_so() {
        for line in ["Hidden=true", "X-GNOME-Autostart-enabled = false"] {
            assert!(
                is_switched_off(&format!("[Desktop Entry]\n{line}\n")),
                "{line}"
            );
        }
        assert!(!is_switched_off(
            "[Desktop Entry]\nHidden=false\nComment=Hidden=true\n"
        ));
    }

    proptest! {
        #[test]
        fn login_entry_escapes_any_path(
            program in "/\\PC{1,40}",
            argument in "\\PC{0,40}",
        ) {
            let text = entry(&program, &["--data", &argument]).expect("no control characters");
            let tried = text.lines().find_map(|line| line.strip_prefix("TryExec="));
            prop_assert_eq!(tried.map(|tried| tried.replace("\\\\", "\\")), Some(program.clone()));
            prop_assert_eq!(run(&text), [program, "--data".to_owned(), argument]);
        }
    }
}
