//! The programs that fetch and run a package.

use super::fields::RegistryFields;
use crate::messages::Uninstallable;
use guild_client_config::{TextSegment, TextTemplate};
use guild_import::install::Argument;

/// A package runner, with its command line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Runner {
    /// `npx -y NAME@VERSION`
    Npx,
    /// `bunx NAME@VERSION`
    Bunx,
    /// `uvx NAME==VERSION`
    Uvx,
    /// `pipx run NAME==VERSION`
    Pipx,
    /// `docker run -i --rm IMAGE`
    Docker,
    /// `podman run -i --rm IMAGE`
    Podman,
    /// `dnx NAME@VERSION --yes --`
    Dnx,
}

/// The kinds of packages, with their runners. The usual runner comes first.
const KINDS: &[(&str, &[Runner])] = &[
    ("npm", &[Runner::Npx, Runner::Bunx]),
    ("pypi", &[Runner::Uvx, Runner::Pipx]),
    ("oci", &[Runner::Docker, Runner::Podman]),
    ("docker", &[Runner::Docker, Runner::Podman]),
    ("nuget", &[Runner::Dnx]),
];

/// Options of docker and podman that give a container access to this machine.
const OUTWARD: &[&str] = &[
    "--privileged",
    "--network",
    "--net",
    "--pid",
    "--ipc",
    "--userns",
    "--cap-add",
    "--device",
    "--security-opt",
    "--volume",
    "--mount",
    "-v",
];

/// The fields of a package that a runner needs.
#[derive(Debug)]
pub(super) struct RunnerPackage<'p> {
    pub(super) identifier: &'p str,
    pub(super) version: Option<&'p str>,
    pub(super) base_url: Option<&'p str>,
}

impl Runner {
    /// Returns the runner of a package.
    ///
    /// # Errors
    /// When no program can run the package, with the reason.
    pub(super) fn of(
        kind: &str,
        hint: Option<&str>,
        package: RegistryFields<'_>,
    ) -> Result<Self, Uninstallable> {
        if kind == "mcpb" {
            return Err(Uninstallable::Download);
        }
        let runners = KINDS.iter().find(|(known, _)| *known == kind);
        let Some((_, runners)) = runners else {
            return Err(Uninstallable::NoProgram(format!("{kind:?}")));
        };
        let usual = runners.first().copied().unwrap_or(Self::Npx);
        let Some(hint) = hint else {
            return Ok(usual);
        };
        let hinted = runners.iter().find(|runner| runner.program() == hint);
        let for_runtime = package.get(&["runtimeArguments", "runtime_arguments"]);
        let has_arguments = for_runtime
            .and_then(|list| list.as_array())
            .is_some_and(|list| !list.is_empty());
        match hinted {
            Some(runner) => Ok(*runner),
            // The arguments are specific to the program in the hint.
            None if has_arguments => Err(Uninstallable::OtherProgram(format!("{hint:?}"))),
            None => Ok(usual),
        }
    }

