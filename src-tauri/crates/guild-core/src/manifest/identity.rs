//! What a member runs, as a hash to compare and as a line to read.

use sha2::{Digest, Sha256};

use super::{Launch, Manifest};

/// Tells whether two manifests run the same server: SHA-256 in lower-case hexadecimal.
///
/// Part of it are transport, protocol pin, command, args, names and values of env, url and headers,
/// each as the manifest has it, before any variable gets its value: a new port or a new secret does
/// not make a cached tool list outdated. Description, limits and policies are not part of it.
pub fn config_hash(manifest: &Manifest) -> String {
    let mut hash = Sha256::new();
    // Each part is preceded by its length, so that no two lists of parts read the same.
    let mut part = |text: &str| {
        hash.update((text.len() as u64).to_le_bytes());
        hash.update(text.as_bytes());
    };
    part(match manifest.transport {
        super::Transport::Http => "http",
        super::Transport::Stdio => "stdio",
    });
    part(manifest.protocol_version.map_or("auto", |v| v.as_str()));
    let pairs = match &manifest.launch {
        Launch::Command { command, args, env } => {
            part("command");
            part(command);
            part(&args.len().to_string());
            args.iter().for_each(|arg| part(arg));
            env
        }
        Launch::Url { url, headers } => {
            part("url");
            part(url);
            headers
        }
    };
    for (name, value) in pairs {
        part(name);
        part(value);
    }
    let mut hex = String::with_capacity(64);
    for byte in hash.finalize() {
        hex.push_str(&format!("{byte:02x}"));
    }
    hex
}

/// What is run, as a line for people: quoted as a POSIX shell wants it, variables left as they are
/// written, so that no secret shows. A member that runs elsewhere gives its url.
pub fn command_line(manifest: &Manifest) -> String {
    match &manifest.launch {
        Launch::Url { url, .. } => url.clone(),
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

/// A word as `sh` reads it back.
pub(crate) fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./:=@%+,".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    // Inside single quotes everything but the single quote is plain.
    format!("'{}'", word.replace('\'', r"'\''"))
}
