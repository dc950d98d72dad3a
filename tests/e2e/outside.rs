//! The program outside its window: the tray, notifications, links, the browser, the shortcut, the
//! start at login, and the window's position.

mod asked;
mod browser;
mod displays;
mod links;
mod notifications;
mod places;
mod question;
mod tray;

use fantoccini::Locator;
use serde_json::{Value, json};
use x11rb::protocol::xproto::Window;

use crate::FORGE;
use crate::desktop::{Desktop, Home};
use crate::screen::Screen;
use crate::session::{Session, TrayHost, TrayIcon};

const STATUS: Locator<'_> = Locator::Css("[data-testid=member-status]");
const FORGE_ROW: Locator<'_> = Locator::Css("[data-testid=member-forge]");
const HEADING: Locator<'_> = Locator::Css("article h1");
const REVIEW: Locator<'_> = Locator::Css("[data-testid=review]");

fn set(home: &Home, settings: &Value) {
    home.add_file("data/settings.json", &settings.to_string());
}

fn to_tray() -> Value {
    json!({"window": {"onClose": "tray"}})
}

/// Returns the shell's state outside the window.
async fn presence(window: &Desktop) -> Value {
    window
        .ask("presence", Value::Null)
        .await
        .expect("an answer")
}

/// An open window, and the screen that shows it.
struct OnScreen {
    window: Desktop,
    screen: Screen,
    own: Window,
}

impl OnScreen {
    async fn open(home: &Home) -> Self {
        Self::of(Desktop::open(home).await).await
    }

    /// Waits until a window that is already open is shown.
    async fn of(window: Desktop) -> Self {
        let screen = Screen::of(window.display());
        let own = screen.window().await;
        screen.until_shown(own, true).await;
        Self {
            window,
            screen,
            own,
        }
    }

    /// Closes the window, which leaves it in the tray.
    async fn close(&self) {
        self.screen.close(self.own);
        self.screen.until_shown(self.own, false).await;
    }

    async fn is_shown(&self) {
        self.screen.until_shown(self.own, true).await;
    }

    /// Focuses the window, and waits until the window notices.
    async fn look_at(&self) {
        self.screen.look_at(self.own);
        self.screen.until_noticed(self.own).await;
    }

    /// Focuses another program, and waits until the window notices. Until then, the program sends
    /// no notifications.
    async fn look_away(&self) {
        self.screen.look_away();
        self.screen.until_noticed(self.own).await;
    }
}

/// A window with the ready member `forge`, on a desktop with a tray. Closing the window leaves the
/// program in the tray.
struct WithATray {
    home: Home,
    shown: OnScreen,
    tray: TrayHost,
    icon: TrayIcon,
    _session: Session,
}

impl WithATray {
    async fn open() -> Self {
        let session = Session::start().await;
        let tray = session.with_a_tray().await;
        let home = Home::on_bus(&session.address);
        home.add_member("forge", FORGE);
        set(&home, &to_tray());
        let shown = OnScreen::open(&home).await;
        let icon = tray.icon().await;
        icon.line(|text| text == "1 ready").await;
        Self {
            home,
            shown,
            tray,
            icon,
            _session: session,
        }
    }
}
