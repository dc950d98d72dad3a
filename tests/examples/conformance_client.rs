//! A client for the client scenarios of the official conformance suite: Guild Hall with one member,
//! the suite's server.
//!
//! `conformance_client URL` uses a temporary data folder with a member at URL, and makes each
//! request once: the list of tools, the calls in `MCP_CONFORMANCE_CONTEXT` or else a call of every
//! tool with arguments made from its schema, every resource, and every prompt. It answers questions
//! with the defaults of their schema. For a sign-in, it does what a person with a browser does, at
//! most [`SIGN_INS_MAX`] times. If `MCP_CONFORMANCE_PROTOCOL_VERSION` is the version without
//! `initialize`, the member is pinned to that version, since these servers support no other.
//!
//! The suite judges the requests. Exit code 1 means that the member could not be reached at all.

use std::collections::BTreeMap;
use std::process::ExitCode;

use guild_api::event::HallEvent;
use guild_api::wire::{
    AnswerElicitation, ArgumentCheck, CallEnd, CompleteArgument, CompletedThing, ElicitationAction,
    ElicitationMode, GetPrompt, InvokeTool, ReadResource, SetSecret, SignInStage,
};
use guild_engine::{GuildHall, GuildHallOptions, Paths};
use guild_model::status::Status;
use guild_model::{CallId, Code, MemberName, ToolName};
use http_body_util::{BodyExt, Empty};
use hyper::Request;
use hyper::body::Bytes;
use hyper_util::client::legacy::Client;
use hyper_util::rt::TokioExecutor;
use serde_json::{Map, Value, json};

/// Time limit of one request, in milliseconds. The suite gives a scenario 30 seconds.
const LIMIT_MS: u64 = 8_000;
/// Maximum number of sign-ins. Further requests for a sign-in fail.
const SIGN_INS_MAX: usize = 3;
/// The address of the metadata document that identifies this client for the suite.
const CLIENT_DOCUMENT: &str = "https://conformance-test.local/client-metadata.json";
/// The protocol version without `initialize`.
const MODERN: &str = "2026-07-28";
/// The tool whose schema the suite checks, and the tool that receives this schema.
const SCHEMA_SHOWN: &str = "json_schema_2020_12_tool";
const SCHEMA_ECHO: &str = "json_schema_echo";

#[tokio::main]
async fn main() -> ExitCode {
    let Some(url) = std::env::args().nth(1) else {
        eprintln!("usage: conformance_client URL");
        return ExitCode::from(2);
    };
    match play(&url).await {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("conformance_client: {error}");
            ExitCode::from(2)
        }
    }
}

/// Runs a scenario. Returns whether the member could be reached.
async fn play(url: &str) -> Result<bool, Box<dyn std::error::Error>> {
    let folder = tempfile::tempdir()?;
    let member = MemberName::parse("suite")?;
    let version = std::env::var("MCP_CONFORMANCE_PROTOCOL_VERSION");
    let pin = version.is_ok_and(|version| version == MODERN);
    let context: Value = std::env::var("MCP_CONFORMANCE_CONTEXT")
        .ok()
        .and_then(|context| serde_json::from_str(&context).ok())
        .unwrap_or_default();
    let mut auth = json!({"client_metadata_url": CLIENT_DOCUMENT});
    if let Some(id) = context["client_id"].as_str() {
        auth["client_id"] = id.into();
        if context["client_secret"].is_string() {
            auth["client_secret"] = "${secret:CLIENT}".into();
        }
    }
    let manifest = json!({
        "name": member,
        "version": "1.0.0",
        "transport": "http",
        "url": url,
        "auth": auth,
        "restart": "never",
        "protocol_version": if pin { MODERN } else { "auto" },
    });
    let members_dir = folder.path().join("members");
    std::fs::create_dir_all(members_dir.join("suite"))?;
    let file = members_dir.join("suite").join("plugin.json");
    std::fs::write(file, manifest.to_string())?;
    let paths = Paths {
        members_dir,
        data_dir: folder.path().join("data"),
        cache_dir: None,
    };
    let hall = GuildHall::open(paths, GuildHallOptions::default()).await?;
    if let Some(secret) = context["client_secret"].as_str() {
        let (name, value) = ("CLIENT".to_owned(), secret.to_owned());
        let place = None;
        hall.set_secret(SetSecret { name, value, place }).await?;
    }
    let answering = tokio::spawn(answer_all(hall.clone()));
    let mut started = hall.start_all().settled().await.pop();
    let mut visit = Visit {
        hall: &hall,
        member,
        sign_ins: 0,
    };
    let reached = loop {
        let report = match started {
            Some(Ok(view)) => break view.status == Status::Ready,
            Some(Err(report)) => report,
            None => break false,
        };
        eprintln!("not reached: {report}");
        if report.code != Code::SignInNeeded || !visit.sign_in().await {
            break false;
        }
        started = Some(hall.start_member(&visit.member).await);
    };
    if reached {
        visit.tools().await?;
        visit.offers().await?;
    }
    hall.shutdown().await;
    answering.abort();
    Ok(reached)
}

