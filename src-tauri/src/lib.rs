//! The desktop shell: one window for the engine.
//!
//! The shell owns the window, connects the window's page with [`GuildHall`], and shuts both down.
//! It contains no further logic: the engine manages members, and the UI displays them. Only the
//! engine starts processes and opens files.
//!
//! A start has this order: (1) The hall is opened after GTK is set up, because the hall needs the
//! path of the sidecar `guildhall`, which Tauri provides. (2) The window is created. Its page
//! already contains the roster, so that the first paint waits for no response. (3) The members
//! start once the page has shown their launch commands.

mod apps;
mod arguments;
mod commands;
mod desktop;
mod dialogs;
mod drops;
mod failure;
mod frames;
mod listener;
mod markup;
mod milestones;
mod opening;
mod quit;
mod second_start;
mod showing;
mod updates;
mod window;
mod words;

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::sync::Arc;
use std::time::{Duration, Instant};

use guild_api::wire::control::ShowWindow;
use guild_engine::{
    AppLog, GatewayOptions, GuildHall, GuildHallOptions, KeychainChoice, LockMode, LoginShell,
    Paths, Updates, WatchdogProgram,
};
use guild_model::error::{Code, Report};
use guild_model::holder::HallRole;
use tauri::{AppHandle, Manager, RunEvent, WindowEvent, async_runtime};
use tauri_plugin_shell::ShellExt;
use tokio::sync::Notify;

pub use crate::arguments::AppArguments;
use crate::desktop::Outside;
use crate::frames::FrameKeeper;
use crate::listener::PageListener;
use crate::milestones::Milestones;
use crate::quit::Quit;
use crate::showing::PendingScripts;

/// Maximum time from the creation of the window to the start of the gateway and of the features
/// outside the window. They start earlier if the page listens for events. If the window stays
/// hidden, members start with them.
const UNPAINTED: Duration = Duration::from_millis(1_500);
/// How much longer the members wait if the window is visible, because the page has to show their
/// launch commands first. Behind a locked screen, nothing is painted.
const LATEST_START: Duration = Duration::from_secs(30);

/// Signals from the page to the shell.
#[derive(Debug, Default)]
pub(crate) struct Signals {
    /// The page was painted.
    pub(crate) window_ready: Notify,
    /// The page listens for links to show, and has shown the launch commands.
    pub(crate) page_listens: Notify,
    /// The page runs, whether or not it was painted. Behind a locked screen, nothing is painted.
    pub(crate) page_runs: Notify,
    /// The page has saved its drafts.
    pub(crate) drafts_flushed: Notify,
}

impl Signals {
    /// Discards an earlier signal of saved drafts.
    pub(crate) fn forget_flushed(&self) {
        let mut flushed = std::pin::pin!(self.drafts_flushed.notified());
        flushed.as_mut().enable();
    }
}

