//! Admission of requests: checks the requested host, the origin, the token and the rate.

use std::collections::HashMap;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use guild_model::ClientId;
use http::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, HOST, ORIGIN};
use http::{HeaderMap, HeaderValue, StatusCode};
use parking_lot::Mutex;

/// The hosts and origins that requests may name.
#[derive(Debug)]
pub(super) struct AllowedHosts {
    hosts: Vec<String>,
    origins: Vec<String>,
}

impl AllowedHosts {
    /// Allows the host names of the loopback with the port of `address`, and the pages at these
    /// hosts and at the additional `origins`.
    pub(super) fn of(address: SocketAddr, origins: &[String]) -> Self {
        let port = address.port();
        let mut hosts: Vec<String> = ["127.0.0.1", "localhost", "[::1]"]
            .iter()
            .map(|host| format!("{host}:{port}"))
            .collect();
        if port == 80 {
            hosts.extend(["127.0.0.1", "localhost", "[::1]"].map(str::to_owned));
        }
        let own = hosts.iter().map(|host| format!("http://{host}"));
        Self {
            origins: own.chain(origins.iter().cloned()).collect(),
            hosts,
        }
    }

    /// Checks the `Host` header, which shows DNS rebinding by a web page, and the `Origin` header,
    /// which names the page that sends the request.
    pub(super) fn check(
        &self,
        headers: &HeaderMap,
        authority: Option<&str>,
    ) -> Result<(), (StatusCode, &'static str)> {
        let any = |names: &[String], value: &[u8]| {
            let mut names = names.iter();
            names.any(|name| name.as_bytes().eq_ignore_ascii_case(value))
        };
        let mut hosts = headers.get_all(HOST).iter();
        let Some(host) = hosts.next() else {
            return Err((StatusCode::BAD_REQUEST, "The Host header is missing."));
        };
        let right = any(&self.hosts, host.as_bytes())
            && hosts.next().is_none()
            && authority.is_none_or(|authority| any(&self.hosts, authority.as_bytes()));
        if !right {
            return Err((
                StatusCode::FORBIDDEN,
                "The Host header names another address.",
            ));
        }
        let mut origins = headers.get_all(ORIGIN).iter();
        if !origins.all(|origin| any(&self.origins, origin.as_bytes())) {
            return Err((StatusCode::FORBIDDEN, "This origin is not allowed."));
        }
        Ok(())
    }
}

#[derive(Debug, PartialEq, Eq)]
pub(super) enum Token<'a> {
    None,
    Bearer(&'a str),
    /// An invalid `Authorization` header, or several of them.
    Unreadable,
}

/// Reads the token from `Authorization`.
pub(super) fn token(headers: &HeaderMap) -> Token<'_> {
    let mut values = headers.get_all(AUTHORIZATION).iter();
    let Some(value) = values.next() else {
        return Token::None;
    };
    let bearer = value.to_str().ok().and_then(|value| {
        let (scheme, token) = value.split_once(' ')?;
        let token = token.trim_matches(' ');
        (scheme.eq_ignore_ascii_case("bearer") && !token.is_empty()).then_some(token)
    });
    match (bearer, values.next()) {
        (Some(token), None) => Token::Bearer(token),
        _ => Token::Unreadable,
    }
}

/// The formats that a client accepts for an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ResponseFormats {
    pub(super) json: bool,
    pub(super) events: bool,
}

/// Reads the accepted formats from `Accept`. Without this header, all formats are accepted.
pub(super) fn accepts(headers: &HeaderMap) -> ResponseFormats {
    const ALL: ResponseFormats = ResponseFormats {
        json: true,
        events: true,
    };
    // Nearly every client sends exactly this value.
    let usual = |value: &HeaderValue| value == "application/json, text/event-stream";
    if headers.get(ACCEPT).is_none_or(usual) {
        return ALL;
    }
    let mut formats = ResponseFormats {
        json: false,
        events: false,
    };
    for value in headers.get_all(ACCEPT) {
        for range in value.to_str().unwrap_or_default().split(',') {
            let mut parts = range.split(';').map(str::trim);
            let kind = parts.next().unwrap_or_default();
            if parts.any(refused_by_weight) {
                continue;
            }
            let is = |name: &str| kind.eq_ignore_ascii_case(name);
            formats.json |= is("application/json") || is("application/*") || is("*/*");
            formats.events |= is("text/event-stream") || is("text/*") || is("*/*");
        }
    }
    formats
}

/// Whether a parameter is `q=0`, with which a client rejects a format.
fn refused_by_weight(parameter: &str) -> bool {
    let Some((name, weight)) = parameter.split_once('=') else {
        return false;
    };
    name.trim().eq_ignore_ascii_case("q") && weight.trim().parse::<f64>() == Ok(0.0)
}

pub(super) fn is_json(headers: &HeaderMap) -> bool {
    let kind = headers.get(CONTENT_TYPE).map(HeaderValue::as_bytes);
    let Some(kind) = kind.and_then(|kind| std::str::from_utf8(kind).ok()) else {
        return false;
    };
    let kind = kind.split(';').next().unwrap_or_default();
    kind.trim().eq_ignore_ascii_case("application/json")
}

/// A token bucket that limits the requests of one client.
#[derive(Debug)]
pub(super) struct TokenBucket {
    epoch: Instant,
    /// The time at which the bucket will be full again, in nanoseconds since `epoch`.
    full_at: AtomicU64,
    each: u64,
}

