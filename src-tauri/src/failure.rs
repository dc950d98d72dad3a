//! What the window shows when the hall could not be opened.
//!
//! Someone who started the app by a double click sees no stderr. The page is written here, not in
//! the UI, because the UI can do nothing without a hall.

use guild_core::error::Report;
use tauri::http::{Response, header};
use tauri::{AppHandle, Manager, WebviewUrl};

use crate::window;

/// The scheme of the page's address.
pub(crate) const SCHEME: &str = "guild-failure";

/// Why there is no hall.
struct Failure(Report);

/// Opens a window that says why there is no hall.
pub(crate) fn show(app: &AppHandle, report: Report) -> Result<(), Box<dyn std::error::Error>> {
    tracing::error!(code = report.code.as_str(), "{}", report.message);
    eprintln!("Guild Hall could not open: {report}");
    app.manage(Failure(report));
    let address = format!("{SCHEME}://localhost/").parse()?;
    window::builder(app, WebviewUrl::CustomProtocol(address))
        .build()?
        .show()?;
    Ok(())
}

/// The page at the scheme's address.
pub(crate) fn page(app: &AppHandle) -> Response<Vec<u8>> {
    response(app.try_state::<Failure>().map(|failure| html(&failure.0)))
}

/// A page of the shell's own: it may run nothing, and load nothing.
pub(crate) fn response(html: Option<String>) -> Response<Vec<u8>> {
    let mut response = Response::new(html.unwrap_or_default().into_bytes());
    let headers = response.headers_mut();
    headers.insert(
        header::CONTENT_TYPE,
        header::HeaderValue::from_static("text/html; charset=utf-8"),
    );
    headers.insert(
        header::CONTENT_SECURITY_POLICY,
        header::HeaderValue::from_static("default-src 'none'; style-src 'unsafe-inline'"),
    );
    response
}

fn html(report: &Report) -> String {
    let message = escape(&report.message);
    let hint = escape(&report.hint);
    let code = report.code.as_str();
    format!(
        "<!doctype html><html lang=en><meta charset=utf-8>\
         <meta name=color-scheme content=\"light dark\"><title>Guild Hall</title>\
         <style>body{{font:14px/1.5 system-ui,sans-serif;max-width:40rem;margin:4rem auto;\
         padding:0 1rem;overflow-wrap:anywhere}}h1{{font-size:1.2rem}}</style>\
         <main role=alert><h1>Guild Hall could not open</h1><p>{message}</p><p>{hint}</p>\
         <p><code>{code}</code></p></main>"
    )
}

/// Text as it is written in a page.
pub(crate) fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use guild_core::error::Code;

    use super::*;

    #[test]
    fn the_page_says_what_happened_and_what_to_do() {
        let html = html(&Report::new(
            Code::MembersFolderUnreadable,
            "can't read <b>/m</b>",
            "choose another folder",
        ));
        assert!(html.contains("can't read &lt;b&gt;/m&lt;/b&gt;"), "{html}");
        assert!(html.contains("choose another folder"), "{html}");
        assert!(html.contains("members-folder-unreadable"), "{html}");
    }
}