/// Accepts every question until the hall closes.
async fn answer_all(hall: GuildHall) {
    let _attendance = hall.attend();
    let mut events = hall.subscribe();
    while let Some(envelope) = events.next().await {
        let HallEvent::ElicitationAsked { elicitation } = &envelope.event else {
            continue;
        };
        let content = match &elicitation.mode {
            ElicitationMode::Form { schema, .. } => {
                let schema = serde_json::from_str(schema).unwrap_or_default();
                Some(made_from(&schema).to_string())
            }
            ElicitationMode::Url { .. } => None,
        };
        let answer = AnswerElicitation {
            id: elicitation.id.clone(),
            action: ElicitationAction::Accept,
            content,
        };
        if let Err(report) = hall.answer_elicitation(answer).await {
            eprintln!("not answered: {report}");
        }
    }
}

struct Visit<'a> {
    hall: &'a GuildHall,
    member: MemberName,
    sign_ins: usize,
}

impl Visit<'_> {
    async fn tools(&mut self) -> Result<(), Box<dyn std::error::Error>> {
        for (number, (tool, arguments)) in self.calls()?.into_iter().enumerate() {
            loop {
                let request = InvokeTool {
                    call: CallId::parse(&format!("call-{number}-{}", self.sign_ins))?,
                    member: self.member.clone(),
                    tool: tool.clone(),
                    arguments: arguments.to_string(),
                    check: ArgumentCheck::SendAnyway,
                    timeout_ms: Some(LIMIT_MS),
                };
                let end = self.hall.invoke(request).await.end;
                let wanted = matches!(
                    &end,
                    CallEnd::Failed { report, .. } if report.code == Code::SignInNeeded
                );
                show(tool.as_str(), end);
                if !wanted || !self.sign_in().await {
                    break;
                }
            }
        }
        Ok(())
    }

    /// Signs in like a person with a browser. Returns whether the member is signed in now.
    async fn sign_in(&mut self) -> bool {
        if self.sign_ins >= SIGN_INS_MAX {
            return false;
        }
        self.sign_ins += 1;
        let begun = match self.hall.sign_in(&self.member).await {
            Ok(begun) => begun,
            Err(report) => {
                eprintln!("no address: {report}");
                return false;
            }
        };
        if let Err(error) = browse(&begun.address).await {
            eprintln!("the browser failed: {error}");
            let _ = self.hall.cancel_sign_in(&self.member).await;
        }
        match self.hall.sign_in_ended(&self.member).await {
            Ok(view) => {
                eprintln!("signed in: {:?}", view.stage);
                view.stage == SignInStage::Done
            }
            Err(report) => {
                eprintln!("not signed in: {report}");
                false
            }
        }
    }

    /// Returns the calls to make: those of the suite, or else one call of each tool.
    fn calls(&self) -> Result<Vec<(ToolName, Value)>, Box<dyn std::error::Error>> {
        let context = std::env::var("MCP_CONFORMANCE_CONTEXT").unwrap_or_default();
        let context: Value = serde_json::from_str(&context).unwrap_or_default();
        if let Some(named) = context["toolCalls"].as_array() {
            let call = |call: &Value| {
                let name = ToolName::parse(call["name"].as_str().unwrap_or_default())?;
                Ok((name, call["arguments"].clone()))
            };
            return named.iter().map(call).collect();
        }
        let mut calls = Vec::new();
        let mut shown = Value::Null;
        for tool in self.hall.member_tools(&self.member)?.tools {
            let schema = self
                .hall
                .tool_detail(&self.member, &tool.name)?
                .input_schema;
            let schema: Value = serde_json::from_str(&schema)?;
            let arguments = made_from(&schema);
            if tool.name.as_str() == SCHEMA_SHOWN {
                shown = schema;
            }
            calls.push((tool.name, arguments));
        }
        for (name, arguments) in &mut calls {
            if name.as_str() == SCHEMA_ECHO {
                *arguments = json!({"schema": shown});
            }
        }
        Ok(calls)
    }

    async fn offers(&self) -> Result<(), Box<dyn std::error::Error>> {
        let Ok(offers) = self.hall.member_offers(&self.member).await else {
            return Ok(());
        };
        let member = || self.member.clone();
        for (number, resource) in offers.resources.iter().enumerate() {
            let request = ReadResource {
                call: CallId::parse(&format!("read-{number}"))?,
                member: member(),
                uri: resource.uri.clone(),
                timeout_ms: Some(LIMIT_MS),
            };
            show(&resource.uri, self.hall.read_resource(request).await.end);
        }
        for (number, prompt) in offers.prompts.iter().enumerate() {
            let arguments = prompt.arguments.iter();
            let arguments: BTreeMap<String, String> = arguments
                .map(|argument| (argument.name.clone(), "value".to_owned()))
                .collect();
            for argument in arguments.keys() {
                let request = CompleteArgument {
                    member: member(),
                    of: CompletedThing::Prompt {
                        name: prompt.name.clone(),
                    },
                    argument: argument.clone(),
                    value: String::new(),
                    known: BTreeMap::new(),
                };
                if let Err(report) = self.hall.complete_argument(request).await {
                    eprintln!("{argument}: {report}");
                }
            }
            let request = GetPrompt {
                call: CallId::parse(&format!("prompt-{number}"))?,
                member: member(),
                prompt: prompt.name.clone(),
                arguments,
                timeout_ms: Some(LIMIT_MS),
            };
            show(&prompt.name, self.hall.get_prompt(request).await.end);
        }
        Ok(())
    }
}

