//! The command-line options of the desktop program, and the setup that must run before any thread
//! starts.

use std::path::{Path, PathBuf};

use clap::Parser;
use guild_api::wire::control::{OPENED_FILES_MAX, ShowWindow};
use guild_engine::AppImage;
use guild_model::link::{LINK_MAX, claims_to_be_a_link};

/// Run, show, try and serve MCP servers.
#[derive(Debug, Clone, Default, Parser)]
#[command(name = "guild-hall", version)]
pub struct AppArguments {
    /// Use this members folder instead of the one in the settings
    #[arg(long, value_name = "DIR")]
    pub members: Option<PathBuf>,
    /// Use this folder for Guild Hall's own data
    #[arg(long, value_name = "DIR")]
    pub data: Option<PathBuf>,
    /// Draw without the graphics card's buffers. Use it if the window stays blank (Linux)
    #[arg(long)]
    pub safe_render: bool,
    /// Start without the window, if the desktop has a tray that can open it again
    #[arg(long)]
    pub hidden: bool,
    /// A link such as guildhall://member/NAME, or bundle files to open
    #[arg(value_name = "LINK|FILE")]
    pub open: Vec<String>,
}

impl AppArguments {
    /// Parses the command line. For help, or after an error, prints it and exits.
    #[must_use]
    pub fn of_command_line() -> Self {
        Self::parse()
    }

    /// Resolves relative paths against the folder in which the user started an AppImage. AppImages
    /// pass that folder in the variable `OWD`.
    #[must_use]
    pub fn as_written(self) -> Self {
        match AppImage::of_this_program().and_then(|image| image.started_in.as_deref()) {
            Some(folder) => self.written_in(folder),
            None => self,
        }
    }

    fn written_in(self, folder: &Path) -> Self {
        let file =
            |text: String| match claims_to_be_a_link(&text) || tauri::Url::parse(&text).is_ok() {
                true => text,
                false => folder.join(text).to_string_lossy().into_owned(),
            };
        Self {
            members: self.members.map(|path| folder.join(path)),
            data: self.data.map(|path| folder.join(path)),
            open: self.open.into_iter().map(file).collect(),
            ..self
        }
    }

    /// Returns the options `--members` and `--data` of this process, for starting the program
    /// again.
    pub(crate) fn folders(&self) -> Vec<String> {
        let mut options = Vec::new();
        for (name, folder) in [("--members", &self.members), ("--data", &self.data)] {
            let folder = folder
                .as_deref()
                .and_then(|path| std::path::absolute(path).ok());
            if let Some(folder) = folder.as_deref().and_then(|path| path.to_str()) {
                options.extend([name.to_owned(), folder.to_owned()]);
            }
        }
        options
    }

    /// Whether the window stays hidden: `--hidden` was given, and there is no link or file to show.
    pub(crate) fn is_hidden(&self) -> bool {
        self.hidden && self.to_show() == ShowWindow::default()
    }

    /// Returns the link and the files to show.
    pub(crate) fn to_show(&self) -> ShowWindow {
        shown_by(&self.open)
    }
}

/// Returns the first link, and the absolute paths of the files.
pub(crate) fn shown_by(opened: &[String]) -> ShowWindow {
    let (links, files): (Vec<&String>, Vec<&String>) =
        opened.iter().partition(|text| claims_to_be_a_link(text));
    let whole = |text: &String| {
        let path = path_of(text);
        let path = std::path::absolute(&path).unwrap_or(path);
        path.into_os_string().into_string().ok()
    };
    let files = files.into_iter().take(OPENED_FILES_MAX);
    ShowWindow {
        link: links.first().map(|link| cut(link)),
        files: files.filter_map(whole).collect(),
    }
}

/// Truncates a link to just above its maximum length, since a longer one is rejected anyway.
fn cut(link: &str) -> String {
    link.chars().take(LINK_MAX + 1).collect()
}

/// Converts an argument to a path. Desktops may pass a file as a `file:` URL.
fn path_of(text: &str) -> PathBuf {
    let address = tauri::Url::parse(text).ok();
    let address = address.filter(|address| address.scheme() == "file");
    let path = address.and_then(|address| address.to_file_path().ok());
    path.unwrap_or_else(|| PathBuf::from(text))
}

/// Whether there is no display for the window.
///
/// Without this check, GTK would panic with an unhelpful message.
pub(crate) fn is_display_missing() -> bool {
    let present = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    cfg!(target_os = "linux") && !present("DISPLAY") && !present("WAYLAND_DISPLAY")
}

/// Restarts the program in this process with a variable that turns off DMA-BUF in WebKit.
///
/// WebKit reads the variable only from the environment, and the environment can't be changed safely
/// once threads run. Returns only if the restart is not needed or failed.
#[cfg(target_os = "linux")]
pub(crate) fn apply_safe_render(arguments: &AppArguments) -> std::io::Result<()> {
    use std::os::unix::process::CommandExt;

    const VARIABLE: &str = "WEBKIT_DISABLE_DMABUF_RENDERER";
    if !arguments.safe_render || std::env::var_os(VARIABLE).is_some() {
        return Ok(());
    }
    Err(std::process::Command::new(std::env::current_exe()?)
        .args(std::env::args_os().skip(1))
        .env(VARIABLE, "1")
        .exec())
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn apply_safe_render(_: &AppArguments) -> std::io::Result<()> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_options_are_read() {
        let read = AppArguments::try_parse_from(["guild-hall", "--members", "m", "--data", "d"]);
        let read = read.expect("both options exist");
        assert_eq!(read.members, Some(PathBuf::from("m")));
        assert_eq!(read.data, Some(PathBuf::from("d")));
        assert!(!read.safe_render, "DMA-BUF stays in use unless asked");
    }

    #[test]
    fn links_and_files_are_told_apart() {
        let read = AppArguments::try_parse_from([
            "guild-hall",
            "--hidden",
            "guildhall://page/agents",
            "file:///tmp/a%20b.mcpb",
            "/tmp/c.mcpb",
            "guildhall://page/doctor",
        ]);
        let read = read.expect("links and files");
        assert!(read.hidden);
        let shown = read.to_show();
        assert_eq!(shown.link.as_deref(), Some("guildhall://page/agents"));
        assert_eq!(shown.files, ["/tmp/a b.mcpb", "/tmp/c.mcpb"]);
        let long = format!("guildhall://member/{}", "a".repeat(100_000));
        let read = AppArguments::try_parse_from(["guild-hall", &long]).expect("a link");
        assert_eq!(
            read.to_show().link.map(|link| link.len()),
            Some(LINK_MAX + 1)
        );
    }

    #[test]
    fn paths_are_those_of_the_folder_that_their_user_was_in() {
        let read = AppArguments::try_parse_from([
            "guild-hall",
            "--members",
            "m",
            "--data",
            "/d",
            "x.mcpb",
            "guildhall://member/a",
            "file:///b.mcpb",
        ]);
        let read = read
            .expect("a command line")
            .written_in(Path::new("/home/a"));
        assert_eq!(read.members, Some(PathBuf::from("/home/a/m")));
        assert_eq!(read.data, Some(PathBuf::from("/d")));
        assert_eq!(
            read.open,
            ["/home/a/x.mcpb", "guildhall://member/a", "file:///b.mcpb"]
        );
    }

    #[test]
    fn an_unknown_option_is_refused() {
        assert!(AppArguments::try_parse_from(["guild-hall", "--member", "m"]).is_err());
    }
}
