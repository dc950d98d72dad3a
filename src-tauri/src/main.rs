//! The program `guild-hall`: determines its role from the arguments, and runs it.
#![cfg_attr(not(debug_assertions), windows_subsystem = "windows")]

use std::process::ExitCode;
use std::time::Instant;

use guild_hall::AppArguments;

fn main() -> ExitCode {
    let started = Instant::now();
    guild_engine::return_large_blocks();
    if let Some(code) = guild_engine::watchdog(std::env::args_os())
        .or_else(|| guild_engine::update_watchdog(std::env::args_os()))
    {
        return code;
    }
    // This program can also run as a sample member, which needs neither a display nor the options
    // of the window.
    if let Some(code) = guild_engine::sample_member(std::env::args_os())
        .or_else(|| guild_engine::print_environment(std::env::args_os()))
    {
        return code;
    }
    guild_hall::run(&AppArguments::of_command_line().as_written(), started)
}
