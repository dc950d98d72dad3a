//! Builds the text of a raw request. Its parameters are copied without parsing.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::LazyLock;

use crate::messages::AnswerFault;
use memchr::memmem::Finder;
use rmcp::model::{ClientCapabilities, Implementation};
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use super::RawRequestId;
use crate::error::McpError;
use crate::meta::{RESERVED, RequestMeta, is_passed_on};
use crate::news::Level;

/// The field with the protocol's metadata.
const META: &str = "_meta";
const RESPONSES: &str = "inputResponses";
const STATE: &str = "requestState";

static META_FINDER: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new(META));

#[derive(Debug, Clone, Copy)]
pub(crate) enum RawRequestParams<'a> {
    /// A tool call with its arguments.
    Tool {
        name: &'a str,
        arguments: Option<&'a RawValue>,
        /// Whether the server is to run the call as a task (2025-11-25).
        task: bool,
    },
    /// The complete parameters, as the text of a JSON object.
    Text(&'a RawValue),
    None,
}

#[derive(Debug, Clone)]
pub(crate) struct Request<'a> {
    pub method: &'a str,
    pub params: RawRequestParams<'a>,
    /// The input that the server requested before: the answers, and the server's own state.
    pub given: InputReply,
    /// The log level that the server is asked to use during the request (2026-07-28).
    pub log: Option<Level>,
}

/// The reply to a server's request for input (2026-07-28), as JSON text.
#[derive(Debug, Clone, Default)]
pub(crate) struct InputReply {
    pub responses: Option<String>,
    pub state: Option<String>,
}

/// The description of the client that every modern request contains, as the end of a JSON object.
#[derive(Debug, Clone, Default)]
pub(crate) struct Introduction(String);

impl Introduction {
    pub(crate) fn new(
        version: &str,
        client: &Implementation,
        capabilities: &ClientCapabilities,
    ) -> serde_json::Result<Self> {
        let version = serde_json::to_string(version)?;
        let client = serde_json::to_string(client)?;
        let capabilities = serde_json::to_string(capabilities)?;
        Ok(Self(format!(
            ",\"{RESERVED}protocolVersion\":{version},\"{RESERVED}clientInfo\":{client},\
             \"{RESERVED}clientCapabilities\":{capabilities}"
        )))
    }
}

#[derive(Deserialize)]
struct RequestSubject<'a> {
    #[serde(borrow, default)]
    name: Option<&'a RawValue>,
    #[serde(borrow, default)]
    uri: Option<&'a RawValue>,
    #[serde(borrow, default, rename = "taskId")]
    task: Option<&'a RawValue>,
    #[serde(borrow, default)]
    arguments: Option<&'a RawValue>,
}

impl<'a> Request<'a> {
    /// Returns a request without a reply to a request for input, and without a log level.
    pub(crate) fn new(method: &'a str, params: RawRequestParams<'a>) -> Self {
        Self {
            method,
            params,
            given: InputReply::default(),
            log: None,
        }
    }

