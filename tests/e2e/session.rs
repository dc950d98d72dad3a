//! A session bus for one test, and the desktop services on it: a tray and notifications.

use std::collections::HashMap;
use std::process::Stdio;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, Command};
use tokio::sync::watch;
use zbus::object_server::SignalEmitter;
use zbus::zvariant::{OwnedObjectPath, OwnedValue, Structure, Value};
use zbus::{Connection, Proxy};

use crate::desktop::{LIMIT, until, until_within};

/// The configuration of a bus that does not start services.
const CONFIG: &str = include_str!("../data/session-bus.conf");

/// A session bus. It ends when this value is dropped.
pub(crate) struct Session {
    pub(crate) address: String,
    connection: Connection,
    _daemon: Child,
    _folder: TempDir,
}

impl Session {
    /// Starts a bus without clients.
    pub(crate) async fn start() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let config = folder.path().join("session.conf");
        let path = folder.path().to_str().expect("UTF-8");
        std::fs::write(&config, CONFIG.replace("FOLDER", path)).expect("written");
        let mut daemon = Command::new("dbus-daemon")
            .arg(format!("--config-file={}", config.display()))
            .args(["--nofork", "--nopidfile", "--print-address=1"])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .kill_on_drop(true)
            .spawn()
            .expect("dbus-daemon has to be installed");
        let stdout = daemon.stdout.take().expect("its stdout");
        let mut line = String::new();
        tokio::time::timeout(LIMIT, BufReader::new(stdout).read_line(&mut line))
            .await
            .expect("a bus within the limit")
            .expect("its address");
        let address = line.trim().to_owned();
        let connection = zbus::connection::Builder::address(address.as_str())
            .expect("an address")
            .build()
            .await
            .expect("the bus lets us in");
        Self {
            address,
            connection,
            _daemon: daemon,
            _folder: folder,
        }
    }

    /// Adds a tray to the desktop.
    pub(crate) async fn with_a_tray(&self) -> TrayHost {
        let items = Arc::<Mutex<Vec<String>>>::default();
        let watcher = Watcher(Arc::clone(&items));
        let server = self.connection.object_server();
        server
            .at("/StatusNotifierWatcher", watcher)
            .await
            .expect("served");
        let named = self
            .connection
            .request_name("org.kde.StatusNotifierWatcher");
        named.await.expect("the name is free");
        TrayHost {
            items,
            connection: self.connection.clone(),
        }
    }

    /// Adds a notification service to the desktop.
    pub(crate) async fn with_notifications(&self) -> Board {
        let shown = Arc::<Mutex<Shown>>::default();
        let (answers, receiver) = watch::channel(true);
        let service = Notifications {
            shown: Arc::clone(&shown),
            answers: receiver,
        };
        let server = self.connection.object_server();
        server
            .at("/org/freedesktop/Notifications", service)
            .await
            .expect("served");
        let named = self
            .connection
            .request_name("org.freedesktop.Notifications");
        named.await.expect("the name is free");
        Board {
            shown,
            answers,
            connection: self.connection.clone(),
        }
    }
}

struct Watcher(Arc<Mutex<Vec<String>>>);

#[zbus::interface(name = "org.kde.StatusNotifierWatcher")]
impl Watcher {
    fn register_status_notifier_item(&self, service: &str) {
        locked(&self.0).push(service.to_owned());
    }

    #[zbus(property)]
    fn is_status_notifier_host_registered(&self) -> bool {
        true
    }
}

pub(crate) struct TrayHost {
    items: Arc<Mutex<Vec<String>>>,
    connection: Connection,
}

/// A line of a menu: its id and its text.
type Line = (i32, String);
/// A menu as D-Bus value: its id, its properties, and its lines.
type Layout = (i32, HashMap<String, OwnedValue>, Vec<OwnedValue>);

impl TrayHost {
    /// Waits until a program has put an icon into the tray.
    pub(crate) async fn icon(&self) -> TrayIcon {
        let service = until("an icon is in the tray", async || {
            locked(&self.items).last().cloned()
        })
        .await;
        TrayIcon {
            service,
            connection: self.connection.clone(),
        }
    }

