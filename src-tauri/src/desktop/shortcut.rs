//! The global shortcut on X11: keys that work while another program has the focus. The keys are
//! grabbed from the root window, and a separate thread waits until they are pressed. A grab is
//! bound to positions on the keyboard, so the keys are grabbed again when the layout changes.
//!
//! On Wayland, a program does not receive keys that are pressed in other programs. An X11 client on
//! Wayland receives only some of these keys.

use std::sync::Arc;
use std::thread;

use guild_api::messages::{DesktopError, DesktopErrorCause};
use guild_model::{Code, Report};
use tauri::AppHandle;
use tokio::sync::mpsc;
use x11rb::connection::Connection;
use x11rb::errors::ReplyError;
use x11rb::protocol::xproto::{ConnectionExt, GrabMode, Keycode, Mapping, ModMask, Window};
use x11rb::protocol::{ErrorKind, Event};
use x11rb::rust_connection::RustConnection;

use super::keys::Keys;
use super::menu::DesktopAction;

/// The current shortcut, if any.
pub(super) struct ShortcutBinding {
    display: Option<X11Connection>,
    grabbed: Option<Grabbed>,
    listener: ShortcutListener,
}

/// An event of the X11 display that affects the shortcut.
#[derive(Debug)]
pub(super) enum ShortcutChange {
    /// The keyboard layout changed.
    Layout,
    /// The connection was lost. No further events follow.
    Lost(DesktopErrorCause),
}

/// The channels to which events of the display are sent.
#[derive(Debug, Clone)]
struct ShortcutListener {
    pressed: mpsc::Sender<DesktopAction>,
    action: DesktopAction,
    changes: mpsc::Sender<ShortcutChange>,
}

impl ShortcutListener {
    /// Handles events until their receivers are dropped, or the connection is lost.
    fn listen(self, connection: &RustConnection) {
        let lost = loop {
            let has_receiver = match connection.wait_for_event() {
                Ok(Event::KeyPress(_)) => is_received(self.pressed.try_send(self.action.clone())),
                Ok(Event::MappingNotify(mapping)) if mapping.request != Mapping::POINTER => {
                    is_received(self.changes.try_send(ShortcutChange::Layout))
                }
                Ok(_) => true,
                Err(error) => break DesktopErrorCause::Lost(error.to_string()),
            };
            if !has_receiver {
                return;
            }
        };
        let _ = self.changes.blocking_send(ShortcutChange::Lost(lost));
    }
}

/// Whether the receiver still exists. A full queue is not an error, because it already contains the
/// same event: a key that is held down repeats, and a layout changes in several steps.
fn is_received<T>(sent: Result<(), mpsc::error::TrySendError<T>>) -> bool {
    !matches!(sent, Err(mpsc::error::TrySendError::Closed(_)))
}

/// A connection to the display that is only used for the shortcut, so that its thread receives no
/// other events.
struct X11Connection {
    connection: Arc<RustConnection>,
    root: Window,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Grabbed {
    code: Keycode,
    held: ModMask,
}

impl ShortcutBinding {
    /// Creates a binding without keys. Each press of the keys sends `action` to `pressed`.
    /// `changes` receives the events that have to be passed to [`Self::follow`].
    pub(super) fn new(
        _: &AppHandle,
        pressed: mpsc::Sender<DesktopAction>,
        action: DesktopAction,
        changes: mpsc::Sender<ShortcutChange>,
    ) -> Self {
        let listener = ShortcutListener {
            pressed,
            action,
            changes,
        };
        Self {
            display: None,
            grabbed: None,
            listener,
        }
    }

    /// Updates the shortcut after an event of the display. Blocks until the display has responded.
    ///
    /// # Errors
    /// `shortcut-unavailable`. No keys are grabbed in that case.
    pub(super) fn follow(
        &mut self,
        change: ShortcutChange,
        keys: Option<&str>,
    ) -> Result<(), Report> {
        match change {
            ShortcutChange::Layout if self.is_in_place(keys) => Ok(()),
            ShortcutChange::Layout => self.set(keys),
            ShortcutChange::Lost(problem) => {
                (self.display, self.grabbed) = (None, None);
                keys.map_or(Ok(()), |keys| Err(unavailable(keys, problem)))
            }
        }
    }

    /// Whether the keys still have the positions that are grabbed. When a person switches to
    /// another keyboard, its first key press also reports the layout of that keyboard. Grabbing
    /// again at that moment could miss the key press.
    fn is_in_place(&self, keys: Option<&str>) -> bool {
        let (Some(display), Some(grabbed)) = (&self.display, self.grabbed) else {
            return false;
        };
        let place = keys
            .and_then(Keys::of)
            .map(|wanted| display.place_of(wanted));
        matches!(place, Some(Ok(place)) if place == grabbed)
    }

