//! Reads the options `--volume` and `--mount`.

use super::super::Mount;
use super::super::word::Word;
use super::is_of_this_machine;
use super::reading::{ContainerCommandParser, cut};
use crate::messages::Beyond;

impl<W: Word> ContainerCommandParser<'_, W> {
    pub(super) fn volume(&mut self, value: &W) {
        let shown = || cut(&value.shown());
        // The colon of a Windows drive such as `C:\folder` does not separate parts.
        let drive = match value.beginning().as_bytes() {
            [drive, b':', b'\\' | b'/', ..] if drive.is_ascii_alphabetic() => 2,
            _ => 0,
        };
        let Some((source, rest)) = value.cut(':', drive) else {
            return self.cannot(Beyond::NoSource(shown()));
        };
        let (target, options) = match rest.cut(':', 0) {
            Some((target, options)) => (target, options.shown()),
            None => (rest, String::new()),
        };
        let mut read_only = false;
        for option in options.split(',') {
            match option {
                "ro" => read_only = true,
                // These options don't change the files that the server sees.
                "" | "rw" | "cached" | "delegated" | "consistent" => {}
                other => {
                    return self.cannot(Beyond::VolumeOption(cut(other), shown()));
                }
            }
        }
        self.bind(source, &target, read_only);
    }

    pub(super) fn mount(&mut self, value: &W) {
        let shown = || cut(&value.shown());
        let (mut kind, mut source, mut target, mut read_only) =
            ("volume".to_owned(), None, None, false);
        for part in value.parts(',') {
            let (name, value) = match part.cut('=', 0) {
                Some((name, value)) => (name, value),
                None => (part, W::of("true".to_owned())),
            };
            match name.plain().unwrap_or_default() {
                "type" => kind = value.shown(),
                "source" | "src" => source = Some(value),
                "target" | "dst" | "destination" => target = Some(value),
                "readonly" | "ro" => read_only = !matches!(value.plain(), Some("false" | "0")),
                "consistency" => {}
                other => self.cannot(Beyond::MountOption(cut(other))),
            }
        }
        match (kind.as_str(), source, target) {
            ("bind", Some(source), Some(target)) => self.bind(source, &target, read_only),
            _ => self.cannot(Beyond::OddMount(shown())),
        }
    }

    fn bind(&mut self, source: W, target: &W, read_only: bool) {
        let Some(target) = target.plain() else {
            return self.cannot(Beyond::OpenTarget(cut(&target.shown())));
        };
        let source = match self.whole(&source) {
            Some(whole) => whole,
            None if is_of_this_machine(&source) => source,
            None => {
                let shown = cut(&source.shown());
                return self.cannot(match is_relative(source.beginning()) {
                    true => Beyond::RelativeSource(shown),
                    false => Beyond::EngineVolume(shown),
                });
            }
        };
        self.container.mounts.push(Mount {
            source,
            target: target.to_owned(),
            read_only,
            dangerous: false,
        });
    }

    /// Resolves a path relative to the command's working folder.
    fn whole(&self, source: &W) -> Option<W> {
        let path = source.plain().filter(|path| is_relative(path))?;
        let mut whole = std::path::PathBuf::from(self.cwd?);
        for part in path.split(['/', '\\']) {
            match part {
                "" | "." => {}
                ".." => {
                    whole.pop();
                }
                part => whole.push(part),
            }
        }
        Some(W::of(whole.to_str()?.to_owned()))
    }
}

/// Checks whether an engine resolves a path relative to its working folder.
fn is_relative(path: &str) -> bool {
    matches!(path, "." | "..")
        || ["./", "../", ".\\", "..\\"]
            .iter()
            .any(|begin| path.starts_with(begin))
}
