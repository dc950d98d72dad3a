//! Compares a tool's current input schema with that at the time of a recorded call.

use std::collections::HashMap;
use std::sync::Arc;

use guild_api::wire::{RecordedCall, SchemaSince};
use guild_model::tool::ToolSpec;
use guild_model::{MemberName, ToolName};
use serde_json::Value;
use sha2::{Digest, Sha256};

use super::calls::StoredCall;
use guild_roster::Snapshot;

/// The current tools, with a cache of their schema digests.
pub(super) struct Schemas {
    snapshot: Arc<Snapshot>,
    digests: HashMap<(MemberName, ToolName), Option<String>>,
}

impl Schemas {
    pub(super) fn new(snapshot: Arc<Snapshot>) -> Self {
        Self {
            snapshot,
            digests: HashMap::new(),
        }
    }

    pub(super) fn recorded(&mut self, call: StoredCall) -> RecordedCall {
        let StoredCall {
            entry,
            arguments,
            masked,
            schema,
            end,
            truncated,
        } = call;
        let (member, tool) = (entry.member.clone(), entry.tool.clone());
        let now = self.digests.entry((member, tool)).or_insert_with(|| {
            let spec = spec_of(&self.snapshot, &entry.member, &entry.tool);
            spec.map(|spec| schema_digest(spec.input_schema()))
        });
        let schema = match (schema, now) {
            (Some(then), Some(now)) if then == *now => SchemaSince::Same,
            (Some(_), Some(_)) => SchemaSince::Changed,
            _ => SchemaSince::Unknown,
        };
        RecordedCall {
            entry,
            arguments,
            masked,
            end,
            truncated,
            schema,
        }
    }
}

/// Returns a tool from the current list.
pub(super) fn spec_of(
    snapshot: &Snapshot,
    member: &MemberName,
    tool: &ToolName,
) -> Option<ToolSpec> {
    let tools = &snapshot.members.get(member)?.tools;
    Some(tools.get(tool)?.spec.clone())
}

pub(super) fn schema_digest(schema: &Value) -> String {
    let digest = Sha256::digest(schema.to_string());
    let bytes = digest.iter().take(16);
    bytes.map(|byte| format!("{byte:02x}")).collect()
}