    pub(super) fn program(self) -> &'static str {
        match self {
            Self::Npx => "npx",
            Self::Bunx => "bunx",
            Self::Uvx => "uvx",
            Self::Pipx => "pipx",
            Self::Docker => "docker",
            Self::Podman => "podman",
            Self::Dnx => "dnx",
        }
    }

    pub(super) fn is_container(self) -> bool {
        matches!(self, Self::Docker | Self::Podman)
    }

    /// Returns the arguments that the runner always gets. Duplicates of them in an entry are
    /// dropped.
    fn own_words(self) -> &'static [&'static str] {
        match self {
            Self::Npx => &["-y", "--yes"],
            Self::Dnx => &["-y", "--yes"],
            Self::Docker | Self::Podman => &["run", "-i", "--interactive", "--rm"],
            Self::Pipx => &["run"],
            Self::Bunx | Self::Uvx => &[],
        }
    }

    /// Returns all arguments: the runner's, the entry's runtime arguments, the package, and the
    /// package's arguments. `env` are the variables that a container receives. `publishes` is the
    /// port that the container publishes.
    ///
    /// # Errors
    /// When the package's name does not suit the runner.
    pub(super) fn arguments(
        self,
        package: &RunnerPackage<'_>,
        runtime: Vec<Argument>,
        own: Vec<Argument>,
        env: &[&str],
        publishes: Option<TextSegment>,
    ) -> Result<Vec<Argument>, Uninstallable> {
        let runtime = runtime.into_iter().filter(|argument| {
            let word = plain(argument);
            !word.is_some_and(|word| self.own_words().contains(&word))
        });
        let runtime: Vec<Argument> = runtime.collect();
        let from_elsewhere = runtime
            .iter()
            .any(|argument| argument.words.first().is_some_and(is_from));
        let named = self.named(package, from_elsewhere)?;
        let words = |words: &[&str]| -> Vec<Argument> {
            let word = |word: &&str| Argument::word(TextTemplate::plain(*word));
            words.iter().map(word).collect()
        };
        let mut all = match self {
            Self::Npx => words(&["-y"]),
            Self::Docker | Self::Podman => words(&["run", "-i", "--rm"]),
            Self::Pipx => words(&["run"]),
            Self::Bunx | Self::Uvx | Self::Dnx => Vec::new(),
        };
        if let Some(inside) = publishes {
            let between = TextSegment::Plain(":".into());
            let here = TextSegment::Plain("127.0.0.1:".into());
            let published = [
                here,
                TextSegment::Variable("PORT".to_owned()),
                between,
                inside,
            ];
            all.extend(words(&["-p"]));
            all.push(Argument::word(published.into_iter().collect()));
        }
        if self.is_container() {
            for name in env {
                all.extend(words(&["-e", name]));
            }
        }
        all.extend(runtime);
        let named: Vec<&str> = named.iter().map(String::as_str).collect();
        all.extend(words(&named));
        if self == Self::Dnx {
            all.extend(words(&["--yes"]));
            if !own.is_empty() {
                all.extend(words(&["--"]));
            }
        }
        all.extend(own);
        Ok(all)
    }

    /// Returns the arguments that name the package, in the runner's notation.
    fn named(
        self,
        package: &RunnerPackage<'_>,
        from_elsewhere: bool,
    ) -> Result<Vec<String>, Uninstallable> {
        let identifier = package.identifier;
        let legal = match self {
            Self::Npx | Self::Bunx => is_npm_name(identifier),
            Self::Uvx | Self::Pipx => is_python_name(identifier),
            Self::Dnx => is_word(identifier, "._-"),
            Self::Docker | Self::Podman => is_word(identifier, "._-/:@"),
        };
        if !legal {
            let name = format!("{:?}", shortened(identifier));
            return Err(Uninstallable::NoPackage(name, self.program()));
        }
        let version = package.version.filter(|version| !version.is_empty());
        if let Some(version) = version
            && !is_word(version, ".+_-!")
        {
            let version = shortened(version);
            return Err(Uninstallable::NoVersion(format!("{version:?}")));
        }
        // If runner arguments set the source of the package, they also set the version.
        let version = version.filter(|_| !from_elsewhere);
        Ok(match (self, version) {
            (Self::Npx | Self::Bunx | Self::Dnx, Some(version)) => {
                vec![format!("{identifier}@{version}")]
            }
            (Self::Uvx | Self::Pipx, Some(version)) => {
                // Extras (`name[extra]`) are part of the package's name, but not of its command.
                let command = identifier.split('[').next().unwrap_or_default();
                let wanted = format!("{identifier}=={version}");
                let option = if self == Self::Uvx {
                    "--from"
                } else {
                    "--spec"
                };
                vec![option.to_owned(), wanted, command.to_owned()]
            }
            (Self::Docker | Self::Podman, version) => vec![image(package, version)],
            (_, None) => vec![identifier.to_owned()],
        })
    }

    /// Returns the runtime arguments that give the container access to this machine.
    pub(super) fn outward(self, runtime: &[Argument]) -> Vec<String> {
        let words = runtime.iter().filter_map(|argument| argument.words.first());
        let words = words.filter_map(|word| match word.segments().first() {
            Some(TextSegment::Plain(text)) => Some(text.as_str()),
            _ => None,
        });
        let reaches = |word: &&str| {
            let flag = word.split('=').next().unwrap_or_default();
            self.is_container() && OUTWARD.contains(&flag)
        };
        words.filter(reaches).map(str::to_owned).collect()
    }
}

