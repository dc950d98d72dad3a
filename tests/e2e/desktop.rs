//! The real window of the program, controlled by WebKit's driver. The driver starts the program and
//! controls its web view.
//!
//! Tests share nothing: each has its own virtual display, driver port, home folder, members and
//! data.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, Instant};

use fantoccini::{Client, ClientBuilder, Locator};
use http_body_util::BodyExt;
use hyper::Uri;
use hyper_util::client::legacy::Client as Http;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;
use serde_json::{Map, Value, json};
use tempfile::TempDir;
use tokio::process::{Child, Command};

use crate::display::Display;
use crate::{evidence, installed, processes};

/// Time limit of each wait. Two busy cores need far less.
pub(crate) const LIMIT: Duration = Duration::from_secs(120);

/// The number of drivers that are tried. Another program may take the port before a driver listens.
const DRIVERS: usize = 3;

/// Poll interval of conditions.
const PACE: Duration = Duration::from_millis(25);

/// A home folder with members. Several windows can be opened in it, one after the other.
pub(crate) struct Home {
    root: TempDir,
    /// The address of the session bus that its windows use.
    bus: String,
    /// Additional environment variables of its windows.
    variables: Vec<(&'static str, OsString)>,
    /// The program of this home, if the test does not use the program of all tests.
    own_program: Option<PathBuf>,
}

impl Home {
    /// Creates a home whose members are copies of the bundled samples.
    pub(crate) fn with_samples() -> Self {
        let home = Self::empty();
        let samples = repository().join("guild-members");
        for entry in std::fs::read_dir(&samples).expect("the samples' folder") {
            let folder = entry.expect("an entry").path();
            let manifest = folder.join("plugin.json");
            if manifest.is_file() {
                let name = folder.file_name().expect("a name").to_str().expect("UTF-8");
                let text = std::fs::read_to_string(manifest).expect("a manifest");
                let copy = home.add_member(name, &text);
                for note in ["ideas.md", "shopping-list.md", "welcome.md"] {
                    let note = Path::new("notes").join(note);
                    if folder.join(&note).is_file() {
                        std::fs::create_dir_all(copy.join("notes")).expect("a folder");
                        std::fs::copy(folder.join(&note), copy.join(&note)).expect("copied");
                    }
                }
            }
        }
        home
    }

