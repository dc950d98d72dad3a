//! Creates members that answer from recorded calls.

use std::io;
use std::path::{Path, PathBuf};

use guild_api::wire::{CallEnd, CreateMock, CreatedMock, RecordedCall, RpcError};
use guild_files::blocking::blocking;
use guild_files::files::folder::{FolderAside, clear_folders};
use guild_files::members_folder::MANIFEST_FILE;
use guild_model::messages::io_message;
use guild_model::{Code, MemberName, Report, ToolName};
use guild_samples::MOCK_SUBCOMMAND;
use guild_samples::mock::{
    MockCall, MockRecording, MockResponse, RECORDING_BYTES_MAX, RECORDING_FILE,
};
use serde_json::{Value, json};

use super::{contents, read_result, refused, unused};
use crate::hall::GuildHall;
use crate::messages::{RecordingError, UnusedReason};

/// Prefix of the temporary name of a mock's folder, until its files are complete.
const ASIDE: &str = ".guild-hall-mock-";

impl GuildHall {
    /// Creates a member that answers from the recorded calls of another member, and waits until it
    /// is in the roster.
    ///
    /// # Errors
    /// `recording-unusable`, `adoption-refused` if the name can't be used,
    /// `members-folder-unreadable` if the folder can't be written, `history-entry-unknown` if the
    /// history has none of the calls, and the errors of the history.
    pub async fn create_mock(&self, request: CreateMock) -> Result<CreatedMock, Report> {
        let CreateMock { calls, of, member } = request;
        self.check_new_name(&member, &[])?;
        let mut left_out = Vec::new();
        let mut recorded = Vec::new();
        let (calls, missing) = self.recorded_calls(calls).await?;
        for call in calls {
            if call.entry.member != of {
                continue;
            }
            match mock_call(&call) {
                Ok(mock) => recorded.push(mock),
                Err(why) => left_out.push(unused(&call, &why)),
            }
        }
        if recorded.is_empty() {
            return Err(refused(&match left_out.first() {
                Some(first) => RecordingError::NoneForMock(first.why.clone()),
                None => RecordingError::NotOfMember(of),
            }));
        }
        let mut tools: Vec<ToolName> = Vec::new();
        for (tool, _) in &recorded {
            if !tools.contains(tool) {
                tools.push(tool.clone());
            }
        }
        let count = recorded.len();
        let recording = MockRecording {
            member: of.to_string(),
            tools: tools.iter().map(|tool| self.tool_of(&of, tool)).collect(),
            calls: recorded.into_iter().map(|(_, call)| call).collect(),
        };
        let place = self.paths().members_dir.join(member.as_str());
        let written = blocking({
            let (place, member) = (place.clone(), member.clone());
            move || write(&place, &member, &recording)
        });
        written.await.flatten()?;
        self.until_shown(std::slice::from_ref(&member)).await;
        Ok(CreatedMock {
            member,
            folder: place.display().to_string(),
            calls: count,
            tools,
            left_out,
            missing,
        })
    }

    /// Returns a tool as the member lists it, or a tool with any arguments if it is not listed.
    fn tool_of(&self, member: &MemberName, tool: &ToolName) -> Value {
        let tools = self.tools_with(member, tool);
        let spec = tools.as_ref().and_then(|tools| tools.get(tool));
        match spec {
            Some(tool) => Value::Object(tool.spec.raw().clone()),
            None => json!({"name": tool, "inputSchema": {"type": "object"}}),
        }
    }
}

fn mock_call(call: &RecordedCall) -> Result<(ToolName, MockCall), UnusedReason> {
    let (arguments, end) = contents(call)?;
    let arguments = serde_json::from_str(arguments.get()).map_err(|_| UnusedReason::NoArguments)?;
    let response = match end {
        CallEnd::Result { result, .. } => MockResponse::Result(read_result(result)?),
        CallEnd::Failed { rpc: Some(rpc), .. } => MockResponse::Error(error_of(rpc)),
        CallEnd::Failed { rpc: None, .. } => return Err(UnusedReason::NoResult),
    };
    let tool = call.entry.tool.clone();
    let mock = MockCall {
        tool: tool.to_string(),
        arguments,
        masked: call.masked.clone(),
        response,
    };
    Ok((tool, mock))
}

fn error_of(rpc: &RpcError) -> Value {
    let data = rpc
        .data
        .as_deref()
        .and_then(|data| serde_json::from_str::<Value>(data).ok());
    let mut error = json!({"code": rpc.code, "message": rpc.message});
    if let Some(data) = data {
        error["data"] = data;
    }
    error
}

/// Writes the member's folder. Blocking.
fn write(place: &Path, member: &MemberName, recording: &MockRecording) -> Result<(), Report> {
    let text = serde_json::to_vec_pretty(recording)
        .ok()
        .filter(|text| text.len() <= RECORDING_BYTES_MAX);
    let text = text.ok_or_else(|| refused(&RecordingError::TooLarge(RECORDING_BYTES_MAX >> 20)))?;
    if place.symlink_metadata().is_ok() {
        let taken = RecordingError::FolderTaken(place.to_owned());
        return Err(Report::from_error(Code::AdoptionRefused, &taken));
    }
    put(place, &manifest(member, recording), &text).map_err(|error| {
        let trouble = RecordingError::NotWritten(PathBuf::from(place), io_message(&error));
        Report::from_error(Code::MembersFolderUnreadable, &trouble)
    })
}

fn put(place: &Path, manifest: &str, recording: &[u8]) -> io::Result<()> {
    let members_dir = place.parent().ok_or(io::ErrorKind::InvalidFilename)?;
    std::fs::create_dir_all(members_dir)?;
    clear_folders(members_dir, ASIDE);
    let aside = FolderAside::begin(members_dir, ASIDE)?;
    std::fs::write(aside.path().join(RECORDING_FILE), recording)?;
    std::fs::write(aside.path().join(MANIFEST_FILE), manifest)?;
    aside.put_in_place(place)
}

fn manifest(member: &MemberName, recording: &MockRecording) -> String {
    let description = format!(
        "Mock of {}: answers from {} recorded calls and contacts no server",
        recording.member,
        recording.calls.len()
    );
    let manifest = json!({
        "name": member,
        "description": description,
        "transport": "stdio",
        "lifecycle": "on-demand",
        "command": "${GUILDHALL}",
        "args": [MOCK_SUBCOMMAND, format!("${{PLUGIN_DIR}}/{RECORDING_FILE}")],
    });
    format!("{manifest:#}\n")
}
