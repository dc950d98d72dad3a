//! The program outside its window: the tray, notifications, links, a browser, a shortcut, the start
//! at login, and the window's position.

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

/// Writes the settings for the program.
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

/// A window on its screen.
struct OnScreen {
    window: Desktop,
    screen: Screen,
    own: Window,
}

impl OnScreen {
    /// Opens the window, and waits until it is shown.
    async fn open(home: &Home) -> Self {
        Self::of(Desktop::open(home).await).await
    }

    /// The same of a window that is opened already.
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

    /// Goes to the window, and waits until it knows.
    async fn look_at(&self) {
        self.screen.look_at(self.own);
        self.screen.until_noticed(self.own).await;
    }

    /// Focuses another program, and waits until the window notices: a notification before that is
    /// not sent.
    async fn look_away(&self) {
        self.screen.look_away();
        self.screen.until_noticed(self.own).await;
    }
}

/// A window over the member `forge`, which is ready, on a desktop with a tray that closing leaves the
/// window in.
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
