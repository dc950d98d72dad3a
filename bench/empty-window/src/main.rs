//! The least that a Tauri app can be: one window, one page, and a line once it is painted.
//!
//! It prints the same milestone as Guild Hall, so that `cargo xtask bench` can divide the one time
//! by the other.

use std::io::Write;
use std::time::Instant;

use tauri::{State, WebviewUrl, WebviewWindowBuilder};

/// Called by the page after its first paint.
#[tauri::command]
fn painted(started: State<'_, Instant>) {
    let ms = started.elapsed().as_millis();
    let mut stdout = std::io::stdout().lock();
    // Without a reader, the benchmark has ended.
    let _ = writeln!(stdout, r#"{{"milestone":"window-ready","ms":{ms}}}"#)
        .and_then(|()| stdout.flush());
}

fn main() -> tauri::Result<()> {
    tauri::Builder::default()
        .manage(Instant::now())
        .invoke_handler(tauri::generate_handler![painted])
        .setup(|app| {
            WebviewWindowBuilder::new(app, "main", WebviewUrl::App("index.html".into()))
                .title("Empty window")
                .inner_size(1_280.0, 800.0)
                .build()?;
            Ok(())
        })
        .run(tauri::generate_context!())
}
