//! Parses a message's envelope: the parts that the gateway itself needs. Arguments and results
//! remain unparsed text.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::value::RawValue;

/// Limit of a request's id, in bytes.
const ID_MAX: usize = 1 << 10;
/// Limit of a method's name, in bytes.
const METHOD_MAX: usize = 256;
/// Limit of the messages in one batch (a feature of MCP 2025-03-26 only).
pub(super) const BATCH_MAX: usize = 100;

/// A JSON-RPC message.
#[derive(Debug)]
pub(super) enum GatewayMessage<'a> {
    /// A message that needs an answer.
    Request {
        /// The id in its original text.
        id: &'a str,
        method: Cow<'a, str>,
        /// The parameters in their original text.
        params: Option<&'a RawValue>,
    },
    /// A message without an answer.
    Notification {
        method: Cow<'a, str>,
        /// The parameters in their original text.
        params: Option<&'a RawValue>,
    },
    /// An answer to one of the gateway's own requests.
    Response {
        /// The request's id.
        id: &'a str,
        /// The result. `None` for an error.
        result: Option<&'a RawValue>,
    },
}

/// The reason why a text is not a message.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum EnvelopeError<'a> {
    NoJson,
    /// JSON that is not a message of the protocol.
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

pub(super) fn read(text: &str) -> Result<GatewayMessage<'_>, EnvelopeError<'_>> {
    // Serde would accept an array as the fields in their order.
    if !text.trim_ascii_start().starts_with('{') {
        return match serde_json::from_str::<&RawValue>(text) {
            Ok(_) => Err(no_message(None, "a message is an object")),
            Err(_) => Err(EnvelopeError::NoJson),
        };
    }
    let envelope: JsonRpcEnvelope<'_> = serde_json::from_str(text).map_err(|error| {
        if error.is_data() {
            no_message(None, "duplicate field in the message")
        } else {
            EnvelopeError::NoJson
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

/// Splits a batch into its messages. Returns `None` if the text is not a batch.
pub(super) fn batch(text: &str) -> Option<Result<Vec<&RawValue>, EnvelopeError<'_>>> {
    if !text.trim_ascii_start().starts_with('[') {
        return None;
    }
    Some(match serde_json::from_str::<Vec<&RawValue>>(text) {
        Ok(messages) if messages.is_empty() => Err(no_message(None, "the batch is empty")),
        Ok(messages) if messages.len() > BATCH_MAX => {
            Err(no_message(None, "the batch has more than 100 messages"))
        }
        Ok(messages) => Ok(messages),
        Err(_) => Err(EnvelopeError::NoJson),
    })
}

fn no_message<'a>(id: Option<&'a str>, what: &'static str) -> EnvelopeError<'a> {
    EnvelopeError::NoMessage { id, what }
}

fn id_of(id: &RawValue) -> Option<&str> {
    let id = id.get();
    let kind = id.as_bytes().first().copied()?;
    ((kind == b'"' || kind == b'-' || kind.is_ascii_digit()) && id.len() <= ID_MAX).then_some(id)
}

/// Returns the text of a JSON string. Returns `None` for other JSON.
pub(super) fn text_of(raw: &RawValue) -> Option<Cow<'_, str>> {
    let text = raw.get();
    let inner = text.strip_prefix('"')?.strip_suffix('"')?;
    if memchr::memchr(b'\\', inner.as_bytes()).is_none() {
        return Some(Cow::Borrowed(inner));
    }
    serde_json::from_str(text).ok().map(Cow::Owned)
}

