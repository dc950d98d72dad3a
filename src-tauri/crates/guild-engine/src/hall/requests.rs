//! Runs commands for programs at the control socket.

use std::sync::Arc;

use guild_api::event::{Envelope, HallEvent};
use guild_api::wire::control::{
    AT_REST, Ask, EXPORT_LIST, EXPORT_PREVIEW, EXPORT_UNDO, EXPORT_WRITE, FOLLOW_DEV, FOUND_ADOPT,
    FOUND_LIST, FromCaller, LIST_TOOLS, SHOW_WINDOW, ShowWindow, WHO,
};
use guild_api::wire::{
    AdoptServers, CallOutcome, Caller, ClientConfigRef, EndpointRef, InvokeTool, MemberRef,
    Nothing, UndoClientConfig, WriteClientConfig,
};
use guild_ipc::messages::HallError;
use guild_model::{CallId, Code, MemberName, Report};
use guild_process::Lineage;
use serde_json::value::RawValue;
use tokio_util::sync::CancellationToken;

use super::commands::{read, unwritten, written};
use super::{GuildHall, WeakHall, member_requests};
use guild_ipc::IpcRequestHandler;
use guild_roster::Subscription;

impl IpcRequestHandler for WeakHall {
    async fn identify(&self, pid: Option<u32>) -> Lineage {
        let Some(hall) = self.upgrade() else {
            return Lineage::Unknown;
        };
        let custody = hall.inner.context.custody.clone();
        drop(hall);
        member_requests::identify(custody, pid).await
    }

    async fn serve<T>(
        &self,
        ask: &Ask<Box<RawValue>>,
        from: &Lineage,
        caller: &CancellationToken,
        send: impl Fn(Arc<Envelope>) -> T + Send + Sync,
    ) -> Option<Result<Box<RawValue>, Report>>
    where
        T: Future<Output = ()> + Send,
    {
        let hall = self.upgrade()?;
        if let Err(refusal) = member_requests::permit(&ask.command, from) {
            return Some(Err(refusal));
        }
        let caller = RequestCaller {
            gone: caller,
            member: member_requests::caller_of(from),
        };
        Some(serve(&hall, &ask.command, &ask.request, &caller, send).await)
    }
}

struct RequestCaller<'a> {
    /// Cancelled when the calling program disconnects.
    gone: &'a CancellationToken,
    /// The name of the member's process that made the request. `None` for a program of a person.
    member: Option<String>,
}

/// Runs one command. `send` receives the events before the response.
async fn serve<T>(
    hall: &GuildHall,
    command: &str,
    request: &RawValue,
    caller: &RequestCaller<'_>,
    send: impl Fn(Arc<Envelope>) -> T,
) -> Result<Box<RawValue>, Report>
where
    T: Future<Output = ()>,
{
    if command == "invoke_tool" {
        return invoke(hall, read(request)?, caller, send).await;
    }
    if command == FOLLOW_DEV {
        let MemberRef { member } = read(request)?;
        return follow_dev(hall, &member, caller.gone, send).await;
    }
    tokio::select! {
        answered = hall.answer_program(command, request) => answered,
        () = caller.gone.cancelled() => Err(Report::from_error(Code::CallCancelled, &HallError::NobodyWaits)),
    }
}

impl GuildHall {
    /// Runs a command of the table, or one that is only available to programs at the socket.
    /// Request and response are JSON.
    ///
    /// # Errors
    /// The errors of [`GuildHall::answer`].
    pub async fn answer_program(
        &self,
        command: &str,
        request: &RawValue,
    ) -> Result<Box<RawValue>, Report> {
        match command {
            WHO => written(self.who().await),
            SHOW_WINDOW => {
                let request: ShowWindow = read(request)?;
                written(self.request_window(request).map(|()| Nothing {})?)
            }
            AT_REST => {
                self.at_rest().await;
                written(Nothing {})
            }
            EXPORT_LIST => {
                let request: FromCaller<EndpointRef> = read(request)?;
                written(self.client_configs(request).await?)
            }
            EXPORT_PREVIEW => {
                let request: FromCaller<ClientConfigRef> = read(request)?;
                written(self.preview_client_config(request).await?)
            }
            EXPORT_WRITE => {
                let request: FromCaller<WriteClientConfig> = read(request)?;
                written(self.write_client_config(request).await?)
            }
            EXPORT_UNDO => {
                let request: FromCaller<UndoClientConfig> = read(request)?;
                written(self.undo_client_config(request).await?)
            }
            FOUND_LIST => written(self.found_servers_for(read(request)?).await?),
            FOUND_ADOPT => {
                let request: FromCaller<AdoptServers> = read(request)?;
                written(self.adopt_servers(request).await?)
            }
            LIST_TOOLS => written(self.list_tools(read(request)?).await?),
            _ => self.answer(command, request).await,
        }
    }
}

