//! The actions of the window that may have keys of their own, by their ids.
//!
//! What they do stands in `ui/src/app/actions.ts`, where a test holds them against the editors'
//! schema, which is made of this list.

use crate::manifest::nearest;
use crate::note::NearSetting;

/// All of them, in the order of the window's groups.
pub(super) const ACTIONS: &[&str] = &[
    "palette",
    "tools",
    "history",
    "search",
    "keys",
    "bundle",
    "help",
    "guide",
    "codes",
    "first-steps",
    "tour",
    "about",
    "run",
    "send-anyway",
    "json",
    "save-call",
    "copy-as",
    "cancel",
    "restart-member",
    "start-member",
    "stop-member",
    "refresh-member",
    "log",
    "refresh-all",
    "resources",
    "prompts",
    "answer-question",
    "agents",
    "catalogue",
    "decide-approval",
    "agents-gateway",
    "agents-view",
    "agents-policies",
    "agents-profiles",
    "agents-approvals",
    "agents-traffic",
    "agents-connect",
    "doctor",
    "found",
    "adding",
    "discovery",
    "secrets",
    "settings",
    "regions",
    "tab-1",
    "tab-2",
    "tab-3",
    "tab-4",
    "welcome",
    "roster",
    "dock",
    "saved-calls",
    "zoom-in",
    "zoom-out",
    "zoom-reset",
    "theme-system",
    "theme-light",
    "theme-dark",
    "theme-contrast-light",
    "theme-contrast-dark",
];

/// Whether there is such an action.
pub(super) fn is_action(id: &str) -> bool {
    ACTIONS.contains(&id)
}

/// The action that was probably meant, or where they are listed.
pub(super) fn near(id: &str) -> NearSetting {
    nearest(id, ACTIONS).map_or(NearSetting::Actions, NearSetting::Action)
}
