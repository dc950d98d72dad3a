//! Finds the argument or variable that sets the port of an HTTP package.

use super::fields::RegistryFields;
use crate::messages::ListingProblem;

/// The path at which Guild Hall reaches an HTTP member.
const PATH: &str = "/mcp";
/// The port inside a container, if the entry does not set one.
const INSIDE: u16 = 8080;
/// Fields that contain the name of an argument or a variable.
const NAMES: &[&str] = &["name", "valueHint", "value_hint"];

/// Returns the name of the argument or variable that sets the port in a local address.
///
/// # Errors
/// When Guild Hall can't assign a port to the server.
pub(super) fn port_name(url: &str, package: RegistryFields<'_>) -> Result<String, ListingProblem> {
    let rest = url.strip_prefix("http://").ok_or(ListingProblem::NoHttp)?;
    let (authority, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
    if path != PATH && path != "/mcp/" {
        return Err(ListingProblem::OtherPath(path.to_owned(), PATH.to_owned()));
    }
    let (host, port) = authority.rsplit_once(':').ok_or(ListingProblem::NoPort)?;
    if !["localhost", "127.0.0.1", "0.0.0.0", "[::1]"].contains(&host) && !is_reference(host) {
        return Err(ListingProblem::OtherHost(host.to_owned()));
    }
    if let Some(name) = reference(port) {
        return Ok(name.to_owned());
    }
    let named = named_like(package, port);
    named.ok_or_else(|| ListingProblem::FixedPort(port.to_owned()))
}

/// Returns the port on which a server listens inside its container, where no other program uses
/// ports.
pub(super) fn port_inside(url: &str, name: &str, package: RegistryFields<'_>) -> u16 {
    let in_address = url.rsplit_once(':').map(|(_, rest)| rest);
    let in_address = in_address.and_then(|rest| rest.split('/').next()?.parse().ok());
    let in_fields = || {
        values(package).find_map(|fields| {
            let is_this = fields.text(NAMES).as_deref() == Some(name);
            let keys = ["value", "default"].iter();
            let mut ports = keys.filter_map(|key| fields.text(&[key])?.parse().ok());
            is_this.then(|| ports.next()).flatten()
        })
    };
    let port = in_address.or_else(in_fields).filter(|port: &u16| *port > 0);
    port.unwrap_or(INSIDE)
}

fn reference(text: &str) -> Option<&str> {
    text.strip_prefix('{')?.strip_suffix('}')
}

fn is_reference(text: &str) -> bool {
    reference(text).is_some()
}

/// Returns the name of the argument or variable whose value or default is this port and whose name
/// contains `port`.
fn named_like(package: RegistryFields<'_>, port: &str) -> Option<String> {
    let mut names = values(package).filter_map(|fields| {
        let is_this = ["value", "default"]
            .iter()
            .any(|key| fields.text(&[key]).as_deref() == Some(port));
        let name = fields.text(NAMES)?;
        (is_this && name.to_ascii_lowercase().contains("port")).then_some(name)
    });
    names.next()
}

/// Returns all arguments and variables of a package.
fn values(package: RegistryFields<'_>) -> impl Iterator<Item = RegistryFields<'_>> {
    const LISTS: [&[&str]; 3] = [
        &["packageArguments", "package_arguments"],
        &["environmentVariables", "environment_variables"],
        &["runtimeArguments", "runtime_arguments"],
    ];
    let lists = LISTS
        .into_iter()
        .filter_map(move |names| package.get(names)?.as_array());
    lists.flatten().filter_map(RegistryFields::of)
}
