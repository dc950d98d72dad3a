//! Apps of members (MCP Apps, SEP-1865): reads the resource that shows a tool's results, builds the
//! content security policy of its page, and makes the app's calls. The desktop shell serves the
//! page.

use std::fmt::Write as _;
use std::net::IpAddr;
use std::sync::atomic::{AtomicU64, Ordering};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use guild_api::wire::{CallEnd, CallOutcome, InvokeTool, ReadResource, ToolRef};
use guild_model::{CallId, Code, Report};
use serde::Deserialize;
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};

use super::{GuildHall, run_blocking};
use crate::messages::AppError;

/// Maximum size of an app's HTML, in bytes.
const HTML_MAX: usize = 8 << 20;
/// Maximum size of the response with an app, in bytes of JSON. Base64 and escapes make it longer
/// than the HTML.
const RESPONSE_MAX: usize = 2 * HTML_MAX;
/// Maximum number of domains that an app may use for one purpose. Further domains are blocked.
const DOMAINS_MAX: usize = 50;
/// Maximum length of one such domain, in bytes.
const DOMAIN_MAX: usize = 255;
const MIME_TYPE: &str = "text/html;profile=mcp-app";
/// The permissions that an app may request, by their names in the app's resource.
const PERMISSIONS: [&str; 4] = ["camera", "microphone", "geolocation", "clipboardWrite"];

/// Counts the reads of apps, for the ids of their requests.
static READS: AtomicU64 = AtomicU64::new(0);

/// An app, ready to be served.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolApp {
    /// The first label of the host in the app's origin: 32 hexadecimal digits, derived from the
    /// member and the URI.
    pub origin: String,
    /// The page.
    pub html: String,
    /// The content security policy of the page. It allows the domains that the app declares and
    /// nothing else.
    pub policy: String,
    /// The domains that `policy` allows.
    pub domains: Vec<String>,
    /// The permissions that the app requests, such as `camera`. The user has to grant them.
    pub permissions: Vec<&'static str>,
}

/// The result of `resources/read`.
#[derive(Deserialize)]
struct ReadContents {
    contents: Vec<ReadContent>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ReadContent {
    mime_type: Option<String>,
    text: Option<String>,
    blob: Option<String>,
    #[serde(default, rename = "_meta")]
    meta: Map<String, Value>,
}

impl GuildHall {
    /// Reads the app of a tool from its member. Starts the member if needed.
    ///
    /// # Errors
    /// `app-unusable`, the errors of [`GuildHall::tool_detail`], and the reason for a failed read.
    pub async fn tool_app(&self, of: ToolRef) -> Result<ToolApp, Report> {
        let ToolRef { member, tool } = of;
        let detail = self.tool_detail(&member, &tool)?;
        let unusable = |trouble: &AppError| Report::from_error(Code::AppUnusable, trouble);
        let Some(uri) = detail.app else {
            return Err(unusable(&AppError::NoApp(tool)).of(&member));
        };
        if !uri.starts_with("ui://") {
            let trouble = AppError::Unusable(format!("its URI is {uri:?} and not ui://…"));
            return Err(unusable(&trouble).of(&member));
        }
        let origin = origin_of(member.as_str(), &uri);
        let request = ReadResource {
            call: CallId::numbered("app", READS.fetch_add(1, Ordering::Relaxed)),
            member: member.clone(),
            uri,
            timeout_ms: None,
        };
        let result = match self.read_resource(request).await.end {
            CallEnd::Result { result, .. } => result,
            CallEnd::Failed { report, .. } => return Err(report),
        };
        let reading = run_blocking(move || read_app(origin, &result)).await;
        reading.map_err(|trouble| unusable(&trouble).of(&member))
    }

