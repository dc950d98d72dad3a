//! Parses the summary of one entry.

use guild_api::wire::RegistryStanding;
use serde_json::Value;
use serde_json::value::RawValue;

use super::RegistryServerSummary;
use super::fields::{RegistryFields, page};
use crate::messages::ListingProblem;

/// Maximum length of a server's name, in bytes.
const NAME_MAX: usize = 200;
/// Maximum length of a version, in bytes.
const VERSION_MAX: usize = 255;
/// Maximum number of packages of a server, and of its remotes.
pub(super) const OPTIONS_MAX: usize = 32;

/// Keys of the metadata that the registry adds beside the server or inside it.
const OFFICIAL: &[&str] = &[
    "io.modelcontextprotocol.registry/official",
    "io.modelcontextprotocol.registry",
];

pub(super) const PACKAGES: &[&str] = &["packages"];
pub(super) const REMOTES: &[&str] = &["remotes"];
pub(super) const REGISTRY: &[&str] = &["registryType", "registry_type", "registry_name"];

/// Returns an entry's server: its `server` object, or the whole entry if it has none.
pub(super) fn server(entry: &Value) -> Option<RegistryFields<'_>> {
    let fields = RegistryFields::of(entry)?;
    Some(fields.object(&["server"]).unwrap_or(fields))
}

/// Parses the summary of an entry. An error contains the entry's name, or an empty string if the
/// name can't be read.
pub(super) fn listed(
    entry: &Value,
    raw: &RawValue,
) -> Result<RegistryServerSummary, (String, ListingProblem)> {
    let Some((outer, server)) = RegistryFields::of(entry).zip(server(entry)) else {
        return Err((String::new(), ListingProblem::NoEntry));
    };
    let name = server.text(&["name"]).unwrap_or_default();
    let shown: String = name.chars().take(NAME_MAX).collect();
    let wrong = |why: ListingProblem| (shown.clone(), why);
    check_name(&name).map_err(wrong)?;
    for (key, max) in [("title", 0), ("description", 0), ("version", VERSION_MAX)] {
        match server.get(&[key]) {
            None => {}
            Some(Value::String(text)) if max == 0 || text.len() <= max => {}
            Some(Value::String(_)) => return Err(wrong(ListingProblem::LongField(key.to_owned()))),
            Some(_) => return Err(wrong(ListingProblem::NoText(key.to_owned()))),
        }
    }
    let packages = server.list(PACKAGES, OPTIONS_MAX).map_err(wrong)?;
    let remotes = server.list(REMOTES, OPTIONS_MAX).map_err(wrong)?;
    let detail = server.object(&["version_detail"]);
    let official = official(outer, server);
    let from_registry = |names: &[&str]| official.and_then(|official| official.text(names));
    let version = server.text(&["version"]);
    let version = version.or_else(|| detail?.text(&["version"]));
    let standing = from_registry(&["status"]).or_else(|| server.text(&["status"]));
    let latest = official
        .and_then(|official| official.get(&["isLatest", "is_latest"]))
        .or_else(|| detail?.get(&["is_latest"]));
    let repository = server.get(&["repository"]);
    let repository = repository.and_then(|value| match value {
        Value::String(text) => Some(text.clone()),
        other => RegistryFields::of(other)?.text(&["url"]),
    });
    Ok(RegistryServerSummary {
        title: server.words(&["title"]),
        description: server.words(&["description"]),
        version: version.unwrap_or_default(),
        standing: match standing.as_deref() {
            Some("deprecated") => RegistryStanding::Deprecated,
            Some("deleted") => RegistryStanding::Deleted,
            _ => RegistryStanding::Active,
        },
        standing_message: official.map_or_else(String::new, |official| {
            official.words(&["statusMessage", "status_message"])
        }),
        published_at: from_registry(&["publishedAt", "published_at"]),
        latest: latest.and_then(Value::as_bool),
        repository: page(repository),
        website: page(server.text(&["websiteUrl", "website_url"])),
        kinds: kinds(packages, remotes),
        name,
        text: raw.to_owned(),
    })
}

/// Returns the registry's metadata of an entry.
fn official<'v>(
    outer: RegistryFields<'v>,
    server: RegistryFields<'v>,
) -> Option<RegistryFields<'v>> {
    let metas = [outer, server].map(|fields| fields.object(&["_meta"]));
    let metas = metas.into_iter().flatten();
    let mut found = metas.filter_map(|meta| meta.object(OFFICIAL));
    found
        .next()
        .or_else(|| outer.object(&["x-io.modelcontextprotocol.registry"]))
}

/// Checks a name: a reversed domain, a slash and an identifier.
fn check_name(name: &str) -> Result<(), ListingProblem> {
    if name.is_empty() {
        return Err(ListingProblem::NoName);
    }
    if name.len() > NAME_MAX {
        return Err(ListingProblem::LongName(NAME_MAX));
    }
    let legal = |more: &'static str| {
        move |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-') || more.contains(c)
    };
    let is_named = name.split_once('/').is_some_and(|(domain, own)| {
        !domain.is_empty()
            && !own.is_empty()
            && domain.chars().all(legal(""))
            && own.chars().all(legal("_"))
    });
    match is_named {
        true => Ok(()),
        false => Err(ListingProblem::OddName),
    }
}

/// Returns the kinds of the install options.
fn kinds(packages: &[Value], remotes: &[Value]) -> Vec<String> {
    let mut kinds: Vec<String> = Vec::new();
    let of_packages = packages.iter().filter_map(|package| {
        let registry = RegistryFields::of(package)?.text(REGISTRY)?;
        Some(registry.to_ascii_lowercase().chars().take(20).collect())
    });
    let of_remotes = remotes.iter().map(|_| "remote".to_owned());
    for kind in of_packages.chain(of_remotes) {
        if !kinds.contains(&kind) {
            kinds.push(kind);
        }
    }
    kinds
}
