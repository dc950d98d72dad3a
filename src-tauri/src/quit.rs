//! Ends the program: the window is hidden, the page saves its unsaved input, the members are
//! stopped, and the process exits. Each of these steps has a time limit. Each way to quit (the
//! window's close button, the system, a signal) uses [`begin_with`].
//!
//! The main thread owns the windows, and hangs if the display hangs. Therefore each step that waits
//! for the main thread has a time limit, and the process always ends.

use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use guild_api::desktop::window_geometry::WindowGeometryHistory;
use guild_engine::GuildHall;
use parking_lot::Mutex;
use tauri::{AppHandle, Manager, async_runtime};
use tokio::sync::oneshot;
use tokio::time::timeout;

use crate::{Signals, frames};

/// Time limit for the shutdown of the engine, which itself takes at most 5 s. Afterwards, the
/// program ends in any case.
const LIMIT: Duration = Duration::from_millis(5_500);
/// Time limit for the main thread to end the process, once the engine has shut down or reached its
/// limit.
const PROCESS: Duration = Duration::from_millis(500);
/// Time limit for saving the data of the windows, before the engine shuts down.
const FAREWELL: Duration = Duration::from_millis(700);
/// Time limit for writing the last line of the log.
const LOG: Duration = Duration::from_millis(50);
/// Time limit for the page to save its drafts.
const DRAFTS: Duration = Duration::from_millis(300);
/// The script that notifies the page's bridge of the end of the program.
const LAST_WORDS: &str = r#"window.dispatchEvent(new Event("guild-hall-ends"))"#;

/// The progress of the shutdown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum QuitStage {
    Running,
    Ending,
    Ended,
}

/// The hall to shut down before the program may end.
pub(crate) struct Quit {
    hall: GuildHall,
    stage: Mutex<QuitStage>,
}

impl Quit {
    /// Creates the state of a program that runs `hall`.
    pub(crate) fn of(hall: GuildHall) -> Self {
        Self {
            hall,
            stage: Mutex::new(QuitStage::Running),
        }
    }

    fn stage(&self) -> QuitStage {
        *self.stage.lock()
    }

    /// Changes the stage to `next`. Returns the previous stage.
    fn enter(&self, next: QuitStage) -> QuitStage {
        let mut stage = self.stage.lock();
        match (*stage, next) {
            (QuitStage::Running, _) | (QuitStage::Ending, QuitStage::Ended) => {
                std::mem::replace(&mut *stage, next)
            }
            (before, _) => before,
        }
    }
}

/// Whether the shutdown has begun.
pub(crate) fn has_begun(app: &AppHandle) -> bool {
    let quit = app.try_state::<Quit>();
    quit.is_some_and(|quit| quit.stage() != QuitStage::Running)
}

/// Asks the page to save its drafts.
pub(crate) fn keep_drafts(app: &AppHandle) {
    for window in app.webview_windows().values() {
        if let Err(error) = window.eval(LAST_WORDS) {
            tracing::warn!(%error, "the page could not be asked to save its drafts");
        }
    }
}

/// Begins to quit, unless that has already begun. Returns true if the program has to keep running
/// for now.
pub(crate) fn begin(app: &AppHandle) -> bool {
    begin_with(app, 0)
}

/// Like [`begin`], with an exit code.
pub(crate) fn begin_with(app: &AppHandle, code: i32) -> bool {
    // Without a hall, there is nothing to shut down. The window then shows why the hall could not
    // be opened.
    let Some(quit) = app.try_state::<Quit>() else {
        return false;
    };
    match quit.enter(QuitStage::Ending) {
        QuitStage::Ended => return false,
        QuitStage::Ending => return true,
        QuitStage::Running => {}
    }
    cut_off();
    // If the program is started again from now on, the new process waits for the end of this
    // process.
    quit.hall.ends_soon();
    let (say, farewell) = oneshot::channel();
    let (ending, hall) = (app.clone(), quit.hall.clone());
    async_runtime::spawn(async move {
        end(&hall, farewell).await;
        ending.state::<Quit>().enter(QuitStage::Ended);
        ending.exit(code);
    });
    // On the main thread, this runs immediately. It is the last step, because the main thread may
    // hang.
    let leaving = app.clone();
    let asked = app.run_on_main_thread(move || {
        // If this happens after the time limit, the receiver no longer exists.
        let _ = say.send(take_leave(&leaving));
    });
    if let Err(error) = asked {
        tracing::warn!(%error, "the windows could not be notified of the end");
    }
    true
}

/// The data of the windows that has to be saved.
struct Farewell {
    /// The positions of the window, if they have changed.
    frames: Option<WindowGeometryHistory>,
    /// The signal that a page has saved its drafts, if there is a page.
    pages: Option<Arc<Signals>>,
}