    /// Calls a tool for an app of the tool's member.
    pub(super) async fn invoke_tool_for_app(&self, request: InvokeTool) -> CallOutcome {
        let from = format!("App of {}", request.member);
        self.invoke_by_app(&from, request).await
    }
}

/// Returns the origin's name, which is different for each app, also if members use the same URI.
fn origin_of(member: &str, uri: &str) -> String {
    let mut hash = Sha256::new();
    hash.update(member);
    hash.update([0]);
    hash.update(uri);
    let mut name = String::new();
    for byte in &hash.finalize()[..16] {
        let _ = write!(name, "{byte:02x}");
    }
    name
}

fn read_app(origin: String, result: &str) -> Result<ToolApp, AppError> {
    let too_large = AppError::TooLarge(HTML_MAX >> 20);
    if result.len() > RESPONSE_MAX {
        return Err(too_large);
    }
    let unusable = |why: String| AppError::Unusable(why);
    let read: ReadContents =
        serde_json::from_str(result).map_err(|error| unusable(error.to_string()))?;
    let is_app = |content: &ReadContent| {
        let kind = content.mime_type.as_deref().unwrap_or_default();
        kind.replace(' ', "").eq_ignore_ascii_case(MIME_TYPE)
    };
    let content = read.contents.into_iter().find(is_app);
    let content =
        content.ok_or_else(|| unusable(format!("its resource is not of the type {MIME_TYPE}")))?;
    let html = match (content.text, content.blob) {
        (Some(text), _) => text,
        (None, Some(blob)) => {
            let bytes = STANDARD.decode(blob);
            let bytes = bytes.map_err(|_| unusable("its blob is not base64".into()))?;
            String::from_utf8(bytes).map_err(|_| unusable("its HTML is not UTF-8".into()))?
        }
        (None, None) => return Err(unusable("its resource is empty".into())),
    };
    if html.len() > HTML_MAX {
        return Err(too_large);
    }
    let ui = content.meta.get("ui");
    let csp = ui.and_then(|ui| ui.get("csp"));
    let connect = domains_of(csp, "connectDomains");
    let resources = domains_of(csp, "resourceDomains");
    let permissions = ui.and_then(|ui| ui.get("permissions"));
    let is_requested = |name: &&str| permissions.is_some_and(|it| it.get(*name).is_some());
    let policy = policy_of(&connect, &resources);
    let mut domains = connect;
    domains.extend(resources);
    domains.sort();
    domains.dedup();
    Ok(ToolApp {
        origin,
        html,
        policy,
        domains,
        permissions: PERMISSIONS.into_iter().filter(is_requested).collect(),
    })
}

/// Returns the valid domains of a list. Other entries are dropped, since they could add rules to
/// the policy or lead to this computer.
fn domains_of(csp: Option<&Value>, list: &str) -> Vec<String> {
    let listed = csp.and_then(|csp| csp.get(list)?.as_array());
    let texts = listed.into_iter().flatten().filter_map(Value::as_str);
    let usable = texts.filter(|text| is_usable(text)).take(DOMAINS_MAX);
    usable.map(str::to_ascii_lowercase).collect()
}

/// Whether a string is `https://HOST` or `wss://HOST`, where `HOST` is a name on the internet. `*.`
/// before the name and a port after the name are allowed.
fn is_usable(domain: &str) -> bool {
    let domain = domain.to_ascii_lowercase();
    let Some(host) = ["https://", "wss://"]
        .iter()
        .find_map(|scheme| domain.strip_prefix(scheme))
    else {
        return false;
    };
    let (host, port) = host.split_once(':').unwrap_or((host, "443"));
    let host = host.strip_prefix("*.").unwrap_or(host);
    let is_label = |label: &str| {
        !label.is_empty()
            && label
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
    };
    domain.len() <= DOMAIN_MAX
        && port.parse::<u16>().is_ok()
        && host.contains('.')
        && host.split('.').all(is_label)
        && host.parse::<IpAddr>().is_err()
        // Browsers parse a host whose last label is a number as an IPv4 address.
        && !host.rsplit('.').next().is_some_and(|last| last.starts_with(|c: char| c.is_ascii_digit()))
        && !host.ends_with(".localhost")
}

/// Builds the content security policy. Without domains, the page has no network access. Frames,
/// plugins, forms and another base address are never allowed.
fn policy_of(connect: &[String], resources: &[String]) -> String {
    let resources = resources.join(" ");
    let connect = match connect {
        [] => "'none'".to_owned(),
        domains => domains.join(" "),
    };
    [
        "default-src 'none'".to_owned(),
        format!("script-src 'unsafe-inline' {resources}"),
        format!("style-src 'unsafe-inline' {resources}"),
        format!("img-src data: blob: {resources}"),
        format!("font-src data: {resources}"),
        format!("media-src data: blob: {resources}"),
        format!("connect-src {connect}"),
        "frame-src 'none'; object-src 'none'; base-uri 'none'; form-action 'none'".to_owned(),
        "sandbox allow-scripts allow-same-origin".to_owned(),
    ]
    .join("; ")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn app(content: Value) -> Result<ToolApp, AppError> {
        let result = json!({"contents": [content]}).to_string();
        read_app("o".into(), &result)
    }

    fn html(text: &str, meta: Value) -> Value {
        json!({"uri": "ui://a", "mimeType": MIME_TYPE, "text": text, "_meta": meta})
    }

    #[test]
    fn app_without_domains_has_no_network() {
        let app = app(html("<p>", json!({}))).expect("an app");
        assert_eq!(app.domains, [""; 0]);
        assert_eq!(app.permissions, [""; 0]);
        for rule in [
            "default-src 'none'",
            "connect-src 'none'",
            "frame-src 'none'",
        ] {
            assert!(app.policy.contains(rule), "{rule}: {}", app.policy);
        }
        assert!(!app.policy.contains("http"), "{}", app.policy);
    }

    #[test]
    fn declared_domains_and_permissions_are_taken() {
        let ui = json!({"ui": {
            "csp": {
                "connectDomains": ["https://api.example.com", "wss://live.example.com:8443"],
                "resourceDomains": ["https://*.example.org", "https://api.example.com"],
                "frameDomains": ["https://www.youtube.com"],
            },
            "permissions": {"camera": {}, "serial": {}},
        }});
        let app = app(html("<p>", ui)).expect("an app");
        assert_eq!(
            app.domains,
            [
                "https://*.example.org",
                "https://api.example.com",
                "wss://live.example.com:8443"
            ]
        );
        assert_eq!(app.permissions, ["camera"]);
        let connect = "connect-src https://api.example.com wss://live.example.com:8443; ";
        assert!(app.policy.contains(connect), "{}", app.policy);
        assert!(
            app.policy
                .contains("img-src data: blob: https://*.example.org https://api")
        );
        assert!(app.policy.contains("frame-src 'none'"), "{}", app.policy);
    }

    #[test]
    fn domains_that_loosen_the_policy_are_dropped() {
        for domain in [
            "*",
            "https:",
            "https://*",
            "https://*.",
            "https://*.com.",
            "http://example.com",
            "https://example.com; script-src *",
            "https://example.com 'unsafe-eval'",
            "https://example.com\nx",
            "https://example.com/path",
            "https://user@example.com",
            "https://localhost",
            "https://x.localhost",
            "https://127.0.0.1:19999",
            "https://0x7f.1",
            "https://[::1]",
            "ipc://localhost",
            "tauri://localhost",
            "data:",
        ] {
            assert!(!is_usable(domain), "{domain}");
        }
        let long = format!("https://{}.example.com", "a".repeat(DOMAIN_MAX));
        assert!(!is_usable(&long));
    }

    #[test]
    fn resource_of_another_kind_is_refused() {
        let plain = json!({"uri": "ui://a", "mimeType": "text/html", "text": "<p>"});
        assert!(matches!(app(plain), Err(AppError::Unusable(_))));
        let empty = json!({"uri": "ui://a", "mimeType": MIME_TYPE});
        assert!(matches!(app(empty), Err(AppError::Unusable(_))));
        assert!(matches!(
            read_app("o".into(), "[]"),
            Err(AppError::Unusable(_))
        ));
        let large = html(&"a".repeat(HTML_MAX + 1), json!({}));
        assert_eq!(app(large), Err(AppError::TooLarge(8)));
        let blob = json!({"mimeType": MIME_TYPE, "blob": STANDARD.encode("<p>")});
        assert_eq!(app(blob).map(|app| app.html), Ok("<p>".to_owned()));
    }

    #[test]
    fn apps_have_different_origins() {
        let chart = origin_of("a", "ui://chart");
        assert_eq!(chart.len(), 32);
        assert_ne!(chart, origin_of("b", "ui://chart"));
        assert_ne!(chart, origin_of("a", "ui://table"));
    }
}
