//! What the window shows while another program imports settings: until that is done there is no hall.
//!
//! The page is written here, as [`crate::failure`]'s is, and asks the shell for nothing: its one link
//! is an address that ends the program. A start that stays hidden waits without it.

use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};
use tauri::http::Response;
use tauri::webview::NewWindowResponse;
use tauri::{AppHandle, LogicalSize, Manager, Url, WebviewUrl, WebviewWindowBuilder};
use tokio::sync::Notify;

use crate::failure::response;
use crate::markup::escape;
use crate::words;

/// The scheme of the page's address.
pub(crate) const SCHEME: &str = "guild-waiting";
/// No capability names it.
const LABEL: &str = "waiting";
/// Where the link leads that gives up.
const GIVE_UP: &str = "/give-up";
const TITLE: &str = "Guild Hall waits for an import";
const SIZE: LogicalSize<f64> = LogicalSize::new(560.0, 320.0);

/// The process that is waited for.
static IMPORTER: AtomicU32 = AtomicU32::new(0);
static TOLD: Notify = Notify::const_new();

/// Who is waited for, and what for.
struct Awaited {
    importer: u32,
    data_dir: PathBuf,
}

/// Says which process is waited for.
pub(crate) fn tell(importer: u32) {
    tracing::warn!(
        pid = importer,
        "that process imports settings, and is waited for"
    );
    IMPORTER.store(importer, Ordering::Relaxed);
    TOLD.notify_one();
}

/// Waits until one is waited for.
pub(crate) async fn told() -> u32 {
    TOLD.notified().await;
    IMPORTER.load(Ordering::Relaxed)
}

/// Opens a window that says so. Closing it ends the program.
pub(crate) fn show(app: &AppHandle, importer: u32, data_dir: PathBuf) -> tauri::Result<()> {
    app.manage(Awaited { importer, data_dir });
    let address = format!("{SCHEME}://localhost/").parse();
    let address: Url = address.map_err(tauri::Error::InvalidUrl)?;
    let quits = app.clone();
    WebviewWindowBuilder::new(app, LABEL, WebviewUrl::CustomProtocol(address))
        .title(TITLE)
        .inner_size(SIZE.width, SIZE.height)
        .center()
        .on_navigation(move |url| {
            if url.path() == GIVE_UP {
                quits.exit(0);
            }
            url.path() == "/"
        })
        .on_new_window(|_, _| NewWindowResponse::Deny)
        .build()
        .map(drop)
}

/// Closes it: the hall's own window is there, or why there is none.
pub(crate) fn over(app: &AppHandle) {
    let Some(window) = app.get_webview_window(LABEL) else {
        return;
    };
    if let Err(error) = window.destroy() {
        tracing::warn!(%error, "the window that waited could not be closed");
    }
}

/// The page at the scheme's address.
pub(crate) fn page(app: &AppHandle) -> Response<Vec<u8>> {
    response(app.try_state::<Awaited>().map(|awaited| html(&awaited)))
}

fn html(awaited: &Awaited) -> String {
    let who = escape(&format!(
        "Process {} imports settings into the folder {}.",
        awaited.importer,
        awaited.data_dir.display()
    ));
    let quit = words::QUIT;
    format!(
        "<!doctype html><html lang=en><meta charset=utf-8>\
         <meta name=color-scheme content=\"light dark\"><title>{TITLE}</title>\
         <style>body{{font:14px/1.5 system-ui,sans-serif;max-width:40rem;margin:2rem auto;\
         padding:0 1rem;overflow-wrap:anywhere}}h1{{font-size:1.2rem}}progress{{width:100%}}\
         a{{display:inline-block;margin-block-start:1rem;padding:.4rem 1rem;\
         border:1px solid;border-radius:.4rem;color:inherit;text-decoration:none}}</style>\
         <main><div role=status><h1>{TITLE}</h1><p>{who}</p><p>Guild Hall opens as soon as that is done; it waits for a minute at most.</p></div>\
         <progress aria-label=\"{TITLE}\"></progress><p><a href=\"{GIVE_UP}\">{quit}</a></p></main>"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn page_names_the_process_and_offers_to_quit() {
        let page = html(&Awaited {
            importer: 4_711,
            data_dir: "/my/<data>".into(),
        });
        for expected in [
            "Process 4711 imports settings into the folder /my/&lt;data&gt;.",
            ">Quit</a>",
            "href=\"/give-up\"",
        ] {
            assert!(page.contains(expected), "{expected}: {page}");
        }
    }

    #[tokio::test]
    async fn who_is_told_of_is_heard_of_also_afterwards() {
        tell(4_711);
        assert_eq!(told().await, 4_711);
    }
}
