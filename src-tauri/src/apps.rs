//! Serves the pages of apps of members (MCP Apps) to the frames of the window.
//!
//! Each app has its own origin under the scheme [`SCHEME`]. A page is served once, with the content
//! security policy that the engine has built. Only pages that the command `open_app` has announced
//! can be loaded.

use std::collections::VecDeque;

use guild_engine::ToolApp;
use parking_lot::Mutex;
use serde::Serialize;
use tauri::http::{HeaderValue, Response, StatusCode, Uri, header};
use tauri::{AppHandle, Manager, Url};

/// The scheme of the apps' addresses.
pub(crate) const SCHEME: &str = "mcp-app";

/// Maximum number of pages that were announced and not loaded yet. The oldest is dropped first.
const WAITING_MAX: usize = 4;

/// The response of `open_app`.
#[derive(Debug, Serialize)]
pub(crate) struct OpenedApp {
    /// The address of the page, which can be loaded once.
    address: String,
    /// The origin of the page's messages.
    origin: String,
    /// The domains that the page may use.
    domains: Vec<String>,
    /// The permissions that the page requests.
    permissions: Vec<&'static str>,
}

/// The pages that frames have not loaded yet.
#[derive(Debug, Default)]
pub(crate) struct AppDocuments(Mutex<Waiting>);

#[derive(Debug, Default)]
struct Waiting {
    documents: VecDeque<(String, ToolApp)>,
    /// Counts the pages, so that each has its own address.
    opened: u64,
}

impl AppDocuments {
    /// Stores an app's page until a frame loads it.
    pub(crate) fn keep(&self, app: ToolApp) -> OpenedApp {
        // On Windows, custom schemes are not supported, so the scheme is the first label of a host.
        let origin = match cfg!(windows) {
            true => format!("http://{SCHEME}.{}.localhost", app.origin),
            false => format!("{SCHEME}://{}.localhost", app.origin),
        };
        let mut waiting = self.0.lock();
        waiting.opened += 1;
        let address = format!("{origin}/{}", waiting.opened);
        let (domains, permissions) = (app.domains.clone(), app.permissions.clone());
        if waiting.documents.len() == WAITING_MAX {
            waiting.documents.pop_front();
        }
        let path = path_of(&app.origin, waiting.opened);
        waiting.documents.push_back((path, app));
        OpenedApp {
            address,
            origin,
            domains,
            permissions,
        }
    }

    /// Whether a page waits at this address.
    pub(crate) fn has(&self, url: &Url) -> bool {
        let path = path_at(url.as_str());
        path.is_some_and(|path| {
            self.0
                .lock()
                .documents
                .iter()
                .any(|(kept, _)| *kept == path)
        })
    }

    fn take(&self, uri: &Uri) -> Option<ToolApp> {
        let path = path_at(&uri.to_string())?;
        let documents = &mut self.0.lock().documents;
        let at = documents.iter().position(|(kept, _)| *kept == path)?;
        documents.remove(at).map(|(_, app)| app)
    }
}

fn path_of(origin: &str, number: u64) -> String {
    format!("{origin}.localhost/{number}")
}

/// Returns the part of an address that follows the scheme. Both forms of an address that
/// [`AppDocuments::keep`] returns are recognized.
fn path_at(address: &str) -> Option<String> {
    let windows = format!("http://{SCHEME}.");
    let path = address
        .strip_prefix(&windows)
        .filter(|_| cfg!(windows))
        .or_else(|| address.strip_prefix(SCHEME)?.strip_prefix("://"))?;
    Some(path.to_owned())
}

/// Returns the page at an address. Each page can be loaded only once.
pub(crate) fn serve(app: &AppHandle, uri: &Uri) -> Response<Vec<u8>> {
    let documents = app.try_state::<AppDocuments>();
    response(documents.and_then(|documents| documents.take(uri)))
}

fn response(app: Option<ToolApp>) -> Response<Vec<u8>> {
    let found = app.and_then(|app| Some((HeaderValue::from_str(&app.policy).ok()?, app.html)));
    let Some((policy, html)) = found else {
        let mut response = crate::failure::response(None);
        *response.status_mut() = StatusCode::NOT_FOUND;
        return response;
    };
    let mut response = Response::new(html.into_bytes());
    let html = HeaderValue::from_static("text/html; charset=utf-8");
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, html);
    headers.insert(header::CONTENT_SECURITY_POLICY, policy);
    headers.insert(
        header::REFERRER_POLICY,
        HeaderValue::from_static("no-referrer"),
    );
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    fn app(origin: &str) -> ToolApp {
        ToolApp {
            origin: origin.into(),
            html: "<p>".into(),
            policy: "default-src 'none'".into(),
            domains: vec![],
            permissions: vec![],
        }
    }

    #[test]
    fn page_is_served_once_with_its_policy() {
        let documents = AppDocuments::default();
        let opened = documents.keep(app("aa"));
        let url: Url = opened.address.parse().expect("an address");
        let uri: Uri = opened.address.parse().expect("an address");
        assert!(opened.address.starts_with(&opened.origin));
        assert!(documents.has(&url));
        let served = response(documents.take(&uri));
        assert_eq!(served.body(), b"<p>");
        assert_eq!(
            served.headers()[header::CONTENT_SECURITY_POLICY],
            "default-src 'none'"
        );
        assert!(!documents.has(&url));
        let again = response(documents.take(&uri));
        assert_eq!(again.status(), StatusCode::NOT_FOUND);
    }

    #[test]
    fn other_addresses_are_not_apps() {
        let documents = AppDocuments::default();
        documents.keep(app("aa"));
        for other in [
            "mcp-app://aa.localhost/2",
            "mcp-app://bb.localhost/1",
            "tauri://localhost",
        ] {
            assert!(
                !documents.has(&other.parse().expect("an address")),
                "{other}"
            );
        }
    }

    #[test]
    fn waiting_pages_are_limited() {
        let documents = AppDocuments::default();
        let oldest = documents.keep(app("aa"));
        for _ in 0..WAITING_MAX {
            documents.keep(app("aa"));
        }
        assert!(!documents.has(&oldest.address.parse().expect("an address")));
        assert_eq!(documents.0.lock().documents.len(), WAITING_MAX);
    }
}
