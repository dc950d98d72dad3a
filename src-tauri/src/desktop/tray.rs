//! The tray icon on a freedesktop desktop: a StatusNotifierItem on the session bus.
//!
//! The tray is not polled. A signal notifies the desktop of a change, and the desktop then reads
//! the new state.

use std::time::Duration;

use guild_api::desktop::tray::TrayStatus;
use guild_api::messages::{DesktopError, DesktopErrorCause};
use guild_model::{Code, Report};
use ksni::menu::StandardItem;
use ksni::{Category, Handle, Icon, MenuItem, OfflineReason, Status, ToolTip, TrayMethods};
use tauri::AppHandle;
use tokio::sync::{mpsc, watch};
use tokio::time::timeout;

use super::icon;
use super::menu::{DesktopAction, TrayContent, TrayMenuItem};
use crate::markup::escape;

/// Timeout of a request on the bus.
const LIMIT: Duration = Duration::from_secs(10);

/// An icon that is offered to the desktop's tray.
pub(super) struct Tray {
    item: Handle<TrayItem>,
    /// Whether a tray shows the icon.
    host: watch::Receiver<bool>,
}

impl Tray {
    /// Offers an icon to the desktop, even if no tray shows it yet, because after a login the tray
    /// may start later than other programs.
    pub(super) async fn offer(
        _: &AppHandle,
        content: TrayContent,
        actions: mpsc::Sender<DesktopAction>,
    ) -> Result<Self, Report> {
        let (hosted, host) = watch::channel(true);
        let item = TrayItem {
            content,
            actions,
            host: hosted,
        };
        let spawned = item.assume_sni_available(true).spawn();
        match timeout(LIMIT, spawned).await {
            Ok(Ok(item)) => Ok(Self { item, host }),
            Ok(Err(error)) => Err(missing(&error.to_string())),
            Err(_) => Err(missing(&DesktopErrorCause::NoBus)),
        }
    }

    /// Returns a receiver of whether a tray shows the icon.
    pub(super) fn host(&self) -> watch::Receiver<bool> {
        self.host.clone()
    }

    /// Updates the icon and its menu.
    pub(super) async fn show(&self, content: TrayContent) {
        let update = self.item.update(|item| item.content = content);
        if timeout(LIMIT, update).await.is_err() {
            tracing::warn!("the tray icon could not be updated");
        }
    }

    /// Removes the icon.
    pub(super) async fn leave(self) {
        if timeout(LIMIT, self.item.shutdown()).await.is_err() {
            tracing::warn!("the tray icon could not be removed");
        }
    }
}

/// Returns the report for a missing tray.
pub(super) fn missing(problem: &impl ToString) -> Report {
    let trouble = DesktopError::Tray(problem.to_string());
    Report::from_error(Code::TrayMissing, &trouble)
}

struct TrayItem {
    content: TrayContent,
    actions: mpsc::Sender<DesktopAction>,
    host: watch::Sender<bool>,
}

impl TrayItem {
    /// Queues an action. If the queue is full, the action is dropped.
    fn send(&self, action: DesktopAction) {
        if let Err(error) = self.actions.try_send(action) {
            tracing::warn!(%error, "an action from the tray was dropped");
        }
    }
}

impl ksni::Tray for TrayItem {
    fn id(&self) -> String {
        "org.guildhall.desktop".to_owned()
    }

    fn title(&self) -> String {
        "Guild Hall".to_owned()
    }

    fn category(&self) -> Category {
        Category::ApplicationStatus
    }

    fn status(&self) -> Status {
        match self.content.mood {
            TrayStatus::NeedsYou => Status::NeedsAttention,
            TrayStatus::Well | TrayStatus::Working | TrayStatus::Error => Status::Active,
        }
    }

    fn icon_pixmap(&self) -> Vec<Icon> {
        pixmaps(self.content.mood)
    }

    fn attention_icon_pixmap(&self) -> Vec<Icon> {
        pixmaps(self.content.mood)
    }

    fn tool_tip(&self) -> ToolTip {
        ToolTip {
            title: "Guild Hall".to_owned(),
            description: escape(&self.content.state),
            ..ToolTip::default()
        }
    }

    fn activate(&mut self, _x: i32, _y: i32) {
        self.send(DesktopAction::Open);
    }

    fn menu(&self) -> Vec<MenuItem<Self>> {
        self.content.menu.iter().map(line).collect()
    }

    fn watcher_online(&self) {
        self.host.send_replace(true);
    }

    fn watcher_offline(&self, reason: OfflineReason) -> bool {
        tracing::info!(?reason, "no desktop shows the tray's icon");
        self.host.send_replace(false);
        // `true` keeps the icon registered, so that it is offered again once a tray appears.
        true
    }
}

fn line(line: &TrayMenuItem) -> MenuItem<TrayItem> {
    match line {
        TrayMenuItem::Separator => MenuItem::Separator,
        TrayMenuItem::Text(text) => StandardItem {
            label: label(text),
            enabled: false,
            ..StandardItem::default()
        }
        .into(),
        TrayMenuItem::Choice(text, action) => {
            let action = action.clone();
            StandardItem {
                label: label(text),
                activate: Box::new(move |item: &mut TrayItem| item.send(action.clone())),
                ..StandardItem::default()
            }
            .into()
        }
    }
}

/// Returns the label of a menu item, in which `_` is doubled. A single `_` would mark a shortcut
/// key.
fn label(text: &str) -> String {
    text.replace('_', "__")
}

fn pixmaps(mood: TrayStatus) -> Vec<Icon> {
    let drawn = icon::SIZES.map(|size| {
        let mut data = icon::rgba(mood, size);
        for pixel in data.chunks_exact_mut(4) {
            // Converts RGBA to ARGB.
            pixel.rotate_right(1);
        }
        Icon {
            width: i32::from(size),
            height: i32::from(size),
            data,
        }
    });
    drawn.to_vec()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_shown_as_it_is() {
        assert_eq!(label("read_all"), "read__all");
    }

    #[test]
    fn a_picture_is_handed_over_with_its_opacity_first() {
        let pixmaps = pixmaps(TrayStatus::Well);
        assert_eq!(pixmaps.len(), icon::SIZES.len());
        let large = pixmaps.last().expect("one");
        let pixel = |x: usize, y: usize| &large.data[(y * 48 + x) * 4..][..4];
        assert_eq!(pixel(0, 0)[0], 0, "the corner is clear");
        assert_eq!(pixel(24, 45)[0], 0xff, "the tile is not");
    }
}