    pub(crate) fn empty() -> Self {
        let root = tempfile::Builder::new()
            .prefix("guild-hall-e2e-")
            .tempdir()
            .expect("a folder");
        for name in ["members", "data", "xdg"] {
            std::fs::create_dir(root.path().join(name)).expect("a folder");
        }
        installed::share_unpacked(&root.path().join("xdg"));
        // Another program may use the gateway's usual port.
        let settings = root.path().join("data").join("gateway.json");
        std::fs::write(settings, r#"{"port": 0}"#).expect("the settings");
        // Otherwise GTK starts a message bus and an accessibility service, which outlive the
        // window.
        let bus = "disabled:".to_owned();
        let variables = Vec::new();
        Self {
            root,
            bus,
            variables,
            own_program: None,
        }
    }

    /// Like [`Home::empty`], with a session bus.
    pub(crate) fn on_bus(bus: &str) -> Self {
        let mut home = Self::empty();
        bus.clone_into(&mut home.bus);
        home
    }

    /// Writes a member into the members' folder. Returns its folder.
    pub(crate) fn add_member(&self, name: &str, manifest: &str) -> PathBuf {
        let folder = self.members().join(name);
        std::fs::create_dir_all(&folder).expect("a folder");
        std::fs::write(folder.join("plugin.json"), manifest).expect("a manifest");
        folder
    }

    /// Writes a file into the home folder, as another program would. Returns its path.
    pub(crate) fn add_file(&self, path: &str, text: &str) -> PathBuf {
        let path = self.root.path().join(path);
        let folder = path.parent().expect("a file in the home folder");
        std::fs::create_dir_all(folder).expect("a folder");
        std::fs::write(&path, text).expect("a file");
        path
    }

    /// Adds a shell script as a program that precedes the system's programs in the search path.
    pub(crate) fn add_program(&self, name: &str, script: &str) {
        use std::os::unix::fs::PermissionsExt;

        let path = self.add_file(&format!("programs/{name}"), script);
        let all_may = std::fs::Permissions::from_mode(0o755);
        std::fs::set_permissions(path, all_may).expect("it may be run");
    }

    /// Copies the program into this home, for tests in which the program replaces itself.
    pub(crate) fn add_own_program(&mut self, name: &str, from: &Path) -> PathBuf {
        let folder = self.root.path().join("programs");
        std::fs::create_dir_all(&folder).expect("a folder");
        let own = folder.join(name);
        std::fs::copy(from, &own).expect("the program is copied");
        self.own_program = Some(own.clone());
        own
    }

    /// Sets an environment variable of its windows.
    pub(crate) fn set(&mut self, name: &'static str, value: impl Into<OsString>) {
        self.variables.push((name, value.into()));
    }

    /// Returns the search path for programs.
    fn path(&self) -> OsString {
        let own = self.root.path().join("programs");
        let system = std::env::var_os("PATH").unwrap_or_default();
        let folders = std::iter::once(own).chain(std::env::split_paths(&system));
        std::env::join_paths(folders).expect("folders without a colon")
    }

    pub(crate) fn data(&self) -> PathBuf {
        self.root.path().join("data")
    }

    /// The folder of the settings of the user's desktop.
    pub(crate) fn config(&self) -> PathBuf {
        self.root.path().join("xdg")
    }

    /// The stderr of the driver and the window.
    fn log(&self) -> PathBuf {
        self.root.path().join("guild-hall.log")
    }

    pub(crate) fn members(&self) -> PathBuf {
        self.root.path().join("members")
    }

    /// Returns the program under test: the installed one, or the built one linked into this home.
    /// The link keeps the path of the build folder out of the texts in the window.
    pub(crate) fn program(&self) -> PathBuf {
        if let Some(own) = &self.own_program {
            return own.clone();
        }
        if let Some(installed) = installed::program() {
            return installed;
        }
        let folder = self.root.path().join("bin");
        std::fs::create_dir_all(&folder).expect("a folder");
        let built = binary();
        for name in ["guild-hall", "guildhall"] {
            let (from, to) = (built.with_file_name(name), folder.join(name));
            if from.is_file() && !to.exists() && std::fs::hard_link(&from, &to).is_err() {
                // The home is on another file system than the build.
                std::fs::copy(&from, &to).expect("the program is copied");
            }
        }
        folder.join("guild-hall")
    }

    /// Returns the path of the home folder. All processes of this home have the path in their
    /// command or environment.
    fn mark(&self) -> &str {
        self.root.path().to_str().expect("UTF-8")
    }
}

/// An open window of Guild Hall.
pub(crate) struct Desktop {
    pub(crate) client: Client,
    mark: String,
    address: String,
    driver: Child,
    display: Display,
}

impl Desktop {
    /// Opens Guild Hall with the members of `home`.
    pub(crate) async fn open(home: &Home) -> Self {
        Self::open_on(Display::open().await, home).await
    }

    /// Like [`Desktop::open`], on a display that the test has opened.
    pub(crate) async fn open_on(display: Display, home: &Home) -> Self {
        let (members, data) = (home.members(), home.data());
        let arguments: [&OsStr; 4] = [
            "--members".as_ref(),
            members.as_ref(),
            "--data".as_ref(),
            data.as_ref(),
        ];
        Self::start(display, home, &arguments).await
    }

    /// Like [`Desktop::open`], with arguments for the program.
    pub(crate) async fn open_with(home: &Home, arguments: &[&OsStr]) -> Self {
        Self::start(Display::open().await, home, arguments).await
    }

