//! A program in the smallest form that has processes in custody: its tests end it in every way.
//!
//!     custodian keep LEDGER SCRIPT    starts `sh -c SCRIPT`, says `ready`, and obeys a line of stdin
//!     custodian guardian              its own guardian

use std::io::{self, BufRead};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use guild_process::{
    Child, CommandSpec, Custody, CustodyOptions, Output, StdioMode, StopLadder, guardian_from_args,
};

fn main() -> ExitCode {
    if let Some(code) = guardian_from_args(std::env::args_os()) {
        return code;
    }
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [role, ledger, script] = words.as_slice() else {
        eprintln!("custodian keep LEDGER SCRIPT");
        return ExitCode::from(2);
    };
    if role != "keep" {
        eprintln!("custodian knows nothing of {role}");
        return ExitCode::from(2);
    }
    match keep(ledger.into(), script.clone()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

#[tokio::main]
async fn keep(ledger: PathBuf, script: String) -> io::Result<()> {
    let custody = Custody::open(CustodyOptions {
        guardian: Some(std::env::current_exe()?),
        ledger: Some(ledger),
    });
    let spec = CommandSpec {
        program: "/bin/sh".into(),
        args: vec!["-c".into(), script],
        env: Vec::new(),
        cwd: std::env::current_dir()?,
    };
    let charge = custody.take("member").await;
    let output = Output::new();
    let child = Child::spawn(&spec, StdioMode::Closed, &output, charge);
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
            child.stop(StopLadder::CLOSED).await;
            let until = tokio::time::Instant::now() + Duration::from_secs(5);
            custody.close(until).await;
            Ok(())
        }
    }
}