    /// Removes the tray from the desktop.
    pub(crate) async fn leave(&self) {
        let named = self
            .connection
            .release_name("org.kde.StatusNotifierWatcher");
        named.await.expect("released");
    }
}

pub(crate) struct TrayIcon {
    service: String,
    connection: Connection,
}

impl TrayIcon {
    async fn item(&self) -> Proxy<'_> {
        let proxy = zbus::proxy::Builder::new(&self.connection)
            .destination(self.service.as_str())
            .and_then(|proxy| proxy.path("/StatusNotifierItem"))
            .and_then(|proxy| proxy.interface("org.kde.StatusNotifierItem"));
        let proxy: zbus::proxy::Builder<'_, Proxy<'_>> = proxy.expect("names");
        let uncached = proxy.cache_properties(zbus::proxy::CacheProperties::No);
        uncached.build().await.expect("a proxy")
    }

    pub(crate) async fn tool_tip(&self) -> String {
        let tip: Structure<'static> = property(&self.item().await, "ToolTip").await;
        let text = tip
            .fields()
            .get(3)
            .and_then(|field| field.downcast_ref().ok());
        text.expect("a description")
    }

    /// Returns the pixels of the largest picture of the icon.
    pub(crate) async fn picture(&self) -> Vec<u8> {
        let pictures: Vec<(i32, i32, Vec<u8>)> = self
            .item()
            .await
            .get_property("IconPixmap")
            .await
            .expect("pictures");
        let largest = pictures.into_iter().max_by_key(|(width, _, _)| *width);
        let (width, height, pixels) = largest.expect("a picture");
        assert_eq!(pixels.len() as i32, width * height * 4, "whole");
        pixels
    }

    pub(crate) async fn press(&self) {
        let item = self.item().await;
        let pressed = item.call_method("Activate", &(0_i32, 0_i32)).await;
        pressed.map(drop).expect("pressed");
    }

    /// Returns the lines of the icon's menu.
    pub(crate) async fn menu(&self) -> Vec<Line> {
        let (_, (_, _, lines)): (u32, Layout) = self
            .menu_proxy()
            .await
            .call("GetLayout", &(0_i32, -1_i32, Vec::<String>::new()))
            .await
            .expect("a menu");
        let line = |line: OwnedValue| {
            let (number, mut properties, _) = Layout::try_from(line).ok()?;
            let label = properties.remove("label")?;
            let label = String::try_from(label).ok()?;
            Some((number, label.replace("__", "_")))
        };
        lines.into_iter().filter_map(line).collect()
    }

    /// Waits until the menu has a line that `fits` accepts, and returns the line.
    pub(crate) async fn line(&self, fits: impl Fn(&str) -> bool) -> Line {
        until("the menu has the line", async || {
            self.menu().await.into_iter().find(|(_, text)| fits(text))
        })
        .await
    }

    /// Waits until the menu has the line, and clicks it.
    pub(crate) async fn choose(&self, label: &str) {
        let (number, _) = self.line(|text| text == label).await;
        let chosen = (number, "clicked", Value::from(0_i32), 0_u32);
        let proxy = self.menu_proxy().await;
        // A line that quits the program may get no answer.
        let _ = proxy.call_method("Event", &chosen).await;
    }

    async fn menu_proxy(&self) -> Proxy<'_> {
        let path: OwnedObjectPath = self
            .item()
            .await
            .get_property("Menu")
            .await
            .expect("it has a menu");
        let service = self.service.clone();
        Proxy::new(&self.connection, service, path, "com.canonical.dbusmenu")
            .await
            .expect("a proxy")
    }
}

