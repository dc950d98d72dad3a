//! Exports a member as an entry of another app's configuration file.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::{Value, json};

use super::{CopiedText, left_out, secrets_note, without_secret};
use guild_client_config::ClientProgram;
use guild_client_config::messages::CopyNote;
use guild_model::manifest::{Launch, Manifest, Transport};
use guild_text::secret_detection::{ArgScanner, secretless};

/// Returns the member as an entry of `mcpServers`. `fill` resolves all references except those to
/// secrets. `url` is the current address of a running HTTP member.
pub(crate) fn client_config(
    manifest: &Manifest,
    folder: &str,
    url: Option<&str>,
    fill: impl Fn(&str) -> String,
) -> CopiedText {
    match entry_of(manifest, folder, url, fill) {
        Ok((entry, notes)) => {
            let config = json!({"mcpServers": {manifest.name.as_str(): entry}});
            let text = format!("{config:#}");
            CopiedText { text, notes }
        }
        Err(why) => CopiedText::none(why),
    }
}

/// Returns the member in the format of one app's configuration file, so that the app starts it
/// without Guild Hall.
pub(crate) fn program_config(
    program: ClientProgram,
    manifest: &Manifest,
    folder: &str,
    url: Option<&str>,
    fill: impl Fn(&str) -> String,
) -> CopiedText {
    let written = entry_of(manifest, folder, url, fill).and_then(|(entry, mut notes)| {
        let (entry, note) = program.entry_of(entry)?;
        notes.extend(note);
        Ok((program.snippet_of(manifest.name.as_str(), &entry), notes))
    });
    match written {
        Ok((text, notes)) => CopiedText { text, notes },
        Err(why) => CopiedText::none(why),
    }
}

/// Returns the entry with notes, or the reason why there is none.
fn entry_of(
    manifest: &Manifest,
    folder: &str,
    url: Option<&str>,
    fill: impl Fn(&str) -> String,
) -> Result<(Value, Vec<CopyNote>), CopyNote> {
    let mut replaced = Vec::new();
    let mut notes = Vec::new();
    let all_without = |values: &BTreeMap<String, String>, replaced: &mut Vec<String>| -> Value {
        let values = values.iter().map(|(name, value)| {
            let value = without_secret(name, &fill(value), replaced);
            (name.clone(), Value::String(value))
        });
        Value::Object(values.collect())
    };
    let kind = match manifest.transport {
        Transport::Sse => "sse",
        Transport::Http | Transport::Stdio => "http",
    };
    let entry = match (&manifest.launch, manifest.transport) {
        (Launch::Url { url, headers }, _) => {
            let url = fill(url);
            let url = secretless(&url, &mut |name| left_out(name, &mut replaced));
            let mut entry = json!({"type": kind, "url": url});
            if !headers.is_empty() {
                entry["headers"] = all_without(headers, &mut replaced);
            }
            entry
        }
        (Launch::Command { .. } | Launch::Container(_), Transport::Http | Transport::Sse) => {
            match url {
                Some(url) => {
                    notes.push(CopyNote::ChosenPort);
                    let mut entry = json!({"type": kind, "url": url});
                    if !manifest.headers.is_empty() {
                        entry["headers"] = all_without(&manifest.headers, &mut replaced);
                    }
                    entry
                }
                None => return Err(CopyNote::NoAddress),
            }
        }
        (Launch::Container(container), Transport::Stdio) => {
            let filled = container.filled(|text| Ok(fill(text)));
            let container = filled.as_ref().unwrap_or(container);
            let engine = container.engine.engines()[0].program();
            let mut entry = json!({"command": engine, "args": container.display_args()});
            if !container.env.is_empty() {
                entry["env"] = all_without(&container.env, &mut replaced);
            }
            notes.push(CopyNote::Unattended);
            entry
        }
        (
            Launch::Command {
                command,
                args,
                env,
                cwd,
            },
            Transport::Stdio,
        ) => {
            let mut words = ArgScanner::default();
            let mut args_out = Vec::with_capacity(args.len());
            for arg in args {
                let put = &mut |name: &str| left_out(name, &mut replaced);
                args_out.push(words.next(&fill(arg), put).into_owned());
            }
            let mut entry = json!({"command": fill(command), "args": args_out});
            if !env.is_empty() {
                entry["env"] = all_without(env, &mut replaced);
            }
            let runs_in = match cwd {
                Some(cwd) => Path::new(folder).join(fill(cwd)).display().to_string(),
                None => folder.to_owned(),
            };
            entry["cwd"] = runs_in.into();
            entry
        }
    };
    notes.extend(secrets_note(&replaced));
    Ok((entry, notes))
}
