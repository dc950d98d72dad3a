//! Sends all requests of a sign-in, with restrictions:
//!
//! - Targets must use `https` and be on another machine. For a member on this machine, they may
//!   also be on this machine, and use plain HTTP there.
//! - Each response is bounded.
//! - Addresses from servers are not trusted. Redirects are followed only by rmcp, and within one
//!   origin.
//! - No connection is made to names that resolve to this machine or to link-local services.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use http::header::LOCATION;
use parking_lot::Mutex;
use reqwest::Url;
use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use rmcp::transport::auth::{
    OAuthHttpClient, OAuthHttpClientError, OAuthHttpClientFuture, OAuthHttpRequest,
};

use crate::http::{AGENT, is_here, literal, tls_config};
use crate::text;

/// Timeout for one request.
const LIMIT: Duration = Duration::from_secs(10);
/// Limit of the body of a response, in bytes.
const BODY_MAX: usize = 256 << 10;
/// Limit of the requests in one sign-in or renewal, because a server can name any number of
/// addresses.
const REQUESTS_MAX: u32 = 40;

/// The reason that a request got no response.
#[derive(Debug, thiserror::Error)]
pub(super) enum Unasked {
    #[error("{0}")]
    Address(String),
    #[error("the connection to {host} failed ({why})")]
    Connection { host: String, why: String },
    #[error("{host} did not answer within {} s", LIMIT.as_secs())]
    TooLong { host: String },
    #[error("the answer of {host} is larger than {} KiB", BODY_MAX >> 10)]
    TooLarge { host: String },
    #[error("more than {REQUESTS_MAX} addresses would have to be asked")]
    TooMany,
}

#[derive(Debug)]
pub(super) struct Net {
    client: reqwest::Client,
    here: bool,
    sent: AtomicU32,
    /// The address of the last successful GET request, which returned a metadata document.
    described_at: Mutex<Option<Url>>,
}

impl Net {
    /// Returns a sender for a member's address. With `proxies`, it uses the proxies that the
    /// environment and the system configure, except for a member on this machine. A proxy resolves
    /// names itself.
    pub(super) async fn of(member: &Url, proxies: bool) -> Result<Self, Unasked> {
        let here = is_here(member);
        let failed = |why: String| Unasked::Connection {
            host: host_of(member),
            why,
        };
        let tls = tls_config(true).await;
        let tls = tls.map_err(|error| failed(error.to_string()))?;
        let client = reqwest::Client::builder()
            .redirect(reqwest::redirect::Policy::none())
            .tls_backend_preconfigured(tls)
            .dns_resolver(Arc::new(OAuthDnsResolver { here, proxies }))
            .pool_max_idle_per_host(0)
            .user_agent(AGENT);
        let client = match proxies && !here {
            true => client,
            false => client.no_proxy(),
        };
        let client = client
            .build()
            .map_err(|error| failed(text::causes(&error)))?;
        Ok(Self {
            client,
            here,
            sent: AtomicU32::new(0),
            described_at: Mutex::new(None),
        })
    }

    pub(super) fn is_here(&self) -> bool {
        self.here
    }

    /// Permits [`REQUESTS_MAX`] more requests, for a sign-in that requests the tokens at intervals.
    pub(super) fn allow_more(&self) {
        self.sent.store(0, Ordering::Relaxed);
    }

    /// Sends a request and returns the response, with any status.
    pub(super) async fn send(
        &self,
        request: http::Request<Vec<u8>>,
    ) -> Result<http::Response<Vec<u8>>, Unasked> {
        let url = Url::parse(&request.uri().to_string())
            .map_err(|error| Unasked::Address(format!("an address is not valid ({error})")))?;
        may_be_asked(&url, self.here).map_err(Unasked::Address)?;
        if self.sent.fetch_add(1, Ordering::Relaxed) >= REQUESTS_MAX {
            return Err(Unasked::TooMany);
        }
        let host = host_of(&url);
        let is_asked_for = request.method() == http::Method::GET;
        let exchanged = tokio::time::timeout(LIMIT, self.exchanged(request, &host)).await;
        let answer = exchanged.unwrap_or(Err(Unasked::TooLong { host }))?;
        if is_asked_for && answer.status().is_success() {
            *self.described_at.lock() = Some(url);
        }
        Ok(answer)
    }

    /// Whether the last document came from the metadata path of an authorization server. Only then
    /// does rmcp compare the issuer with the address.
    pub(super) fn is_described_by_itself(&self) -> bool {
        let last = self.described_at.lock();
        last.as_ref()
            .is_some_and(|url| names_its_issuer(url.path()))
    }

