//! Parses a message's envelope: the parts that the gateway itself needs. Arguments and results stay
//! their original text.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::value::RawValue;

/// The longest id of a request, in bytes.
const ID_MAX: usize = 1 << 10;
/// The longest name of a method, in bytes.
const METHOD_MAX: usize = 256;
/// The most messages in one batch (2025-03-26).
pub(super) const BATCH_MAX: usize = 100;

/// A JSON-RPC message.
#[derive(Debug)]
pub(super) enum GatewayMessage<'a> {
    /// Wants an answer.
    Request {
        /// Its id exactly as it was written.
        id: &'a str,
        method: Cow<'a, str>,
        /// The parameters as they were written.
        params: Option<&'a RawValue>,
    },
    /// Wants none.
    Notification {
        method: Cow<'a, str>,
        /// The parameters as they were written.
        params: Option<&'a RawValue>,
    },
    /// Answers a request of the gateway's own.
    Response {
        /// The request's id.
        id: &'a str,
        /// The result; `None` for an error.
        result: Option<&'a RawValue>,
    },
}

/// Reason why a text is not a message.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Flaw<'a> {
    NoJson,
    /// It is JSON and no message of the protocol.
    NoMessage {
        id: Option<&'a str>,
        /// Description of the defect.
        what: &'static str,
    },
}

#[derive(Deserialize)]
struct JsonRpcEnvelope<'a> {
    #[serde(borrow, default)]
    jsonrpc: Option<&'a RawValue>,
    #[serde(borrow, default)]
    id: Option<&'a RawValue>,
    #[serde(borrow, default)]
    method: Option<&'a RawValue>,
    #[serde(borrow, default)]
    params: Option<&'a RawValue>,
    #[serde(borrow, default)]
    result: Option<&'a RawValue>,
    #[serde(borrow, default)]
    error: Option<&'a RawValue>,
}

pub(super) fn read(text: &str) -> Result<GatewayMessage<'_>, Flaw<'_>> {
    // An array would be taken for the fields in their order.
    if !text.trim_ascii_start().starts_with('{') {
        return match serde_json::from_str::<&RawValue>(text) {
            Ok(_) => Err(no_message(None, "a message is an object")),
            Err(_) => Err(Flaw::NoJson),
        };
    }
    let envelope: JsonRpcEnvelope<'_> = serde_json::from_str(text).map_err(|error| {
        if error.is_data() {
            no_message(None, "duplicate field in the message")
        } else {
            Flaw::NoJson
        }
    })?;
    let id = match envelope.id {
        Some(id) => Some(id_of(id).ok_or_else(|| {
            no_message(None, "the id is neither a string nor a number, or too long")
        })?),
        None => None,
    };
    if envelope.jsonrpc.map(RawValue::get) != Some("\"2.0\"") {
        return Err(no_message(id, "jsonrpc is not \"2.0\""));
    }
    let Some(method) = envelope.method else {
        return match (id, envelope.result, envelope.error) {
            (Some(id), Some(result), None) => Ok(GatewayMessage::Response {
                id,
                result: Some(result),
            }),
            (Some(id), None, Some(_)) => Ok(GatewayMessage::Response { id, result: None }),
            _ => Err(no_message(id, "it has no method")),
        };
    };
    let method = text_of(method)
        .filter(|method| method.len() <= METHOD_MAX)
        .ok_or_else(|| no_message(id, "method must be a string of at most 256 bytes"))?;
    let params = envelope.params;
    if params.is_some_and(|params| !params.get().starts_with('{')) {
        return Err(no_message(id, "params is not an object"));
    }
    Ok(match id {
        Some(id) => GatewayMessage::Request { id, method, params },
        None => GatewayMessage::Notification { method, params },
    })
}

/// Takes a batch apart; `None` when the text is none.
pub(super) fn batch(text: &str) -> Option<Result<Vec<&RawValue>, Flaw<'_>>> {
    if !text.trim_ascii_start().starts_with('[') {
        return None;
    }
    Some(match serde_json::from_str::<Vec<&RawValue>>(text) {
        Ok(messages) if messages.is_empty() => Err(no_message(None, "the batch is empty")),
        Ok(messages) if messages.len() > BATCH_MAX => {
            Err(no_message(None, "the batch has more than 100 messages"))
        }
        Ok(messages) => Ok(messages),
        Err(_) => Err(Flaw::NoJson),
    })
}

fn no_message<'a>(id: Option<&'a str>, what: &'static str) -> Flaw<'a> {
    Flaw::NoMessage { id, what }
}

fn id_of(id: &RawValue) -> Option<&str> {
    let id = id.get();
    let kind = id.as_bytes().first().copied()?;
    ((kind == b'"' || kind == b'-' || kind.is_ascii_digit()) && id.len() <= ID_MAX).then_some(id)
}

/// The text of a JSON string; `None` when it is none.
pub(super) fn text_of(raw: &RawValue) -> Option<Cow<'_, str>> {
    let text = raw.get();
    let inner = text.strip_prefix('"')?.strip_suffix('"')?;
    if memchr::memchr(b'\\', inner.as_bytes()).is_none() {
        return Some(Cow::Borrowed(inner));
    }
    serde_json::from_str(text).ok().map(Cow::Owned)
}

