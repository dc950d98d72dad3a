//! Slow calls: they can be cancelled, tell how far they are, and send log messages.
#![expect(
    deprecated,
    reason = "log messages are on their way out of the protocol; servers of today send them"
)]

use std::time::Duration;

use rmcp::RoleServer;
use rmcp::model::{LoggingLevel, LoggingMessageNotificationParam, ProgressNotificationParam};
use rmcp::service::RequestContext;
use serde_json::{Map, Value, json};
use tokio_util::sync::CancellationToken;

use super::answer::{Answer, failed, structured, text};

/// The longest that one call lasts.
const LONGEST: Duration = Duration::from_secs(600);

/// The tools as they are listed.
pub(super) fn tools() -> Vec<Value> {
    let read_only = json!({"readOnlyHint": true, "openWorldHint": false});
    vec![
        json!({
            "name": "keep_watch",
            "title": "Keep watch",
            "description": "Waits for so many seconds and says nothing meanwhile. Cancel it when \
                you have seen enough.",
            "inputSchema": {
                "type": "object",
                "properties": {
                    "seconds": {"type": "number", "minimum": 0, "maximum": 600, "default": 10,
                        "description": "How long"},
                },
                "examples": [{"seconds": 0.01}],
            },
            "annotations": read_only,
        }),
        json!({
            "name": "climb_tower",
            "title": "Climb the tower",
            "description": "Climbs stair by stair, and tells how many there are and which it is \
                on: progress with a total.",
            "inputSchema": {
                "type": "object",
                "properties": {
                    "stairs": {"type": "integer", "minimum": 1, "maximum": 1000, "default": 20,
                        "description": "How many stairs"},
                    "pace": {"type": "number", "minimum": 0, "maximum": 10, "default": 0.25,
                        "description": "Seconds a stair"},
                },
                "examples": [{"stairs": 3, "pace": 0.005}],
            },
            "outputSchema": {
                "type": "object",
                "properties": {"stairs": {"type": "integer"}, "view": {"type": "string"}},
                "required": ["stairs", "view"],
            },
            "annotations": read_only,
        }),
        json!({
            "name": "search_horizon",
            "title": "Search the horizon",
            "description": "Looks for ships and tells what it sees: progress without a total.",
            "inputSchema": {
                "type": "object",
                "properties": {
                    "looks": {"type": "integer", "minimum": 1, "maximum": 100, "default": 8,
                        "description": "How often to look"},
                    "pause": {"type": "number", "minimum": 0, "maximum": 10, "default": 0.5,
                        "description": "Seconds between two looks"},
                },
                "examples": [{"looks": 4, "pause": 0.005}],
            },
            "outputSchema": {
                "type": "object",
                "properties": {"ships": {"type": "array", "items": {"type": "string"}}},
                "required": ["ships"],
            },
            "annotations": read_only,
        }),
        json!({
            "name": "ring_bell",
            "title": "Ring the bell",
            "description": "Sends log messages, one for each stroke.",
            "inputSchema": {
                "type": "object",
                "properties": {
                    "message": {"type": "string", "minLength": 1, "maxLength": 500,
                        "description": "What to call out"},
                    "level": {"type": "string", "default": "info",
                        "enum": ["debug", "info", "notice", "warning", "error", "critical",
                            "alert", "emergency"]},
                    "strokes": {"type": "integer", "minimum": 1, "maximum": 100, "default": 1},
                },
                "required": ["message"],
                "examples": [{"message": "All is well", "strokes": 2}],
            },
            "annotations": {"readOnlyHint": false, "destructiveHint": false,
                "openWorldHint": false},
        }),
    ]
}

