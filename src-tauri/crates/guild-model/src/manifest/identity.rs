//! Hashes the launch of a member for comparisons, and formats it as a line of text.

use sha2::{Digest, Sha256};

use super::{Auth, Launch, Manifest, Origin};
use crate::container::Container;

/// Returns a hash that is equal for two manifests that run the same server: SHA-256 in lowercase
/// hexadecimal.
///
/// The hash covers transport, protocol version, command, args, cwd, env, container, url and headers
/// before variables are replaced. A new port or a new value of a secret therefore does not make a
/// cached tool list outdated. The hash does not cover description, limits and policies.
pub fn config_hash(manifest: &Manifest) -> String {
    let mut parts = ManifestHasher::default();
    parts.transport(manifest);
    parts.text(manifest.protocol_version.map_or("auto", |v| v.as_str()));
    parts.launch(&manifest.launch);
    parts.headers(manifest);
    parts.hex()
}

/// Returns a hash of the parts that a person accepts: SHA-256 in lowercase hexadecimal.
///
/// The hash covers all fields that determine which server is run or reached, and the origin. If the
/// origin of an accepted manifest changes, the manifest therefore needs a new review.
pub fn launch_hash(manifest: &Manifest) -> String {
    let mut parts = ManifestHasher::default();
    if let Some(Origin {
        from,
        path,
        url,
        at,
        server,
    }) = &manifest.origin
    {
        parts.text(from);
        for text in [path, url, at] {
            parts.text(if text.is_some() { "some" } else { "none" });
            parts.text(text.as_deref().unwrap_or_default());
        }
        // Only hashed if set, so that the hashes of manifests without this field stay the same.
        if let Some(server) = server {
            parts.text("server");
            parts.text(server);
        }
    }
    parts.transport(manifest);
    parts.launch(&manifest.launch);
    parts.headers(manifest);
    // Only hashed if set, so that the hashes of manifests without this field stay the same.
    for (name, text) in manifest.auth.iter().flat_map(Auth::parts) {
        parts.text("auth");
        parts.text(name);
        parts.text(&text);
    }
    parts.hex()
}

/// Hashes strings. The length of each string is hashed before the string, so that two different
/// lists never result in the same input.
#[derive(Default)]
struct ManifestHasher(Sha256);

impl ManifestHasher {
    fn text(&mut self, text: &str) {
        self.0.update((text.len() as u64).to_le_bytes());
        self.0.update(text.as_bytes());
    }

    fn transport(&mut self, manifest: &Manifest) {
        self.text(match manifest.transport {
            super::Transport::Http => "http",
            super::Transport::Stdio => "stdio",
            super::Transport::Sse => "sse",
        });
    }

    /// Hashes the headers. Without headers it adds nothing, so that the hashes of older manifests
    /// stay the same.
    fn headers(&mut self, manifest: &Manifest) {
        for (name, value) in &manifest.headers {
            self.text("header");
            self.text(name);
            self.text(value);
        }
    }

    fn launch(&mut self, launch: &Launch) {
        let pairs = match launch {
            Launch::Container(container) => {
                self.container(container);
                &container.env
            }
            Launch::Command {
                command,
                args,
                env,
                cwd,
            } => {
                // Only hashed if set, so that the hashes of manifests without this field stay the
                // same.
                if let Some(cwd) = cwd {
                    self.text("cwd");
                    self.text(cwd);
                }
                self.text("command");
                self.text(command);
                self.text(&args.len().to_string());
                args.iter().for_each(|arg| self.text(arg));
                env
            }
            Launch::Url { url, headers } => {
                self.text("url");
                self.text(url);
                headers
            }
        };
        for (name, value) in pairs {
            self.text(name);
            self.text(value);
        }
    }

    /// Hashes a container, including its default values. Fields that are added later need a label.
    fn container(&mut self, container: &Container) {
        self.text("container");
        self.text(&container.image);
        self.text(container.engine.as_str());
        self.text(&container.args.len().to_string());
        container.args.iter().for_each(|arg| self.text(arg));
        self.text(&container.mounts.len().to_string());
        for mount in &container.mounts {
            self.text(&mount.source);
            self.text(&mount.target);
            self.text(if mount.read_only { "read" } else { "write" });
            self.text(if mount.dangerous { "dangerous" } else { "safe" });
        }
        self.text(container.network.as_str());
        for part in [&container.memory, &container.cpus, &container.user] {
            self.text(if part.is_some() { "some" } else { "none" });
            self.text(part.as_deref().unwrap_or_default());
        }
        self.text(&container.pids_limit.unwrap_or_default().to_string());
        self.text(container.pull.as_str());
        self.text(&container.port.unwrap_or_default().to_string());
        // The name of a variable can't contain `=`, so these labels can't be mistaken for
        // variables.
        if let Some(entrypoint) = &container.entrypoint {
            self.text("=entrypoint");
            self.text(entrypoint);
        }
        if container.read_only {
            self.text("=read_only");
        }
    }

    fn hex(self) -> String {
        let mut hex = String::with_capacity(64);
        for byte in self.0.finalize() {
            hex.push_str(&format!("{byte:02x}"));
        }
        hex
    }
}

/// Returns the launch as one line, quoted for a POSIX shell. Variables are not replaced, so the
/// line shows no secret. For a remote member, the line is its url.
pub fn command_line(manifest: &Manifest) -> String {
    match &manifest.launch {
        Launch::Url { url, .. } => url.clone(),
        Launch::Container(container) => {
            let engine = container.engine.engines()[0].program().to_owned();
            let words = std::iter::once(engine).chain(container.display_args());
            command_words(&words.collect::<Vec<_>>())
        }
        Launch::Command { command, args, .. } => {
            let mut line = quoted(command);
            for arg in args {
                line.push(' ');
                line.push_str(&quoted(arg));
            }
            line
        }
    }
}

/// Returns a program and its arguments as one line, quoted like [`command_line`].
pub fn command_words(words: &[String]) -> String {
    let words: Vec<String> = words.iter().map(|word| quoted(word)).collect();
    words.join(" ")
}

/// Quotes a word for `sh`.
pub fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./:=@%+,".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    // Within single quotes, only the single quote itself has to be escaped.
    format!("'{}'", word.replace('\'', r"'\''"))
}
