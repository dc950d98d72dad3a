//! A person's actions outside the page, which WebKit's driver can't do: closing, moving and leaving
//! the window, and pressing keys in another program.

use x11rb::connection::Connection;
use x11rb::protocol::Event;
use x11rb::protocol::randr::{ConnectionExt as _, MonitorInfo};
use x11rb::protocol::xproto::{
    AtomEnum, ChangeWindowAttributesAux, ClientMessageEvent, ConfigureWindowAux, ConnectionExt,
    CreateWindowAux, EventMask, InputFocus, KEY_PRESS_EVENT, KEY_RELEASE_EVENT, MapState, Window,
    WindowClass,
};
use x11rb::protocol::xtest::ConnectionExt as _;
use x11rb::rust_connection::RustConnection;
use x11rb::{COPY_DEPTH_FROM_PARENT, COPY_FROM_PARENT, CURRENT_TIME};

use crate::desktop::until;

/// The title that the window has.
const TITLE: &[u8] = b"Guild Hall";
const TITLE_BYTES: u32 = 64;

/// A position and a size: x, y, width and height.
pub(crate) type Geometry = (i16, i16, u16, u16);

/// A connection to an X display, to do what its user does.
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

    /// Waits until the window exists, and returns it. The window may be hidden.
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
            // GTK has separate small windows beside it.
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

    /// Waits until the window is on the screen, or is no longer on it.
    pub(crate) async fn until_shown(&self, window: Window, shown: bool) {
        until(&format!("the window is shown: {shown}"), async || {
            (self.shows(window) == shown).then_some(())
        })
        .await;
    }

    /// Closes the window with the message that a window manager sends for the close button.
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

    pub(crate) fn put(&self, window: Window, (x, y, width, height): Geometry) {
        let to = ConfigureWindowAux::new()
            .x(i32::from(x))
            .y(i32::from(y))
            .width(u32::from(width))
            .height(u32::from(height));
        let sent = self.connection.configure_window(window, &to);
        sent.expect("sent").check().expect("moved");
    }

    /// Whether a window of the program is on the screen.
    pub(crate) fn has_a_window(&self) -> bool {
        self.find().is_some_and(|window| self.shows(window))
    }

    /// Gives the window the keyboard focus.
    pub(crate) fn look_at(&self, window: Window) {
        let sent = self
            .connection
            .set_input_focus(InputFocus::PARENT, window, CURRENT_TIME);
        sent.expect("sent").check().expect("looked at");
    }

    /// Waits until the window has handled all earlier events.
    pub(crate) async fn until_noticed(&self, window: Window) {
        let [protocols, ping] = [b"WM_PROTOCOLS".as_slice(), b"_NET_WM_PING"].map(|name| {
            let asked = self.connection.intern_atom(false, name).expect("asked");
            asked.reply().expect("an atom").atom
        });
        // The window answers the ping by sending the same message to the root window.
        let hears = ChangeWindowAttributesAux::new().event_mask(EventMask::SUBSTRUCTURE_NOTIFY);
        let asked = self.connection.change_window_attributes(self.root, &hears);
        asked.expect("asked").check().expect("heard");
        let data = [ping, CURRENT_TIME, window, 0, 0];
        let event = ClientMessageEvent::new(32, window, protocols, data);
        let sent = self
            .connection
            .send_event(false, window, EventMask::NO_EVENT, event);
        sent.expect("sent").check().expect("taken");
        until("the window answers", async || {
            let event = self.connection.poll_for_event().expect("a display");
            let Some(Event::ClientMessage(answer)) = event else {
                return None;
            };
            (answer.data.as_data32()[0] == ping).then_some(())
        })
        .await;
    }

    /// Returns the displays from left to right.
    pub(crate) fn displays(&self) -> Vec<Geometry> {
        let asked = self.connection.randr_get_monitors(self.root, true);
        let known = asked.expect("asked").reply().expect("displays");
        let place = |one: &MonitorInfo| (one.x, one.y, one.width, one.height);
        let mut displays: Vec<Geometry> = known.monitors.iter().map(place).collect();
        displays.sort_unstable();
        displays
    }

    /// Replaces the only display by one that shows this part of the screen.
    pub(crate) fn have_display(&self, (x, y, width, height): Geometry) {
        // The new display must not have the name of the display that it replaces.
        let name = format!("display-{x}-{y}-{width}-{height}");
        let asked = self.connection.intern_atom(false, name.as_bytes());
        let name = asked.expect("asked").reply().expect("an atom").atom;
        let asked = self.connection.randr_get_screen_resources(self.root);
        let resources = asked.expect("asked").reply().expect("outputs");
        let to = MonitorInfo {
            name,
            primary: true,
            automatic: false,
            x,
            y,
            width,
            height,
            width_in_millimeters: u32::from(width) / 4,
            height_in_millimeters: u32::from(height) / 4,
            outputs: resources.outputs,
        };
        let sent = self.connection.randr_set_monitor(self.root, to);
        sent.expect("sent").check().expect("the display is there");
        // Programs are notified when the whole screen changes.
        let screen = &self.connection.setup().roots[0];
        let (wide, high) = (screen.width_in_pixels, screen.height_in_pixels);
        let millimeters = (u32::from(width), u32::from(height));
        let sent = self.connection.randr_set_screen_size(
            self.root,
            wide,
            high,
            millimeters.0,
            millimeters.1,
        );
        sent.expect("sent").check().expect("the screen changes");
    }

    /// Gives another program the keyboard focus, wherever the pointer is.
    pub(crate) fn look_away(&self) {
        let other = self.connection.generate_id().expect("a number");
        let above_all = CreateWindowAux::new().override_redirect(1);
        let (depth, class) = (COPY_DEPTH_FROM_PARENT, WindowClass::INPUT_OUTPUT);
        let made = self.connection.create_window(
            depth,
            other,
            self.root,
            0,
            0,
            1,
            1,
            0,
            class,
            COPY_FROM_PARENT,
            &above_all,
        );
        made.expect("sent").check().expect("a window");
        let shown = self.connection.map_window(other);
        shown.expect("sent").check().expect("it is shown");
        self.look_at(other);
    }

    /// Presses keys together, by their keysyms, and releases them.
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

    /// Swaps the keys of two keysyms, as another keyboard layout does.
    pub(crate) fn exchange(&self, one: u32, other: u32) {
        let codes = [self.code_of(one), self.code_of(other)];
        let [first, second] = codes.map(|code| {
            let asked = self.connection.get_keyboard_mapping(code, 1);
            asked.expect("asked").reply().expect("a key")
        });
        for (code, key) in [(codes[0], second), (codes[1], first)] {
            let changed = self.connection.change_keyboard_mapping(
                1,
                code,
                key.keysyms_per_keycode,
                &key.keysyms,
            );
            changed.expect("sent").check().expect("changed");
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
