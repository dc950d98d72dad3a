//! What agents asked, without its secrets: shown, and written nowhere.

use serde_json::Value;

use super::head;
use super::mask::{self, Secrets};

/// Takes secrets out of what is shown without being recorded.
pub(crate) struct Masking(pub(super) Secrets);

/// A request and its answer without secrets.
pub(crate) struct MaskedExchange {
    pub(crate) request: String,
    pub(crate) response: String,
    secrets: Secrets,
}

impl MaskedExchange {
    /// What else is said of it, without its secrets.
    pub(crate) fn hide(&self, text: &str) -> String {
        self.secrets.hide(text).into_owned()
    }
}

impl Masking {
    /// A request's parameters and its answer, each cut to `max` bytes. `of_tool` says how many
    /// `arguments` the tool's own stand below, and what its schema says of them.
    pub(crate) fn exchange(
        &self,
        params: &str,
        of_tool: Option<(usize, &Value)>,
        answer: &str,
        max: usize,
    ) -> MaskedExchange {
        let mut secrets = self.0.clone();
        let mut params = params.to_owned();
        if let Some((depth, schema)) = of_tool
            && let Ok(mut whole) = serde_json::from_str::<Value>(&params)
        {
            let mut own = Some(&mut whole);
            for _ in 0..depth {
                own = own.and_then(|value| value.get_mut("arguments"));
            }
            if let Some(own) = own {
                let text = own.to_string();
                let (masked, found) = mask::arguments(&text, Some(schema), &secrets);
                *own = serde_json::from_str(&masked.text).unwrap_or(Value::String(masked.text));
                secrets = found.into_owned();
                params = whole.to_string();
            }
        }
        // What stands around them, by its names.
        let (masked, found) = mask::arguments(&params, None, &secrets);
        let secrets = found.into_owned();
        MaskedExchange {
            request: head(&masked.text, max).to_owned(),
            response: secrets.hide_head(answer, max).0,
            secrets,
        }
    }
}
