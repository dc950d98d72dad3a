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
use crate::note::{FieldWrong, Ungrouped, Wanted};

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

pub(super) fn container(
    node: &Node,
    env: BTreeMap<String, String>,
    transport: Option<Transport>,
    findings: &mut Findings,
) -> Option<Container> {
    let fields = Fields::of(node, "container", findings)?;
    fields.warn_unknown(CONTAINER_FIELDS, findings);
    if !fields.has("image") {
        findings.error(fields.at, "container.image", FieldWrong::NoImage);
    }
    let checked = |key: &str, fits: fn(&str) -> bool, wanted: Wanted, findings: &mut Findings| {
        let node = fields.get(key)?;
        let text = fields.text(key, findings)?;
        if !fits(text) {
            findings.error(node.at, &fields.path(key), FieldWrong::MustBe(wanted));
        }
        Some(text.to_owned())
    };
    let image = checked("image", is_image, Wanted::Image, findings);
    let user = checked("user", is_user, Wanted::User, findings);
    let entrypoint = checked("entrypoint", is_entrypoint, Wanted::Entrypoint, findings);
    let memory = checked("memory", is_memory, Wanted::Memory, findings);
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
            findings.error(fields.at, "container.port", FieldWrong::NoContainerPort);
        }
        (Some(Transport::Stdio), Some(node)) => {
            findings.warn(node.at, "container.port", FieldWrong::IdleContainerPort);
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
        findings.error(node.at, path, FieldWrong::SecretWord);
    }
    if variables::uses_port(text) {
        findings.error(node.at, path, FieldWrong::OuterPort);
    }
}

fn check_env(env: &BTreeMap<String, String>, fields: &Fields<'_>, findings: &mut Findings) {
    for (name, value) in env {
        let path = format!("env.{name}");
        if is_for_the_engine(name) && variables::secrets_in(value).next().is_some() {
            findings.error(fields.at, &path, FieldWrong::SecretForEngine);
        }
        if variables::uses_port(value) {
            findings.error(fields.at, &path, FieldWrong::OuterPort);
        }
    }
}

fn mounts(fields: &Fields<'_>, findings: &mut Findings) -> Vec<Mount> {
    let items = match fields.get("mounts").map(|node| (node, &node.shape)) {
        None => return Vec::new(),
        Some((node, Shape::List(items))) => {
            if items.len() > MOUNTS_MAX {
                let wrong = FieldWrong::ManyMounts(MOUNTS_MAX);
                findings.error(node.at, "container.mounts", wrong);
            }
            items
        }
        Some((node, _)) => {
            mismatch(findings, node, "container.mounts", Wanted::Mounts);
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
        findings.error(fields.at, &path, FieldWrong::NoSource);
        return String::new();
    };
    let text = fields.text("source", findings).unwrap_or_default();
    check_variables(findings, node.at, &path, text);
    refuse_inside(text, node, &path, findings);
    if let Some(wrong) = sources::wrong_in_a_mount(text) {
        findings.error(node.at, &path, wrong);
    }
    if !is_of_this_machine(&text.to_owned()) && matches!(node.shape, Shape::Text(_)) {
        findings.error(node.at, &path, FieldWrong::SourcePath);
    } else if !dangerous && let Some(why) = sources::danger(std::path::Path::new(text), &[]) {
        findings.error(node.at, &path, FieldWrong::Dangerous(why));
    }
    text.to_owned()
}

fn target(fields: &Fields<'_>, findings: &mut Findings) -> String {
    let path = fields.path("target");
    let Some(node) = fields.get("target") else {
        findings.error(fields.at, &path, FieldWrong::NoTarget);
        return String::new();
    };
    let text = fields.text("target", findings).unwrap_or_default();
    let parts = || text.split('/').filter(|part| !part.is_empty());
    let fits = text.starts_with('/')
        && parts().next().is_some()
        && parts().all(|part| part != "..")
        && !text.contains('$');
    if !fits && matches!(node.shape, Shape::Text(_)) {
        findings.error(node.at, &path, FieldWrong::TargetPath);
    }
    if let Some(wrong) = sources::wrong_in_a_mount(text) {
        findings.error(node.at, &path, wrong);
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
                findings.error(node.at, "container.network", FieldWrong::NetworkNone);
            }
            Network::None
        }
        "host" => {
            findings.error(node.at, "container.network", FieldWrong::NetworkHost);
            Network::Bridge
        }
        name => {
            if !is_network(name) {
                findings.error(node.at, "container.network", FieldWrong::NetworkName);
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
            mismatch(findings, node, "container.cpus", Wanted::Decimal);
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
        mismatch(
            findings,
            node,
            &fields.path(key),
            Wanted::Whole(Ungrouped(most)),
        );
    }
    fits
}
