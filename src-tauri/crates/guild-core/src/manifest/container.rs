//! Reading `container`.

use std::collections::BTreeMap;

use super::fields::{Fields, check_variables, mismatch};
use super::tree::{Findings, Node, Shape};
use super::{Transport, variables};
use crate::container::command::{is_decimal, is_of_this_machine};
use crate::container::{
    Container, EngineChoice, MOUNTS_MAX, Mount, Network, PIDS_MAX, Pull, is_entrypoint,
    is_for_the_engine, is_image, is_memory, is_network, is_user, sources,
};

pub(super) const CONTAINER_FIELDS: &[&str] = &[
    "image",
    "engine",
    "entrypoint",
    "args",
    "mounts",
    "read_only",
    "network",
    "memory",
    "cpus",
    "pids_limit",
    "user",
    "pull",
    "port",
];
pub(super) const MOUNT_FIELDS: &[&str] = &["source", "target", "read_only", "dangerous"];

const ENGINES: &[(&str, EngineChoice)] = &[
    ("auto", EngineChoice::Auto),
    ("docker", EngineChoice::Docker),
    ("podman", EngineChoice::Podman),
];
const PULLS: &[(&str, Pull)] = &[
    ("missing", Pull::Missing),
    ("never", Pull::Never),
    ("always", Pull::Always),
];

/// Where a secret has to stand.
const BY_ENV: &str =
    "Pass it in `env`: the words of a command can be read by everybody on this machine.";

pub(super) fn container(
    node: &Node,
    env: BTreeMap<String, String>,
    transport: Option<Transport>,
    findings: &mut Findings,
) -> Option<Container> {
    let fields = Fields::of(node, "container", findings)?;
    fields.warn_unknown(CONTAINER_FIELDS, findings);
    if !fields.has("image") {
        let message = "is missing; it is the image that the server runs from".to_owned();
        findings.error(fields.at, "container.image", message, "");
    }
    let checked = |key: &str, fits: fn(&str) -> bool, expected: &str, findings: &mut Findings| {
        let node = fields.get(key)?;
        let text = fields.text(key, findings)?;
        if !fits(text) {
            let message = format!("must be {expected}");
            findings.error(node.at, &fields.path(key), message, "");
        }
        Some(text.to_owned())
    };
    let image = checked(
        "image",
        is_image,
        "the name of an image, such as \"ghcr.io/example/notes:1.2\", without variables",
        findings,
    );
    let user = checked(
        "user",
        is_user,
        "a user or user:group, by name or number",
        findings,
    );
    let entrypoint = checked(
        "entrypoint",
        is_entrypoint,
        "a program in the image, such as \"/bin/serve\", without variables",
        findings,
    );
    let memory = checked(
        "memory",
        is_memory,
        "an amount such as \"512m\" or \"1g\"",
        findings,
    );
    let read = Container {
        image: image.unwrap_or_default(),
        engine: fields
            .choice("engine", ENGINES, findings)
            .unwrap_or_default(),
        entrypoint,
        args: args(&fields, findings),
        mounts: mounts(&fields, findings),
        read_only: fields.flag("read_only", findings).unwrap_or(false),
        network: network(&fields, transport, findings),
        memory,
        cpus: cpus(&fields, findings),
        pids_limit: whole(&fields, "pids_limit", PIDS_MAX, findings)
            .and_then(|most| most.try_into().ok()),
        user,
        pull: fields.choice("pull", PULLS, findings).unwrap_or_default(),
        port: whole(&fields, "port", u64::from(u16::MAX), findings)
            .and_then(|port| port.try_into().ok()),
        env,
    };
    match (transport, fields.get("port")) {
        (Some(Transport::Http), None) => {
            let message = "is missing; it is where the server listens in the container".to_owned();
            let hint = "Guild Hall publishes it on 127.0.0.1, at a port of its own.";
            findings.error(fields.at, "container.port", message, hint);
        }
        (Some(Transport::Stdio), Some(node)) => {
            let hint = "Take it out, or set the transport to \"http\".".to_owned();
            findings.warn(
                node.at,
                "container.port",
                "has no effect: the transport is \"stdio\"",
                hint,
            );
        }
        _ => {}
    }
    check_env(&read.env, &fields, findings);
    Some(read)
}

fn args(fields: &Fields<'_>, findings: &mut Findings) -> Vec<String> {
    let args = fields.texts("args", true, findings);
    if let Some(node) = fields.get("args") {
        for (index, arg) in args.iter().enumerate() {
            refuse_inside(arg, node, &format!("container.args[{index}]"), findings);
        }
    }
    args
}

/// What is a word of the engine's command can hold no secret, and what is read inside the container
/// no port of outside.
fn refuse_inside(text: &str, node: &Node, path: &str, findings: &mut Findings) {
    if variables::secrets_in(text).next().is_some() {
        let message = "has a secret, which would be a word of the engine's command".to_owned();
        findings.error(node.at, path, message, BY_ENV);
    }
    if variables::uses_port(text) {
        let message = "uses ${PORT}, which is the port outside the container".to_owned();
        let hint = "Write the number that stands in `container.port`.";
        findings.error(node.at, path, message, hint);
    }
}

fn check_env(env: &BTreeMap<String, String>, fields: &Fields<'_>, findings: &mut Findings) {
    for (name, value) in env {
        let path = format!("env.{name}");
        if is_for_the_engine(name) && variables::secrets_in(value).next().is_some() {
            let message =
                "has a secret under a name that the container engine heeds itself, so that it \
                           would be a word of the engine's command"
                    .to_owned();
            findings.error(
                fields.at,
                &path,
                message,
                "Give the server its secret under another name.",
            );
        }
        if variables::uses_port(value) {
            let message = "uses ${PORT}, which is the port outside the container".to_owned();
            findings.error(
                fields.at,
                &path,
                message,
                "Write the number that stands in `container.port`.",
            );
        }
    }
}

