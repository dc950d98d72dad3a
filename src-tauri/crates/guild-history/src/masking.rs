//! Masks secrets in agents' exchanges, which are shown in the window but not stored.

use serde_json::Value;

use guild_secrets::mask::{self, SecretMatcher};

/// Masks secrets in exchanges with agents. Create it with
/// [`History::masking`](super::History::masking).
pub struct Masking(pub(super) SecretMatcher);

pub struct MaskedExchange {
    pub request: String,
    pub response: String,
    secrets: SecretMatcher,
}

impl MaskedExchange {
    /// Masks secrets in other texts of an exchange.
    pub fn hide(&self, text: &str) -> String {
        self.secrets.hide_with_tokens(text).into_owned()
    }
}

impl Masking {
    /// Masks a request's parameters and its response, and truncates both to `max` bytes. If the
    /// request calls a tool, `of_tool` contains the number of nested `arguments` objects around the
    /// tool's own arguments, and the tool's schema.
    pub fn exchange(
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
        // The other parameters are masked by the names of their fields.
        let (masked, found) = mask::arguments(&params, None, &secrets);
        let secrets = found.into_owned();
        MaskedExchange {
            request: masked.text[..masked.text.floor_char_boundary(max)].to_owned(),
            response: secrets.hide_head_with_tokens(answer, max).0,
            secrets,
        }
    }
}

#[cfg(test)]
mod tests {
    use guild_api::wire::MASK;
    use serde_json::json;

    use super::*;

    #[test]
    fn agent_arguments_are_redacted_by_schema() {
        let masking = Masking(SecretMatcher::default());
        let schema = json!({"properties": {"pin": {"type": "string", "format": "password"}}});
        let own = json!({"pin": "0000-1111", "path": "sword"});
        let direct = json!({"name": "forge__open", "arguments": own});
        let by_menu =
            json!({"name": "tools_call_write", "arguments": {"name": "x", "arguments": own}});
        for (params, depth) in [(direct, 1), (by_menu, 2)] {
            let answer = r#"{"content":[{"type":"text","text":"0000-1111 opened"}]}"#;
            let of_tool = Some((depth, &schema));
            let masked = masking.exchange(&params.to_string(), of_tool, answer, 2_048);
            let all = format!("{}{}", masked.request, masked.response);
            assert!(!all.contains("0000-1111") && all.contains("sword"), "{all}");
            assert_eq!(
                masked.hide("0000-1111 is wrong"),
                format!("{MASK} is wrong")
            );
        }
    }
}
