//! The engine behind a pipe, for a window that runs in a separate browser.
//!
//! `door MEMBERS DATA` opens the hall over two folders, starts its members, and answers each line
//! of stdin, `{"id":…,"command":NAME,"request":…}`, with one line of stdout: `{"id":…,"ok":…}`, or
//! `{"id":…,"refused":REPORT}`. Events come between them as `{"event":ENVELOPE}`. It ends, and its
//! members with it, when stdin ends.
//!
//! It answers only the tool screen's commands; the shell's other commands are refused.

use std::path::PathBuf;
use std::process::ExitCode;

use guild_core::error::{Code, Report};
use guild_core::wire::{OfCall, OfMember, OfTool};
use guild_engine::{Hall, Options, Paths};
use serde_json::{Value, from_value, json, to_value};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::sync::mpsc;

/// Answers and events that wait to be written.
const OUTLET: usize = 256;
/// The longest line that is read: arguments have at most 8 MiB.
const LINE_MAX: u64 = 32 << 20;

#[tokio::main]
async fn main() -> ExitCode {
    let mut folders = std::env::args_os().skip(1).map(PathBuf::from);
    let (Some(members_dir), Some(data_dir)) = (folders.next(), folders.next()) else {
        eprintln!("usage: door MEMBERS DATA");
        return ExitCode::from(2);
    };
    let paths = Paths {
        members_dir,
        data_dir,
        cache_dir: None,
    };
    match Hall::open(paths, Options::default()).await {
        Ok(hall) => {
            serve(&hall).await;
            hall.shutdown().await;
            ExitCode::SUCCESS
        }
        Err(report) => {
            eprintln!("{}", report.message);
            ExitCode::FAILURE
        }
    }
}

/// Answers until stdin ends.
async fn serve(hall: &Hall) {
    let (out, lines) = mpsc::channel(OUTLET);
    let writer = tokio::spawn(write(lines));
    let mut events = hall.subscribe();
    let told = out.clone();
    let listener = tokio::spawn(async move {
        while let Some(event) = events.next().await {
            if told.send(json!({ "event": &*event })).await.is_err() {
                return;
            }
        }
    });
    drop(hall.start_all());

    let mut stdin = BufReader::new(tokio::io::stdin());
    let mut line = Vec::new();
    while let Ok(1..) = (&mut stdin)
        .take(LINE_MAX)
        .read_until(b'\n', &mut line)
        .await
    {
        let asked: Value = serde_json::from_slice(&line).unwrap_or_default();
        line.clear();
        let (hall, out) = (hall.clone(), out.clone());
        tokio::spawn(async move {
            let id = asked["id"].clone();
            let name = asked["command"].as_str().unwrap_or_default();
            let answer = match answer(&hall, name, asked["request"].clone()).await {
                Ok(answer) => json!({"id": id, "ok": answer}),
                Err(Refused(report)) => json!({"id": id, "refused": report}),
            };
            // The reader may be gone.
            let _ = out.send(answer).await;
        });
    }
    listener.abort();
    writer.abort();
}

async fn write(mut lines: mpsc::Receiver<Value>) {
    let mut stdout = tokio::io::stdout();
    while let Some(line) = lines.recv().await {
        let line = format!("{line}\n");
        if stdout.write_all(line.as_bytes()).await.is_err() || stdout.flush().await.is_err() {
            return;
        }
    }
}

async fn answer(hall: &Hall, name: &str, request: Value) -> Result<Value, Refused> {
    let answer = match name {
        "app_info" => to_value(hall.info()),
        "roster" => to_value(hall.roster()),
        "member_tools" => {
            let OfMember { member } = from_value(request)?;
            to_value(hall.member_tools(&member)?)
        }
        "search_tools" => to_value(hall.search_tools(&from_value(request)?)),
        "tool_detail" => {
            let OfTool { member, tool } = from_value(request)?;
            to_value(hall.tool_detail(&member, &tool)?)
        }
        "member_detail" => {
            let OfMember { member } = from_value(request)?;
            to_value(hall.member_detail(&member).await?)
        }
        "check_arguments" => to_value(hall.check_arguments(&from_value(request)?).await?),
        "invoke_tool" => to_value(hall.invoke(from_value(request)?).await),
        "cancel_call" => {
            let OfCall { call } = from_value(request)?;
            hall.cancel_call(&call);
            Ok(json!({}))
        }
        _ => return Err(Refused::because(&format!("the door answers no {name}"))),
    };
    Ok(answer?)
}

/// Why a command was not carried out, as the window reads it.
struct Refused(Value);

impl Refused {
    fn because(why: &str) -> Self {
        let code = Code::ConnectionFailed.as_str();
        Self(json!({"code": code, "message": why, "hint": "", "member": null}))
    }
}

impl From<Report> for Refused {
    fn from(report: Report) -> Self {
        Self(json!(report))
    }
}

impl From<serde_json::Error> for Refused {
    fn from(error: serde_json::Error) -> Self {
        Self::because(&error.to_string())
    }
}