async fn property<T>(proxy: &Proxy<'_>, name: &str) -> T
where
    T: TryFrom<OwnedValue>,
    T::Error: Into<zbus::Error>,
{
    proxy.get_property(name).await.expect("a property")
}

/// A notification of a program.
#[derive(Debug, Clone)]
pub(crate) struct ShownNotification {
    pub(crate) id: u32,
    pub(crate) title: String,
    pub(crate) body: String,
    /// A flat list of keys and labels: each key is followed by its label.
    pub(crate) actions: Vec<String>,
}

/// The notifications so far.
#[derive(Debug, Default)]
struct Shown {
    notifications: Vec<ShownNotification>,
    /// The ids of withdrawn notifications.
    withdrawn: Vec<u32>,
}

impl Shown {
    fn take(&mut self, replaces: u32, notification: impl FnOnce(u32) -> ShownNotification) -> u32 {
        let id = if replaces == 0 {
            u32::try_from(self.notifications.len() + 1).expect("few")
        } else {
            replaces
        };
        self.notifications.push(notification(id));
        id
    }
}

struct Notifications {
    shown: Arc<Mutex<Shown>>,
    /// Whether `Notify` returns ids to the program. While this is false, `Notify` waits.
    answers: watch::Receiver<bool>,
}

#[zbus::interface(name = "org.freedesktop.Notifications")]
impl Notifications {
    #[expect(
        clippy::too_many_arguments,
        reason = "the Desktop Notifications Specification has it so"
    )]
    async fn notify(
        &self,
        _app_name: &str,
        replaces: u32,
        _icon: &str,
        title: &str,
        body: &str,
        actions: Vec<String>,
        _hints: HashMap<String, OwnedValue>,
        _timeout: i32,
    ) -> u32 {
        let notification = |id| ShownNotification {
            id,
            title: title.to_owned(),
            body: body.to_owned(),
            actions,
        };
        let id = locked(&self.shown).take(replaces, notification);
        let mut answers = self.answers.clone();
        answers.wait_for(|do_so| *do_so).await.expect("the board");
        id
    }

    fn close_notification(&self, id: u32) {
        locked(&self.shown).withdrawn.push(id);
    }

    fn get_capabilities(&self) -> Vec<String> {
        vec!["actions".to_owned(), "body".to_owned()]
    }

    #[zbus(signal)]
    async fn action_invoked(emitter: &SignalEmitter<'_>, id: u32, key: &str) -> zbus::Result<()>;
}

/// A notification service.
pub(crate) struct Board {
    shown: Arc<Mutex<Shown>>,
    answers: watch::Sender<bool>,
    connection: Connection,
}

impl Board {
    /// Sets whether the program gets the ids of its notifications. While `at_once` is false, the
    /// program waits for them.
    pub(crate) fn answer(&self, at_once: bool) {
        self.answers.send_replace(at_once);
    }

    pub(crate) fn notifications(&self) -> Vec<ShownNotification> {
        locked(&self.shown).notifications.clone()
    }

    /// Waits until the program has withdrawn a notification.
    pub(crate) async fn until_withdrawn(&self, id: u32) {
        until("the notification is taken away", async || {
            locked(&self.shown).withdrawn.contains(&id).then_some(())
        })
        .await;
    }

    /// Waits until `fits` accepts the newest notification, and returns it.
    pub(crate) async fn newest(
        &self,
        fits: impl Fn(&ShownNotification) -> bool,
    ) -> ShownNotification {
        self.newest_within(LIMIT, fits).await
    }

    /// Like [`Board::newest`], with a time limit.
    pub(crate) async fn newest_within(
        &self,
        limit: Duration,
        fits: impl Fn(&ShownNotification) -> bool,
    ) -> ShownNotification {
        until_within(limit, "a notification fits", async || {
            self.notifications()
                .pop()
                .filter(|notification| fits(notification))
        })
        .await
    }

    /// Clicks a notification, or one of its buttons.
    pub(crate) async fn click(&self, id: u32, key: &str) {
        let server = self.connection.object_server();
        let service = server.interface::<_, Notifications>("/org/freedesktop/Notifications");
        let service = service.await.expect("served");
        let signal = Notifications::action_invoked(service.signal_emitter(), id, key);
        signal.await.expect("the signal is sent");
    }
}

fn locked<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}