/// Calls a tool for the command line and sends its progress events. If the client disconnects, the
/// call is cancelled.
async fn invoke<T>(
    hall: &GuildHall,
    request: InvokeTool,
    caller: &RequestCaller<'_>,
    send: impl Fn(Arc<Envelope>) -> T,
) -> Result<Box<RawValue>, Report>
where
    T: Future<Output = ()>,
{
    let call = request.call.clone();
    let member = request.member.clone();
    let mut events = hall.subscribe();
    // The first event is the whole roster, which the client does not need.
    events.next().await;
    let outcome = {
        let mut invoking = std::pin::pin!(invoke_for_caller(hall, caller, request));
        let mut cancelled = false;
        loop {
            tokio::select! {
                // `invoking` is polled first, so that the call has begun when a cancellation is
                // handled.
                biased;
                outcome = &mut invoking => break outcome,
                () = caller.gone.cancelled(), if !cancelled => {
                    cancelled = true;
                    // The loop continues until the cancelled call has ended.
                    hall.cancel_call(&call);
                }
                Some(envelope) = events.next() => {
                    if concerns(&envelope.event, &call, &member) {
                        send(envelope).await;
                    }
                }
            }
        }
    };
    send_remaining_events(&mut events, &call, &member, send).await;
    // The result may have many megabytes, so it is serialized on a blocking thread.
    let writing = tokio::task::spawn_blocking(move || written(outcome));
    writing.await.unwrap_or_else(|error| Err(unwritten(error)))
}

/// Calls a tool for a person or for a member's process.
async fn invoke_for_caller(
    hall: &GuildHall,
    caller: &RequestCaller<'_>,
    request: InvokeTool,
) -> CallOutcome {
    match &caller.member {
        Some(member) => hall.invoke_for_process(member, request).await,
        None => hall.invoke_for(Caller::CommandLine, request).await,
    }
}

/// Sends the development rounds of a member until the client disconnects, the member is removed, or
/// the hall closes.
async fn follow_dev<T>(
    hall: &GuildHall,
    member: &MemberName,
    caller: &CancellationToken,
    send: impl Fn(Arc<Envelope>) -> T,
) -> Result<Box<RawValue>, Report>
where
    T: Future<Output = ()>,
{
    let mut events = hall.subscribe();
    // The first event is the whole roster, which the client does not need.
    events.next().await;
    hall.is_developed(member).await?;
    loop {
        let envelope = tokio::select! {
            envelope = events.next() => envelope,
            () = hall.until_closing() => None,
            () = caller.cancelled() => None,
        };
        let Some(envelope) = envelope else {
            return written(Nothing {});
        };
        match &envelope.event {
            HallEvent::DevRound { round } if round.member == *member => send(envelope).await,
            HallEvent::MemberRemoved { member: gone } if gone == member => {
                return written(Nothing {});
            }
            // The whole roster means that events were missed. The latest round may be among them,
            // so it is sent.
            HallEvent::Roster { .. } => {
                let newest = hall.dev_state(member)?.rounds.into_iter().next();
                if let Some(round) = newest {
                    let event = HallEvent::DevRound {
                        round: Box::new(round),
                    };
                    let revision = envelope.revision;
                    send(Arc::new(Envelope { revision, event })).await;
                }
            }
            _ => {}
        }
    }
}

/// Sends the remaining events that were published before the end of the call.
async fn send_remaining_events<T>(
    events: &mut Subscription,
    call: &CallId,
    member: &MemberName,
    send: impl Fn(Arc<Envelope>) -> T,
) where
    T: Future<Output = ()>,
{
    // The end of the call is also an event, which is published before the outcome is returned. A
    // call that never started has no events.
    while let Some(Some(envelope)) = futures::FutureExt::now_or_never(events.next()) {
        if matches!(&envelope.event, HallEvent::CallFinished { call: of, .. } if of == call) {
            return;
        }
        if concerns(&envelope.event, call, member) {
            send(envelope).await;
        }
    }
}

/// Whether an event is sent to the caller of this call.
fn concerns(event: &HallEvent, call: &CallId, member: &MemberName) -> bool {
    match event {
        HallEvent::CallProgress { call: of, .. } => of == call,
        HallEvent::Warning { report } => {
            report.code == Code::ElicitationUnanswered && report.member.as_ref() == Some(member)
        }
        _ => false,
    }
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::tests::{open_hall, paths_in};

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn call_of_a_gone_client_is_cancelled() {
        let folder = tempfile::tempdir().expect("a folder");
        let members_dir = folder.path().join("members");
        let silent = members_dir.join("silent");
        std::fs::create_dir_all(&silent).expect("made");
        let manifest = json!({
            "name": "silent", "version": "1", "description": "It says nothing.",
            "transport": "stdio", "command": "sleep", "args": ["1000"],
        });
        std::fs::write(silent.join("plugin.json"), manifest.to_string()).expect("written");
        let hall = open_hall(paths_in(folder.path())).await;
        let gone = CancellationToken::new();
        gone.cancel();
        for number in 0..12 {
            let request = json!({
                "call": format!("call-{number}"), "member": "silent", "tool": "any",
                "arguments": "{}", "check": "refuse",
            });
            let request = serde_json::value::to_raw_value(&request).expect("JSON");
            let caller = RequestCaller {
                gone: &gone,
                member: None,
            };
            let answered = serve(&hall, "invoke_tool", &request, &caller, async |_| ()).await;
            let outcome = answered.expect("an outcome");
            assert!(outcome.get().contains("call-cancelled"), "{outcome}");
        }
        hall.shutdown().await;
    }
}
