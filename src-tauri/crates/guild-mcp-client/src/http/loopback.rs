//! Recognizes addresses of this machine.

use std::net::IpAddr;

use reqwest::Url;

/// Returns the IP address in an address's host, if the host is an IP address.
pub(crate) fn literal(url: &Url) -> Option<IpAddr> {
    let host = url.host_str()?;
    let number = host.trim_start_matches('[').trim_end_matches(']');
    number.parse().ok()
}

/// Whether the host of an address is a loopback IP address or `localhost`. Does not look up names.
pub(crate) fn is_here(url: &Url) -> bool {
    literal(url).is_some_and(|address| address.is_loopback()) || url.host_str() == Some("localhost")
}

/// Returns the port of an HTTP address on this machine, for any notation of the host. `None` if the
/// address is invalid or on another machine.
pub fn loopback_port(url: &str) -> Option<u16> {
    let url = Url::parse(url).ok()?;
    let host = url.host_str()?.trim_end_matches('.');
    let number = host.trim_start_matches('[').trim_end_matches(']');
    let is_here = match number.parse::<IpAddr>() {
        // A connection to an unspecified address, such as `0.0.0.0`, leads to this machine.
        Ok(ip) => ip.to_canonical().is_loopback() || ip.is_unspecified(),
        Err(_) => host == "localhost" || host.ends_with(".localhost"),
    };
    is_here.then(|| url.port_or_known_default()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_machine_is_found_by_all_its_names() {
        for url in [
            "http://127.0.0.1:19999/mcp",
            "http://LOCALHOST:19999/profiles/writing/mcp",
            "http://localhost.:19999/members/a/mcp",
            "http://user@[::1]:19999/mcp",
            "http://127.1:19999/mcp",
            "http://0.0.0.0:19999/mcp",
            "http://[::ffff:127.0.0.1]:19999/mcp?mode=full",
            "https://gateway.localhost:19999",
        ] {
            assert_eq!(loopback_port(url), Some(19_999), "{url}");
        }
        assert_eq!(loopback_port("http://localhost/mcp"), Some(80));
        for url in [
            "",
            "mcp",
            "http://example.com:19999/mcp",
            "http://localhost.example.com:19999/mcp",
            "http://192.168.1.5:19999/mcp",
        ] {
            assert_eq!(loopback_port(url), None, "{url}");
        }
    }
}
