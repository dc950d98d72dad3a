//! The page that the window shows if the hall could not be opened.
//!
//! A user who starts the app from the desktop does not see stderr. The page is generated here,
//! because the UI does not work without a hall. For the same reason, the page contains the
//! explanation of the error code instead of a link to the documentation.

use guild_model::error::Report;
use tauri::http::{Response, header};
use tauri::{AppHandle, Manager, WebviewUrl};

use crate::markup::escape;
use crate::window;
use crate::words;

/// The scheme of the page's address.
pub(crate) const SCHEME: &str = "guild-failure";

/// The reason why the hall could not be opened.
struct StartupFailure(Report);

/// Opens a window that shows why the hall could not be opened.
pub(crate) fn show(app: &AppHandle, report: Report) -> Result<(), Box<dyn std::error::Error>> {
    tracing::error!(code = report.code.as_str(), "{}", report.message);
    eprintln!("{}: {report}", words::NOT_OPENED);
    app.manage(StartupFailure(report));
    let address = format!("{SCHEME}://localhost/").parse()?;
    window::builder(app, WebviewUrl::CustomProtocol(address))
        .build()?
        .show()?;
    Ok(())
}

/// Returns the page at the scheme's address.
pub(crate) fn page(app: &AppHandle) -> Response<Vec<u8>> {
    let failure = app.try_state::<StartupFailure>();
    response(failure.map(|failure| html(&failure.0)))
}

/// Returns a response with a page that is not allowed to run scripts or load anything.
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
    let title = escape(words::NOT_OPENED);
    let (message, hint) = (escape(&report.message), escape(&report.hint));
    let code = report.code.as_str();
    let explanation = report.code.explanation();
    let explanation: String = explanation
        .iter()
        .map(|paragraph| format!("<p>{}</p>", marked(paragraph)))
        .collect();
    format!(
        "<!doctype html><html lang=en><meta charset=utf-8>\
         <meta name=color-scheme content=\"light dark\"><title>Guild Hall</title>\
         <style>body{{font:14px/1.5 system-ui,sans-serif;max-width:40rem;margin:4rem auto;\
         padding:0 1rem;overflow-wrap:anywhere}}h1{{font-size:1.2rem}}h2{{font-size:1rem;\
         margin-block-start:2rem}}</style>\
         <main><div role=alert><h1>{title}</h1><p>{message}</p><p>{hint}</p></div>\
         <h2><code>{code}</code></h2>{explanation}</main>"
    )
}

/// Converts a paragraph of the documentation to HTML, including code spans and emphasis.
fn marked(paragraph: &str) -> String {
    let escaped = escape(paragraph);
    let parts = escaped.split('`').enumerate();
    let parts = parts.map(|(at, part)| match at % 2 {
        0 => stressed(part),
        _ => format!("<code>{part}</code>"),
    });
    parts.collect()
}

fn stressed(text: &str) -> String {
    let parts = text.split('*').enumerate();
    let parts = parts.map(|(at, part)| match at % 2 {
        0 => part.to_owned(),
        _ => format!("<em>{part}</em>"),
    });
    parts.collect()
}

#[cfg(test)]
mod tests {
    use guild_model::error::Code;

    use super::*;

    #[test]
    fn failure_page_has_message_advice_and_docs() {
        let report = Report::new(
            Code::MembersFolderUnreadable,
            "can't read <b>/m</b>",
            "choose another folder",
        );
        let html = html(&report);
        for expected in [
            "could not open",
            "Cause.",
            "Fix.",
            "can't read &lt;b&gt;/m&lt;/b&gt;",
            "choose another folder",
            "members-folder-unreadable",
        ] {
            assert!(html.contains(expected), "{expected}: {html}");
        }
    }

    #[test]
    fn code_and_stress_are_marked_in_what_the_docs_say_of_any_code() {
        for code in Code::ALL {
            for paragraph in code.explanation() {
                let plain: String = paragraph.split('`').step_by(2).collect();
                assert_eq!(paragraph.matches('`').count() % 2, 0, "{paragraph}");
                assert_eq!(plain.matches('*').count() % 2, 0, "{paragraph}");
                assert!(!marked(&paragraph).contains('`'), "{paragraph}");
            }
        }
        assert_eq!(
            marked("see *Here* or `a < *b*`"),
            "see <em>Here</em> or <code>a &lt; *b*</code>"
        );
    }
}
