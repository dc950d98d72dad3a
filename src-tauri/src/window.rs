//! The window: its page, the data for its first paint, and the addresses that it may open.

use guild_api::wire::{AppInfo, RosterView, SettingsState};
use guild_model::settings::ThemeChoice;
use serde::Serialize;
use tauri::webview::{Color, NewWindowResponse, PageLoadEvent};
use tauri::{
    AppHandle, LogicalSize, Manager, Runtime, Theme, Url, WebviewUrl, WebviewWindowBuilder,
};

use crate::apps::AppDocuments;
use crate::desktop::Outside;
use crate::frames::{self, FrameKeeper};
use crate::quit;
use crate::showing::PendingScripts;

/// The label of the window in Tauri's capability file.
pub(crate) const LABEL: &str = "main";

/// Minimum size of the window, in logical pixels.
pub(crate) const LEAST: LogicalSize<f64> = LogicalSize::new(480.0, 360.0);

const TITLE: &str = "Guild Hall";

/// The content of the page's `window.__GUILD_HALL__`.
#[derive(Serialize)]
struct WindowInitialState<'a> {
    roster: &'a RosterView,
    info: &'a AppInfo,
    settings: &'a SettingsState,
}

/// Opens the window of a hall at its last position. If `hidden` is true, the window is not shown.
pub(crate) fn open(
    app: &AppHandle,
    roster: &RosterView,
    info: &AppInfo,
    settings: &SettingsState,
    hidden: bool,
) -> Result<(), Box<dyn std::error::Error>> {
    let opening = serde_json::to_string(&WindowInitialState {
        roster,
        info,
        settings,
    })?;
    let script = format!("window.__GUILD_HALL__ = {};", escape_for_script(&opening));
    let window = builder(app, WebviewUrl::App("index.html".into()))
        .initialization_script(script)
        .on_page_load(|window, payload| {
            if payload.event() == PageLoadEvent::Started
                && let Some(showing) = window.try_state::<PendingScripts>()
            {
                showing.page_begins();
            }
        })
        .build()?;
    // The theme of the system is known only after the window is created. The page is not drawn
    // before that.
    let theme = match settings.settings.appearance.theme {
        ThemeChoice::System => window.theme()?,
        ThemeChoice::Light | ThemeChoice::ContrastLight => Theme::Light,
        ThemeChoice::Dark | ThemeChoice::ContrastDark => Theme::Dark,
    };
    window.set_background_color(Some(background(theme)))?;
    if let Some(keeper) = app.try_state::<FrameKeeper>() {
        frames::restore(&window, &keeper);
    }
    if !hidden {
        window.show()?;
    }
    Ok(())
}

/// Shows the window in front of all others.
pub(crate) fn bring_up(app: &AppHandle) {
    // A window that is shown now would disappear at once, because the program is ending.
    if quit::has_begun(app) {
        return;
    }
    let Some(window) = app.get_webview_window(LABEL) else {
        return;
    };
    let was_hidden = is_hidden(app);
    let shown = window
        .unminimize()
        .and_then(|()| window.show())
        .and_then(|()| window.set_focus());
    if let Err(error) = shown {
        tracing::warn!(%error, "the window could not be brought up");
    }
    if was_hidden && let Some(keeper) = app.try_state::<FrameKeeper>() {
        // The desktop would choose the position of a window that was hidden, and the display on
        // which the window was may no longer exist.
        frames::restore(&window, &keeper);
    }
}

/// Hides the window. The program keeps running.
pub(crate) fn hide(app: &AppHandle) {
    let Some(window) = app.get_webview_window(LABEL) else {
        return;
    };
    frames::keep(app);
    if let Err(error) = window.hide() {
        tracing::warn!(%error, "the window could not be hidden");
    }
    if let Some(outside) = app.try_state::<Outside>() {
        outside.look(false);
    }
}

pub(crate) fn is_hidden(app: &AppHandle) -> bool {
    let window = app.get_webview_window(LABEL);
    window.is_some_and(|window| !window.is_visible().unwrap_or(true))
}

