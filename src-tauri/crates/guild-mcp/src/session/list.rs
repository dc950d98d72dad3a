//! Reading a tool list to its end, whatever the server does.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use guild_core::tool::{self, ListProblem, TOOLS_MAX, ToolSpec};
use rmcp::model::{ClientRequest, ListToolsRequest, PaginatedRequestParams};
use serde_json::Value;
use tokio::time::timeout;

use super::Session;
use crate::McpError;
use crate::http::BODY_MAX;
use crate::notify::Waiting;
use crate::text;

/// The most pages that a list may have.
const PAGES_MAX: usize = 1_000;
/// The longest cursor that is sent back, in bytes.
const CURSOR_MAX: usize = 64 << 10;
/// The JSON-RPC code of a method that the server does not know.
const METHOD_NOT_FOUND: i64 = -32601;

/// A server's tools.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolList {
    /// The tools in the server's order, each as the server sent it.
    pub tools: Vec<ToolSpec>,
    /// What was left out, and why.
    pub problems: Vec<ListProblem>,
    /// How long the server says the list holds, where it says so (2026-07-28).
    pub ttl_ms: Option<u64>,
}

impl Session {
    /// Reads the whole tool list, page by page, within one limit.
    ///
    /// A server that does not know `tools/list`, and never said that it had tools, has none: that
    /// is an empty list and no error.
    ///
    /// # Errors
    /// When a page fails or is no list, when the pages do not end, or at the limit.
    pub async fn list_tools(&self, limit: Duration) -> Result<ToolList, McpError> {
        timeout(limit, self.pages())
            .await
            .unwrap_or(Err(McpError::ListTimeout { limit }))
    }

    async fn pages(&self) -> Result<ToolList, McpError> {
        let mut raw = Vec::new();
        let mut ttl_ms: Option<u64> = None;
        let mut cursors = HashSet::new();
        let mut cursor: Option<String> = None;
        let mut bytes = 0;
        for page in 0..PAGES_MAX {
            let params = PaginatedRequestParams::default().with_cursor(cursor.take());
            let request = ListToolsRequest::with_param(params);
            let request = ClientRequest::ListToolsRequest(request);
            let result = match self.request(request, Arc::new(Waiting::default())).await {
                Err(McpError::Rpc(error))
                    if page == 0 && error.code == METHOD_NOT_FOUND && !self.says_it_has_tools() =>
                {
                    break;
                }
                result => result?,
            };
            bytes += result.bytes;
            if bytes > BODY_MAX {
                return Err(McpError::TooLarge {
                    what: "The tool list".into(),
                    limit: BODY_MAX,
                });
            }
            let mut value = result.value;
            let Some(Value::Array(tools)) = value.get_mut("tools").map(Value::take) else {
                return Err(McpError::Malformed {
                    what: "a page of the tool list has no list of tools".into(),
                    excerpt: text::excerpt(value.to_string().as_bytes()),
                });
            };
            raw.extend(tools);
            let ttl = value.get("ttlMs").and_then(Value::as_u64);
            ttl_ms = match (ttl_ms, ttl) {
                (Some(a), Some(b)) => Some(a.min(b)),
                (a, b) => a.or(b),
            };
            cursor = match value.get_mut("nextCursor").map(Value::take) {
                // Some servers end with an empty cursor.
                None | Some(Value::Null) => None,
                Some(Value::String(next)) => Some(next).filter(|next| !next.is_empty()),
                Some(other) => {
                    return Err(McpError::Malformed {
                        what: format!("a cursor is {}, not a text", tool::kind_of(&other)),
                        excerpt: text::excerpt(other.to_string().as_bytes()),
                    });
                }
            };
            let Some(next) = &cursor else { break };
            // The salvage below says that the rest was left out.
            if raw.len() > TOOLS_MAX {
                cursor = None;
                break;
            }
            if next.len() > CURSOR_MAX {
                return Err(McpError::TooLarge {
                    what: "A cursor of the tool list".into(),
                    limit: CURSOR_MAX,
                });
            }
            if !cursors.insert(next.clone()) {
                return Err(McpError::ListEndless {
                    reason: format!("page {} has a cursor that came before", page + 1),
                });
            }
        }
        if cursor.is_some() {
            return Err(McpError::ListEndless {
                reason: format!("it has more than {PAGES_MAX} pages"),
            });
        }
        let (mut tools, mut problems) = tool::salvage(raw);
        if let Some(mirrors) = &self.mirrors {
            tools = mirrors.learn(tools, &mut problems);
        }
        Ok(ToolList {
            tools,
            problems,
            ttl_ms,
        })
    }

    fn says_it_has_tools(&self) -> bool {
        self.server().capabilities.get("tools").is_some()
    }
}