/// Requests an address and follows its redirects, like a browser.
async fn browse(address: &str) -> Result<(), Box<dyn std::error::Error>> {
    let client = Client::builder(TokioExecutor::new()).build_http::<Empty<Bytes>>();
    let mut address = address.to_owned();
    for _ in 0..5 {
        let answer = client
            .request(Request::get(&address).body(Empty::new())?)
            .await?;
        let next = answer.headers().get("location").cloned();
        let is_redirect = answer.status().is_redirection();
        answer.into_body().collect().await?;
        match next.filter(|_| is_redirect) {
            Some(next) => next.to_str()?.clone_into(&mut address),
            None => return Ok(()),
        }
    }
    Err("it leads on and on".into())
}

fn show(what: &str, end: CallEnd) {
    match end {
        CallEnd::Result { result, .. } => println!("{what}: {result}"),
        CallEnd::Failed { report, .. } => eprintln!("{what}: {report}"),
    }
}

/// Returns arguments for a schema: the default of each property, or a value of its type.
fn made_from(schema: &Value) -> Value {
    let properties = schema["properties"].as_object().into_iter().flatten();
    let values = properties.map(|(name, schema)| {
        let choice = &schema["enum"][0];
        let value = match (schema.get("default"), schema["type"].as_str()) {
            (Some(default), _) => default.clone(),
            (None, _) if !choice.is_null() => choice.clone(),
            (None, Some("number" | "integer")) => json!(2),
            (None, Some("boolean")) => json!(true),
            (None, Some("array")) => json!([]),
            (None, Some("object")) => json!({}),
            (None, _) => json!("value"),
        };
        (name.clone(), value)
    });
    Value::Object(Map::from_iter(values))
}