/// The fields of a request's parameters that the gateway needs, unparsed.
#[derive(Debug, Default, Deserialize)]
pub(super) struct RequestParams<'a> {
    /// The name of the tool or prompt.
    #[serde(borrow, default)]
    pub(super) name: Option<&'a RawValue>,
    #[serde(borrow, default)]
    pub(super) uri: Option<&'a RawValue>,
    /// A tool's arguments.
    #[serde(borrow, default)]
    pub(super) arguments: Option<&'a RawValue>,
    /// The tools of `tools/describe_batch`.
    #[serde(borrow, default)]
    pub(super) names: Option<&'a RawValue>,
    /// Whether `tools/list` is to return stubs.
    #[serde(borrow, default)]
    pub(super) lazy: Option<&'a RawValue>,
    /// The cursor of `tools/list`.
    #[serde(borrow, default)]
    pub(super) cursor: Option<&'a RawValue>,
    /// The request's `_meta`.
    #[serde(borrow, default, rename = "_meta")]
    pub(super) meta: Option<&'a RawValue>,
    /// The answers to the questions in the previous result (2026-07-28).
    #[serde(borrow, default, rename = "inputResponses")]
    pub(super) input_responses: Option<&'a RawValue>,
    /// The `requestState` of the previous result (2026-07-28).
    #[serde(borrow, default, rename = "requestState")]
    pub(super) request_state: Option<&'a RawValue>,
    /// The notifications that a `subscriptions/listen` request selects.
    #[serde(borrow, default)]
    pub(super) notifications: Option<&'a RawValue>,
}

impl<'a> RequestParams<'a> {
    pub(super) fn read(params: Option<&'a RawValue>) -> Result<Self, &'static str> {
        match params {
            Some(params) => {
                serde_json::from_str(params.get()).map_err(|_| "duplicate field in params")
            }
            None => Ok(Self::default()),
        }
    }

    /// Reads the parameters of a request, and their `_meta`.
    pub(super) fn with_meta(
        params: Option<&'a RawValue>,
    ) -> Result<(Self, Meta<'a>), &'static str> {
        let params = Self::read(params)?;
        let meta = Meta::read(params.meta)?;
        Ok((params, meta))
    }
}

/// The fields of a request's `_meta` that the gateway needs, unparsed.
#[derive(Debug, Default, Deserialize)]
pub(super) struct Meta<'a> {
    #[serde(borrow, default, rename = "progressToken")]
    pub(super) progress_token: Option<&'a RawValue>,
    /// The request's protocol version. Only clients of 2026-07-28 or later send this field.
    #[serde(borrow, default, rename = "io.modelcontextprotocol/protocolVersion")]
    pub(super) version: Option<&'a RawValue>,
    #[serde(borrow, default, rename = "io.modelcontextprotocol/clientInfo")]
    pub(super) client_info: Option<&'a RawValue>,
    #[serde(borrow, default, rename = "io.modelcontextprotocol/clientCapabilities")]
    pub(super) capabilities: Option<&'a RawValue>,
    /// The lowest log level that the client wants.
    #[serde(borrow, default, rename = "io.modelcontextprotocol/logLevel")]
    pub(super) log_level: Option<&'a RawValue>,
}

impl<'a> Meta<'a> {
    pub(super) fn read(meta: Option<&'a RawValue>) -> Result<Self, &'static str> {
        match meta {
            Some(meta) if meta.get().starts_with('{') => {
                serde_json::from_str(meta.get()).map_err(|_| "duplicate field in _meta")
            }
            Some(_) => Err("_meta is not an object"),
            None => Ok(Self::default()),
        }
    }

    /// Returns the progress token. `None` if it is missing or invalid.
    pub(super) fn token(&self) -> Option<&'a str> {
        self.progress_token.and_then(id_of)
    }
}

/// The fields of `clientInfo`.
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

/// The kinds of questions that a client supports.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct ElicitationModes {
    /// Questions for values that match a schema.
    pub(super) values: bool,
    /// Requests to visit a URL.
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
pub(super) fn elicitation_modes(capabilities: Option<&RawValue>) -> Option<ElicitationModes> {
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
        // A client that names no mode supports forms, which were the only mode at first.
        values: modes.form.is_some() || modes.url.is_none(),
        visits: modes.url.is_some(),
    })
}

#[cfg(test)]
mod tests;
