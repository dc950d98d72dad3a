//! Parses the arguments after `run`: the engine's options, the image, and the server's arguments.

use std::collections::{BTreeMap, BTreeSet};

use super::super::word::Word;
use super::super::{
    Container, EngineChoice, Network, Pull, decides_the_engine, is_entrypoint, is_image, is_memory,
    is_network, is_user,
};
use super::{ContainerCommand, is_decimal};
use crate::messages::Beyond;
use guild_text::messages::short;

/// Maximum number of reported reasons.
const REASONS_MAX: usize = 16;
/// Maximum length of the part of a word that a reason repeats, in characters.
const WORD_MAX: usize = 200;

/// Options that need no value, but accept one after `=`. All other options need a value.
const SWITCHES: &[&str] = &[
    "--detach",
    "--disable-content-trust",
    "--env-host",
    "--help",
    "--http-proxy",
    "--init",
    "--interactive",
    "--no-healthcheck",
    "--no-hostname",
    "--no-hosts",
    "--oom-kill-disable",
    "--passwd",
    "--privileged",
    "--publish-all",
    "--quiet",
    "--read-only",
    "--read-only-tmpfs",
    "--replace",
    "--rm",
    "--rmi",
    "--rootfs",
    "--sig-proxy",
    "--tls-verify",
    "--tty",
    "--unsetenv-all",
];
/// Switches that are on by default. Turning one off changes the container.
const ON: &[&str] = &[
    "--disable-content-trust",
    "--http-proxy",
    "--passwd",
    "--read-only-tmpfs",
    "--tls-verify",
];
/// Variables that Podman forwards to every container, in uppercase and lowercase.
const PROXIES: &[&str] = &["http_proxy", "https_proxy", "ftp_proxy", "no_proxy"];
/// Short options and their long names.
const LETTERS: &[(char, &str)] = &[
    ('a', "--attach"),
    ('c', "--cpu-shares"),
    ('d', "--detach"),
    ('e', "--env"),
    ('h', "--hostname"),
    ('i', "--interactive"),
    ('l', "--label"),
    ('m', "--memory"),
    ('P', "--publish-all"),
    ('p', "--publish"),
    ('q', "--quiet"),
    ('t', "--tty"),
    ('u', "--user"),
    ('v', "--volume"),
    ('w', "--workdir"),
];

pub(super) struct ContainerCommandParser<'a, W> {
    pub(super) container: Container<W>,
    given: &'a BTreeMap<String, W>,
    pub(super) cwd: Option<&'a str>,
    passed: BTreeSet<String>,
    /// The network that the command line sets.
    network: Option<Network>,
    beyond: Vec<Beyond>,
}

impl<'a, W: Word> ContainerCommandParser<'a, W> {
    pub(super) fn new(
        container: Container<W>,
        given: &'a BTreeMap<String, W>,
        cwd: Option<&'a str>,
    ) -> Self {
        Self {
            container,
            given,
            cwd,
            passed: BTreeSet::new(),
            network: None,
            beyond: Vec::new(),
        }
    }

    /// Adds a reason why the command can't be converted to a `container`.
    pub(super) fn cannot(&mut self, why: Beyond) {
        if self.beyond.len() < REASONS_MAX {
            self.beyond.push(why);
        }
    }

    pub(super) fn end(mut self) -> Result<ContainerCommand<W>, Vec<Beyond>> {
        self.variables_of_the_engine();
        if !self.beyond.is_empty() {
            return Err(self.beyond);
        }
        let outside = self.given.keys();
        let outside = outside.filter(|name| !self.container.env.contains_key(*name));
        Ok(ContainerCommand {
            kept_outside: outside.cloned().collect(),
            passed: self.passed,
            container: self.container,
        })
    }

    /// Checks the variables that affect the engine's client itself.
    fn variables_of_the_engine(&mut self) {
        let podman = self.container.engine == EngineChoice::Podman;
        for name in self.given.keys() {
            let is_proxy = || PROXIES.iter().any(|proxy| proxy.eq_ignore_ascii_case(name));
            if decides_the_engine(name) {
                self.cannot(Beyond::DecidesTheEngine(cut(name)));
            } else if podman && is_proxy() && !self.container.env.contains_key(name) {
                self.cannot(Beyond::HandedOn(cut(name)));
            }
        }
    }

