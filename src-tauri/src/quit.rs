//! The end of the program: the window goes at once, the members within their limit, then the
//! process. Each way to quit (the window's close button, the system, a signal) comes through
//! [`begin`].

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use guild_engine::Hall;
use tauri::{AppHandle, Manager, async_runtime};

/// The engine ends everything within 5 s by itself; past this the program ends regardless.
const LIMIT: Duration = Duration::from_secs(6);

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

/// Begins to quit, unless that has begun. Says whether the program has to stay for now.
pub(crate) fn begin(app: &AppHandle) -> bool {
    // Without a hall there is nothing to end: the window shows why there is none.
    let Some(quit) = app.try_state::<Quit>() else {
        return false;
    };
    match quit.enter(Stage::Ending) {
        Stage::Ended => return false,
        Stage::Ending => return true,
        Stage::Running => {}
    }
    for window in app.webview_windows().values() {
        if let Err(error) = window.hide() {
            tracing::warn!(%error, "the window could not be hidden");
        }
    }
    let app = app.clone();
    let hall = quit.hall.clone();
    async_runtime::spawn(async move {
        if tokio::time::timeout(LIMIT, hall.shutdown()).await.is_err() {
            tracing::error!("some members did not end within {LIMIT:?}");
        }
        app.state::<Quit>().enter(Stage::Ended);
        app.exit(0);
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
