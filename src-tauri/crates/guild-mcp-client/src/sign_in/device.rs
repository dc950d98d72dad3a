//! The device authorization grant (RFC 8628): a person enters a code in a browser on any device.
//! During this time, the module requests the tokens at intervals until they are issued.

use std::time::Duration;

use http::header::CONTENT_TYPE;
use rmcp::transport::auth::AuthorizationMetadata;
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::time::{Instant, sleep};

use super::begin::SignIn;
use super::error::{SignInError, clean};
use super::grant::{ClientFrom, Grant, OAuthClient, now_secs};
use super::net::{Net, may_be_opened};
use super::renew::form_request;

/// The metadata field with the address that issues the codes.
pub(super) const ENDPOINT: &str = "device_authorization_endpoint";
const GRANT_TYPE: &str = "urn:ietf:params:oauth:grant-type:device_code";
/// Limit of the device code, in bytes.
const CODE_MAX: usize = 4 << 10;
/// Limit of the code that a person enters, in characters.
const USER_CODE_MAX: usize = 64;
/// The interval of the requests for tokens if the server names none, and its maximum, in seconds.
const INTERVAL: u64 = 5;
const INTERVAL_MAX: u64 = 60;
/// How much the interval grows each time that the server asks for slower requests or a request
/// fails, in seconds.
const SLOW_DOWN: u64 = 5;
/// Limit of the time within which a person must enter the code.
const LASTS_MAX: Duration = Duration::from_secs(15 * 60);

/// A sign-in that waits until a person has entered its code.
pub(super) struct DeviceSignIn {
    pub(super) user_code: String,
    pub(super) address: String,
    pub(super) lasts: Duration,
    code: String,
    interval: Duration,
}

#[derive(Deserialize)]
struct DeviceResponse {
    device_code: String,
    user_code: String,
    /// Some servers still use the field name of a draft.
    #[serde(alias = "verification_url")]
    verification_uri: String,
    verification_uri_complete: Option<String>,
    expires_in: Option<u64>,
    interval: Option<u64>,
}

/// The outcome of one request for tokens.
enum Poll {
    Issued(Value),
    Pending,
    SlowDown,
}

/// Returns the address that issues codes, if the authorization server has one.
pub(super) fn endpoint(metadata: &AuthorizationMetadata) -> Option<String> {
    let endpoint = metadata.additional_fields.get(ENDPOINT)?;
    endpoint.as_str().map(str::to_owned)
}

/// Registers a client for this grant. For other grants, a client is registered with a redirect.
pub(super) async fn register(
    net: &Net,
    metadata: &AuthorizationMetadata,
    name: &str,
) -> Result<OAuthClient, SignInError> {
    let failed = |why: &dyn ToString| SignInError::Unregistered(clean(&why.to_string()));
    let place = metadata.registration_endpoint.as_deref();
    let place = place.ok_or_else(|| failed(&"it has no address for registrations"))?;
    let client = json!({
        "client_name": name,
        "grant_types": [GRANT_TYPE, "refresh_token"],
        "redirect_uris": [],
        "response_types": [],
        "token_endpoint_auth_method": "none",
    });
    let request = http::Request::post(place)
        .header(CONTENT_TYPE, "application/json")
        .body(client.to_string().into_bytes())
        .map_err(|error| failed(&error))?;
    let answer = net.send(request).await.map_err(|error| failed(&error))?;
    let (status, body) = (answer.status(), read(answer.body()));
    let text = |key: &str| body[key].as_str().map(str::to_owned);
    match text("client_id").filter(|_| status.is_success()) {
        Some(id) => Ok(OAuthClient {
            id,
            secret: text("client_secret"),
            from: ClientFrom::Registration,
        }),
        None => Err(failed(&refusal(status, &body))),
    }
}

