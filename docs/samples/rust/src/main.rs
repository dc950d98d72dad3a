//! A member with two tools: one counts words, one takes its time and says how far it is.

use std::time::Duration;

use rmcp::handler::server::wrapper::Parameters;
use rmcp::model::{ProgressNotificationParam, RequestMetaObject};
use rmcp::transport::stdio;
use rmcp::{
    Json, Peer, RoleServer, ServerHandler, ServiceExt, schemars, tool, tool_handler, tool_router,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Deserialize, JsonSchema)]
struct Text {
    /// The text to count.
    #[schemars(length(max = 10_000))]
    text: String,
}

// The result has a schema as well: Guild Hall checks the result and shows it as fields.
#[derive(Serialize, JsonSchema)]
struct Count {
    words: usize,
    letters: usize,
}

#[derive(Deserialize, JsonSchema)]
#[serde(default)]
struct Countdown {
    /// Where it begins
    #[schemars(range(min = 1, max = 10))]
    start: u32,
    /// The pause after each number
    #[schemars(range(min = 0, max = 1_000))]
    pause_ms: u64,
}

impl Default for Countdown {
    fn default() -> Self {
        Self {
            start: 3,
            pause_ms: 100,
        }
    }
}

struct WordCounter;

#[tool_router]
impl WordCounter {
    #[tool(
        description = "Counts the words and letters of a text.",
        annotations(read_only_hint = true)
    )]
    fn count_words(
        &self,
        Parameters(Text { text }): Parameters<Text>,
    ) -> Result<Json<Count>, String> {
        let words: Vec<&str> = text.split_whitespace().collect();
        if words.is_empty() {
            // A result that the caller can read and act on, not a crash.
            return Err("The text contains no words.".to_owned());
        }
        let letters = words.iter().map(|word| word.chars().count()).sum();
        Ok(Json(Count {
            words: words.len(),
            letters,
        }))
    }

    #[tool(
        description = "Counts down to zero and reports each step.",
        annotations(read_only_hint = true)
    )]
    async fn count_down(
        &self,
        Parameters(Countdown { start, pause_ms }): Parameters<Countdown>,
        meta: RequestMetaObject,
        client: Peer<RoleServer>,
    ) -> String {
        let token = meta.get_progress_token();
        for step in 1..=start {
            // Only a caller that gave a token gets progress.
            if let Some(token) = &token {
                let progress = ProgressNotificationParam::new(token.clone(), f64::from(step))
                    .with_total(f64::from(start))
                    .with_message(format!("{} to go", start - step));
                // A caller that has gone gets no further progress.
                let _ = client.notify_progress(progress).await;
            }
            tokio::time::sleep(Duration::from_millis(pause_ms)).await;
        }
        format!("Counted down from {start}.")
    }
}

#[tool_handler(name = "words-rust", version = "1.0.0")]
impl ServerHandler for WordCounter {}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    // stdout is the protocol's; output for people goes to stderr.
    WordCounter.serve(stdio()).await?.waiting().await?;
    Ok(())
}
