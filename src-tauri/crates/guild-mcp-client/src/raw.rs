//! Wraps results so that rmcp does not change them, and limits the JSON that is parsed.

mod depth;

use rmcp::model::{CustomResult, ServerResult};
use serde_json::{Map, Value};

pub(crate) use self::depth::cut;
pub(crate) use self::depth::is_nested_deeper;
pub(crate) use self::depth::may_have_more_values;

/// Limit of the nesting depth of parsed JSON. serde_json's own limit is 127.
pub(crate) const DEPTH_MAX: usize = 126;
/// The fields of a wrapped result: the result itself, and the size of its text.
pub(crate) const RAW: &str = "guildHallRaw";
pub(crate) const BYTES: &str = "guildHallBytes";

/// A result as the server sent it.
#[derive(Debug)]
pub(crate) struct RawResult {
    pub value: Value,
    /// The size of the result as JSON text, in bytes.
    pub bytes: usize,
}

impl RawResult {
    /// Wraps the result in a type that rmcp does not change.
    pub(crate) fn wrapped(self) -> ServerResult {
        let mut wrapped = Map::new();
        wrapped.insert(BYTES.into(), self.bytes.into());
        wrapped.insert(RAW.into(), self.value);
        ServerResult::CustomResult(CustomResult(Value::Object(wrapped)))
    }

    /// Unwraps a result. `None` if the result is not wrapped.
    pub(crate) fn unwrap(result: ServerResult) -> Option<Self> {
        let ServerResult::CustomResult(CustomResult(Value::Object(mut wrapped))) = result else {
            return None;
        };
        let bytes = wrapped.get(BYTES)?.as_u64()?;
        Some(Self {
            value: wrapped.swap_remove(RAW)?,
            bytes: usize::try_from(bytes).ok()?,
        })
    }
}