    /// Grabs other keys. `None` grabs no keys. Blocks until the display has responded.
    ///
    /// # Errors
    /// `shortcut-unavailable`. No keys are grabbed in that case.
    pub(super) fn set(&mut self, keys: Option<&str>) -> Result<(), Report> {
        if let (Some(display), Some(grabbed)) = (&self.display, self.grabbed.take()) {
            display.release(grabbed);
        }
        let Some(keys) = keys else { return Ok(()) };
        let unavailable = |problem: DesktopErrorCause| unavailable(keys, problem);
        if std::env::var_os("WAYLAND_DISPLAY").is_some_and(|name| !name.is_empty()) {
            return Err(unavailable(DesktopErrorCause::Wayland));
        }
        let wanted = Keys::of(keys).ok_or_else(|| unavailable(DesktopErrorCause::NoKey))?;
        let display = match self.display.take() {
            Some(display) => display,
            None => X11Connection::open(self.listener.clone()).map_err(unavailable)?,
        };
        let grabbed = display.grab(wanted).map_err(unavailable);
        self.display = Some(display);
        self.grabbed = Some(grabbed?);
        Ok(())
    }
}

impl X11Connection {
    /// Connects to the display, and starts the thread that listens for its events.
    fn open(listener: ShortcutListener) -> Result<Self, DesktopErrorCause> {
        let (connection, screen) = x11rb::connect(None).map_err(refused)?;
        let root = connection
            .setup()
            .roots
            .get(screen)
            .map(|screen| screen.root);
        let root = root.ok_or(DesktopErrorCause::NoScreen)?;
        let connection = Arc::new(connection);
        let listening = Arc::clone(&connection);
        let thread = thread::Builder::new().name("shortcut".to_owned());
        let spawned = thread.spawn(move || listener.listen(&listening));
        spawned.map_err(refused)?;
        Ok(Self { connection, root })
    }

    /// Returns the positions of the keys on the keyboard.
    fn place_of(&self, keys: Keys) -> Result<Grabbed, DesktopErrorCause> {
        let (code, shifted) = self.code_of(keys.symbol)?;
        let held = [
            (keys.shift || shifted, ModMask::SHIFT),
            (keys.ctrl, ModMask::CONTROL),
            (keys.alt, ModMask::M1),
            (keys.super_key, ModMask::M4),
        ];
        let none = ModMask::from(0_u16);
        let held = held.iter().filter(|(is, _)| *is);
        let held = held.fold(none, |mask, (_, one)| mask | *one);
        Ok(Grabbed { code, held })
    }

    fn grab(&self, keys: Keys) -> Result<Grabbed, DesktopErrorCause> {
        let grabbed = self.place_of(keys)?;
        let Grabbed { code, held } = grabbed;
        for mask in with_locks(held) {
            let asked = self.connection.grab_key(
                false,
                self.root,
                mask,
                code,
                GrabMode::ASYNC,
                GrabMode::ASYNC,
            );
            let answer = asked.map_err(refused)?.check();
            if let Err(error) = answer {
                self.release(grabbed);
                return Err(match error {
                    ReplyError::X11Error(error) if error.error_kind == ErrorKind::Access => {
                        DesktopErrorCause::Taken
                    }
                    other => refused(other),
                });
            }
        }
        Ok(grabbed)
    }

    fn release(&self, grabbed: Grabbed) {
        for mask in with_locks(grabbed.held) {
            let asked = self.connection.ungrab_key(grabbed.code, self.root, mask);
            if let Err(error) = asked.map(|asked| asked.ignore_error()) {
                tracing::debug!(%error, "the keys of a shortcut could not be released");
            }
        }
        if let Err(error) = self.connection.flush() {
            tracing::debug!(%error, "the keys of a shortcut could not be released");
        }
    }

    /// Returns the key code of a symbol, and whether the symbol needs Shift.
    fn code_of(&self, symbol: u32) -> Result<(Keycode, bool), DesktopErrorCause> {
        let setup = self.connection.setup();
        let (first, last) = (setup.min_keycode, setup.max_keycode);
        let count = last.saturating_sub(first).saturating_add(1);
        let asked = self.connection.get_keyboard_mapping(first, count);
        let asked = asked.map_err(refused)?;
        let map = asked.reply().map_err(refused)?;
        let width = usize::from(map.keysyms_per_keycode).max(1);
        for level in 0..2 {
            for (code, symbols) in (first..=last).zip(map.keysyms.chunks(width)) {
                if symbols.get(level) == Some(&symbol) {
                    return Ok((code, level == 1));
                }
            }
        }
        Err(DesktopErrorCause::NoSuchKey)
    }
}

fn unavailable(keys: &str, problem: DesktopErrorCause) -> Report {
    let trouble = DesktopError::Shortcut(keys.to_owned(), problem);
    Report::from_error(Code::ShortcutUnavailable, &trouble)
}

/// Converts an error of the display.
fn refused(error: impl std::fmt::Display) -> DesktopErrorCause {
    DesktopErrorCause::Refused(error.to_string())
}

/// Returns the modifiers combined with each state of the lock keys, because X11 reports an active
/// lock key as a pressed modifier.
fn with_locks(held: ModMask) -> [ModMask; 4] {
    let number_lock = ModMask::M2;
    [
        held,
        held | ModMask::LOCK,
        held | number_lock,
        held | ModMask::LOCK | number_lock,
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_display_that_is_lost_takes_the_keys_with_it_and_says_so() {
        let (pressed, _actions) = mpsc::channel(1);
        let (sender, _receiver) = mpsc::channel(1);
        let mut shortcut = ShortcutBinding {
            display: None,
            grabbed: None,
            listener: ShortcutListener {
                pressed,
                action: DesktopAction::Open,
                changes: sender,
            },
        };
        let lost = || ShortcutChange::Lost(DesktopErrorCause::Lost("broken pipe".to_owned()));
        let report = shortcut.follow(lost(), Some("Ctrl+Alt+K"));
        let report = report.expect_err("the keys count no more");
        assert_eq!(report.code, Code::ShortcutUnavailable);
        assert!(report.message.contains("broken pipe"), "{report}");
        assert_eq!(shortcut.follow(lost(), None), Ok(()));
    }

    #[test]
    fn full_queue_still_has_a_listener() {
        let (sender, changes) = mpsc::channel(1);
        assert!(is_received(sender.try_send(ShortcutChange::Layout)));
        assert!(
            is_received(sender.try_send(ShortcutChange::Layout)),
            "it has one already"
        );
        drop(changes);
        assert!(!is_received(sender.try_send(ShortcutChange::Layout)));
    }
}