    async fn start(display: Display, home: &Home, arguments: &[&OsStr]) -> Self {
        let binary = home.program();
        let arguments: Vec<&str> = arguments.iter().filter_map(|text| text.to_str()).collect();
        let mut capabilities = Map::new();
        capabilities.insert(
            "webkitgtk:browserOptions".to_owned(),
            json!({ "binary": binary, "args": arguments }),
        );
        for _ in 0..DRIVERS {
            let port = free_port();
            let address = format!("http://127.0.0.1:{port}");
            let mut driver = start_driver(home, display.number(), port);
            if !is_ready(&mut driver, &address).await {
                continue;
            }
            let mut builder = ClientBuilder::new(HttpConnector::new());
            builder.capabilities(capabilities.clone());
            let session = tokio::time::timeout(LIMIT, builder.connect(&address))
                .await
                .expect("a session within the limit");
            let ended = driver.try_wait().expect("the driver's state");
            match (session, ended) {
                (Ok(client), _) => {
                    return Self {
                        client,
                        mark: home.mark().to_owned(),
                        address,
                        driver,
                        display,
                    };
                }
                (Err(error), None) => panic!("no session with the window: {error:?}"),
                (Err(error), Some(status)) => {
                    eprintln!("the driver itself ended, {status}: {error:?}");
                    kill_all(home.mark());
                }
            }
        }
        panic!("{DRIVERS} drivers ended before there was a session");
    }

    /// Returns the address of the driver: a local server that answers, but that the page must not
    /// reach.
    pub(crate) fn driver_address(&self) -> &str {
        &self.address
    }

    pub(crate) fn display(&self) -> &str {
        self.display.number()
    }

    pub(crate) fn display_process(&self) -> u32 {
        self.display.process()
    }

    pub(crate) fn pid(&self) -> u32 {
        processes::marked(&self.mark)
            .into_iter()
            .find(|process| process.parent == self.driver.id())
            .expect("the window's process")
            .pid
    }

    /// Waits until `fits` accepts the text of an element. Returns the text.
    pub(crate) async fn text_where(&self, at: Locator<'_>, fits: impl Fn(&str) -> bool) -> String {
        until(&format!("the text at {at:?} fits"), async || {
            let text = self.client.find(at).await.ok()?.text().await.ok()?;
            fits(&text).then_some(text)
        })
        .await
    }

    /// Waits until the member of a roster row is ready. The row shows no text for this state.
    pub(crate) async fn is_ready(&self, row: Locator<'_>) {
        until(&format!("the member at {row:?} is ready"), async || {
            let row = self.client.find(row).await.ok()?;
            let status = row.attr("data-status").await.ok()??;
            (status == "ready").then_some(())
        })
        .await;
    }

    /// Waits until an element exists.
    pub(crate) async fn appears(&self, at: Locator<'_>) {
        self.text_where(at, |_| true).await;
    }

    /// Clicks an element as soon as it can be clicked.
    pub(crate) async fn click(&self, at: Locator<'_>) {
        // If the page replaced the element, a click on the replacement counts too. A second click
        // would undo it.
        const LISTEN: &str = "const [element] = arguments; \
             const name = (one) => one.tagName + (one.dataset.testid ?? one.textContent); \
             const isTwin = (one) => one !== null && \
             (name(one) === name(element) || isTwin(one.parentElement)); \
             window.clickTaken = false; \
             addEventListener('click', ({ target }) => { \
             window.clickTaken = element.isConnected ? element.contains(target) : isTwin(target); \
             }, { capture: true, once: true });";
        // The page may redraw the element between finding and clicking it, or move it away from the
        // driver's click.
        until(&format!("{at:?} takes a click"), async || {
            let element = self.client.find(at).await.ok()?;
            let found = vec![serde_json::to_value(&element).ok()?];
            self.client.execute(LISTEN, found).await.ok()?;
            element.click().await.ok()?;
            let taken = self.client.execute("return window.clickTaken;", Vec::new());
            (taken.await.ok()? == true).then_some(())
        })
        .await;
    }