impl TokenBucket {
    fn new(rate: u32) -> Self {
        Self {
            epoch: Instant::now(),
            full_at: AtomicU64::new(0),
            each: 1_000_000_000 / u64::from(rate.max(1)),
        }
    }

    /// Takes one request from the bucket. Returns false if the bucket is empty.
    pub(super) fn take(&self, now: Instant) -> bool {
        const DEPTH: u64 = 1_000_000_000;
        let now = now.saturating_duration_since(self.epoch).as_nanos();
        let now = u64::try_from(now).unwrap_or(u64::MAX / 2);
        self.full_at
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |full_at| {
                let next = full_at.max(now) + self.each;
                (next <= now + DEPTH).then_some(next)
            })
            .is_ok()
    }
}

#[derive(Debug)]
pub(super) struct TokenBuckets {
    rate: u32,
    of: Mutex<HashMap<Option<ClientId>, Arc<TokenBucket>>>,
}

impl TokenBuckets {
    pub(super) fn new(rate: u32) -> Self {
        Self {
            rate,
            of: Mutex::default(),
        }
    }

    /// Returns a client's bucket. Unused buckets are removed once there are many buckets.
    pub(super) fn of(&self, client: Option<&ClientId>) -> Arc<TokenBucket> {
        const MANY: usize = 1_024;
        let mut of = self.of.lock();
        if of.len() >= MANY {
            of.retain(|_, bucket| Arc::strong_count(bucket) > 1);
        }
        let bucket = of
            .entry(client.cloned())
            .or_insert_with(|| Arc::new(TokenBucket::new(self.rate)));
        Arc::clone(bucket)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn headers(of: &[(&'static str, &str)]) -> HeaderMap {
        of.iter()
            .map(|(name, value)| {
                let value = HeaderValue::from_str(value).expect("a header's value");
                (http::HeaderName::from_static(name), value)
            })
            .collect()
    }

    #[test]
    fn only_loopback_names_of_the_very_port_are_let_in() {
        let address = "127.0.0.1:19999".parse().expect("an address");
        let names = AllowedHosts::of(address, &["http://localhost:6274".into()]);
        let check = |of: &[(&'static str, &str)], expect: u16| {
            let status = names.check(&headers(of), None).err();
            assert_eq!(
                status.map_or(200, |(status, _)| status.as_u16()),
                expect,
                "{of:?}"
            );
        };
        for host in [
            "127.0.0.1:19999",
            "localhost:19999",
            "LOCALHOST:19999",
            "[::1]:19999",
        ] {
            check(&[("host", host)], 200);
        }
        for host in [
            "",
            "127.0.0.1",
            "localhost:80",
            "evil.example:19999",
            "localhost:19999.evil",
        ] {
            check(&[("host", host)], 403);
        }
        check(&[], 400);
        check(
            &[("host", "localhost:19999"), ("host", "evil.example")],
            403,
        );
        let with = |origin| [("host", "localhost:19999"), ("origin", origin)];
        for origin in [
            "http://localhost:19999",
            "http://127.0.0.1:19999",
            "http://localhost:6274",
        ] {
            check(&with(origin), 200);
        }
        for origin in [
            "null",
            "",
            "https://localhost:19999",
            "http://localhost:1",
            "http://evil.example",
        ] {
            check(&with(origin), 403);
        }
        let host = headers(&[("host", "localhost:19999")]);
        assert!(
            names.check(&host, Some("evil.example")).is_err(),
            "an absolute address"
        );
    }

    #[test]
    fn a_token_is_one_bearer_token() {
        let check = |of: &[(&'static str, &str)], expect: Token<'_>| {
            assert_eq!(token(&headers(of)), expect, "{of:?}");
        };
        check(&[], Token::None);
        check(&[("authorization", "Bearer abc")], Token::Bearer("abc"));
        check(&[("authorization", "bearer abc")], Token::Bearer("abc"));
        for value in ["Bearer", "Bearer ", "Basic abc", "abc"] {
            check(&[("authorization", value)], Token::Unreadable);
        }
        let two = [("authorization", "Bearer a"), ("authorization", "Bearer b")];
        check(&two, Token::Unreadable);
    }

    #[test]
    fn accept_says_in_which_forms() {
        let check = |accept: &str, json: bool, events: bool| {
            let formats = accepts(&headers(&[("accept", accept)]));
            assert_eq!(formats, ResponseFormats { json, events }, "{accept}");
        };
        check("application/json, text/event-stream", true, true);
        check("text/event-stream;q=0.9", false, true);
        check("application/json;q=0, */*", true, true);
        check("text/event-stream;q=0, application/json", true, false);
        check("*/*", true, true);
        check("text/html", false, false);
        assert!(accepts(&HeaderMap::new()).json, "no header, no restriction");
    }

    #[test]
    fn a_bucket_is_empty_after_a_second_s_worth_and_fills_again() {
        let bucket = TokenBucket::new(100);
        let start = Instant::now();
        assert!(
            (0..100).all(|_| bucket.take(start)),
            "a second's worth at once"
        );
        assert!(!bucket.take(start), "and no more");
        let later = start + Duration::from_millis(55);
        assert_eq!((0..10).filter(|_| bucket.take(later)).count(), 5);
    }
}
