//! What a person does with a window that a driver of its page can't: closes it, moves it, looks away
//! from it, presses keys in another program.

use x11rb::CURRENT_TIME;
use x11rb::connection::Connection;
use x11rb::protocol::xproto::{
    AtomEnum, ClientMessageEvent, ConfigureWindowAux, ConnectionExt, EventMask, InputFocus,
    KEY_PRESS_EVENT, KEY_RELEASE_EVENT, MapState, Window,
};
use x11rb::protocol::xtest::ConnectionExt as _;
use x11rb::rust_connection::RustConnection;

use crate::desktop::until;

/// The title that the window has.
const TITLE: &[u8] = b"Guild Hall";
const TITLE_BYTES: u32 = 64;

/// A place and a size.
pub(crate) type Geometry = (i16, i16, u16, u16);

/// A display, as one who sits before it.
pub(crate) struct Screen {
    connection: RustConnection,
    root: Window,
}

impl Screen {
    pub(crate) fn of(number: &str) -> Self {
        let (connection, screen) = x11rb::connect(Some(&format!(":{number}"))).expect("a display");
        let root = connection.setup().roots[screen].root;
        Self { connection, root }
    }

    /// The window, hidden or not, once it is there.
    pub(crate) async fn window(&self) -> Window {
        until("there is a window", async || self.find()).await
    }

    fn find(&self) -> Option<Window> {
        let tree = self.connection.query_tree(self.root).ok()?.reply().ok()?;
        let is_meant = |window: &Window| {
            let title = self.connection.get_property(
                false,
                *window,
                AtomEnum::WM_NAME,
                AtomEnum::ANY,
                0,
                TITLE_BYTES,
            );
            let title = title.ok().and_then(|asked| asked.reply().ok());
            // GTK has small windows of its own beside it.
            let is_large = self
                .geometry(*window)
                .is_some_and(|(_, _, width, _)| width > 100);
            is_large && title.is_some_and(|title| title.value == TITLE)
        };
        tree.children.into_iter().find(is_meant)
    }

    pub(crate) fn geometry(&self, window: Window) -> Option<Geometry> {
        let asked = self.connection.get_geometry(window).ok()?;
        let is = asked.reply().ok()?;
        Some((is.x, is.y, is.width, is.height))
    }

    /// Whether the window is on the screen.
    pub(crate) fn shows(&self, window: Window) -> bool {
        let asked = self.connection.get_window_attributes(window).ok();
        let is = asked.and_then(|asked| asked.reply().ok());
        is.is_some_and(|is| is.map_state == MapState::VIEWABLE)
    }

    /// Waits until the window is on the screen, or is not.
    pub(crate) async fn until_shown(&self, window: Window, shown: bool) {
        until(&format!("the window is shown: {shown}"), async || {
            (self.shows(window) == shown).then_some(())
        })
        .await;
    }

    /// Presses the window's close button, as a window manager tells of it.
    pub(crate) fn close(&self, window: Window) {
        let [protocols, delete] = [b"WM_PROTOCOLS".as_slice(), b"WM_DELETE_WINDOW"].map(|name| {
            let asked = self.connection.intern_atom(false, name).expect("asked");
            asked.reply().expect("an atom").atom
        });
        let event = ClientMessageEvent::new(32, window, protocols, [delete, CURRENT_TIME, 0, 0, 0]);
        let sent = self
            .connection
            .send_event(false, window, EventMask::NO_EVENT, event);
        sent.expect("sent").check().expect("taken");
    }

    /// Moves the window and gives it another size.
    pub(crate) fn put(&self, window: Window, (x, y, width, height): Geometry) {
        let to = ConfigureWindowAux::new()
            .x(i32::from(x))
            .y(i32::from(y))
            .width(u32::from(width))
            .height(u32::from(height));
        let sent = self.connection.configure_window(window, &to);
        sent.expect("sent").check().expect("moved");
    }

    /// Whether the window is on the screen.
    pub(crate) fn has_a_window(&self) -> bool {
        self.find().is_some_and(|window| self.shows(window))
    }

    /// Goes to another program: what is typed is none of the window's.
    pub(crate) fn look_away(&self) {
        let sent = self
            .connection
            .set_input_focus(InputFocus::NONE, self.root, CURRENT_TIME);
        sent.expect("sent").check().expect("looked away");
    }

    /// Presses keys together, by their symbols, and lets them go.
    pub(crate) fn press(&self, symbols: &[u32]) {
        let codes: Vec<u8> = symbols.iter().map(|symbol| self.code_of(*symbol)).collect();
        let down = codes.iter().map(|code| (KEY_PRESS_EVENT, *code));
        let up = codes.iter().rev().map(|code| (KEY_RELEASE_EVENT, *code));
        for (kind, code) in down.chain(up) {
            let sent =
                self.connection
                    .xtest_fake_input(kind, code, CURRENT_TIME, self.root, 0, 0, 0);
            sent.expect("sent").check().expect("pressed");
        }
    }

    fn code_of(&self, symbol: u32) -> u8 {
        let setup = self.connection.setup();
        let (first, last) = (setup.min_keycode, setup.max_keycode);
        let asked = self
            .connection
            .get_keyboard_mapping(first, last - first + 1)
            .expect("asked");
        let map = asked.reply().expect("a keyboard");
        let width = usize::from(map.keysyms_per_keycode);
        let mut keys = (first..=last).zip(map.keysyms.chunks(width));
        let key = keys.find(|(_, symbols)| symbols.first() == Some(&symbol));
        key.expect("the keyboard has the key").0
    }
}
