//! The first part of an AppImage of Guild Hall. A file system image follows it in the same file: it is
//! unpacked into the user's cache once, and started from there. Nothing is mounted.
//!
//! The options that begin with `--appimage-` are those of every AppImage; all others are handed on.

#[cfg(target_os = "linux")]
mod cache;
#[cfg(any(target_os = "linux", test))]
mod image;
#[cfg(target_os = "linux")]
mod start;

#[cfg(target_os = "linux")]
fn main() -> std::process::ExitCode {
    start::main()
}

#[cfg(not(target_os = "linux"))]
fn main() {
    eprintln!("An AppImage runs on Linux.");
}