/// Returns a builder for a hidden window that can only load `url` and the app's own pages.
pub(crate) fn builder<R: Runtime>(
    app: &AppHandle<R>,
    url: WebviewUrl,
) -> WebviewWindowBuilder<'_, R, AppHandle<R>> {
    let dev_server = app.config().build.dev_url.clone().filter(|_| cfg!(dev));
    let documents = app.clone();
    WebviewWindowBuilder::new(app, LABEL, url)
        .title(TITLE)
        .inner_size(1_280.0, 800.0)
        .min_inner_size(LEAST.width, LEAST.height)
        .visible(false)
        .on_navigation(move |url| {
            // On Linux and macOS, this check also applies to frames.
            let is_app = || {
                let documents = documents.try_state::<AppDocuments>();
                documents.is_some_and(|documents| documents.has(url))
            };
            let allowed = is_own_page(url, dev_server.as_ref()) || is_app();
            if !allowed {
                tracing::warn!(%url, "the window stays where it is");
            }
            allowed
        })
        .on_new_window(|url, _| {
            tracing::warn!(%url, "no second window is opened");
            NewWindowResponse::Deny
        })
}

/// Whether `url` is one of the app's own pages.
fn is_own_page(url: &Url, dev_server: Option<&Url>) -> bool {
    match (url.scheme(), url.host_str()) {
        ("tauri" | crate::failure::SCHEME, Some("localhost")) => true,
        // Windows does not support custom schemes, so Tauri uses this host there.
        ("http" | "https", Some("tauri.localhost")) => cfg!(windows),
        _ => dev_server.is_some_and(|server| server.origin() == url.origin()),
    }
}

/// Returns the color of the window until the page is drawn. It equals `--bg` in the UI's
/// `theme.css`.
fn background(theme: Theme) -> Color {
    match theme {
        Theme::Dark => Color(0x16, 0x18, 0x1c, 0xff),
        _ => Color(0xff, 0xff, 0xff, 0xff),
    }
}

/// Escapes JSON for use in a script element: `</script>`, `<!--`, and line separators, which end a
/// string literal in old engines.
pub(crate) fn escape_for_script(json: &str) -> String {
    let mut escaped = String::with_capacity(json.len());
    for character in json.chars() {
        match character {
            '<' => escaped.push_str("\\u003c"),
            '\u{2028}' => escaped.push_str("\\u2028"),
            '\u{2029}' => escaped.push_str("\\u2029"),
            other => escaped.push(other),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    fn url(text: &str) -> Url {
        Url::parse(text).expect("a URL")
    }

    #[test]
    fn foreign_text_can_not_end_the_script() {
        let json = serde_json::to_string("</script><!-- \u{2028}\u{2029}").expect("JSON");
        let escaped = escape_for_script(&json);
        assert_eq!(escaped, r#""\u003c/script>\u003c!-- \u2028\u2029""#);
        let back: String = serde_json::from_str(&escaped).expect("it is still JSON");
        assert_eq!(back, "</script><!-- \u{2028}\u{2029}", "it means the same");
    }

    #[test]
    fn the_window_never_leaves_the_app() {
        for own in ["tauri://localhost", "tauri://localhost/index.html#x"] {
            assert!(is_own_page(&url(own), None), "{own} is the app");
        }
        for foreign in [
            "https://example.com/",
            "http://127.0.0.1:20000/mcp",
            "file:///etc/passwd",
            "data:text/html,hello",
            "about:blank",
            "tauri://elsewhere/",
            "javascript:alert(1)",
        ] {
            assert!(
                !is_own_page(&url(foreign), None),
                "{foreign} is not the app"
            );
        }
    }

    #[test]
    fn a_developers_server_counts_only_where_it_is_configured() {
        let server = url("http://127.0.0.1:5173/");
        let page = url("http://127.0.0.1:5173/index.html");
        assert!(is_own_page(&page, Some(&server)));
        assert!(!is_own_page(&page, None));
        assert!(!is_own_page(&url("http://127.0.0.1:5174/"), Some(&server)));
    }
}
