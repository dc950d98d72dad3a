//! The end of the program: the window goes at once, the members within their limit, then the
//! process. Each way to quit (the window's close button, the system, a signal) comes through
//! [`begin_with`]. What was typed last is kept first: the page is asked to, and has a moment for it.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use guild_engine::Hall;
use tauri::{AppHandle, Manager, async_runtime};

use crate::{Signals, frames};

/// The engine ends everything within 5 s by itself; past this the program ends regardless.
const LIMIT: Duration = Duration::from_secs(6);
/// How long the page has to keep what was typed last.
const DRAFTS: Duration = Duration::from_millis(300);
/// What the page is told by: an event that its bridge listens for.
const LAST_WORDS: &str = r#"window.dispatchEvent(new Event("guild-hall-ends"))"#;

/// How far the end of the program has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    Running,
    Ending,
    Ended,
}

/// The hall that has to be shut down before the program may end.
pub(crate) struct Quit {
    hall: Hall,
    stage: Mutex<Stage>,
}

impl Quit {
    /// The end of a program that runs `hall`.
    pub(crate) fn of(hall: Hall) -> Self {
        Self {
            hall,
            stage: Mutex::new(Stage::Running),
        }
    }

    fn stage(&self) -> Stage {
        *self.stage.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Goes to `next`, and says at which stage it was before.
    fn enter(&self, next: Stage) -> Stage {
        let mut stage = self.stage.lock().unwrap_or_else(PoisonError::into_inner);
        match (*stage, next) {
            (Stage::Running, _) | (Stage::Ending, Stage::Ended) => {
                std::mem::replace(&mut *stage, next)
            }
            (before, _) => before,
        }
    }
}

/// Whether the end has begun.
pub(crate) fn has_begun(app: &AppHandle) -> bool {
    let quit = app.try_state::<Quit>();
    quit.is_some_and(|quit| quit.stage() != Stage::Running)
}

/// Has the page keep what was typed last.
pub(crate) fn keep_drafts(app: &AppHandle) {
    for window in app.webview_windows().values() {
        if let Err(error) = window.eval(LAST_WORDS) {
            tracing::warn!(%error, "the page could not be told to keep what was typed");
        }
    }
}

/// Begins to quit, unless that has begun. Says whether the program has to stay for now.
pub(crate) fn begin(app: &AppHandle) -> bool {
    begin_with(app, 0)
}

/// Begins to quit as [`begin`] does; the program's exit code will be `code`.
pub(crate) fn begin_with(app: &AppHandle, code: i32) -> bool {
    // Without a hall there is nothing to end: the window shows why there is none.
    let Some(quit) = app.try_state::<Quit>() else {
        return false;
    };
    match quit.enter(Stage::Ending) {
        Stage::Ended => return false,
        Stage::Ending => return true,
        Stage::Running => {}
    }
    let frames = frames::note(app);
    // Each time the window was hidden before, its page said so too.
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
            Err(error) => tracing::warn!(%error, "the page could not be told of the end"),
        }
        if let Err(error) = window.hide() {
            tracing::warn!(%error, "the window could not be hidden");
        }
    }
    let app = app.clone();
    let hall = quit.hall.clone();
    async_runtime::spawn(async move {
        if let Some(frames) = frames {
            let writing = frames::write(hall.clone(), frames);
            if tokio::time::timeout(DRAFTS, writing).await.is_err() {
                tracing::warn!("where the window was could not be written in time");
            }
        }
        if let Some(signals) = signals.filter(|_| pages > 0) {
            let flushed = signals.drafts_flushed.notified();
            if tokio::time::timeout(DRAFTS, flushed).await.is_err() {
                tracing::warn!("the page did not say that drafts are kept");
            }
        }
        if tokio::time::timeout(LIMIT, hall.shutdown()).await.is_err() {
            tracing::error!("some members did not end within {LIMIT:?}");
        }
        app.state::<Quit>().enter(Stage::Ended);
        app.exit(code);
    });
    true
}

/// Quits when the system asks for it.
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
