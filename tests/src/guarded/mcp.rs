//! The MCP server. Its tools require a sign-in, and one of them requires the permission to write.

use serde_json::{Value, json};

use super::authorization::described_at;
use super::{Reply, Shared, Switches};
use crate::fixture::http_wire::Request;

pub(super) fn reply(shared: &Shared, switches: &Switches, request: &Request) -> Reply {
    let bearer = request.header("authorization").strip_prefix("Bearer ");
    let message: Value = serde_json::from_slice(&request.body).unwrap_or_default();
    let method = message["method"].as_str().unwrap_or_default();
    let mut known = shared.known();
    let scopes = bearer
        .filter(|_| !switches.takes_none)
        .and_then(|token| known.access.get(token).cloned());
    let who = match (&scopes, bearer) {
        (Some(_), _) => "known",
        (None, Some(_)) => "refused",
        (None, None) => "nobody",
    };
    known
        .log
        .push(format!("{} /mcp {who} {method}", request.method));
    drop(known);
    let place = format!("{}{}", shared.origin, described_at(switches));
    let Some(scopes) = scopes else {
        let challenge = format!("Bearer resource_metadata=\"{place}\"");
        return Reply::empty(401).with("www-authenticate", challenge);
    };
    if request.method != "POST" {
        return Reply::empty(405);
    }
    let tool = message["params"]["name"].as_str().unwrap_or_default();
    if method == "tools/call" && tool == "write" && !scopes.contains("write") {
        let challenge = format!(
            "Bearer error=\"insufficient_scope\", scope=\"write\", resource_metadata=\"{place}\""
        );
        return Reply::empty(403).with("www-authenticate", challenge);
    }
    if message.get("id").is_none() {
        return Reply::empty(202);
    }
    let result = match method {
        "initialize" => json!({
            "protocolVersion": message["params"]["protocolVersion"],
            "capabilities": {"tools": {}},
            "serverInfo": {"name": "guarded", "version": "1.0.0"},
        }),
        "tools/list" => {
            let tool = |name: &str| json!({"name": name, "description": "Guarded.", "inputSchema": {"type": "object"}});
            json!({"tools": [tool("read"), tool("write")]})
        }
        "tools/call" => json!({"content": [{"type": "text", "text": format!("{tool} done")}]}),
        _ => json!({}),
    };
    Reply::json(
        200,
        &json!({"jsonrpc": "2.0", "id": message["id"], "result": result}),
    )
}