/// Checks whether the version is not fixed, so that each start may run another version.
pub(super) fn is_unpinned(runner: Runner, package: &RunnerPackage<'_>) -> bool {
    let has_version = package.version.is_some_and(|version| !version.is_empty());
    if !runner.is_container() {
        return !has_version || package.version == Some("latest");
    }
    let image = image(package, package.version);
    let tag = image
        .rsplit('/')
        .next()
        .and_then(|last| last.split_once(':'));
    !image.contains('@') && tag.is_none_or(|(_, tag)| tag == "latest")
}

/// Returns an image with its registry and its tag.
fn image(package: &RunnerPackage<'_>, version: Option<&str>) -> String {
    let identifier = package.identifier;
    let first = identifier.split('/').next().unwrap_or_default();
    let has_host = identifier.contains('/') && (first.contains(['.', ':']) || first == "localhost");
    let host = package.base_url.and_then(|url| {
        let rest = url
            .strip_prefix("https://")
            .or(url.strip_prefix("http://"))?;
        let host = rest.split('/').next()?;
        (!host.is_empty() && is_word(host, ".-:")).then_some(host)
    });
    let whole = match host {
        Some(host) if !has_host => format!("{host}/{identifier}"),
        _ => identifier.to_owned(),
    };
    let last = whole.rsplit('/').next().unwrap_or_default();
    match version.filter(|version| !version.is_empty()) {
        Some(version) if !last.contains([':', '@']) => format!("{whole}:{version}"),
        _ => whole,
    }
}

/// Checks whether an argument is an option that sets the package's source, such as `--from`.
fn is_from(word: &TextTemplate) -> bool {
    let text = match word.segments().first() {
        Some(TextSegment::Plain(text)) => text.as_str(),
        _ => return false,
    };
    let flag = text.split('=').next().unwrap_or_default();
    ["--from", "--spec", "--package", "-p"].contains(&flag)
}

/// Returns the text of an argument that is one literal word. `None` for other arguments.
fn plain(argument: &Argument) -> Option<&str> {
    match argument.words.as_slice() {
        [word] => match word.segments() {
            [TextSegment::Plain(text)] => Some(text),
            _ => None,
        },
        _ => None,
    }
}

fn is_npm_name(name: &str) -> bool {
    match name.strip_prefix('@') {
        Some(scoped) => scoped
            .split_once('/')
            .is_some_and(|(scope, name)| is_word(scope, "-._~") && is_word(name, "-._~")),
        None => is_word(name, "-._~"),
    }
}

/// Checks the name of a Python distribution, with optional extras in brackets.
fn is_python_name(name: &str) -> bool {
    let (plain, extras) = name.split_once('[').unwrap_or((name, "none]"));
    is_word(plain, "-._")
        && extras
            .strip_suffix(']')
            .is_some_and(|extras| extras.split(',').all(|extra| is_word(extra.trim(), "-._")))
}

/// Checks whether a word has only letters, digits and the characters in `more`, and is not an
/// option.
fn is_word(word: &str, more: &str) -> bool {
    let legal = |c: char| c.is_ascii_alphanumeric() || more.contains(c);
    word.len() <= 500
        && word.starts_with(|c: char| c.is_ascii_alphanumeric())
        && word.chars().all(legal)
}

fn shortened(text: &str) -> String {
    text.chars().take(80).collect()
}
