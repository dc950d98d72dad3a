//! The items of the tray's menu.

use guild_api::desktop::tray::{TrayState, TrayStatus};
use guild_model::link::{Link, Page};

use crate::words;

/// An action that a person requests outside the window.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum DesktopAction {
    /// Show the window without changing its page.
    Open,
    /// Show a page of the window.
    Show(Link),
    StartAll,
    StopAll,
    Quit,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TrayContent {
    pub(crate) mood: TrayStatus,
    /// The state of the hall, in one line.
    pub(crate) state: String,
    pub(crate) menu: Vec<TrayMenuItem>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum TrayMenuItem {
    /// A text without an action.
    Text(String),
    /// An item with an action.
    Choice(String, DesktopAction),
    Separator,
}

/// Returns the menu for a state of the hall. `can_start` and `can_stop` are whether any member can
/// be started or stopped.
pub(crate) fn menu(outlook: &TrayState, can_start: bool, can_stop: bool) -> Vec<TrayMenuItem> {
    let page = |page| DesktopAction::Show(Link::Page { page });
    let mut lines = vec![TrayMenuItem::Text(words::state(outlook))];
    if outlook.approvals > 0 {
        let text = words::approvals(outlook.approvals);
        lines.push(TrayMenuItem::Choice(text, page(Page::Approvals)));
    }
    if let Some(member) = outlook.asks.clone() {
        let text = words::questions(outlook.questions);
        lines.push(TrayMenuItem::Choice(
            text,
            DesktopAction::Show(Link::Question { member }),
        ));
    }
    for (name, count) in &outlook.held {
        let text = words::held(name.as_str(), *count);
        let member = name.clone();
        lines.push(TrayMenuItem::Choice(
            text,
            DesktopAction::Show(Link::Review { member }),
        ));
    }
    for (name, status) in &outlook.troubled {
        let text = words::troubled(name.as_str(), *status);
        let member = name.clone();
        lines.push(TrayMenuItem::Choice(
            text,
            DesktopAction::Show(Link::Member { member }),
        ));
    }
    let unnamed = outlook.failed - outlook.troubled.len();
    if unnamed > 0 {
        lines.push(TrayMenuItem::Text(words::more(unnamed)));
    }
    lines.push(TrayMenuItem::Separator);
    let fixed = |text: &str, action| TrayMenuItem::Choice(text.to_owned(), action);
    lines.push(fixed(words::OPEN, DesktopAction::Open));
    lines.push(fixed(words::PALETTE, page(Page::Palette)));
    if can_start || can_stop {
        lines.push(TrayMenuItem::Separator);
    }
    if can_start {
        lines.push(fixed(words::START_ALL, DesktopAction::StartAll));
    }
    if can_stop {
        lines.push(fixed(words::STOP_ALL, DesktopAction::StopAll));
    }
    lines.push(TrayMenuItem::Separator);
    lines.push(fixed(words::SETTINGS, page(Page::Settings)));
    lines.push(fixed(words::QUIT, DesktopAction::Quit));
    lines
}

#[cfg(test)]
mod tests {
    use guild_model::MemberName;
    use guild_model::status::Status;

    use super::*;

    fn texts(lines: &[TrayMenuItem]) -> Vec<&str> {
        let text = |line| match line {
            &TrayMenuItem::Text(ref text) | &TrayMenuItem::Choice(ref text, _) => text.as_str(),
            &TrayMenuItem::Separator => "-",
        };
        lines.iter().map(text).collect()
    }

    #[test]
    fn a_hall_that_is_well_has_a_short_menu() {
        let outlook = TrayState {
            ready: 3,
            ..TrayState::default()
        };
        let lines = menu(&outlook, false, true);
        assert_eq!(
            texts(&lines),
            [
                "3 ready",
                "-",
                "Open Guild Hall",
                "Palette…",
                "-",
                "Stop all members",
                "-",
                "Settings",
                "Quit"
            ]
        );
    }

    #[test]
    fn tray_menu_lists_trouble_first() {
        let named = |text| MemberName::parse(text).expect("a name");
        let (forge, mint) = (named("forge"), named("mint"));
        let outlook = TrayState {
            status: TrayStatus::NeedsYou,
            ready: 1,
            failed: 3,
            approvals: 2,
            questions: 1,
            asks: Some(mint.clone()),
            held: vec![(mint.clone(), 1)],
            troubled: vec![(forge.clone(), Status::CrashLoop)],
            ..TrayState::default()
        };
        let lines = menu(&outlook, true, true);
        assert_eq!(
            texts(&lines)[..6],
            [
                "1 ready, 3 failed",
                "2 calls wait for your consent",
                "1 question waits for an answer",
                "mint: 1 changed tool needs review",
                "forge: crashed again and again",
                "and 2 more"
            ]
        );
        assert!(lines.contains(&TrayMenuItem::Choice(
            "forge: crashed again and again".to_owned(),
            DesktopAction::Show(Link::Member { member: forge })
        )));
        assert!(lines.contains(&TrayMenuItem::Choice(
            "1 question waits for an answer".to_owned(),
            DesktopAction::Show(Link::Question {
                member: mint.clone()
            })
        )));
        assert!(lines.contains(&TrayMenuItem::Choice(
            "mint: 1 changed tool needs review".to_owned(),
            DesktopAction::Show(Link::Review { member: mint })
        )));
    }
}
