//! An MCP server over stdio that answers every call with the exact bytes of its arguments.
//!
//! `echo TOOLS` serves the tools of a file (a JSON array). It ends when stdin closes. The protocol
//! has no library, so that the arguments are not parsed: no number changes, and the keys keep their
//! order.

use std::io::{self, BufRead, Write};
use std::process::ExitCode;

use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};

/// A line from a client, with unparsed arguments.
#[derive(Deserialize)]
struct Message<'a> {
    id: Option<Value>,
    method: Option<String>,
    #[serde(borrow)]
    params: Option<Params<'a>>,
}

#[derive(Deserialize)]
struct Params<'a> {
    #[serde(rename = "protocolVersion")]
    protocol_version: Option<String>,
    #[serde(borrow)]
    arguments: Option<&'a RawValue>,
}

fn main() -> ExitCode {
    let tools = std::env::args().nth(1).map(std::fs::read_to_string);
    let Some(Ok(tools)) = tools else {
        eprintln!("echo: the one argument is a file with a JSON array of tools");
        return ExitCode::from(2);
    };
    match serve(&tools) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("echo: {error}");
            ExitCode::FAILURE
        }
    }
}

fn serve(tools: &str) -> io::Result<()> {
    let tools: Value = serde_json::from_str(tools)?;
    let mut out = io::stdout().lock();
    for line in io::stdin().lock().lines() {
        let line = line?;
        let message: Message<'_> = serde_json::from_str(&line)?;
        let (Some(id), Some(method)) = (message.id, message.method) else {
            continue;
        };
        let answer = match method.as_str() {
            "initialize" => {
                let asked = message.params.and_then(|params| params.protocol_version);
                Ok(json!({
                    "protocolVersion": asked.as_deref().unwrap_or("2025-06-18"),
                    "capabilities": {"tools": {}},
                    "serverInfo": {"name": "echo", "version": "1.0.0"},
                }))
            }
            "ping" => Ok(json!({})),
            "tools/list" => Ok(json!({"tools": tools})),
            "tools/call" => {
                let arguments = message.params.and_then(|params| params.arguments);
                let bytes = arguments.map_or("", RawValue::get);
                Ok(json!({"content": [{"type": "text", "text": bytes}]}))
            }
            _ => Err(json!({"code": -32601, "message": "Method not found"})),
        };
        let response = match answer {
            Ok(result) => json!({"jsonrpc": "2.0", "id": id, "result": result}),
            Err(error) => json!({"jsonrpc": "2.0", "id": id, "error": error}),
        };
        writeln!(out, "{response}")?;
        out.flush()?;
    }
    Ok(())
}
