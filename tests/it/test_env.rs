//! A hall with a temporary folder of members. After each test, checks that no process remains.

use std::collections::VecDeque;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use guild_api::event::{Envelope, HallEvent};
use guild_api::wire::{ArgumentCheck, CallEnd, CallOutcome, GatewayState, InvokeTool, MemberView};
use guild_engine::{GatewayOptions, GuildHall, GuildHallOptions, Paths, Subscription, Tokens};
use guild_model::status::Status;
use guild_model::{CallId, MemberName, Report, ToolName};
use guild_tests::{Events, LIMIT, MemberFolder, Nonce, Watchdog, wait_for};
#[cfg(target_os = "linux")]
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;

/// The time after which a test counts as hanging. Waits on a busy machine are shorter.
const HANGS: Duration = Duration::from_secs(400);

/// Limit of the time until a hall has closed.
pub(crate) const CLOSED: Duration = Duration::from_secs(5);

/// The environment of one test: its folders, the mark of its processes, and a watchdog.
pub(crate) struct TestEnv {
    // Dropped in this order: the folder is removed last, after the check that nothing uses it.
    _watchdog: Watchdog,
    pub(crate) nonce: Nonce,
    ports: Ports,
    folder: tempfile::TempDir,
}

/// The ports of one environment. No other environment gets them while this value exists.
struct Ports(u16);

/// The number of ports of an environment.
const EACH: u16 = 40;
/// The first ports of the free ranges. The range that has been free for longest is used first.
static FREE: LazyLock<Mutex<VecDeque<u16>>> = LazyLock::new(|| {
    let firsts = (21_000..30_000 - EACH).step_by(EACH.into());
    Mutex::new(firsts.collect())
});

impl Ports {
    fn take() -> Self {
        let first = Self::free().pop_front();
        Self(first.expect("no more houses than ports"))
    }

    fn free() -> MutexGuard<'static, VecDeque<u16>> {
        FREE.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn range(&self) -> RangeInclusive<u16> {
        self.0..=(self.0 + EACH - 1)
    }
}

impl Drop for Ports {
    fn drop(&mut self) {
        Self::free().push_back(self.0);
    }
}

impl TestEnv {
    pub(crate) fn new(test: &str) -> Self {
        let nonce = Nonce::new();
        Self {
            _watchdog: Watchdog::start(&nonce, test, HANGS),
            nonce,
            ports: Ports::take(),
            folder: tempfile::tempdir().expect("a temporary folder"),
        }
    }

    pub(crate) fn members_dir(&self) -> PathBuf {
        self.folder.path().join("members")
    }

    pub(crate) fn data_dir(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    /// Removes the limit for the size of agents' results.
    pub(crate) fn unlimited_results(&self) {
        std::fs::create_dir_all(self.data_dir()).expect("a folder");
        let settings = r#"{"gateway": {"resultTokens": 0}}"#;
        std::fs::write(self.data_dir().join("settings.json"), settings).expect("written");
    }

    /// Returns the builder of a fixture's folder, with marked processes.
    pub(crate) fn member(&self, name: &str) -> MemberFolder {
        MemberFolder::new(&self.members_dir(), name).nonce(&self.nonce)
    }

    pub(crate) fn http(&self, name: &str) -> MemberFolder {
        MemberFolder::new(&self.members_dir(), name)
            .http()
            .nonce(&self.nonce)
    }

    pub(crate) fn ports(&self) -> RangeInclusive<u16> {
        self.ports.range()
    }

    pub(crate) fn paths(&self) -> Paths {
        Paths {
            members_dir: self.members_dir(),
            data_dir: self.data_dir(),
            cache_dir: None,
        }
    }

    /// Returns the default options, with this environment's ports.
    pub(crate) fn options(&self) -> GuildHallOptions {
        GuildHallOptions {
            ports: Some(self.ports()),
            ..GuildHallOptions::default()
        }
    }

    /// Opens the hall without starting members. Concurrent tests have different ports.
    pub(crate) async fn open(&self) -> Open {
        self.open_with(self.options()).await
    }

    pub(crate) async fn open_with(&self, mut options: GuildHallOptions) -> Open {
        // The load of this machine must not change a test.
        options.is_loaded.get_or_insert(|| false);
        let dir = self.members_dir();
        std::fs::create_dir_all(&dir).expect("the members' folder");
        let hall = GuildHall::open(self.paths(), options)
            .await
            .expect("the hall opens");
        let mut events = HallEvents(hall.subscribe());
        // The current roster comes first; tests wait for later events.
        events.next().await.expect("the roster");
        Open { hall, events }
    }

    /// Opens the hall, starts all members and waits until each is up or has failed.
    pub(crate) async fn started(&self) -> Open {
        let open = self.open().await;
        open.hall.start_all().settled().await;
        open
    }

    /// Opens the hall, starts all members and waits until no start or discovery runs.
    pub(crate) async fn at_rest(&self) -> Open {
        let open = self.started().await;
        open.hall.at_rest().await;
        open
    }
}

/// Returns the files below a folder whose content `fits` accepts.
pub(crate) fn files_where(folder: &Path, fits: impl Fn(&[u8]) -> bool) -> Vec<PathBuf> {
    let mut fitting = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).into_iter().flatten() {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if std::fs::read(&path).is_ok_and(|bytes| fits(&bytes)) {
                fitting.push(path);
            }
        }
    }
    fitting
}