    pub(super) fn words(&mut self, words: &[W]) {
        let mut words = words.iter();
        while let Some(word) = words.next() {
            let image = match word.beginning() {
                "--" if word.plain().is_some() => words.next(),
                begins if begins.len() > 1 && begins.starts_with('-') => {
                    match begins.starts_with("--") {
                        true => self.long(word, &mut words),
                        false => self.letters(word, &mut words),
                    }
                    continue;
                }
                _ => Some(word),
            };
            match image {
                Some(image) => self.image(image),
                None => self.cannot(Beyond::NoImage),
            }
            self.container.args = words.cloned().collect();
            return;
        }
        self.cannot(Beyond::NoImage);
    }

    fn image(&mut self, image: &W) {
        match image.plain().filter(|image| is_image(image)) {
            Some(plain) => self.container.image = plain.to_owned(),
            None => self.cannot(Beyond::OddImage(cut(&image.shown()))),
        }
    }

    /// Reads `--option value`, `--option=value` and `--switch`.
    fn long<'w>(&mut self, word: &W, words: &mut impl Iterator<Item = &'w W>)
    where
        W: 'w,
    {
        let (option, inline) = match word.cut('=', 0) {
            Some((option, value)) => (option, Some(value)),
            None => (word.clone(), None),
        };
        let Some(option) = option.plain() else {
            self.cannot(Beyond::NoField(cut(&word.shown())));
            return;
        };
        match (SWITCHES.contains(&option), inline) {
            (true, None) => self.switch(option, true),
            (true, Some(value)) => match value.plain().and_then(truth) {
                Some(on) => self.switch(option, on),
                None => self.cannot(Beyond::NeitherOnNorOff(cut(&word.shown()))),
            },
            (false, Some(value)) => self.option(option, &value),
            (false, None) => self.next(option, words),
        }
    }

    /// Reads `-i`, `-it`, `-e VALUE`, `-eVALUE` and `-itv VALUE`.
    fn letters<'w>(&mut self, word: &W, words: &mut impl Iterator<Item = &'w W>)
    where
        W: 'w,
    {
        let letters = word.beginning();
        for (at, letter) in letters.char_indices().skip(1) {
            let known = LETTERS.iter().find(|(known, _)| *known == letter);
            let Some((_, option)) = known else {
                self.cannot(Beyond::NoField(format!("-{letter}")));
                return;
            };
            let mut rest = word.behind(at + letter.len_utf8());
            let inline = rest.beginning().starts_with('=');
            if inline {
                rest = rest.behind(1);
            }
            if SWITCHES.contains(option) {
                match inline {
                    false => self.switch(option, true),
                    true => {
                        match rest.plain().and_then(truth) {
                            Some(on) => self.switch(option, on),
                            None => self.cannot(Beyond::NeitherOnNorOff(cut(&word.shown()))),
                        }
                        return;
                    }
                }
                continue;
            }
            match inline || rest.plain() != Some("") {
                true => self.option(option, &rest),
                false => self.next(option, words),
            }
            return;
        }
    }

    /// Reads an option whose value is the next argument.
    fn next<'w>(&mut self, option: &str, words: &mut impl Iterator<Item = &'w W>)
    where
        W: 'w,
    {
        match words.next() {
            Some(value) => self.option(option, value),
            None => self.cannot(Beyond::NoValue(cut(option))),
        }
    }

    fn switch(&mut self, option: &str, on: bool) {
        match (option, on) {
            ("--read-only", on) => self.container.read_only = on,
            // `container` always sets these options, or does not need them, since an MCP server
            // needs no terminal.
            ("--rm" | "--interactive" | "--init" | "--quiet" | "--sig-proxy" | "--tty", _) => {}
            (on, false) if ON.contains(&on) => {
                self.cannot(Beyond::NoField(format!("{on}=false")));
            }
            (_, false) => {}
            ("--detach", true) => {
                self.cannot(Beyond::Detached);
            }
            (other, true) => self.cannot(Beyond::NoField(other.to_owned())),
        }
    }

    fn option(&mut self, option: &str, value: &W) {
        match option {
            "--env" => return self.variable(value),
            "--volume" => return self.volume(value),
            "--mount" => return self.mount(value),
            "--publish" => return self.publish(value),
            "--env-file" => {
                return self.cannot(Beyond::VariablesInFile(cut(&value.shown())));
            }
            // `container` always sets these options, or does not need them.
            "--name" | "--label" | "--cap-drop" | "--stop-timeout" | "--stop-signal"
            | "--log-driver" | "--cidfile" | "--attach" => return,
            _ => {}
        }
        let Some(plain) = value.plain() else {
            return self.cannot(Beyond::FilledInLater(cut(option)));
        };
        let held = &mut self.container;
        match option {
            "--network" | "--net" => self.network(plain),
            "--memory" if is_memory(plain) => held.memory = Some(plain.to_owned()),
            "--cpus" if is_decimal(plain) => held.cpus = Some(plain.to_owned()),
            "--pids-limit" if plain.parse::<u32>().is_ok_and(|most| most > 0) => {
                held.pids_limit = plain.parse().ok();
            }
            "--user" if is_user(plain) => held.user = Some(plain.to_owned()),
            "--entrypoint" if is_entrypoint(plain) => held.entrypoint = Some(plain.to_owned()),
            "--pull" => match plain {
                "missing" => held.pull = Pull::Missing,
                "never" => held.pull = Pull::Never,
                "always" => held.pull = Pull::Always,
                other => self.cannot(Beyond::OddPull(cut(other))),
            },
            "--security-opt"
                if matches!(
                    plain,
                    "no-new-privileges" | "no-new-privileges:true" | "no-new-privileges=true"
                ) => {}
            "--memory" | "--cpus" | "--pids-limit" | "--user" | "--entrypoint"
            | "--security-opt" => {
                self.cannot(Beyond::NoField(cut(&format!("{option} {plain}"))));
            }
            // The value is not repeated, since it may be a secret.
            other => self.cannot(Beyond::NoField(cut(other))),
        }
    }

    fn network(&mut self, name: &str) {
        let network = match name {
            "none" => Network::None,
            "bridge" | "default" => Network::Bridge,
            name if is_network(name) && name != "host" => Network::Named(name.to_owned()),
            other => {
                return self.cannot(Beyond::NoNetwork(cut(other)));
            }
        };
        match &self.network {
            // The engine would connect the container to both networks.
            Some(first) if *first != network => {
                self.cannot(Beyond::SecondNetwork(cut(name)));
            }
            _ => {
                self.container.network = network.clone();
                self.network = Some(network);
            }
        }
    }

    fn variable(&mut self, word: &W) {
        let (name, value) = match word.cut('=', 0) {
            Some((name, value)) => (name, Some(value)),
            None => (word.clone(), None),
        };
        let Some(name) = name.plain().filter(|name| !name.is_empty()) else {
            return self.cannot(Beyond::NoVariable(cut(&word.shown())));
        };
        let name = name.to_owned();
        let value = match value.or_else(|| self.given.get(&name).cloned()) {
            Some(value) => {
                self.passed.remove(&name);
                value
            }
            // Without a value, the engine forwards the variable from its own environment.
            None => {
                self.passed.insert(name.clone());
                W::of_environment(&name)
            }
        };
        self.container.env.insert(name, value);
    }

    fn publish(&mut self, value: &W) {
        let inside = value.parts(':').pop();
        let inside = inside.as_ref().and_then(W::plain).unwrap_or_default();
        let inside = inside.split('/').next().unwrap_or_default();
        match inside.parse::<u16>().ok().filter(|port| *port > 0) {
            Some(port) if self.container.port.is_none() => self.container.port = Some(port),
            _ => self.cannot(Beyond::OddPort(cut(&value.shown()))),
        }
    }
}

/// Truncates a word for display.
pub(super) fn cut(word: &str) -> String {
    short(word, WORD_MAX)
}

/// Parses a boolean as the engines do.
fn truth(text: &str) -> Option<bool> {
    match text {
        "1" | "t" | "T" | "true" | "TRUE" | "True" => Some(true),
        "0" | "f" | "F" | "false" | "FALSE" | "False" => Some(false),
        _ => None,
    }
}