    /// Returns the tool's or prompt's name, the URI or the task's id in the request, if its method
    /// has one.
    pub(crate) fn subject(&self) -> Option<Cow<'_, str>> {
        let text = match self.params {
            RawRequestParams::Tool { name, .. } => return Some(name.into()),
            RawRequestParams::Text(text) => text.get(),
            RawRequestParams::None => return None,
        };
        let subject: RequestSubject<'_> = serde_json::from_str(text).ok()?;
        let subject = match self.method {
            "tools/call" | "prompts/get" => subject.name?,
            "resources/read" | "resources/subscribe" | "resources/unsubscribe" => subject.uri?,
            "tasks/get" | "tasks/update" | "tasks/cancel" => subject.task?,
            _ => return None,
        };
        serde_json::from_str::<String>(subject.get())
            .ok()
            .map(Cow::Owned)
    }

    pub(crate) fn arguments(&self) -> Option<Map<String, Value>> {
        let arguments = match self.params {
            RawRequestParams::Tool { arguments, .. } => arguments?,
            RawRequestParams::Text(text) => {
                serde_json::from_str::<RequestSubject<'_>>(text.get())
                    .ok()?
                    .arguments?
            }
            RawRequestParams::None => return None,
        };
        serde_json::from_str(arguments.get()).ok()
    }

    /// Returns the message as one line. If `own` is set, it replaces the `_meta` of the parameters.
    ///
    /// # Errors
    /// When the parameters are not an object.
    pub(crate) fn compose(
        &self,
        id: RawRequestId,
        introduction: &Introduction,
        own: Option<&RequestMeta>,
    ) -> Result<Vec<u8>, McpError> {
        let length = match self.params {
            RawRequestParams::Tool {
                name, arguments, ..
            } => name.len() + arguments.map_or(0, |arguments| arguments.get().len()),
            RawRequestParams::Text(text) => text.get().len(),
            RawRequestParams::None => 0,
        };
        let mut out = Vec::with_capacity(length + introduction.0.len() + 192);
        out.extend_from_slice(b"{\"jsonrpc\":\"2.0\",\"id\":");
        let number = id.number().to_string();
        out.extend_from_slice(number.as_bytes());
        out.extend_from_slice(b",\"method\":");
        quoted(&mut out, self.method);
        out.extend_from_slice(b",\"params\":{");
        let mut meta = None;
        match self.params {
            RawRequestParams::Tool {
                name,
                arguments,
                task,
            } => {
                out.extend_from_slice(b"\"name\":");
                quoted(&mut out, name);
                if let Some(arguments) = arguments {
                    out.extend_from_slice(b",\"arguments\":");
                    one_line(&mut out, arguments.get());
                }
                if task {
                    out.extend_from_slice(b",\"task\":{}");
                }
                out.push(b',');
            }
            RawRequestParams::Text(text) => meta = self.copy(text.get(), &mut out)?,
            RawRequestParams::None => {}
        }
        for (name, value) in [
            (RESPONSES, &self.given.responses),
            (STATE, &self.given.state),
        ] {
            if let Some(value) = value {
                field(&mut out, name, value);
                out.push(b',');
            }
        }
        out.extend_from_slice(b"\"_meta\":{");
        let of_params = meta.iter().flatten().filter(|_| own.is_none());
        let of_params = of_params.map(|(name, value)| (&**name, *value));
        for (name, value) in of_params.chain(own.into_iter().flat_map(RequestMeta::fields)) {
            field(&mut out, name, value.get());
            out.push(b',');
        }
        out.extend_from_slice(b"\"progressToken\":");
        out.extend_from_slice(number.as_bytes());
        if let Some(level) = self.log {
            let level = level.as_str();
            out.extend_from_slice(format!(",\"{RESERVED}logLevel\":\"{level}\"").as_bytes());
        }
        out.extend_from_slice(introduction.0.as_bytes());
        out.extend_from_slice(b"}}}");
        Ok(out)
    }

    /// Copies the fields of `params` to the message, with a comma after each. Returns the fields of
    /// the `_meta` in `params` that this client does not set itself.
    fn copy<'p>(
        &self,
        params: &'p str,
        out: &mut Vec<u8>,
    ) -> Result<Option<BTreeMap<Cow<'p, str>, &'p RawValue>>, McpError> {
        let none = || McpError::malformed(&AnswerFault::ParamsNoObject, b"");
        let params = params.trim();
        let inner = params.strip_prefix('{').and_then(|p| p.strip_suffix('}'));
        let inner = inner.ok_or_else(none)?.trim();
        let more = self.given.responses.is_some() || self.given.state.is_some();
        // A field's name may contain escapes, so the search for its bytes alone could miss it.
        let plain = memchr::memchr(b'\\', inner.as_bytes()).is_none();
        if !more && plain && META_FINDER.find(inner.as_bytes()).is_none() {
            if !inner.is_empty() {
                one_line(out, inner);
                out.push(b',');
            }
            return Ok(None);
        }
        let mut fields: BTreeMap<Cow<'p, str>, &'p RawValue> =
            serde_json::from_str(params).map_err(|_| none())?;
        let meta = fields.remove(META);
        for name in [RESPONSES, STATE] {
            if more {
                fields.remove(name);
            }
        }
        for (name, value) in &fields {
            field(out, name, value.get());
            out.push(b',');
        }
        let meta = meta.and_then(|meta| {
            let mut meta: BTreeMap<Cow<'p, str>, &'p RawValue> =
                serde_json::from_str(meta.get()).ok()?;
            meta.retain(|name, _| is_passed_on(name));
            Some(meta)
        });
        Ok(meta)
    }
}