    /// Sends a command to the shell as the page does. Returns the response or the error.
    pub(crate) async fn ask(&self, command: &str, request: Value) -> Result<Value, Value> {
        const ASK: &str = "const [command, payload, done] = arguments; \
             window.__TAURI_INTERNALS__.invoke(command, payload).then( \
             (answer) => done({ answer }), (refusal) => done({ refusal }));";
        let asked = vec![command.into(), json!({ "request": request })];
        let said = self.client.execute_async(ASK, asked).await;
        let mut said = said.expect("the page goes on");
        match said.get_mut("refusal") {
            Some(refusal) => Err(refusal.take()),
            None => Ok(said["answer"].take()),
        }
    }

    /// Types into the form field with this label.
    pub(crate) async fn fill(&self, label: &str, text: &str) {
        let labelled = format!("//label[normalize-space()='{label}']");
        let name = until(&format!("there is a field {label}"), async || {
            let label = self.client.find(Locator::XPath(&labelled)).await.ok()?;
            label.attr("for").await.ok()?
        })
        .await;
        let field = self
            .client
            .find(Locator::Id(&name))
            .await
            .expect("the labelled field");
        field.click().await.expect("the field takes the focus");
        field.send_keys(text).await.expect("the field takes keys");
    }

    pub(crate) async fn calls(&self) -> Vec<Value> {
        let filter = json!({
            "text": null, "member": null, "tool": null, "outcome": null, "caller": null,
            "sinceMs": null, "untilMs": null, "entry": null,
        });
        let request = json!({"filter": filter, "before": null, "limit": 10});
        let page = self.ask("search_history", request).await;
        let mut page = page.expect("a page of the history");
        serde_json::from_value(page["entries"].take()).expect("its calls")
    }

    /// Takes a picture of the page after its last change was painted.
    pub(crate) async fn picture(&self) -> Vec<u8> {
        const TWO_FRAMES: &str = "const done = arguments[0]; \
             requestAnimationFrame(() => requestAnimationFrame(() => done()));";
        self.client
            .execute_async(TWO_FRAMES, Vec::new())
            .await
            .expect("frames are drawn");
        self.client.screenshot().await.expect("a picture")
    }

    /// Asks the window to end, like a desktop whose user logs out. Waits until its process and all
    /// processes that it started have ended.
    pub(crate) async fn quit(self) {
        processes::terminate(self.pid());
        self.until_gone().await;
    }