    async fn exchanged(
        &self,
        request: http::Request<Vec<u8>>,
        host: &str,
    ) -> Result<http::Response<Vec<u8>>, Unasked> {
        let broken = |error: reqwest::Error| Unasked::Connection {
            host: host.to_owned(),
            why: text::causes(&error.without_url()),
        };
        let request = reqwest::Request::try_from(request).map_err(broken)?;
        let mut response = self.client.execute(request).await.map_err(broken)?;
        let mut answer = http::Response::builder().status(response.status());
        for (name, value) in response.headers() {
            // rmcp would follow this header, even without a redirect status.
            if name != LOCATION || response.status().is_redirection() {
                answer = answer.header(name, value);
            }
        }
        let mut body = Vec::new();
        while let Some(piece) = response.chunk().await.map_err(broken)? {
            if body.len() + piece.len() > BODY_MAX {
                return Err(Unasked::TooLarge {
                    host: host.to_owned(),
                });
            }
            body.extend_from_slice(&piece);
        }
        answer.body(body).map_err(|error| Unasked::Connection {
            host: host.to_owned(),
            why: error.to_string(),
        })
    }
}

impl OAuthHttpClient for Net {
    fn execute(&self, request: OAuthHttpRequest) -> OAuthHttpClientFuture<'_> {
        Box::pin(async move {
            let answer = self.send(request.request).await;
            answer.map_err(|error| Box::new(error) as OAuthHttpClientError)
        })
    }
}

/// Returns the host of an address, with its port.
pub(super) fn host_of(url: &Url) -> String {
    let host = url.host_str().unwrap_or("nowhere");
    match url.port() {
        Some(port) => format!("{host}:{port}"),
        None => host.to_owned(),
    }
}

