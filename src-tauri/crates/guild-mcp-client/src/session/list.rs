//! Reads lists page by page, with limits for misbehaving servers.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use crate::messages::{AnswerFault, EndlessProblem, LargePart, ListName};
use guild_api::wire::OfferList;
use guild_model::tool::{self, ListProblem, TOOLS_MAX, ToolSpec};
use guild_text::messages::JsonKind;
use rmcp::model::{
    ClientRequest, ListPromptsRequest, ListResourceTemplatesRequest, ListResourcesRequest,
    ListSkillsRequest, ListToolsRequest, PaginatedRequestParams, SKILLS_EXTENSION_ID,
};
use serde_json::Value;
use tokio::time::timeout;

use super::Session;
use crate::error::McpError;
use crate::http::BODY_MAX;
use crate::pending_requests::PendingRequest;

/// Limit of the pages of a list.
const PAGES_MAX: usize = 1_000;
/// Limit of a cursor, in bytes.
const CURSOR_MAX: usize = 64 << 10;
/// The JSON-RPC error code for an unknown method.
pub(super) const METHOD_NOT_FOUND: i64 = -32601;

/// A server's tools.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolList {
    /// The tools, unchanged and in the server's order.
    pub tools: Vec<ToolSpec>,
    /// The entries that were left out, with the reasons.
    pub problems: Vec<ListProblem>,
    /// How long the list may be cached, in milliseconds, if the server states it (2026-07-28).
    pub ttl_ms: Option<u64>,
}

impl From<OfferList> for ListName {
    fn from(list: OfferList) -> Self {
        match list {
            OfferList::Resources => Self::Resources,
            OfferList::Templates => Self::Templates,
            OfferList::Prompts => Self::Prompts,
            OfferList::Skills => Self::Skills,
        }
    }
}

impl ListName {
    fn field(self) -> &'static str {
        match self {
            Self::Tools => "tools",
            Self::Resources => "resources",
            Self::Templates => "resourceTemplates",
            Self::Prompts => "prompts",
            Self::Skills => "skills",
        }
    }

    pub(super) fn capability(self) -> &'static str {
        match self {
            Self::Tools => "tools",
            Self::Resources | Self::Templates => "resources",
            Self::Prompts => "prompts",
            Self::Skills => SKILLS_EXTENSION_ID,
        }
    }

    fn request(self, cursor: Option<String>) -> ClientRequest {
        let params = PaginatedRequestParams::default().with_cursor(cursor);
        match self {
            Self::Tools => ClientRequest::ListToolsRequest(ListToolsRequest::with_param(params)),
            Self::Resources => {
                ClientRequest::ListResourcesRequest(ListResourcesRequest::with_param(params))
            }
            Self::Templates => ClientRequest::ListResourceTemplatesRequest(
                ListResourceTemplatesRequest::with_param(params),
            ),
            Self::Prompts => {
                ClientRequest::ListPromptsRequest(ListPromptsRequest::with_param(params))
            }
            Self::Skills => ClientRequest::ListSkillsRequest(ListSkillsRequest::with_param(params)),
        }
    }
}

#[derive(Debug, Default)]
pub(super) struct PagedList {
    /// The entries as JSON values. With the last page, there may be more than the limit.
    pub(super) entries: Vec<Value>,
    ttl_ms: Option<u64>,
}

impl Session {
    /// Reads the whole tool list, page by page, within one time limit for all pages.
    ///
    /// If a server does not know `tools/list` and did not declare tools, the list is empty.
    ///
    /// # Errors
    /// When a page is an error or malformed, when the pages do not end, or when the limit is
    /// reached.
    pub async fn list_tools(&self, limit: Duration) -> Result<ToolList, McpError> {
        let list = ListName::Tools;
        let pages = self.read_list_within(limit, list, TOOLS_MAX).await?;
        let (mut tools, mut problems) = tool::salvage(pages.entries);
        if let Some(header_params) = &self.header_params {
            tools = header_params.learn(tools, &mut problems);
        }
        Ok(ToolList {
            tools,
            problems,
            ttl_ms: pages.ttl_ms,
        })
    }

