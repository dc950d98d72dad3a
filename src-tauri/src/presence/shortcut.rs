//! Keys that count while another program has the keyboard, on X11: they are grabbed from the root
//! window, and a thread of its own sleeps until one is pressed.
//!
//! On Wayland no program gets keys that are pressed in another, and those that X11's clients see
//! there are not all of them.

use std::sync::Arc;
use std::thread;

use guild_core::note::{Each, PresenceTrouble, PresenceWrong};
use guild_core::{Code, Report};
use tokio::sync::mpsc;
use x11rb::connection::Connection;
use x11rb::errors::ReplyError;
use x11rb::protocol::xproto::{ConnectionExt, GrabMode, Keycode, ModMask, Window};
use x11rb::protocol::{ErrorKind, Event};
use x11rb::rust_connection::RustConnection;

use super::keys::Keys;
use super::menu::Wish;

/// The shortcut that is in force, if any.
#[derive(Default)]
pub(super) struct Shortcut {
    display: Option<Display>,
    grabbed: Option<Grabbed>,
}

/// A connection of its own, so that the thread that sleeps on it hears of nothing else.
struct Display {
    connection: Arc<RustConnection>,
    root: Window,
}

#[derive(Debug, Clone, Copy)]
struct Grabbed {
    code: Keycode,
    held: ModMask,
}

impl Shortcut {
    /// Has other keys from now on, or none. Blocks for as long as the display takes.
    ///
    /// # Errors
    /// `shortcut-unavailable`; then there is none.
    pub(super) fn set(
        &mut self,
        keys: Option<&str>,
        pressed: &mpsc::Sender<Wish>,
        wish: Wish,
    ) -> Result<(), Report> {
        if let (Some(display), Some(grabbed)) = (&self.display, self.grabbed.take()) {
            display.release(grabbed);
        }
        let Some(keys) = keys else { return Ok(()) };
        let unavailable = |problem: PresenceWrong| {
            let trouble = PresenceTrouble::Shortcut(keys.to_owned(), problem);
            Report::told(Code::ShortcutUnavailable, &trouble)
        };
        if std::env::var_os("WAYLAND_DISPLAY").is_some_and(|name| !name.is_empty()) {
            return Err(unavailable(PresenceWrong::Wayland));
        }
        let wanted = Keys::of(keys).ok_or_else(|| unavailable(PresenceWrong::NoKey))?;
        let display = match self.display.take() {
            Some(display) => display,
            None => Display::open(pressed.clone(), wish).map_err(unavailable)?,
        };
        let grabbed = display.grab(wanted).map_err(unavailable);
        self.display = Some(display);
        self.grabbed = Some(grabbed?);
        Ok(())
    }
}

impl Display {
    /// Connects to the display, and tells `pressed` of each press from now on.
    fn open(pressed: mpsc::Sender<Wish>, wish: Wish) -> Result<Self, PresenceWrong> {
        let (connection, screen) = x11rb::connect(None).map_err(refused)?;
        let root = connection
            .setup()
            .roots
            .get(screen)
            .map(|screen| screen.root);
        let root = root.ok_or(PresenceWrong::NoScreen)?;
        let connection = Arc::new(connection);
        let listening = Arc::clone(&connection);
        let listen = move || {
            while let Ok(event) = listening.wait_for_event() {
                if !matches!(event, Event::KeyPress(_)) {
                    continue;
                }
                match pressed.try_send(wish.clone()) {
                    // One that is full has this wish already: a key that is held down repeats.
                    Ok(()) | Err(mpsc::error::TrySendError::Full(_)) => {}
                    Err(mpsc::error::TrySendError::Closed(_)) => return,
                }
            }
        };
        let thread = thread::Builder::new().name("shortcut".to_owned());
        thread.spawn(listen).map_err(refused)?;
        Ok(Self { connection, root })
    }

    fn grab(&self, keys: Keys) -> Result<Grabbed, PresenceWrong> {
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
        let grabbed = Grabbed { code, held };
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
                        PresenceWrong::Taken
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
                tracing::debug!(%error, "keys could not be given back");
            }
        }
        if let Err(error) = self.connection.flush() {
            tracing::debug!(%error, "keys could not be given back");
        }
    }

    /// The key that has a symbol, and whether Shift brings it up there.
    fn code_of(&self, symbol: u32) -> Result<(Keycode, bool), PresenceWrong> {
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
        Err(PresenceWrong::NoSuchKey)
    }
}

/// As whoever refuses says it.
fn refused(error: impl std::fmt::Display) -> PresenceWrong {
    PresenceWrong::Refused(Each::from(&error.to_string()))
}

/// The keys that are held, with and without those that lock: they count as held, though nobody
/// holds them.
fn with_locks(held: ModMask) -> [ModMask; 4] {
    let number_lock = ModMask::M2;
    [
        held,
        held | ModMask::LOCK,
        held | number_lock,
        held | ModMask::LOCK | number_lock,
    ]
}
