//! Splits terminal commands into words. Command substitution is an error. Variables are not
//! resolved.

use guild_text::messages::{MisreadAdvice, MisreadProblem};
use guild_text::tree::TreeParseError;

/// Maximum number of words of a command.
pub const WORDS_MAX: usize = 1_000;

/// Maximum length of the text between angle brackets in an example, in bytes.
const ANGLES_MAX: usize = 80;

/// A command and the number of its first line.
#[derive(Debug, PartialEq, Eq)]
pub(in super::super) struct ShellCommand {
    pub(in super::super) line: usize,
    pub(in super::super) words: Vec<String>,
}

/// Splits a text into commands, without comments.
///
/// # Errors
/// If a quote is not closed, or the text is a script.
pub(in super::super) fn commands(
    text: &str,
    home: &str,
) -> Result<Vec<ShellCommand>, TreeParseError> {
    let mut splitting = Splitting {
        text,
        at: 0,
        line: 1,
        home,
        word: None,
        done: Vec::new(),
        open: ShellCommand {
            line: 1,
            words: Vec::new(),
        },
        count: 0,
    };
    splitting.run()?;
    Ok(splitting.done)
}

struct Splitting<'t> {
    text: &'t str,
    at: usize,
    line: usize,
    home: &'t str,
    /// The current word. `None` between words.
    word: Option<String>,
    done: Vec<ShellCommand>,
    open: ShellCommand,
    count: usize,
}

impl<'t> Splitting<'t> {
    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    fn go(&mut self, length: usize) {
        let passed = &self.text.as_bytes()[self.at..self.at + length];
        self.line += passed.iter().filter(|&&byte| byte == b'\n').count();
        self.at += length;
    }

    fn wrong(&self, at: usize, message: MisreadProblem, hint: MisreadAdvice) -> TreeParseError {
        TreeParseError::at(self.text, at, message, hint)
    }

    /// Returns the error for syntax that only a shell can interpret.
    fn only_a_shell(&self, message: MisreadProblem) -> TreeParseError {
        self.wrong(self.at, message, MisreadAdvice::CommandAlone)
    }

    /// Returns the error for an operator that joins commands or redirects output to files.
    fn script(&self, sign: char) -> TreeParseError {
        self.only_a_shell(MisreadProblem::Script(format!("{sign:?}")))
    }

    fn word(&mut self) -> &mut String {
        self.word.get_or_insert_with(String::new)
    }

    fn run(&mut self) -> Result<(), TreeParseError> {
        while let Some(c) = self.rest().chars().next() {
            let length = c.len_utf8();
            match c {
                '\n' => {
                    self.end_word()?;
                    self.end_command();
                    self.go(1);
                }
                c if c.is_whitespace() => {
                    self.end_word()?;
                    self.go(length);
                }
                '#' if self.word.is_none() => {
                    let rest = self.rest();
                    self.go(rest.find('\n').unwrap_or(rest.len()));
                }
                '\'' => self.single()?,
                '"' => self.double()?,
                '\\' | '`' | '^' => self.escape(c)?,
                '$' => self.dollar()?,
                '~' if self.word.is_none() => self.tilde(),
                '<' => self.angle()?,
                ';' | '&' => self.separator(c)?,
                '|' | '>' => return Err(self.script(c)),
                c => {
                    self.word().push(c);
                    self.go(length);
                }
            }
        }
        self.end_word()?;
        self.end_command();
        Ok(())
    }

    fn end_word(&mut self) -> Result<(), TreeParseError> {
        let Some(word) = self.word.take() else {
            return Ok(());
        };
        if self.open.words.is_empty() {
            self.open.line = self.line;
        }
        self.count += 1;
        if self.count > WORDS_MAX {
            return Err(self.only_a_shell(MisreadProblem::ManyWords(WORDS_MAX)));
        }
        self.open.words.push(word);
        Ok(())
    }

    fn end_command(&mut self) {
        let line = self.line;
        let words = Vec::new();
        let ended = std::mem::replace(&mut self.open, ShellCommand { line, words });
        if !ended.words.is_empty() {
            self.done.push(ended);
        }
    }

    fn single(&mut self) -> Result<(), TreeParseError> {
        let start = self.at;
        let Some(end) = self.rest()[1..].find('\'') else {
            let hint = MisreadAdvice::CloseSingle;
            return Err(self.wrong(start, MisreadProblem::OpenQuote, hint));
        };
        let inside = &self.rest()[1..=end];
        self.word().push_str(inside);
        self.go(end + 2);
        Ok(())
    }

    fn double(&mut self) -> Result<(), TreeParseError> {
        let start = self.at;
        self.go(1);
        self.word();
        loop {
            let rest = self.rest();
            match rest.chars().next() {
                None => {
                    let hint = MisreadAdvice::CloseQuote;
                    return Err(self.wrong(start, MisreadProblem::OpenQuote, hint));
                }
                Some('"') => {
                    self.go(1);
                    return Ok(());
                }
                Some('\\') => {
                    let next = rest[1..].chars().next();
                    match next {
                        Some('\n') => self.go(2),
                        Some(c @ ('"' | '\\' | '$' | '`')) => {
                            self.word().push(c);
                            self.go(2);
                        }
                        _ => {
                            self.word().push('\\');
                            self.go(1);
                        }
                    }
                }
                Some('$') => self.dollar()?,
                Some('`') => return Err(self.filled_in()),
                Some(c) => {
                    self.word().push(c);
                    self.go(c.len_utf8());
                }
            }
        }
    }