impl DeviceSignIn {
    /// Requests the code for the person and the device code.
    pub(super) async fn begin(
        net: &Net,
        place: &str,
        asked: &SignIn,
        client: &OAuthClient,
        scopes: &[String],
    ) -> Result<Self, SignInError> {
        let failed = |why: &dyn ToString| SignInError::Undiscovered(clean(&why.to_string()));
        let (scope, resource) = (scopes.join(" "), resource(&asked.url));
        let mut fields = vec![("resource", resource.as_str())];
        if !scope.is_empty() {
            fields.push(("scope", &scope));
        }
        let request = form_request(
            place,
            fields,
            &client.id,
            client.secret(asked.client_secret.as_deref()),
        );
        let request = request.map_err(|error| failed(&error))?;
        let answer = net.send(request).await.map_err(|error| failed(&error))?;
        if !answer.status().is_success() {
            return Err(failed(&refusal(answer.status(), &read(answer.body()))));
        }
        let codes: DeviceResponse = serde_json::from_slice(answer.body()).map_err(|_| {
            let why = "the authorization server's answer has no code, or is malformed";
            failed(&why)
        })?;
        Self::of(codes, &asked.url)
    }

    fn of(codes: DeviceResponse, member: &str) -> Result<Self, SignInError> {
        let unsafe_code = |why: &str| SignInError::Unsafe(why.to_owned());
        let is_shown = |c: char| c.is_ascii_graphic() || c == ' ';
        let user_code = codes.user_code.trim();
        if user_code.is_empty()
            || user_code.len() > USER_CODE_MAX
            || !user_code.chars().all(is_shown)
            || codes.device_code.is_empty()
            || codes.device_code.len() > CODE_MAX
        {
            return Err(unsafe_code(
                "the code for the device is too long or can't be shown",
            ));
        }
        may_be_opened(&codes.verification_uri, member).map_err(SignInError::Unsafe)?;
        let complete = codes.verification_uri_complete;
        let complete = complete.filter(|address| may_be_opened(address, member).is_ok());
        let lasts = codes.expires_in.map_or(LASTS_MAX, Duration::from_secs);
        let interval = codes.interval.unwrap_or(INTERVAL).clamp(1, INTERVAL_MAX);
        Ok(Self {
            user_code: user_code.to_owned(),
            address: complete.unwrap_or(codes.verification_uri),
            lasts: lasts.min(LASTS_MAX),
            code: codes.device_code,
            interval: Duration::from_secs(interval),
        })
    }

    /// Requests the tokens at intervals, until they are issued or refused, or the time is over.
    pub(super) async fn tokens(
        mut self,
        net: &Net,
        metadata: &AuthorizationMetadata,
        asked: &SignIn,
        client: &OAuthClient,
    ) -> Result<Value, SignInError> {
        let until = Instant::now() + self.lasts;
        loop {
            sleep(self.interval).await;
            if Instant::now() >= until {
                return Err(SignInError::TooLong(self.lasts));
            }
            net.allow_more();
            match self
                .poll(net, &metadata.token_endpoint, asked, client)
                .await?
            {
                Poll::Issued(tokens) => return Ok(tokens),
                Poll::Pending => {}
                Poll::SlowDown => self.interval += Duration::from_secs(SLOW_DOWN),
            }
        }
    }

    async fn poll(
        &self,
        net: &Net,
        place: &str,
        asked: &SignIn,
        client: &OAuthClient,
    ) -> Result<Poll, SignInError> {
        let untokened = |why: &str| SignInError::Untokened(clean(why));
        let resource = resource(&asked.url);
        let fields = vec![
            ("grant_type", GRANT_TYPE),
            ("device_code", self.code.as_str()),
            ("resource", &resource),
        ];
        let request = form_request(
            place,
            fields,
            &client.id,
            client.secret(asked.client_secret.as_deref()),
        );
        let request = request.map_err(|error| untokened(&error))?;
        let answer = match net.send(request).await {
            Ok(answer) if answer.status().is_server_error() => return Ok(Poll::SlowDown),
            Ok(answer) => answer,
            // A failed connection must not end a sign-in that a person is about to complete.
            Err(_) => return Ok(Poll::SlowDown),
        };
        let body = read(answer.body());
        if answer.status().is_success() {
            return Ok(Poll::Issued(body));
        }
        match body["error"].as_str() {
            Some("authorization_pending") => Ok(Poll::Pending),
            Some("slow_down") => Ok(Poll::SlowDown),
            Some("expired_token") => Err(SignInError::TooLong(self.lasts)),
            Some("access_denied") => Err(SignInError::Refused(refusal(answer.status(), &body))),
            _ => {
                let why = refusal(answer.status(), &body);
                // The code must not be shown, even if it is invalid.
                Err(untokened(&why.replace(&self.code, "•••")))
            }
        }
    }
}