/// Opens the hall and its window, and returns once both are closed. Milestones are measured from
/// `started`.
pub fn run(arguments: &AppArguments, started: Instant) -> ExitCode {
    if let Err(error) = arguments::apply_safe_render(arguments) {
        eprintln!("{}", words::no_safe_render(&error));
    }
    let log = AppLog::begin("warn");
    if arguments::is_display_missing() {
        eprintln!("{}", words::NO_DISPLAY);
        return ExitCode::FAILURE;
    }

    if second_start::hand_over(arguments) {
        return ExitCode::SUCCESS;
    }

    let milestones = Milestones::from_environment(started);
    let (members, data) = (arguments.members.clone(), arguments.data.clone());
    let kept_log = log.clone();
    let start = StartupOptions {
        arguments: arguments.clone(),
        milestones,
    };

    let builder = tauri::Builder::default();
    #[cfg(not(target_os = "linux"))]
    let builder = builder
        .plugin(tauri_plugin_global_shortcut::Builder::new().build())
        .plugin(tauri_plugin_notification::init());
    let built = builder
        .plugin(tauri_plugin_dialog::init())
        .plugin(
            tauri_plugin_opener::Builder::new()
                .open_js_links_on_click(false)
                .build(),
        )
        .plugin(tauri_plugin_shell::init())
        .plugin(updates::plugin())
        .manage(PendingScripts::default())
        .manage(apps::AppDocuments::default())
        .register_uri_scheme_protocol(failure::SCHEME, |context, _| {
            failure::page(context.app_handle())
        })
        .register_uri_scheme_protocol(apps::SCHEME, |context, request| {
            apps::serve(context.app_handle(), request.uri())
        })
        .invoke_handler(commands::handler())
        .setup(move |app| {
            let sidecar = sidecar(app.handle());
            let opened = open_hall(members, data, sidecar, kept_log);
            start.show(app.handle(), opened)
        })
        .build(tauri::generate_context!());
    let app = match built {
        Ok(app) => app,
        Err(error) => {
            eprintln!("{}", words::no_window(&error));
            return ExitCode::FAILURE;
        }
    };

    let code = app.run_return(|app, event| match event {
        RunEvent::WindowEvent {
            label,
            event: WindowEvent::CloseRequested { api, .. },
            ..
        } if label == window::LABEL && desktop::close(app) => api.prevent_close(),
        RunEvent::WindowEvent {
            label,
            event: WindowEvent::Focused(focused),
            ..
        } if label == window::LABEL => {
            if let Some(outside) = app.try_state::<Outside>() {
                outside.look(focused && !window::is_hidden(app));
            }
        }
        RunEvent::WindowEvent {
            event: WindowEvent::Moved(_) | WindowEvent::Resized(_),
            ..
        } => {
            if let Some(keeper) = app.try_state::<FrameKeeper>() {
                keeper.moved();
            }
        }
        RunEvent::WindowEvent {
            label,
            event: WindowEvent::DragDrop(event),
            ..
        } => drops::forward(app, &label, &event),
        // Only macOS sends links as events, which may arrive before the hall is open. Other systems
        // pass links as arguments.
        #[cfg(target_os = "macos")]
        RunEvent::Opened { urls } => {
            let opened: Vec<String> = urls.iter().map(ToString::to_string).collect();
            showing::open(app, arguments::shown_by(&opened));
        }
        // The user clicked the Dock icon or a notification.
        #[cfg(target_os = "macos")]
        RunEvent::Reopen { .. } => window::bring_up(app),
        RunEvent::ExitRequested { api, code, .. }
            if quit::begin_with(app, code.unwrap_or_default()) =>
        {
            api.prevent_exit();
        }
        _ => {}
    });
    log.finish();
    u8::try_from(code).map_or(ExitCode::FAILURE, ExitCode::from)
}

/// Returns the path of the command-line program `guildhall`, which is next to the desktop program
/// in every package. `None` if a development build lacks it. The engine then uses the desktop
/// program instead, which supports the same hidden subcommands.
fn sidecar(app: &AppHandle) -> Option<String> {
    // Only the path of the sidecar is used, because the engine starts and ends all processes.
    let command = match app.shell().sidecar("guildhall") {
        Ok(command) => Command::from(command),
        Err(error) => {
            tracing::warn!(%error, "guildhall is not beside this program");
            return None;
        }
    };
    let program = Path::new(command.get_program());
    program
        .is_file()
        .then(|| program.to_string_lossy().into_owned())
}

/// Finds the folders and opens the hall. Starts no member.
fn open_hall(
    members: Option<PathBuf>,
    data: Option<PathBuf>,
    own_binary: Option<String>,
    log: AppLog,
) -> Result<GuildHall, Report> {
    let paths = Paths::resolve(members, data)?;
    let options = GuildHallOptions {
        own_binary,
        watchdog: WatchdogProgram::OwnBinary,
        app_log: Some(log),
        tenure: LockMode::Serve(HallRole::App),
        login_shell: LoginShell::OfUser,
        keychain: KeychainChoice::System,
        ..GuildHallOptions::default()
    };
    async_runtime::block_on(GuildHall::open(paths, options))
}