/// Hides the windows, and asks their pages to save their drafts. Runs on the main thread.
fn take_leave(app: &AppHandle) -> Farewell {
    let frames = frames::note(app);
    // An earlier signal may come from a page that saved its drafts when the window was hidden.
    let signals = app
        .try_state::<Arc<Signals>>()
        .map(|state| Arc::clone(state.inner()));
    if let Some(signals) = &signals {
        signals.forget_flushed();
    }
    let mut pages = 0;
    for window in app.webview_windows().values() {
        match window.eval(LAST_WORDS) {
            Ok(()) => pages += 1,
            Err(error) => tracing::warn!(%error, "the page could not be notified of the end"),
        }
        if let Err(error) = window.hide() {
            tracing::warn!(%error, "the window could not be hidden");
        }
    }
    Farewell {
        frames,
        pages: signals.filter(|_| pages > 0),
    }
}

/// Waits for the data of the windows, within the time limit. Then shuts down the hall.
async fn end(hall: &GuildHall, farewell: oneshot::Receiver<Farewell>) {
    let kept = keep_last(hall, farewell);
    if timeout(FAREWELL, kept).await.is_err() {
        tracing::warn!("the windows did not save their data in time");
    }
    if timeout(LIMIT, hall.shutdown()).await.is_err() {
        tracing::error!("some members did not end within {LIMIT:?}");
    }
}

async fn keep_last(hall: &GuildHall, farewell: oneshot::Receiver<Farewell>) {
    let Ok(Farewell { frames, pages }) = farewell.await else {
        return;
    };
    if let Some(frames) = frames {
        let writing = frames::write(hall.clone(), frames);
        if timeout(DRAFTS, writing).await.is_err() {
            tracing::warn!("the window's position could not be written in time");
        }
    }
    if let Some(signals) = pages {
        let flushed = signals.drafts_flushed.notified();
        if timeout(DRAFTS, flushed).await.is_err() {
            tracing::warn!("the page did not report in time that its drafts are saved");
        }
    }
}

/// Ends the process after the time limit, from a separate thread, because the main thread and the
/// async runtime may hang. The watchdog then ends the members that are left.
fn cut_off() {
    let until = Instant::now() + FAREWELL + LIMIT + PROCESS;
    let cutting = thread::Builder::new().name("end".into()).spawn(move || {
        // A parked thread may wake up before the time.
        while let Some(left) = until.checked_duration_since(Instant::now()) {
            thread::park_timeout(left);
        }
        tracing::error!("the program did not end by itself");
        // This gives the log's thread time to write the line.
        thread::park_timeout(LOG);
        guild_engine::end_this_process();
    });
    if let Err(error) = cutting {
        tracing::warn!(%error, "the time limit for ending the program could not be started");
    }
}

/// Quits when the system sends a signal to end.
pub(crate) fn on_signals(app: &AppHandle) {
    let app = app.clone();
    async_runtime::spawn(async move {
        match asked_to_end().await {
            Ok(()) => {
                begin(&app);
            }
            Err(error) => tracing::warn!(%error, "signals can't be listened to"),
        }
    });
}

#[cfg(unix)]
async fn asked_to_end() -> std::io::Result<()> {
    use tokio::signal::unix::{SignalKind, signal};

    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    let mut hang_up = signal(SignalKind::hangup())?;
    tokio::select! {
        _ = terminate.recv() => {}
        _ = interrupt.recv() => {}
        _ = hang_up.recv() => {}
    }
    Ok(())
}

#[cfg(not(unix))]
async fn asked_to_end() -> std::io::Result<()> {
    tokio::signal::ctrl_c().await
}

#[cfg(test)]
mod tests {
    use std::env;
    use std::fs;
    use std::process;

    use guild_engine::{GuildHallOptions, Paths};

    use super::*;

    /// Upper bound for the end, far longer than expected.
    const PATIENCE: Duration = Duration::from_secs(60);

    #[tokio::test]
    async fn windows_that_never_answer_keep_the_hall_from_nothing() {
        let root = env::temp_dir().join(format!("guild-hall-quit-{}", process::id()));
        let paths = || Paths {
            members_dir: root.join("members"),
            data_dir: root.join("data"),
            cache_dir: None,
        };
        fs::create_dir_all(paths().members_dir).expect("a folder");
        let hall = GuildHall::open(paths(), GuildHallOptions::default()).await;
        let hall = hall.expect("the hall opens");
        // Simulates a hanging main thread, which sends nothing and keeps the sender.
        let (_hangs, farewell) = oneshot::channel();
        let ended = timeout(PATIENCE, end(&hall, farewell)).await;
        ended.expect("it ends all the same");
        let next = GuildHall::open(paths(), GuildHallOptions::default()).await;
        next.expect("the folder is free").shutdown().await;
        fs::remove_dir_all(&root).expect("the folder goes");
    }
}
