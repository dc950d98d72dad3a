//! Determines which requests a member's processes may make at the control socket: they may read
//! data, call tools, and start and stop members, but not decide anything. The policies for agents
//! apply to the tool calls.
//!
//! Only a person may review, install, or change policies or settings: otherwise a server could
//! accept its own changed tools. Only a person may search a registry, since that request can
//! contain any address or file.

use std::path::Path;

use guild_api::wire::control::{
    AT_REST, EXPORT_LIST, EXPORT_PREVIEW, FOLLOW_DEV, FOUND_LIST, LIST_TOOLS, SHOW_WINDOW, WHO,
};
use guild_ipc::messages::HallError;
use guild_model::{Code, Report};
use guild_process::{Lineage, ProcessRegistry};

/// The requests that a member's processes may make. All others are rejected, so that a new request
/// is closed to members until it is added here.
const OPEN_TO_MEMBERS: &[&str] = &[
    AT_REST,
    EXPORT_LIST,
    EXPORT_PREVIEW,
    FOLLOW_DEV,
    FOUND_LIST,
    LIST_TOOLS,
    SHOW_WINDOW,
    WHO,
    "app_info",
    "cancel_call",
    "catalog",
    "check_arguments",
    "client_configs",
    "dev_state",
    "discovery_settings",
    "export_team",
    "found_servers",
    "gateway",
    "history_entry",
    "invoke_tool",
    "look_into_mcpb",
    "member_detail",
    "member_review",
    "member_tools",
    "prediction_request",
    "preview_bundle",
    "preview_client_config",
    "preview_policy_rules",
    "preview_settings_import",
    "read_brought",
    "refresh_member",
    "refresh_tool_caches",
    "restart_member",
    "revision",
    "revisions",
    "roster",
    "search_history",
    "search_tools",
    "settings",
    "sign_in_ended",
    "sign_in_state",
    "start_member",
    "stop_member",
    "tool_detail",
];

/// The name of a caller whose parent processes are unknown.
pub(super) const UNKNOWN_PROCESS: &str = "an unknown process";

/// Returns the member to which the process with this id belongs, if any.
pub(super) async fn identify(custody: ProcessRegistry, pid: Option<u32>) -> Lineage {
    let Some(pid) = pid else {
        // Only Linux reports the id of the process that connects.
        return match cfg!(target_os = "linux") {
            true => Lineage::Unknown,
            false => Lineage::Outside,
        };
    };
    let inspecting = tokio::task::spawn_blocking(move || custody.lineage_of(pid));
    inspecting.await.unwrap_or(Lineage::Unknown)
}

/// Rejects a request that the caller's process must not make.
///
/// # Errors
/// `member-request`.
pub(super) fn permit(command: &str, from: &Lineage) -> Result<(), Report> {
    if OPEN_TO_MEMBERS.contains(&command) {
        return Ok(());
    }
    let trouble = match from {
        Lineage::Outside => return Ok(()),
        Lineage::Member(Some(member)) => HallError::OfMember(member.clone()),
        Lineage::Member(None) => HallError::OfAnotherMember,
        Lineage::Unknown => HallError::OfNobody,
    };
    tracing::warn!(
        command,
        ?from,
        "a request of a member's process was refused"
    );
    Err(Report::from_error(Code::MemberRequest, &trouble))
}

/// Rejects a command that writes to a data folder without a hall, if a member's process runs it.
/// Blocking, for about a millisecond.
///
/// # Errors
/// `member-request` if this program is a process of a member that uses the data folder.
pub fn refuse_member(data_dir: &Path) -> Result<(), Report> {
    match guild_process::own_member(&data_dir.join("running")) {
        Some(member) => Err(Report::from_error(
            Code::MemberRequest,
            &HallError::OfMember(member),
        )),
        None => Ok(()),
    }
}

/// Returns the name of the member that started this program, as the history shows it. `None` if a
/// person started the program. Blocking, for about a millisecond.
pub(super) fn own_caller(data_dir: &Path) -> Option<String> {
    guild_process::own_member(&data_dir.join("running")).map(|member| of_member(&member))
}

/// Returns the name of a member's process for the history. `None` for a person.
pub(super) fn caller_of(from: &Lineage) -> Option<String> {
    match from {
        Lineage::Outside => None,
        Lineage::Member(Some(member)) => Some(of_member(member)),
        Lineage::Member(None) => Some("a member of another hall".to_owned()),
        Lineage::Unknown => Some(UNKNOWN_PROCESS.to_owned()),
    }
}

fn of_member(member: &str) -> String {
    format!("member {member}")
}

#[cfg(test)]
mod tests {
    use guild_api::wire::is_engine_command;

    use super::*;

    #[test]
    fn open_requests_exist() {
        let beside = [
            AT_REST,
            EXPORT_LIST,
            EXPORT_PREVIEW,
            FOLLOW_DEV,
            FOUND_LIST,
            LIST_TOOLS,
            SHOW_WINDOW,
            WHO,
        ];
        for name in OPEN_TO_MEMBERS {
            let is_known = beside.contains(name) || is_engine_command(name);
            assert!(is_known, "{name}");
        }
    }

    #[test]
    fn deciding_is_refused_to_members_and_unknown_processes() {
        let member = Lineage::Member(Some("forge".into()));
        for from in [&member, &Lineage::Member(None), &Lineage::Unknown] {
            // Examples are calls by a manifest, which need no approval.
            for command in [
                "accept_tools",
                "registry_server",
                "run_examples",
                "search_registry",
                "set_tool_policies",
                "not_there_yet",
            ] {
                let refused = permit(command, from).expect_err("refused");
                assert_eq!(refused.code, Code::MemberRequest);
            }
            assert_eq!(permit("invoke_tool", from), Ok(()));
            assert!(caller_of(from).is_some());
        }
        assert_eq!(permit("accept_tools", &Lineage::Outside), Ok(()));
        assert_eq!(caller_of(&Lineage::Outside), None);
        let refused = permit("accept_tools", &member).expect_err("refused");
        assert!(refused.message.contains("forge"), "{refused}");
    }
}