/// Parsed parts of a request's parameters.
#[derive(Debug, Default, Deserialize)]
pub(super) struct RequestParams<'a> {
    /// The tool, or the prompt.
    #[serde(borrow, default)]
    pub(super) name: Option<&'a RawValue>,
    #[serde(borrow, default)]
    pub(super) uri: Option<&'a RawValue>,
    /// A tool's arguments.
    #[serde(borrow, default)]
    pub(super) arguments: Option<&'a RawValue>,
    /// `tools/describe_batch`.
    #[serde(borrow, default)]
    pub(super) names: Option<&'a RawValue>,
    /// `tools/list`.
    #[serde(borrow, default)]
    pub(super) lazy: Option<&'a RawValue>,
    /// `tools/list`.
    #[serde(borrow, default)]
    pub(super) cursor: Option<&'a RawValue>,
    /// The request's `_meta`.
    #[serde(borrow, default, rename = "_meta")]
    pub(super) meta: Option<&'a RawValue>,
    /// The answers to what the result before this one asked (2026-07-28).
    #[serde(borrow, default, rename = "inputResponses")]
    pub(super) input_responses: Option<&'a RawValue>,
    /// Which result that was.
    #[serde(borrow, default, rename = "requestState")]
    pub(super) request_state: Option<&'a RawValue>,
    /// `subscriptions/listen`.
    #[serde(borrow, default)]
    pub(super) notifications: Option<&'a RawValue>,
}

impl<'a> RequestParams<'a> {
    /// Reads the parameters of a request.
    pub(super) fn read(params: Option<&'a RawValue>) -> Result<Self, &'static str> {
        match params {
            Some(params) => {
                serde_json::from_str(params.get()).map_err(|_| "duplicate field in params")
            }
            None => Ok(Self::default()),
        }
    }
}

/// Metadata of a request, beside its parameters.
#[derive(Debug, Default, Deserialize)]
pub(super) struct Meta<'a> {
    #[serde(borrow, default, rename = "progressToken")]
    pub(super) progress_token: Option<&'a RawValue>,
    /// The version that is spoken (2026-07-28).
    #[serde(borrow, default, rename = "io.modelcontextprotocol/protocolVersion")]
    pub(super) version: Option<&'a RawValue>,
    #[serde(borrow, default, rename = "io.modelcontextprotocol/clientInfo")]
    pub(super) client_info: Option<&'a RawValue>,
    #[serde(borrow, default, rename = "io.modelcontextprotocol/clientCapabilities")]
    pub(super) capabilities: Option<&'a RawValue>,
    /// Which log messages it wants.
    #[serde(borrow, default, rename = "io.modelcontextprotocol/logLevel")]
    pub(super) log_level: Option<&'a RawValue>,
}

impl<'a> Meta<'a> {
    /// Reads `_meta`.
    pub(super) fn read(meta: Option<&'a RawValue>) -> Result<Self, &'static str> {
        match meta {
            Some(meta) if meta.get().starts_with('{') => {
                serde_json::from_str(meta.get()).map_err(|_| "duplicate field in _meta")
            }
            Some(_) => Err("_meta is not an object"),
            None => Ok(Self::default()),
        }
    }

    /// The progress token, where it is one.
    pub(super) fn token(&self) -> Option<&'a str> {
        self.progress_token.and_then(id_of)
    }
}

/// A client's name.
#[derive(Debug, Default, Deserialize)]
struct ClientInfoFields<'a> {
    #[serde(borrow, default)]
    name: Option<&'a RawValue>,
}

/// Returns a client's name from `clientInfo`: at most 80 characters, without control characters.
pub(super) fn name_of_client(info: Option<&RawValue>) -> String {
    const NAME_MAX: usize = 80;
    info.filter(|info| info.get().starts_with('{'))
        .and_then(|info| serde_json::from_str::<ClientInfoFields<'_>>(info.get()).ok())
        .and_then(|info| info.name)
        .and_then(text_of)
        .map(|name| {
            let shown = name.chars().filter(|c| !c.is_control());
            shown.take(NAME_MAX).collect()
        })
        .unwrap_or_default()
}

/// Which questions a client takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct ElicitationModes {
    /// Values for a schema.
    pub(super) values: bool,
    /// Visits to an address.
    pub(super) visits: bool,
}

impl ElicitationModes {
    pub(super) fn any(self) -> bool {
        self.values || self.visits
    }
}

#[derive(Debug, Default, Deserialize)]
struct ElicitationCapabilities<'a> {
    #[serde(borrow, default)]
    elicitation: Option<&'a RawValue>,
}

#[derive(Debug, Default, Deserialize)]
struct Modes<'a> {
    #[serde(borrow, default)]
    form: Option<&'a RawValue>,
    #[serde(borrow, default)]
    url: Option<&'a RawValue>,
}

/// Parses the supported elicitation modes from client capabilities. `None` if they are not an
/// object.
pub(super) fn takes(capabilities: Option<&RawValue>) -> Option<ElicitationModes> {
    let capabilities = capabilities.filter(|it| it.get().starts_with('{'))?;
    let capabilities: ElicitationCapabilities<'_> =
        serde_json::from_str(capabilities.get()).ok()?;
    let Some(modes) = capabilities
        .elicitation
        .filter(|modes| modes.get().starts_with('{'))
    else {
        return Some(ElicitationModes::default());
    };
    let modes: Modes<'_> = serde_json::from_str(modes.get()).ok()?;
    Some(ElicitationModes {
        // Without a word on modes it is the form, the only one that there was at first.
        values: modes.form.is_some() || modes.url.is_none(),
        visits: modes.url.is_some(),
    })
}

#[cfg(test)]
mod tests;