pub(super) fn grant_of(
    tokens: Value,
    asked: &SignIn,
    metadata: &AuthorizationMetadata,
    client: OAuthClient,
    scopes: Vec<String>,
    revocation_endpoint: Option<String>,
) -> Result<Grant, SignInError> {
    let malformed = |_| SignInError::Untokened("its answer has no token".to_owned());
    let granted = match tokens["scope"].as_str() {
        Some(scope) => scope.split_whitespace().map(str::to_owned).collect(),
        None => scopes,
    };
    let stored = json!({
        "client_id": client.id,
        "token_response": tokens,
        "granted_scopes": granted,
        "token_received_at": now_secs(),
        "issuer": metadata.issuer,
    });
    let stored = serde_json::from_value(stored).map_err(malformed)?;
    Grant::of(&stored, &asked.url, client, revocation_endpoint)
        .map_err(|why| SignInError::Untokened(clean(&why)))
}

/// Returns the member's address without its fragment, as the `resource` parameter (RFC 8707).
fn resource(url: &str) -> String {
    url.split('#').next().unwrap_or_default().to_owned()
}

fn read(body: &[u8]) -> Value {
    serde_json::from_slice(body).unwrap_or_default()
}

fn refusal(status: http::StatusCode, body: &Value) -> String {
    let text = |key: &str| body[key].as_str().map(clean);
    match (text("error"), text("error_description")) {
        (Some(error), Some(description)) => format!("{error} ({description})"),
        (Some(error), None) => error,
        (None, _) => format!("it answered with HTTP {}", status.as_u16()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MEMBER: &str = "https://mcp.example/mcp";

    fn read_codes(change: &Value) -> Result<DeviceSignIn, SignInError> {
        let mut codes = json!({
            "device_code": "device", "user_code": "ABCD-EFGH",
            "verification_uri": "https://auth.example/device",
        });
        for (key, value) in change.as_object().into_iter().flatten() {
            codes[key] = value.clone();
        }
        let codes = serde_json::from_value(codes).expect("codes");
        DeviceSignIn::of(codes, MEMBER)
    }

    #[test]
    fn codes_and_their_times_are_bounded() {
        let plain = read_codes(&json!({})).expect("usable");
        assert_eq!(
            (plain.interval.as_secs(), plain.lasts),
            (INTERVAL, LASTS_MAX)
        );
        let complete = "https://auth.example/device?user_code=ABCD-EFGH";
        let change = json!({"verification_uri_complete": complete, "interval": 0, "expires_in": 9});
        let quick = read_codes(&change).expect("usable");
        assert_eq!((quick.interval.as_secs(), quick.lasts.as_secs()), (1, 9));
        assert_eq!(quick.address, complete);
        let change = json!({"interval": 86_400, "expires_in": u64::MAX,
            "verification_uri_complete": "javascript:alert(1)"});
        let slow = read_codes(&change).expect("usable");
        assert_eq!(
            (slow.interval.as_secs(), slow.lasts),
            (INTERVAL_MAX, LASTS_MAX)
        );
        assert_eq!(slow.address, "https://auth.example/device");
        for change in [
            json!({"user_code": ""}),
            json!({"user_code": "a\u{1b}[31m"}),
            json!({"user_code": "c".repeat(USER_CODE_MAX + 1)}),
            json!({"device_code": "c".repeat(CODE_MAX + 1)}),
            json!({"verification_uri": "http://auth.example/device"}),
            json!({"verification_uri": "file:///etc/passwd"}),
        ] {
            assert!(read_codes(&change).is_err(), "{change}");
        }
    }
}
