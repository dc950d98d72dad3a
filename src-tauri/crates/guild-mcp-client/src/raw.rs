//! A result as the server sent it, whole, and how much of it is read.

mod depth;

use rmcp::model::{CustomResult, ServerResult};
use serde_json::{Map, Value};

pub(crate) use self::depth::cut;
pub(crate) use self::depth::is_nested_deeper;
pub(crate) use self::depth::may_have_more_values;

/// The deepest nesting that is read; serde_json ends at 127.
pub(crate) const DEPTH_MAX: usize = 126;
/// The fields of the wrapping.
pub(crate) const RAW: &str = "guildHallRaw";
pub(crate) const BYTES: &str = "guildHallBytes";

/// A result as the server sent it.
#[derive(Debug)]
pub(crate) struct RawResult {
    pub value: Value,
    /// The size it had as text.
    pub bytes: usize,
}

impl RawResult {
    /// Wraps a result, so that rmcp leaves it whole.
    pub(crate) fn wrapped(self) -> ServerResult {
        let mut wrapped = Map::new();
        wrapped.insert(BYTES.into(), self.bytes.into());
        wrapped.insert(RAW.into(), self.value);
        ServerResult::CustomResult(CustomResult(Value::Object(wrapped)))
    }

    /// Takes a result out of its wrapping.
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