fn field(out: &mut Vec<u8>, name: &str, value: &str) {
    quoted(out, name);
    out.push(b':');
    one_line(out, value);
}

fn quoted(out: &mut Vec<u8>, text: &str) {
    let plain = |byte: u8| (b' '..=b'~').contains(&byte) && byte != b'"' && byte != b'\\';
    if text.bytes().all(plain) {
        out.push(b'"');
        out.extend_from_slice(text.as_bytes());
        out.push(b'"');
    } else {
        // The conversion of a `Value` to text never fails.
        let text = Value::String(text.to_owned()).to_string();
        out.extend_from_slice(text.as_bytes());
    }
}

/// Writes JSON text without line ends. In valid JSON, line ends occur only between tokens, where a
/// space is equivalent.
fn one_line(out: &mut Vec<u8>, json: &str) {
    let start = out.len();
    out.extend_from_slice(json.as_bytes());
    let mut at = start;
    while let Some(found) = memchr::memchr2(b'\n', b'\r', &out[at..]) {
        out[at + found] = b' ';
        at += found + 1;
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn composed(request: &Request<'_>, introduction: &Introduction) -> Value {
        let line = request.compose(RawRequestId::after(0), introduction, None);
        let line = line.expect("parameters that are an object");
        assert!(!line.contains(&b'\n') && !line.contains(&b'\r'));
        serde_json::from_slice(&line).expect("JSON")
    }

    fn raw(text: &str) -> Box<RawValue> {
        RawValue::from_string(text.to_owned()).expect("JSON")
    }

    fn request(method: &'static str, params: RawRequestParams<'_>) -> Value {
        let given = InputReply::default();
        composed(
            &Request {
                method,
                params,
                given,
                log: None,
            },
            &Introduction::default(),
        )
    }

    #[test]
    fn parameters_are_passed_on_and_the_token_is_added() {
        let arguments = raw("{\"a\":\r\n [1.50,\n \"_meta\"]}");
        let token = json!({"progressToken": 1 << 30});
        let params = RawRequestParams::Tool {
            name: "say \"hi\" ü",
            arguments: Some(&arguments),
            task: false,
        };
        assert_eq!(
            request("tools/call", params),
            json!({
                "jsonrpc": "2.0", "id": 1 << 30, "method": "tools/call",
                "params": {
                    "name": "say \"hi\" ü", "arguments": {"a": [1.50, "_meta"]}, "_meta": token,
                },
            })
        );
        for (text, expected) in [
            ("{}", json!({"_meta": token})),
            (" {\n} ", json!({"_meta": token})),
            (
                "{\"uri\": \"a://b\"}",
                json!({"uri": "a://b", "_meta": token}),
            ),
            (
                "{\"_meta\": {\"progressToken\": \"x\", \"trace\": 1, \
                 \"io.modelcontextprotocol/clientInfo\": {}}, \"b\": 1}",
                json!({"b": 1, "_meta": {"trace": 1, "progressToken": 1 << 30}}),
            ),
            (
                r#"{"\u005fmeta": {"progressToken": 7, "trace": 1}, "b": 1}"#,
                json!({"b": 1, "_meta": {"trace": 1, "progressToken": 1 << 30}}),
            ),
            ("{\"_meta\": 7, \"b\": 1}", json!({"b": 1, "_meta": token})),
        ] {
            let params = raw(text);
            assert_eq!(
                request("m", RawRequestParams::Text(&params))["params"],
                expected,
                "{text}"
            );
        }
        assert_eq!(
            request("m", RawRequestParams::None)["params"],
            json!({"_meta": token})
        );
    }

    #[test]
    fn callers_meta_replaces_that_of_the_parameters() {
        let read = |text| RequestMeta::read(Some(&raw(text))).expect("an object");
        let own = read(r#"{"traceparent": "new", "k": {"a": 1.50}, "progressToken": "x"}"#);
        let params = raw(r#"{"name": "p", "_meta": {"traceparent": "old", "gone": 1}}"#);
        let tool = RawRequestParams::Tool {
            name: "p",
            arguments: None,
            task: false,
        };
        for params in [RawRequestParams::Text(&params), tool] {
            let request = Request::new("prompts/get", params);
            let id = RawRequestId::after(0);
            let line = request.compose(id, &Introduction::default(), Some(&own));
            let line: Value = serde_json::from_slice(&line.expect("an object")).expect("JSON");
            let meta = json!({"traceparent": "new", "k": {"a": 1.50}, "progressToken": 1 << 30});
            assert_eq!(line["params"], json!({"name": "p", "_meta": meta}));
        }
    }

    #[test]
    fn new_input_responses_replace_old_ones() {
        let params = raw("{\"name\": \"p\", \"requestState\": \"old\"}");
        let asked = Request {
            method: "prompts/get",
            params: RawRequestParams::Text(&params),
            given: InputReply {
                responses: Some("{\"a\":{}}".into()),
                state: None,
            },
            log: Some(Level::Notice),
        };
        let introduction = Introduction::new(
            "2026-07-28",
            &Implementation::new("c", "1"),
            &ClientCapabilities::default(),
        );
        let message = composed(&asked, &introduction.expect("JSON"));
        let meta = &message["params"]["_meta"];
        assert_eq!(
            meta["io.modelcontextprotocol/protocolVersion"],
            "2026-07-28"
        );
        assert_eq!(meta["io.modelcontextprotocol/clientInfo"]["name"], "c");
        assert_eq!(
            meta["io.modelcontextprotocol/clientCapabilities"],
            json!({})
        );
        assert_eq!(meta["io.modelcontextprotocol/logLevel"], "notice");
        assert_eq!(message["params"]["inputResponses"], json!({"a": {}}));
        assert_eq!(message["params"]["requestState"], Value::Null);
    }

    #[test]
    fn parameters_that_are_no_object_are_refused() {
        for text in ["[]", "1", "\"{}\"", "null"] {
            let params = raw(text);
            let request = Request {
                method: "m",
                params: RawRequestParams::Text(&params),
                given: InputReply::default(),
                log: None,
            };
            let composed = request.compose(RawRequestId::after(0), &Introduction::default(), None);
            assert!(composed.is_err(), "{text}");
        }
    }

    #[test]
    fn mangled_parameters_make_one_line_of_json_with_our_own_token() {
        guild_tests::mangled::each("request-parameters", |bytes| {
            let text = std::str::from_utf8(bytes).unwrap_or_default().trim();
            let Ok(params) = serde_json::from_str::<&RawValue>(text) else {
                return;
            };
            let request = Request {
                method: "tools/call",
                params: RawRequestParams::Text(params),
                given: InputReply::default(),
                log: None,
            };
            let (_, _) = (request.subject(), request.arguments());
            let id = RawRequestId::after(0);
            let Ok(line) = request.compose(id, &Introduction::default(), None) else {
                return;
            };
            assert!(!line.contains(&b'\n') && !line.contains(&b'\r'));
            // The input may have the same name twice in an object. The field that this client sets
            // must still occur only once.
            if serde_json::from_slice::<Value>(&line).is_ok_and(|line| line["params"].is_object()) {
                let token = format!("\"progressToken\":{}", id.number());
                let line = String::from_utf8(line).expect("text");
                assert!(line.contains(&token), "{line}");
            }
        });
    }
}
