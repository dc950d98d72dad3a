//! The options of the program, and what has to be settled before the first thread starts.

use std::path::PathBuf;

use clap::Parser;

/// Run, show, try and serve MCP servers.
#[derive(Debug, Clone, Default, Parser)]
#[command(name = "guild-hall", version)]
pub struct Arguments {
    /// The folder of the members, instead of the one in the settings
    #[arg(long, value_name = "DIR")]
    pub members: Option<PathBuf>,
    /// The folder for Guild Hall's own data
    #[arg(long, value_name = "DIR")]
    pub data: Option<PathBuf>,
    /// Draw without the graphics card's buffers, where the window stays blank (Linux)
    #[arg(long)]
    pub safe_render: bool,
}

/// What keeps the window from being shown at all; `None` where nothing does.
///
/// GTK would end the program with a panic that names no remedy.
pub(crate) fn missing_display() -> Option<&'static str> {
    let present = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    (cfg!(target_os = "linux") && !present("DISPLAY") && !present("WAYLAND_DISPLAY")).then_some(
        "Guild Hall has no display to open its window on: neither DISPLAY nor WAYLAND_DISPLAY is \
         set.\nhint: start it inside a desktop session, or use `guildhall`, which needs no window.",
    )
}

/// Starts the program anew, in place of this process, so that WebKit does without DMA-BUF.
///
/// WebKit reads the variable only from the environment, and an environment can't be changed
/// soundly once threads run; a new program image gets it from its first instruction on. Returns
/// only where that is not needed, or failed.
#[cfg(target_os = "linux")]
pub(crate) fn apply_safe_render(arguments: &Arguments) -> std::io::Result<()> {
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
pub(crate) fn apply_safe_render(_: &Arguments) -> std::io::Result<()> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_options_are_read() {
        let read = Arguments::try_parse_from(["guild-hall", "--members", "m", "--data", "d"]);
        let read = read.expect("both options exist");
        assert_eq!(read.members, Some(PathBuf::from("m")));
        assert_eq!(read.data, Some(PathBuf::from("d")));
        assert!(!read.safe_render, "DMA-BUF stays in use unless asked");
    }

    #[test]
    fn an_unknown_option_is_refused() {
        assert!(Arguments::try_parse_from(["guild-hall", "--member", "m"]).is_err());
    }
}
