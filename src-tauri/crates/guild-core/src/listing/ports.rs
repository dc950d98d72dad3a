//! The port of a package that answers over HTTP: what of its arguments or variables it is.

use super::fields::Fields;
use crate::note::ListingWrong;

/// Where Guild Hall reaches a member that answers over HTTP.
const PATH: &str = "/mcp";

/// The name of what is the port in an address of this machine.
///
/// # Errors
/// Why Guild Hall can't give such a server a port.
pub(super) fn port_name(url: &str, package: Fields<'_>) -> Result<String, ListingWrong> {
    let rest = url.strip_prefix("http://").ok_or(ListingWrong::NoHttp)?;
    let (authority, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
    if path != PATH && path != "/mcp/" {
        return Err(ListingWrong::OtherPath(path.to_owned(), PATH.to_owned()));
    }
    let (host, port) = authority.rsplit_once(':').ok_or(ListingWrong::NoPort)?;
    if !["localhost", "127.0.0.1", "0.0.0.0", "[::1]"].contains(&host) && !is_reference(host) {
        return Err(ListingWrong::OtherHost(host.to_owned()));
    }
    if let Some(name) = reference(port) {
        return Ok(name.to_owned());
    }
    let named = named_like(package, port);
    named.ok_or_else(|| ListingWrong::FixedPort(port.to_owned()))
}

fn reference(text: &str) -> Option<&str> {
    text.strip_prefix('{')?.strip_suffix('}')
}

fn is_reference(text: &str) -> bool {
    reference(text).is_some()
}

/// The argument or variable that has this port where nothing else is said, and a name that speaks of
/// one.
fn named_like(package: Fields<'_>, port: &str) -> Option<String> {
    let lists = [
        &["packageArguments", "package_arguments"],
        &["environmentVariables", "environment_variables"],
        &["runtimeArguments", "runtime_arguments"],
    ];
    let values = lists
        .iter()
        .filter_map(|names| package.get(*names)?.as_array());
    let mut names = values.flatten().filter_map(|value| {
        let fields = Fields::of(value)?;
        let is_this = ["value", "default"]
            .iter()
            .any(|key| fields.text(&[key]).as_deref() == Some(port));
        let name = fields.text(&["name", "valueHint", "value_hint"])?;
        (is_this && name.to_ascii_lowercase().contains("port")).then_some(name)
    });
    names.next()
}