    /// Waits until the window's process and all processes that it started have ended.
    pub(crate) async fn until_gone(mut self) {
        let driver = self.driver.id();
        until("every process of the window is gone", async || {
            processes::marked(&self.mark)
                .iter()
                .all(|process| Some(process.pid) == driver)
                .then_some(())
        })
        .await;
        self.driver.kill().await.expect("the driver ends");
        self.display.end().await;
    }
}

impl Drop for Home {
    /// Prints the output of the driver and of the window if the test failed.
    fn drop(&mut self) {
        if std::thread::panicking()
            && let Ok(log) = std::fs::read_to_string(self.log())
        {
            eprintln!("the driver and the window said:\n{log}");
            evidence::keep_log(self.root.path(), &log);
        }
    }
}

impl Drop for Desktop {
    /// Kills the remaining processes, also after a failed test. The driver does not end them.
    fn drop(&mut self) {
        if std::thread::panicking() {
            evidence::keep_picture(Path::new(&self.mark), self.display.number());
        }
        kill_all(&self.mark);
    }
}

fn kill_all(mark: &str) {
    for process in processes::marked(mark) {
        processes::kill(process.pid);
    }
}

/// Polls until `holds` returns a value, and returns it. Panics after [`LIMIT`].
pub(crate) async fn until<T>(what: &str, holds: impl AsyncFnMut() -> Option<T>) -> T {
    until_within(LIMIT, what, holds).await
}

/// Like [`until`], with another time limit.
pub(crate) async fn until_within<T>(
    limit: Duration,
    what: &str,
    mut holds: impl AsyncFnMut() -> Option<T>,
) -> T {
    let began = Instant::now();
    loop {
        if let Some(value) = holds().await {
            return value;
        }
        assert!(began.elapsed() < limit, "not within {limit:?}: {what}");
        tokio::time::sleep(PACE).await;
    }
}

fn repository() -> &'static Path {
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    own.parent().unwrap_or(own)
}

/// Returns the built program under test. Its folder is the parent of this test binary's folder.
fn binary() -> PathBuf {
    let own = std::env::current_exe().expect("the test's own path");
    let binary = own
        .ancestors()
        .nth(2)
        .expect("target/<profile>/deps/<test>")
        .join("guild-hall");
    assert!(
        binary.is_file(),
        "{} is missing: build it with `npm --prefix ui run build && cargo build -p guild-hall`",
        binary.display()
    );
    binary
}

/// Starts WebKit's driver for a window of `home` on the display `number`.
fn start_driver(home: &Home, number: &str, port: u16) -> Child {
    let log = std::fs::File::options()
        .create(true)
        .append(true)
        .open(home.log())
        .expect("a log");
    Command::new("WebKitWebDriver")
        .arg(format!("--port={port}"))
        .env("DISPLAY", format!(":{number}"))
        .env_remove("WAYLAND_DISPLAY")
        .env("GDK_BACKEND", "x11")
        .env("DBUS_SESSION_BUS_ADDRESS", &home.bus)
        .env("NO_AT_BRIDGE", "1")
        // Without this variable, the driver waits for a web view that it may control, without a
        // limit.
        .env("TAURI_WEBVIEW_AUTOMATION", "true")
        // A virtual display has no graphics card. With GPU rendering and without DMA-BUF, which
        // `--safe-render` also turns off, WebKit never answers the driver's request for a picture.
        .env("WEBKIT_SKIA_ENABLE_CPU_RENDERING", "1")
        // Hides the programs and files of the person who runs the tests.
        .env("PATH", home.path())
        .env("HOME", home.root.path())
        .env_remove("CLAUDE_CONFIG_DIR")
        .env_remove("CODEX_HOME")
        .env("XDG_DATA_HOME", home.root.path().join("xdg"))
        .env("XDG_CONFIG_HOME", home.root.path().join("xdg"))
        .env("XDG_CACHE_HOME", home.root.path().join("xdg"))
        .env("GUILD_HALL_LOG", "info")
        .envs(home.variables.iter().map(|(name, value)| (name, value)))
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(log)
        .kill_on_drop(true)
        .spawn()
        .expect("WebKitWebDriver (Debian: webkit2gtk-driver) has to be installed")
}

/// Waits until the driver accepts sessions. Returns `false` if the driver ended because another
/// program took its port.
///
/// Sends a WebDriver request, because any listener on the port would accept a connection.
async fn is_ready(driver: &mut Child, address: &str) -> bool {
    let client = Http::builder(TokioExecutor::new()).build_http::<String>();
    let status: Uri = format!("{address}/status").parse().expect("an address");
    until("the driver is ready", async || {
        if driver.try_wait().expect("the driver's state").is_some() {
            return Some(false);
        }
        let answer = client.get(status.clone()).await.ok()?;
        let body = answer.into_body().collect().await.ok()?.to_bytes();
        let said: Value = serde_json::from_slice(&body).ok()?;
        (said["value"]["ready"] == true).then_some(true)
    })
    .await
}

/// Returns a free port. The driver can't choose a port itself.
fn free_port() -> u16 {
    std::net::TcpListener::bind(("127.0.0.1", 0))
        .and_then(|listener| listener.local_addr())
        .expect("a free port")
        .port()
}
