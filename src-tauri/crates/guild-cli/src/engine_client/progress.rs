//! Prints the progress of a member's start on stderr while a command waits for the start.

use std::convert::Infallible;
use std::time::Duration;

use guild_api::event::HallEvent;
use guild_api::wire::MemberView;
use guild_engine::Subscription;
use guild_model::MemberName;
use guild_model::status::StartStep;
use tokio::time::{Instant, interval_at};

use crate::{eprint_line, harmless};

/// Interval of reports during an installation.
const STILL_AT_IT: Duration = Duration::from_secs(5);
/// Maximum length of the part of stderr's last line that is shown, in characters.
const LINE_SHOWN: usize = 120;

/// Prints a line about a member's installation whenever its step changes, and every
/// [`STILL_AT_IT`]. Never returns.
pub(crate) async fn report(mut events: Subscription, member: MemberName) -> Infallible {
    let began = Instant::now();
    let mut step = None;
    let mut last = String::new();
    let mut again = interval_at(began + STILL_AT_IT, STILL_AT_IT);
    loop {
        tokio::select! {
            envelope = events.next() => {
                let Some(envelope) = envelope else {
                    // The hall has ended, so the call has ended too.
                    return std::future::pending().await;
                };
                if let Some(line) = line_of(&envelope.event, &member) {
                    last = line.chars().take(LINE_SHOWN).collect();
                }
                match view_of(&envelope.event, &member) {
                    Some(view) if view.step != step => step = view.step,
                    _ => continue,
                }
                again.reset();
            }
            _ = again.tick() => {}
        }
        if let Some(text) = step_text(step, began.elapsed()) {
            let colon = if last.is_empty() { "" } else { ": " };
            eprint_line(harmless(&format!("{member} {text}{colon}{last}")));
        }
    }
}

/// Returns the member's view, if the event contains it.
fn view_of<'e>(event: &'e HallEvent, member: &MemberName) -> Option<&'e MemberView> {
    match event {
        HallEvent::MemberAdded { member: view } | HallEvent::MemberChanged { member: view, .. } => {
            Some(&**view).filter(|view| view.name == *member)
        }
        HallEvent::Roster { roster } => roster.members.iter().find(|view| view.name == *member),
        _ => None,
    }
}

/// Returns the member's last stderr line, if the event contains one.
fn line_of<'e>(event: &'e HallEvent, member: &MemberName) -> Option<&'e str> {
    match event {
        HallEvent::Stderr {
            member: of, lines, ..
        } if of == member => lines.last().map(|line| line.text.as_str()),
        _ => None,
    }
}

/// Returns the text for a step. `None` for steps of the server itself, which are not reported.
fn step_text(step: Option<StartStep>, since: Duration) -> Option<String> {
    let seconds = since.as_secs();
    match step? {
        StartStep::Queued => None,
        StartStep::Pulling => Some(format!("has its container's image fetched, {seconds} s")),
        StartStep::Installing => Some(format!("is being installed, {seconds} s")),
        StartStep::Overtime => Some(format!(
            "is still being installed past its start limit, {seconds} s; press Ctrl-C to cancel"
        )),
        StartStep::Late => Some(format!(
            "is still starting past its start limit, {seconds} s; press Ctrl-C to cancel"
        )),
    }
}