fn mounts(fields: &Fields<'_>, findings: &mut Findings) -> Vec<Mount> {
    let items = match fields.get("mounts").map(|node| (node, &node.shape)) {
        None => return Vec::new(),
        Some((node, Shape::List(items))) => {
            if items.len() > MOUNTS_MAX {
                let message = format!("must have at most {MOUNTS_MAX} mounts");
                findings.error(node.at, "container.mounts", message, "");
            }
            items
        }
        Some((node, _)) => {
            mismatch(
                findings,
                node,
                "container.mounts",
                "a list of mounts in brackets",
            );
            return Vec::new();
        }
    };
    let mut mounts = Vec::new();
    for (index, item) in items.iter().enumerate() {
        let path = format!("container.mounts[{index}]");
        let Some(fields) = Fields::of(item, &path, findings) else {
            continue;
        };
        fields.warn_unknown(MOUNT_FIELDS, findings);
        let dangerous = fields.flag("dangerous", findings).unwrap_or(false);
        mounts.push(Mount {
            source: source(&fields, dangerous, findings),
            target: target(&fields, findings),
            read_only: fields.flag("read_only", findings).unwrap_or(true),
            dangerous,
        });
    }
    mounts
}

fn source(fields: &Fields<'_>, dangerous: bool, findings: &mut Findings) -> String {
    let path = fields.path("source");
    let Some(node) = fields.get("source") else {
        let message = "is missing; it is a folder or file of this machine".to_owned();
        findings.error(fields.at, &path, message, "");
        return String::new();
    };
    let text = fields.text("source", findings).unwrap_or_default();
    check_variables(findings, node.at, &path, text);
    refuse_inside(text, node, &path, findings);
    if let Some(wrong) = sources::wrong_in_a_mount(text) {
        findings.error(node.at, &path, wrong.to_owned(), "");
    }
    if !is_of_this_machine(&text.to_owned()) && matches!(node.shape, Shape::Text(_)) {
        let message = "must be a whole path, or one that begins with ${PLUGIN_DIR}".to_owned();
        let hint = "Volumes of the engine are not mounted: nothing would put them away.";
        findings.error(node.at, &path, message, hint);
    } else if !dangerous && let Some(why) = sources::danger(std::path::Path::new(text), &[]) {
        let message = format!("is not given to a container: {why}");
        let hint =
            "Name the folder that the server needs; \"dangerous\": true beside it lifts this.";
        findings.error(node.at, &path, message, hint);
    }
    text.to_owned()
}

fn target(fields: &Fields<'_>, findings: &mut Findings) -> String {
    let path = fields.path("target");
    let Some(node) = fields.get("target") else {
        let message = "is missing; it is where the source is in the container".to_owned();
        findings.error(fields.at, &path, message, "");
        return String::new();
    };
    let text = fields.text("target", findings).unwrap_or_default();
    let parts = || text.split('/').filter(|part| !part.is_empty());
    let fits = text.starts_with('/')
        && parts().next().is_some()
        && parts().all(|part| part != "..")
        && !text.contains('$');
    if !fits && matches!(node.shape, Shape::Text(_)) {
        let message = "must be a whole path in the container, and not its root".to_owned();
        findings.error(node.at, &path, message, "");
    }
    if let Some(wrong) = sources::wrong_in_a_mount(text) {
        findings.error(node.at, &path, wrong.to_owned(), "");
    }
    text.to_owned()
}

fn network(fields: &Fields<'_>, transport: Option<Transport>, findings: &mut Findings) -> Network {
    let (Some(node), Some(text)) = (fields.get("network"), fields.text("network", findings)) else {
        return Network::Bridge;
    };
    match text {
        "bridge" => Network::Bridge,
        "none" => {
            if transport == Some(Transport::Http) {
                let message =
                    "is \"none\", so that nothing could reach the server's port".to_owned();
                findings.error(node.at, "container.network", message, "Use \"bridge\".");
            }
            Network::None
        }
        "host" => {
            let message =
                "must not be \"host\": the server would be on this machine's own network, \
                           with all that listens there"
                    .to_owned();
            findings.error(
                node.at,
                "container.network",
                message,
                "Use \"bridge\", or a network that you made.",
            );
            Network::Bridge
        }
        name => {
            if !is_network(name) {
                let message = "must be \"none\", \"bridge\" or the name of a network".to_owned();
                findings.error(node.at, "container.network", message, "");
            }
            Network::Named(name.to_owned())
        }
    }
}

fn cpus(fields: &Fields<'_>, findings: &mut Findings) -> Option<String> {
    let node = fields.get("cpus")?;
    match &node.shape {
        Shape::Number(digits) if is_decimal(digits) => Some(digits.clone()),
        _ => {
            mismatch(
                findings,
                node,
                "container.cpus",
                "a number above zero, such as 1.5",
            );
            None
        }
    }
}

fn whole(fields: &Fields<'_>, key: &str, most: u64, findings: &mut Findings) -> Option<u64> {
    let node = fields.get(key)?;
    let read = match &node.shape {
        Shape::Number(digits) => digits.parse().ok(),
        _ => None,
    };
    let fits = read.filter(|number| (1..=most).contains(number));
    if fits.is_none() {
        let expected = format!("a whole number from 1 to {most}");
        mismatch(findings, node, &fields.path(key), &expected);
    }
    fits
}