    /// Reads a list as [`Session::read_list`] does, within a time limit.
    pub(super) async fn read_list_within(
        &self,
        limit: Duration,
        list: ListName,
        max: usize,
    ) -> Result<PagedList, McpError> {
        let list_timeout = McpError::ListTimeout { list, limit };
        let pages = timeout(limit, self.read_list(list, max)).await;
        pages.unwrap_or(Err(list_timeout))
    }

    /// Reads a list to its end, or until there are more than `max` entries.
    pub(super) async fn read_list(
        &self,
        list: ListName,
        max: usize,
    ) -> Result<PagedList, McpError> {
        let mut pages = PagedList::default();
        let mut cursors = HashSet::new();
        let mut cursor: Option<String> = None;
        let mut bytes = 0;
        for page in 0..PAGES_MAX {
            let request = list.request(cursor.take());
            let result = match self
                .request(request, Arc::new(PendingRequest::default()))
                .await
            {
                Err(McpError::Rpc(error))
                    if page == 0 && error.code == METHOD_NOT_FOUND && !self.must_know(list) =>
                {
                    break;
                }
                result => result?,
            };
            bytes += result.bytes;
            if bytes > BODY_MAX {
                return Err(McpError::TooLarge {
                    what: LargePart::List(list),
                    limit: BODY_MAX,
                });
            }
            let mut value = result.value;
            let field = list.field();
            let Some(Value::Array(entries)) = value.get_mut(field).map(Value::take) else {
                let wrong = AnswerFault::PageWithout(list, field);
                return Err(McpError::malformed(&wrong, value.to_string().as_bytes()));
            };
            pages.entries.extend(entries);
            let ttl = value.get("ttlMs").and_then(Value::as_u64);
            pages.ttl_ms = match (pages.ttl_ms, ttl) {
                (Some(a), Some(b)) => Some(a.min(b)),
                (a, b) => a.or(b),
            };
            cursor = match value.get_mut("nextCursor").map(Value::take) {
                // Some servers send an empty cursor with the last page.
                None | Some(Value::Null) => None,
                Some(Value::String(next)) => Some(next).filter(|next| !next.is_empty()),
                Some(other) => {
                    let wrong = AnswerFault::CursorNoText(JsonKind::of(&other));
                    return Err(McpError::malformed(&wrong, other.to_string().as_bytes()));
                }
            };
            let Some(next) = &cursor else { break };
            // The conversion of the entries reports that the rest of the list was left out.
            if pages.entries.len() > max {
                cursor = None;
                break;
            }
            if next.len() > CURSOR_MAX {
                return Err(McpError::TooLarge {
                    what: LargePart::Cursor(list),
                    limit: CURSOR_MAX,
                });
            }
            if !cursors.insert(next.clone()) {
                return Err(McpError::ListEndless {
                    list,
                    reason: EndlessProblem::CursorAgain(page + 1),
                });
            }
        }
        if cursor.is_some() {
            return Err(McpError::ListEndless {
                list,
                reason: EndlessProblem::ManyPages(PAGES_MAX),
            });
        }
        Ok(pages)
    }

    /// Whether the error "method not found" counts as an error for this list. Templates are
    /// optional even if the server has resources.
    fn must_know(&self, list: ListName) -> bool {
        list != ListName::Templates && self.declares(list.capability())
    }

    /// Whether the server declared a capability or, for skills, the extension.
    pub(super) fn declares(&self, capability: &str) -> bool {
        let capabilities = &self.server().capabilities;
        let declared = match capability {
            SKILLS_EXTENSION_ID => capabilities.get("extensions"),
            _ => Some(capabilities),
        };
        declared.is_some_and(|it| it.get(capability).is_some())
    }

    /// Whether the server declared that it serves skills (SEP-2640).
    pub fn has_skills(&self) -> bool {
        self.declares(SKILLS_EXTENSION_ID)
    }
}