/// Sends a signal to a live process.
#[cfg(target_os = "linux")]
pub(crate) fn kill(pid: u32, signal: Signal) {
    let pid = i32::try_from(pid).ok().and_then(Pid::from_raw);
    kill_process(pid.expect("a number"), signal).expect("it lives");
}

pub(crate) struct Open {
    pub(crate) hall: GuildHall,
    pub(crate) events: HallEvents,
}

pub(crate) struct HallEvents(Subscription);

impl HallEvents {
    pub(crate) fn of(hall: &GuildHall) -> Self {
        Self(hall.subscribe())
    }
}

impl HallEvents {
    /// Waits for an event that `pick` accepts. Returns its result.
    pub(crate) async fn find<R>(
        &mut self,
        what: &str,
        mut pick: impl FnMut(&HallEvent) -> Option<R>,
    ) -> R {
        wait_for(self, LIMIT, what, |envelope| pick(&envelope.event)).await
    }
}

impl Events for HallEvents {
    type Event = Arc<Envelope>;

    async fn next(&mut self) -> Option<Self::Event> {
        self.0.next().await
    }
}

impl Open {
    /// Returns a member's present view.
    pub(crate) fn view(&self, member: &str) -> MemberView {
        let roster = self.hall.roster();
        let found = roster
            .members
            .iter()
            .find(|view| view.name.as_str() == member)
            .cloned();
        found.unwrap_or_else(|| panic!("no member {member} in {roster:#?}"))
    }

    /// Waits until `fits` accepts the view of a member, and returns the view.
    pub(crate) async fn shown(
        &mut self,
        member: &str,
        what: &str,
        fits: impl Fn(&MemberView) -> bool,
    ) -> MemberView {
        // A new subscription begins with the whole roster, so no change is missed.
        let mut events = HallEvents(self.hall.subscribe());
        let what = format!("{member}: {what}");
        wait_for(&mut events, LIMIT, &what, |envelope| {
            let views: Vec<&MemberView> = match &envelope.event {
                HallEvent::Roster { roster } => roster.members.iter().collect(),
                HallEvent::MemberAdded { member } | HallEvent::MemberChanged { member, .. } => {
                    vec![member]
                }
                _ => vec![],
            };
            views
                .into_iter()
                .find(|view| view.name.as_str() == member && fits(view))
                .cloned()
        })
        .await
    }

    pub(crate) async fn status(&mut self, member: &str, status: Status) -> MemberView {
        self.shown(member, status.as_str(), |view| view.status == status)
            .await
    }

