//! Finds the list of servers in a text that a person provided.

use super::super::normalize::{NormalizedServer, entries, is_server, single};
use super::super::program::ClientProgram;
use super::super::servers::{ConfigInput, Dialect, inputs_of};
use super::SnippetInputs;
use guild_text::messages::{MisreadAdvice, MisreadProblem};
use guild_text::tree::{Node, NodeKind, TreeMember, TreeParseError};

#[derive(Debug)]
pub(super) struct SnippetServers {
    pub(super) dialect: Dialect,
    pub(super) found: Vec<NormalizedServer>,
    pub(super) inputs: SnippetInputs,
}

impl SnippetServers {
    pub(super) fn of_any(found: Vec<NormalizedServer>) -> Self {
        Self {
            dialect: Dialect::Any,
            found,
            inputs: Vec::new(),
        }
    }
}

/// Returns the list of servers in a text.
///
/// # Errors
/// If there is no list, or it is empty.
pub(super) fn listed(root: &Node, is_toml: bool) -> Result<SnippetServers, TreeParseError> {
    let listed = known(root, is_toml).or_else(|| bare(root)).ok_or_else(|| {
        let message = MisreadProblem::NoList;
        TreeParseError::at_line(root.line, message, MisreadAdvice::WhatToBring)
    })?;
    match listed.found.is_empty() {
        true => {
            let (message, hint) = (MisreadProblem::EmptyList, MisreadAdvice::WhatToBring);
            Err(TreeParseError::at_line(root.line, message, hint))
        }
        false => Ok(listed),
    }
}

/// Finds a list under a key of a known program.
fn known(root: &Node, is_toml: bool) -> Option<SnippetServers> {
    for TreeMember { key, node, .. } in root.members()? {
        // In an editor's settings, the key may have a prefix, as in `amp.mcpServers`.
        let dialect = match key.rsplit('.').next().unwrap_or_default() {
            "mcpServers" | "extensions" => Dialect::Any,
            "mcp_servers" if is_toml => Dialect::Of(ClientProgram::Codex),
            "mcp_servers" => Dialect::Any,
            "context_servers" => Dialect::Of(ClientProgram::Zed),
            "servers" if node.members().is_some() => Dialect::Of(ClientProgram::VsCode),
            "servers" => Dialect::Any,
            "mcp" | "settings" => match known(node, is_toml).or_else(|| bare(node)) {
                Some(inside) => return Some(inside),
                None => continue,
            },
            _ => continue,
        };
        let Some(found) = entries(node) else { continue };
        let inputs: Vec<ConfigInput> = match dialect {
            Dialect::Of(ClientProgram::VsCode) => inputs_of(root.get("inputs").map(Node::to_value)),
            _ => Vec::new(),
        };
        return Some(SnippetServers {
            dialect,
            found,
            inputs,
        });
    }
    None
}

/// Finds a list without a known key: a single server, or servers by name.
fn bare(root: &Node) -> Option<SnippetServers> {
    if let Some(one) = single(root) {
        return Some(SnippetServers::of_any(vec![one]));
    }
    let is_list = match &root.kind {
        NodeKind::List(items) => items.iter().all(is_server),
        NodeKind::Object(members) => members.iter().any(|member| is_server(&member.node)),
        NodeKind::Plain(_) => false,
    };
    let found = entries(root).filter(|found| is_list && !found.is_empty())?;
    Some(SnippetServers::of_any(found))
}