/// Whether a path is a metadata path, as an issuer identifier determines it (RFC 8414, OpenID
/// Connect Discovery).
fn names_its_issuer(path: &str) -> bool {
    const OIDC: &str = "/.well-known/openid-configuration";
    let begins = |known: &str| {
        path.strip_prefix(known)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    begins("/.well-known/oauth-authorization-server") || begins(OIDC) || path.ends_with(OIDC)
}

/// Checks whether requests to an address are allowed. `here` is whether the member is on this
/// machine.
fn may_be_asked(url: &Url, here: bool) -> Result<(), String> {
    let host = host_of(url);
    if !url.username().is_empty() || url.password().is_some() {
        return Err(format!(
            "the address at {host} has a user name or a password"
        ));
    }
    match url.scheme() {
        "https" => {}
        "http" if here && is_here(url) => return Ok(()),
        "http" => return Err(format!("{host} is not asked over plain http")),
        other => {
            let other = text::cut_chars(other, 40);
            return Err(format!(
                "an address begins with {other:?} and not with https"
            ));
        }
    }
    let name = url.host_str().unwrap_or_default().trim_end_matches('.');
    let local_name = name.eq_ignore_ascii_case("localhost") || name.ends_with(".localhost");
    let fits = match literal(url) {
        Some(address) => may_be_reached(address, here),
        None => here || !local_name,
    };
    if fits {
        Ok(())
    } else {
        Err(format!(
            "{host} is this machine's or another reserved address, which this member can't use"
        ))
    }
}

/// Checks whether an address may be opened in a browser. It must use `https`. For a member on this
/// machine, `http` on this machine is allowed too.
///
/// # Errors
/// When the address may not be opened. The error is the reason.
pub fn may_be_opened(address: &str, member_url: &str) -> Result<(), String> {
    let parsed = |address: &str| {
        Url::parse(address).map_err(|error| format!("the address is not valid ({error})"))
    };
    may_be_asked(&parsed(address)?, is_here(&parsed(member_url)?))
}

/// Whether requests to an IP address are allowed. Private networks are allowed, because they may
/// have an authorization server. Link-local addresses are not allowed, because they may be cloud
/// metadata services. The loopback is only allowed if `here`.
fn may_be_reached(address: IpAddr, here: bool) -> bool {
    let v4 = |address: Ipv4Addr| {
        (here || !address.is_loopback())
            && !address.is_link_local()
            && !address.is_unspecified()
            && !address.is_broadcast()
            && !address.is_multicast()
    };
    match address {
        IpAddr::V4(address) => v4(address),
        IpAddr::V6(address) => match address.to_ipv4_mapped() {
            Some(mapped) => v4(mapped),
            None => {
                (here || !address.is_loopback())
                    && !address.is_unspecified()
                    && !address.is_multicast()
                    && !address.is_unicast_link_local()
            }
        },
    }
}

/// Resolves names to IP addresses to which requests are allowed.
struct OAuthDnsResolver {
    here: bool,
    proxies: bool,
}

impl Resolve for OAuthDnsResolver {
    fn resolve(&self, name: Name) -> Resolving {
        // With `proxies`, `localhost` is the name of a proxy: [`may_be_asked`] rejects all other
        // addresses with this name.
        let here = self.here || (self.proxies && name.as_str() == "localhost");
        Box::pin(async move {
            let name = name.as_str();
            let found: Vec<SocketAddr> = match name {
                // This name always means this machine, even if a lookup returns another address.
                "localhost" => [
                    (IpAddr::V4(Ipv4Addr::LOCALHOST), 0).into(),
                    (IpAddr::V6(Ipv6Addr::LOCALHOST), 0).into(),
                ]
                .to_vec(),
                name => tokio::net::lookup_host((name, 0)).await?.collect(),
            };
            let usable: Vec<SocketAddr> = found
                .into_iter()
                .filter(|address| may_be_reached(address.ip(), here))
                .collect();
            if usable.is_empty() {
                let why = "the name has only addresses of this machine or other reserved addresses";
                return Err(std::io::Error::other(why).into());
            }
            let usable: Addrs = Box::new(usable.into_iter());
            Ok(usable)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(url: &str, here: bool) -> bool {
        may_be_asked(&Url::parse(url).expect("an address"), here).is_ok()
    }

    #[test]
    fn an_issuer_is_believed_only_where_its_description_belongs() {
        for path in [
            "/.well-known/oauth-authorization-server",
            "/.well-known/oauth-authorization-server/tenant",
            "/.well-known/openid-configuration/tenant",
            "/tenant/.well-known/openid-configuration",
        ] {
            assert!(names_its_issuer(path), "{path}");
        }
        for path in [
            "/.well-known/x",
            "/.well-known/oauth-protected-resource",
            "/.well-known/oauth-authorization-server-of-mine",
            "/tenant/.well-known/oauth-authorization-server",
            "/",
        ] {
            assert!(!names_its_issuer(path), "{path}");
        }
    }

    #[test]
    fn only_https_is_asked_and_this_machine_for_a_member_on_it() {
        for url in ["https://auth.example/token", "https://10.0.0.9/token"] {
            assert!(asked(url, false) && asked(url, true), "{url}");
        }
        for url in [
            "http://127.0.0.1:80/",
            "http://[::1]/",
            "http://localhost/",
            "https://localhost/",
            "https://127.0.0.1/",
        ] {
            assert!(asked(url, true), "{url}");
            assert!(!asked(url, false), "{url}");
        }
        for url in [
            "http://auth.example/",
            "http://10.0.0.9/",
            "https://169.254.169.254/latest",
            "https://[::ffff:169.254.169.254]/",
            "https://[fe80::1]/",
            "https://0.0.0.0/",
            "https://me:pw@auth.example/",
            "ftp://auth.example/",
            "file:///etc/passwd",
        ] {
            assert!(!asked(url, false) && !asked(url, true), "{url}");
        }
        assert!(!asked("https://sub.localhost/", false));
        assert!(!asked("https://[::ffff:127.0.0.1]/", false));
    }

    #[tokio::test]
    async fn a_sign_in_sends_so_many_requests_and_no_more() {
        // The port is closed at once, so that a connection to it is refused.
        let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = listener.local_addr().expect("its address");
        drop(listener);
        let url = format!("http://{address}/metadata");
        let net = Net::of(&Url::parse(&url).expect("an address"), true).await;
        let net = net.expect("a client");
        let ask = || async {
            let request = http::Request::get(&url).body(Vec::new());
            net.send(request.expect("a request")).await
        };
        for sent in 0..REQUESTS_MAX {
            let failed = ask().await.expect_err("no answer");
            assert!(
                matches!(failed, Unasked::Connection { .. }),
                "{sent}: {failed}"
            );
        }
        let failed = ask().await.expect_err("no request");
        assert!(matches!(failed, Unasked::TooMany), "{failed}");
    }

    #[test]
    fn a_browser_is_sent_to_no_script_and_no_file() {
        let member = "https://mcp.example/mcp";
        assert_eq!(may_be_opened("https://auth.example/a?b=c", member), Ok(()));
        for address in [
            "javascript:alert(1)",
            "file:///etc/passwd",
            "data:text/html,x",
            "http://auth.example/",
            "http://127.0.0.1:1/",
            "guildhall://x",
            "not an address",
        ] {
            assert!(may_be_opened(address, member).is_err(), "{address}");
        }
        assert!(may_be_opened("http://127.0.0.1:1/a", "http://localhost:2/mcp").is_ok());
    }

    #[tokio::test]
    async fn a_name_that_is_this_machine_is_nobody_for_a_member_elsewhere() {
        let names = OAuthDnsResolver {
            here: false,
            proxies: false,
        };
        let name = "localhost".parse().expect("a name");
        assert!(names.resolve(name).await.is_err());
        let names = OAuthDnsResolver {
            here: true,
            proxies: false,
        };
        let name = "localhost".parse().expect("a name");
        assert!(names.resolve(name).await.is_ok());
    }
}