    /// Waits for an event with a matching state of the gateway.
    pub(crate) async fn gateway_changed(
        &mut self,
        fits: impl Fn(&GatewayState) -> bool,
    ) -> GatewayState {
        *wait_for(
            &mut self.events,
            LIMIT,
            "the gateway's change",
            |envelope| match &envelope.event {
                HallEvent::GatewayChanged { gateway } if fits(gateway) => Some(gateway.clone()),
                _ => None,
            },
        )
        .await
    }

    /// Calls a tool. Returns the whole outcome.
    pub(crate) async fn outcome(&self, member: &str, tool: &str, arguments: &str) -> CallOutcome {
        self.hall.invoke(request(member, tool, arguments)).await
    }

    /// Calls a tool, and returns its result. Panics if the call fails.
    pub(crate) async fn result(&self, member: &str, tool: &str, arguments: &str) -> Value {
        match self.outcome(member, tool, arguments).await.end {
            CallEnd::Result { result, .. } => serde_json::from_str(&result).expect("JSON"),
            CallEnd::Failed { report, .. } => panic!("{member}/{tool} failed: {report}"),
        }
    }

    /// Calls a tool that must fail. Returns the reason.
    pub(crate) async fn refusal(&self, member: &str, tool: &str, arguments: &str) -> Report {
        match self.outcome(member, tool, arguments).await.end {
            CallEnd::Result { result, .. } => panic!("{member}/{tool} answered: {result}"),
            CallEnd::Failed { report, .. } => report,
        }
    }

    /// Makes a call, and returns its reported progress and totals. Panics if the call fails.
    pub(crate) async fn progress_of(&mut self, request: InvokeTool) -> Vec<(f64, Option<f64>)> {
        let id = request.call.clone();
        let outcome = self.hall.invoke(request).await;
        let well = matches!(
            outcome.end,
            CallEnd::Result {
                is_error: false,
                ..
            }
        );
        assert!(well, "{outcome:#?}");
        let mut steps = Vec::new();
        wait_for(
            &mut self.events,
            LIMIT,
            "the call's end",
            |envelope| match &envelope.event {
                HallEvent::CallProgress { call, progress } if *call == id => {
                    steps.push((progress.progress, progress.total));
                    None
                }
                HallEvent::CallFinished { call, .. } if *call == id => Some(()),
                _ => None,
            },
        )
        .await;
        steps
    }

    pub(crate) async fn close(self) {
        self.hall.shutdown().await;
    }
}

/// A gateway on a free port, without tokens.
pub(crate) const ANY_PORT: GatewayOptions = GatewayOptions {
    port: Some(0),
    tokens: Tokens::NotWanted,
};

/// Opens the gateway of a hall on a free port, without tokens. Returns its endpoint's address.
pub(crate) async fn open_gateway(hall: &GuildHall) -> String {
    let state = hall.open_gateway(ANY_PORT).await;
    state.address.expect("the gateway listens")
}

pub(crate) fn name(text: &str) -> MemberName {
    MemberName::parse(text).expect("a member's name")
}

pub(crate) fn tool(text: &str) -> ToolName {
    ToolName::parse(text).expect("a tool's name")
}

/// Returns a call with a unique id.
pub(crate) fn request(member: &str, tool: &str, arguments: &str) -> InvokeTool {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let call = CallId::parse(&format!("call-{}", NEXT.fetch_add(1, Ordering::Relaxed)));
    InvokeTool {
        call: call.expect("an id"),
        member: name(member),
        tool: self::tool(tool),
        arguments: arguments.to_owned(),
        check: ArgumentCheck::Refuse,
        timeout_ms: None,
    }
}

/// Returns the text of a result's first content item.
pub(crate) fn text(result: &Value) -> &str {
    result["content"][0]["text"]
        .as_str()
        .unwrap_or_else(|| panic!("no text in {result}"))
}

/// Replaces a file by renaming another one, as editors do.
pub(crate) fn put_in_place(file: &Path, text: &str) {
    let aside = file.with_extension("aside");
    std::fs::write(&aside, text).expect("written");
    std::fs::rename(&aside, file).expect("put in its place");
}

pub(crate) fn json(path: &Path) -> Value {
    let bytes = std::fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    serde_json::from_slice(&bytes).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}
