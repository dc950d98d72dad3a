//! Saves the window's position, and restores it on the available displays.

use std::time::Duration;

use guild_api::desktop::window_geometry::{Area, Frame, WindowGeometryHistory};
use guild_engine::GuildHall;
use parking_lot::Mutex;
use tauri::{
    AppHandle, Manager, Monitor, PhysicalPosition, PhysicalSize, WebviewWindow, async_runtime,
};
use tokio::sync::Notify;
use tokio::time::timeout;

use crate::window;

/// How long the window must not move before its position is saved.
const REST: Duration = Duration::from_secs(1);

/// The saved positions of the window.
#[derive(Debug)]
pub(crate) struct FrameKeeper {
    kept: Mutex<WindowFrameState>,
    moved: Notify,
}

#[derive(Debug)]
struct WindowFrameState {
    frames: WindowGeometryHistory,
    /// The last area of the window while it was not maximized.
    area: Option<Area>,
}

impl FrameKeeper {
    /// Reads the saved positions.
    pub(crate) fn of(hall: &GuildHall) -> Self {
        Self {
            kept: Mutex::new(WindowFrameState {
                frames: hall.window_frames(),
                area: None,
            }),
            moved: Notify::new(),
        }
    }

    /// Records that the window was moved or resized.
    pub(crate) fn moved(&self) {
        self.moved.notify_one();
    }
}

/// Restores the position of a window that is not visible yet. If the system does not let programs
/// set a property, the property stays as it is.
pub(crate) fn restore(window: &WebviewWindow, keeper: &FrameKeeper) {
    let displays = displays(window);
    let scale = window.scale_factor().unwrap_or(1.0);
    let least: PhysicalSize<u32> = window::LEAST.to_physical(scale);
    let mut kept = keeper.kept.lock();
    let Some(frame) = kept.frames.placed(&displays, (least.width, least.height)) else {
        return;
    };
    let Frame { area, maximised } = frame;
    kept.area = Some(area);
    let placed = window
        .set_size(PhysicalSize::new(area.width, area.height))
        .and_then(|()| window.set_position(PhysicalPosition::new(area.x, area.y)))
        .and_then(|()| if maximised { window.maximize() } else { Ok(()) });
    if let Err(error) = placed {
        tracing::debug!(%error, "the window's position could not be restored");
    }
}

/// Saves the window's position whenever the window has stopped moving.
pub(crate) fn follow(app: &AppHandle, hall: GuildHall) {
    let app = app.clone();
    async_runtime::spawn(async move {
        loop {
            let Some(keeper) = app.try_state::<FrameKeeper>() else {
                return;
            };
            keeper.moved.notified().await;
            // While the window is being dragged, it moves again and again.
            while timeout(REST, keeper.moved.notified()).await.is_ok() {}
            // This waits for the main thread, so it runs on a blocking thread.
            let of = app.clone();
            let noted = async_runtime::spawn_blocking(move || note(&of)).await;
            if let Ok(Some(frames)) = noted {
                write(hall.clone(), frames).await;
            }
        }
    });
}

/// Saves the window's position before the window is hidden.
pub(crate) fn keep(app: &AppHandle) {
    if let (Some(frames), Some(hall)) = (note(app), app.try_state::<GuildHall>()) {
        async_runtime::spawn(write(hall.inner().clone(), frames));
    }
}

/// Records the window's current position. Returns the positions to write if they changed.
pub(crate) fn note(app: &AppHandle) -> Option<WindowGeometryHistory> {
    let keeper = app.try_state::<FrameKeeper>()?;
    let window = app.get_webview_window(window::LABEL)?;
    // The position of a hidden or minimized window is not valid.
    if !window.is_visible().ok()? || window.is_minimized().ok()? {
        return None;
    }
    // A full-screen window is restored as a maximized one. Only on macOS does Tauri detect a full
    // screen that was set by the desktop. On other systems, it returns the last state that the
    // program requested.
    let filled = window.is_fullscreen().ok()? || window.is_maximized().ok()?;
    let (at, size) = (window.outer_position().ok()?, window.inner_size().ok()?);
    let displays = displays(&window);
    let mut kept = keeper.kept.lock();
    if !filled {
        kept.area = Some(Area {
            x: at.x,
            y: at.y,
            width: size.width,
            height: size.height,
        });
    }
    let frame = Frame {
        area: kept.area?,
        maximised: filled,
    };
    kept.frames
        .keep(&displays, frame)
        .then(|| kept.frames.clone())
}

/// Writes the positions to their file.
pub(crate) async fn write(hall: GuildHall, frames: WindowGeometryHistory) {
    let writing = async_runtime::spawn_blocking(move || hall.keep_window_frames(&frames));
    if let Err(error) = writing.await {
        tracing::warn!(%error, "the window's position is not saved");
    }
}

fn displays(window: &WebviewWindow) -> Vec<Area> {
    let monitors = window.available_monitors().unwrap_or_default();
    let area = |monitor: &Monitor| Area {
        x: monitor.position().x,
        y: monitor.position().y,
        width: monitor.size().width,
        height: monitor.size().height,
    };
    monitors.iter().map(area).collect()
}