/// Answers a call; the tool is one of [`tools`], and what is required is there.
pub(super) async fn call(
    tool: &str,
    arguments: &Map<String, Value>,
    context: &RequestContext<RoleServer>,
) -> Answer {
    let count = |field, default| {
        let count = arguments.get(field).and_then(Value::as_u64);
        count.unwrap_or(default).clamp(1, 1_000)
    };
    let seconds = |field, default| {
        let seconds = arguments
            .get(field)
            .and_then(Value::as_f64)
            .unwrap_or(default);
        Duration::try_from_secs_f64(seconds)
            .unwrap_or_default()
            .min(LONGEST)
    };
    let done = match tool {
        "keep_watch" => keep_watch(seconds("seconds", 10.0), &context.ct).await,
        "climb_tower" => climb_tower(count("stairs", 20), seconds("pace", 0.25), context).await,
        "search_horizon" => search_horizon(count("looks", 8), seconds("pause", 0.5), context).await,
        _ => Some(ring_bell(arguments, count("strokes", 1), context).await),
    };
    // The protocol drops the answer to a cancelled call; the words are for a log.
    Ok(done.unwrap_or_else(|| failed("The call was cancelled.")))
}

/// Waits; `false` when the call was cancelled meanwhile.
async fn wait(duration: Duration, cancelled: &CancellationToken) -> bool {
    tokio::select! {
        () = tokio::time::sleep(duration) => true,
        () = cancelled.cancelled() => false,
    }
}

async fn keep_watch(duration: Duration, cancelled: &CancellationToken) -> Option<Value> {
    let words = format!(
        "Watched for {} seconds. All is quiet.",
        duration.as_secs_f64()
    );
    wait(duration, cancelled).await.then(|| text(&words))
}

async fn climb_tower(
    stairs: u64,
    pace: Duration,
    context: &RequestContext<RoleServer>,
) -> Option<Value> {
    for stair in 1..=stairs {
        if !wait(pace, &context.ct).await {
            return None;
        }
        tell(
            context,
            stair,
            Some(stairs),
            format!("Stair {stair} of {stairs}"),
        )
        .await;
    }
    let content = json!({"stairs": stairs, "view": "sea, and beyond it more sea"});
    Some(structured("You are at the top.", &content))
}

async fn search_horizon(
    looks: u64,
    pause: Duration,
    context: &RequestContext<RoleServer>,
) -> Option<Value> {
    const SHIPS: [&str; 4] = [
        "a fishing boat",
        "a ferry",
        "a schooner",
        "a tug with two barges",
    ];
    let mut seen: Vec<&str> = Vec::new();
    for look in 1..=looks {
        if !wait(pause, &context.ct).await {
            return None;
        }
        // A ship at every second look, in turn.
        let ship = (look % 2 == 0)
            .then(|| SHIPS.get(seen.len() % SHIPS.len()).copied())
            .flatten();
        let words = ship.map_or("Nothing but water".to_owned(), |ship| {
            format!("There: {ship}")
        });
        seen.extend(ship);
        tell(context, look, None, words).await;
    }
    let words = format!("Looked {looks} times and saw {} ships.", seen.len());
    Some(structured(&words, &json!({"ships": seen})))
}

async fn ring_bell(
    arguments: &Map<String, Value>,
    strokes: u64,
    context: &RequestContext<RoleServer>,
) -> Value {
    let level = arguments.get("level").cloned().unwrap_or("info".into());
    let Ok(level) = serde_json::from_value::<LoggingLevel>(level) else {
        return failed(
            "level is one of debug, info, notice, warning, error, critical, alert, emergency",
        );
    };
    let message = arguments
        .get("message")
        .and_then(Value::as_str)
        .unwrap_or_default();
    for stroke in 1..=strokes {
        let data = json!({"message": message, "stroke": stroke});
        let note = LoggingMessageNotificationParam::new(level, data).with_logger("lookout");
        if context.peer.notify_logging_message(note).await.is_err() {
            return failed("Nobody listens any more.");
        }
    }
    text(&format!("Rang {strokes} times: {message}"))
}

/// Tells how far a call is, if the client wants to know. A client that has gone is told nothing;
/// its call is cancelled by that already.
async fn tell(
    context: &RequestContext<RoleServer>,
    progress: u64,
    total: Option<u64>,
    message: String,
) {
    let Some(token) = context.meta.get_progress_token() else {
        return;
    };
    #[expect(clippy::cast_precision_loss, reason = "at most a thousand")]
    let as_float = |number: u64| number as f64;
    let mut note = ProgressNotificationParam::new(token, as_float(progress)).with_message(message);
    if let Some(total) = total {
        note = note.with_total(as_float(total));
    }
    let _ = context.peer.notify_progress(note).await;
}
