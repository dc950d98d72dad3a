//! A minimal program that uses a process registry. The tests in `tests/process_registry.rs` end it
//! in every way.
//!
//!     custodian keep LEDGER SCRIPT    starts `sh -c SCRIPT`, prints `ready`, and reads one command
//!     custodian ask LEDGER SCRIPT     runs SCRIPT as a short command of at most 1,000 s
//!     custodian watchdog              runs the watchdog
//!
//! LEDGER is the folder of the run journal.

use std::io::{self, BufRead};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use guild_process::short_command::{self, CommandLimits};
use guild_process::{
    Child, Output, ProcessRegistry, ProcessRegistryOptions, ProcessSpec, StdioMode, StopSequence,
    watchdog_from_args,
};

fn main() -> ExitCode {
    if let Some(code) = watchdog_from_args(std::env::args_os()) {
        return code;
    }
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [role, journal, script] = words.as_slice() else {
        eprintln!("custodian keep|ask LEDGER SCRIPT");
        return ExitCode::from(2);
    };
    let done = match role.as_str() {
        "keep" => keep(journal.into(), script.clone()),
        "ask" => ask(journal.into(), script.clone()),
        _ => {
            eprintln!("custodian knows nothing of {role}");
            return ExitCode::from(2);
        }
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn registry(journal: PathBuf) -> io::Result<ProcessRegistry> {
    Ok(ProcessRegistry::open(ProcessRegistryOptions {
        watchdog: Some(std::env::current_exe()?),
        journal: Some(journal),
    }))
}

fn shell(script: String) -> io::Result<ProcessSpec> {
    Ok(ProcessSpec {
        program: "/bin/sh".into(),
        args: vec!["-c".into(), script],
        env: Vec::new(),
        cwd: std::env::current_dir()?,
    })
}

#[tokio::main]
async fn ask(journal: PathBuf, script: String) -> io::Result<()> {
    let registry = registry(journal)?;
    let limits = CommandLimits {
        time: Duration::from_secs(1000),
        bytes: 1024,
    };
    println!("ready");
    let answer = short_command::run(shell(script)?, limits, Some(&registry)).await;
    answer.map_err(io::Error::other)?;
    let until = tokio::time::Instant::now() + Duration::from_secs(5);
    registry.close(until).await;
    Ok(())
}

#[tokio::main]
async fn keep(journal: PathBuf, script: String) -> io::Result<()> {
    let registry = registry(journal)?;
    let spec = shell(script)?;
    let lease = registry.take("member").await;
    let output = Output::new();
    let child = Child::spawn(&spec, StdioMode::Closed, &output, lease);
    let child = child.map_err(io::Error::other)?;
    println!("ready");
    let order = tokio::task::spawn_blocking(|| {
        let mut order = String::new();
        io::stdin().lock().read_line(&mut order).map(|_| order)
    });
    match order.await.map_err(io::Error::other)??.trim() {
        "panic" => panic!("as told"),
        "abort" => std::process::abort(),
        "leave" => std::process::exit(0),
        _ => {
            child.stop(StopSequence::CLOSED).await;
            let until = tokio::time::Instant::now() + Duration::from_secs(5);
            registry.close(until).await;
            Ok(())
        }
    }
}