    /// Reads an escape or the continuation of a line.
    fn escape(&mut self, sign: char) -> Result<(), TreeParseError> {
        let rest = self.rest();
        let after = rest[1..].trim_start_matches([' ', '\t', '\r']);
        if after.starts_with('\n') {
            self.go(rest.len() - after.len() + 1);
            return self.end_word();
        }
        if after.is_empty() {
            self.go(rest.len());
            return Ok(());
        }
        match sign {
            '`' => Err(self.filled_in()),
            '^' => {
                self.word().push('^');
                self.go(1);
                Ok(())
            }
            _ => {
                // The backslash of `C:\folder` is not an escape.
                let drive = |word: &String| {
                    word.as_bytes().get(1) == Some(&b':')
                        && word.as_bytes()[0].is_ascii_alphabetic()
                };
                let is_path = self.word.as_ref().is_some_and(drive);
                let next = rest[1..].chars().next().unwrap_or('\\');
                self.word().push(if is_path { '\\' } else { next });
                self.go(if is_path { 1 } else { 1 + next.len_utf8() });
                Ok(())
            }
        }
    }

    /// Converts a variable to `${NAME}`.
    fn dollar(&mut self) -> Result<(), TreeParseError> {
        let rest = &self.rest()[1..];
        if rest.starts_with('(') {
            return Err(self.filled_in());
        }
        let of_a_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let length = match rest.starts_with('{') {
            true => rest.find('}').map_or(0, |end| end + 1),
            false => rest.find(|c| !of_a_name(c)).unwrap_or(rest.len()),
        };
        let named = &rest[..length];
        let reference = match named.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') {
            true => format!("${{{named}}}"),
            false => format!("${named}"),
        };
        self.word().push_str(&reference);
        self.go(1 + length);
        Ok(())
    }

    fn tilde(&mut self) {
        let rest = &self.rest()[1..];
        let is_home = rest.is_empty() || rest.starts_with(['/', ' ', '\n']);
        let text = if is_home { self.home } else { "~" };
        self.word().push_str(text);
        self.go(1);
    }

    /// Reads `<YOUR_KEY>` in an example, which is not a redirection.
    fn angle(&mut self) -> Result<(), TreeParseError> {
        let rest = self.rest();
        let inside = rest[1..].find('>').map(|end| &rest[1..=end]);
        let named = inside.filter(|inside| {
            inside.len() <= ANGLES_MAX
                && inside.starts_with(char::is_alphabetic)
                && !inside.contains(['<', '|', ';', '&', '\n'])
        });
        let Some(inside) = named else {
            return Err(self.script('<'));
        };
        self.word().push_str(&format!("<{inside}>"));
        self.go(inside.len() + 2);
        Ok(())
    }

    /// Reads an operator that separates commands.
    fn separator(&mut self, sign: char) -> Result<(), TreeParseError> {
        let length = match (sign, self.rest().starts_with("&&")) {
            (';', _) => 1,
            (_, true) => 2,
            // The `&` is part of an address without quotes.
            _ if self.word.as_ref().is_some_and(|word| word.contains("://")) => {
                self.word().push('&');
                self.go(1);
                return Ok(());
            }
            _ => return Err(self.script('&')),
        };
        self.end_word()?;
        self.end_command();
        self.go(length);
        Ok(())
    }

    fn filled_in(&self) -> TreeParseError {
        self.only_a_shell(MisreadProblem::FilledIn)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<Vec<String>> {
        let commands = commands(text, "/home/me").expect("commands");
        commands.into_iter().map(|command| command.words).collect()
    }

    #[test]
    fn words_are_those_of_a_shell() {
        for (text, expect) in [
            (
                "npx -y 'a b' \"c \\\"d\\\" $E\"",
                &["npx", "-y", "a b", "c \"d\" ${E}"][..],
            ),
            ("x \\\n  --y  # that is all", &["x", "--y"]),
            ("x `\r\n  --y", &["x", "--y"]),
            (
                "~/bin/x ~ ~y a~",
                &["/home/me/bin/x", "/home/me", "~y", "a~"],
            ),
            ("x ${A:-b} $1 a$", &["x", "${A:-b}", "$1", "a$"]),
            ("x '' --k=<your key>", &["x", "", "--k=<your key>"]),
            ("C:\\Tools\\x.exe a\\ b", &["C:\\Tools\\x.exe", "a b"]),
            (
                "x https://a.test/?b=1&c=2",
                &["x", "https://a.test/?b=1&c=2"],
            ),
        ] {
            assert_eq!(words(text), vec![expect], "{text}");
        }
        assert_eq!(words("cd x && y; z\nw").len(), 4);
    }

    #[test]
    fn scripts_and_open_quotes_are_refused_with_their_place() {
        for (text, column) in [
            ("x | y", 3),
            ("x > y", 3),
            ("x $(y)", 3),
            ("x `y`", 3),
            ("x 'y", 3),
            ("x \"y", 3),
            ("x & y", 3),
            ("x < y", 3),
        ] {
            let error = commands(text, "").expect_err(text);
            assert_eq!(
                (error.line, error.column),
                (Some(1), Some(column)),
                "{error}"
            );
        }
    }
}
