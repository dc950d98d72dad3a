//! Finds the address to which redirects lead, for an error message. Requests to a member never
//! follow redirects.

use std::time::Duration;

use http::header::LOCATION;
use http::{HeaderMap, StatusCode};
use reqwest::{Client, Url};
use tokio::time::timeout;

use crate::text;

/// Limit of the redirects that are followed to find the last address.
const HOPS_MAX: usize = 5;
/// Timeout for following all redirects together.
const LIMIT: Duration = Duration::from_secs(2);
/// Limit of an address in a message, in characters.
const REPORTED_MAX: usize = 300;

/// Returns the address to which a response redirects, without user name and password.
pub(super) fn target(status: StatusCode, headers: &HeaderMap, asked: &Url) -> Option<Url> {
    if !status.is_redirection() {
        return None;
    }
    let location = headers.get(LOCATION)?.to_str().ok()?;
    let mut leads_to = asked.join(location).ok()?;
    let _ = leads_to.set_username("");
    let _ = leads_to.set_password(None);
    Some(leads_to)
}

/// Returns the last address to which redirects from `asked` lead, for a message. Only redirects of
/// the same server are followed, with GET requests that don't have the member's headers.
pub(super) async fn last(client: &Client, asked: &Url, leads_to: Url) -> String {
    let mut last = leads_to;
    let following = async {
        for _ in 0..HOPS_MAX {
            if !is_same_server(asked, &last) {
                return;
            }
            let Ok(response) = client.get(last.clone()).send().await else {
                return;
            };
            match target(response.status(), response.headers(), &last) {
                Some(next) => last = next,
                None => return,
            }
        }
    };
    // At the timeout, the last address so far is returned.
    let _ = timeout(LIMIT, following).await;
    reported(last)
}

/// Whether two addresses belong to the same server: they have the same host and the same port. A
/// step from `http` to `https` on the same host also counts, if both have the default port.
fn is_same_server(one: &Url, other: &Url) -> bool {
    let upgraded = one.scheme() == "http"
        && other.scheme() == "https"
        && one.port().is_none()
        && other.port().is_none();
    let has_same_port = one.port_or_known_default() == other.port_or_known_default();
    one.host() == other.host() && (has_same_port || upgraded)
}

/// Returns an address without the parts that may be secret.
pub(super) fn reported(mut address: Url) -> String {
    address.set_query(None);
    address.set_fragment(None);
    text::cut_chars(address.as_str(), REPORTED_MAX)
}