/// The options of a start.
struct StartupOptions {
    arguments: AppArguments,
    milestones: Option<Milestones>,
}

impl StartupOptions {
    /// Opens the window with the hall, or with the reason why the hall could not be opened.
    fn show(
        &self,
        app: &AppHandle,
        opened: Result<GuildHall, Report>,
    ) -> Result<(), Box<dyn std::error::Error>> {
        let Self {
            arguments,
            milestones,
        } = self;
        match opened {
            Ok(hall) => show_hall(app, hall, arguments, *milestones),
            // If another process has opened the hall at the same time, this process passes its
            // request on and exits.
            Err(report) if report.code == Code::HallRuns && second_start::hand_over(arguments) => {
                app.exit(0);
                Ok(())
            }
            Err(report) => failure::show(app, report),
        }
    }
}

/// Creates the window of an open hall, and starts the features outside the window.
fn show_hall(
    app: &AppHandle,
    hall: GuildHall,
    arguments: &AppArguments,
    milestones: Option<Milestones>,
) -> Result<(), Box<dyn std::error::Error>> {
    let signals = Arc::new(Signals::default());
    app.manage(hall.clone());
    app.manage(PageListener::default());
    app.manage(Quit::of(hall.clone()));
    app.manage(Arc::clone(&signals));
    app.manage(FrameKeeper::of(&hall));
    app.manage(Outside::new());
    updates::begin(app, &hall, arguments);
    let settings = async_runtime::block_on(hall.settings_state())?;
    let to_show = arguments.to_show();
    let hidden = arguments.is_hidden() && !app.state::<PendingScripts>().has_waiting();
    window::open(app, &hall.roster(), &hall.info(), &settings, hidden)?;
    quit::on_signals(app);
    second_start::welcome(app, hall.clone());
    frames::follow(app, hall.clone());
    if to_show != ShowWindow::default() {
        showing::open(app, to_show);
    }
    let updates = app.state::<Updates>().inner().clone();
    let running = Arc::clone(&signals);
    async_runtime::spawn(async move {
        running.page_runs.notified().await;
        updates.came_up().await;
    });
    let (handle, arguments) = (app.clone(), arguments.clone());

    async_runtime::spawn(async move {
        // Members that start at this point would delay the first paint.
        let mut painted = std::pin::pin!(signals.window_ready.notified());
        // After the first paint, the page shows only the roster. It shows the launch commands
        // later.
        let mut listening = std::pin::pin!(signals.page_listens.notified());
        let unpainted = tokio::time::Instant::now() + UNPAINTED;
        let announce = || {
            if let Some(milestones) = &milestones {
                milestones.announce("window-ready");
            }
        };
        let mut is_painted = tokio::time::timeout_at(unpainted, painted.as_mut())
            .await
            .is_ok();
        if is_painted {
            announce();
        }
        let is_listening = tokio::time::timeout_at(unpainted, listening.as_mut())
            .await
            .is_ok();
        let at_once = (is_listening || hidden).then(|| hall.start_all());
        desktop::begin(&handle, hall.clone(), &arguments);
        // If the port is in use, the window shows the error.
        hall.open_gateway(GatewayOptions::default()).await;
        let started = match at_once {
            Some(started) => started,
            None => {
                let page = async {
                    if !is_painted {
                        painted.as_mut().await;
                        is_painted = true;
                        announce();
                    }
                    listening.as_mut().await;
                };
                let _ = tokio::time::timeout(LATEST_START, page).await;
                hall.start_all()
            }
        };
        // Only benchmarks wait for the signal.
        if !is_painted && milestones.is_some() {
            painted.await;
            announce();
        }
        let Some(milestones) = milestones else { return };
        started.settled().await;
        hall.at_rest().await;
        milestones.announce("roster-settled");
    });
    Ok(())
}
