//! What hides secrets in everything that is told: the roster, lists of tools, events, errors.
//!
//! It knows the secrets that members were given, and is made anew when there is one more. Results
//! of tools pass as they are: they are what a person or an agent asked for.

mod said;

use std::borrow::Cow;
use std::sync::{Arc, PoisonError, RwLock, Weak};

use guild_core::Report;
use guild_core::event::HallEvent;
use guild_core::telling::without_tokens;
use guild_core::wire::{CallEnd, MASK, MemberView};
use guild_process::Redact;

use super::mask::LineMask;

/// What hides secrets at the moment, where there are any.
type Mask = RwLock<Option<Arc<LineMask>>>;

/// Hides secrets in what is told. Clones share what they know.
#[derive(Debug, Clone, Default)]
pub(crate) struct Veil {
    mask: Arc<Mask>,
}

/// A veil that is not kept by whoever looks through it.
#[derive(Debug, Clone)]
pub(crate) struct WeakVeil(Weak<Mask>);

impl WeakVeil {
    /// The veil, as long as somebody has it.
    pub(crate) fn upgrade(&self) -> Option<Veil> {
        self.0.upgrade().map(|mask| Veil { mask })
    }
}

/// Lines lose the secrets that are known when they are written, and tokens by their shape.
impl Redact for Veil {
    fn redact(&self, line: String) -> String {
        let line = match self.mask() {
            Some(mask) => mask.redact(line),
            None => line,
        };
        match without_tokens(&line, MASK) {
            Cow::Owned(hidden) => hidden,
            Cow::Borrowed(_) => line,
        }
    }
}

impl Veil {
    /// Hides these from now on.
    pub(crate) fn draw(&self, secrets: impl IntoIterator<Item = String>) {
        let mask = Arc::new(LineMask::of_texts(secrets));
        *self.mask.write().unwrap_or_else(PoisonError::into_inner) = Some(mask);
    }

    /// The same, not kept.
    pub(crate) fn downgrade(&self) -> WeakVeil {
        WeakVeil(Arc::downgrade(&self.mask))
    }

    /// A veil over this secret.
    #[cfg(test)]
    pub(crate) fn hiding(secret: &str) -> Self {
        let veil = Self::default();
        veil.draw([secret.to_owned()]);
        veil
    }

    fn mask(&self) -> Option<Arc<LineMask>> {
        let mask = self.mask.read().unwrap_or_else(PoisonError::into_inner);
        mask.clone()
    }

    /// A text without secrets.
    pub(crate) fn hide_in(&self, text: &mut String) {
        if let Some(mask) = self.mask() {
            hide(&mask, text);
        }
    }

    /// Whether a text has a secret in it.
    pub(crate) fn hides(&self, text: &str) -> bool {
        let mask = self.mask();
        mask.is_some_and(|mask| matches!(mask.hide(text), Cow::Owned(_)))
    }

    /// A report without secrets.
    pub(crate) fn report(&self, report: &mut Report) {
        if let Some(mask) = self.mask() {
            hide_report(&mask, report);
        }
    }

    /// The end of a call, of which a failure has no secrets.
    pub(crate) fn end(&self, end: &mut CallEnd) {
        let (Some(mask), CallEnd::Failed { report, rpc, .. }) = (self.mask(), end) else {
            return;
        };
        hide_report(&mask, report);
        if let Some(rpc) = rpc {
            hide_rpc(&mask, &mut rpc.message, &mut rpc.data);
        }
    }

    /// A JSON-RPC error without secrets: its message, and its data as JSON text.
    pub(crate) fn rpc(&self, message: &mut String, data: &mut Option<String>) {
        if let Some(mask) = self.mask() {
            hide_rpc(&mask, message, data);
        }
    }

    /// A member as it is shown, without secrets; the same where it has none.
    pub(crate) fn view(&self, view: Arc<MemberView>) -> Arc<MemberView> {
        let plain = view.error.is_none() && view.warnings.is_empty() && view.last_stderr.is_none();
        let Some(mask) = self.mask().filter(|_| !plain) else {
            return view;
        };
        let mut veiled = MemberView::clone(&view);
        let reports = veiled.error.iter_mut().chain(&mut veiled.warnings);
        reports.for_each(|report| hide_report(&mask, report));
        if let Some(line) = &mut veiled.last_stderr {
            hide(&mask, line);
        }
        if veiled == *view {
            view
        } else {
            Arc::new(veiled)
        }
    }

    /// What is told, without secrets. The roster and what changes it were veiled before; what is
    /// recorded and agents' traffic have masks of their own.
    pub(crate) fn event(&self, event: &mut HallEvent) {
        let Some(mask) = self.mask() else { return };
        match event {
            HallEvent::CallProgress { progress, .. } => {
                if let Some(message) = &mut progress.message {
                    hide(&mask, message);
                }
            }
            HallEvent::CallFinished {
                error: Some(report),
                ..
            }
            | HallEvent::Warning { report } => hide_report(&mask, report),
            HallEvent::ElicitationAsked { elicitation } => hide(&mask, &mut elicitation.message),
            HallEvent::Examined { finding, .. } => {
                hide(&mask, &mut finding.found);
                finding
                    .details
                    .iter_mut()
                    .for_each(|line| hide(&mask, line));
            }
            _ => {}
        }
    }
}

fn hide_report(mask: &LineMask, report: &mut Report) {
    report.texts_mut().for_each(|text| hide(mask, text));
}

fn hide_rpc(mask: &LineMask, message: &mut String, data: &mut Option<String>) {
    hide(mask, message);
    if let Some(text) = data
        && let Cow::Owned(hidden) = mask.hide(text)
    {
        *text = mask.hide_json(text).unwrap_or(hidden);
    }
}

fn hide(mask: &LineMask, text: &mut String) {
    if let Cow::Owned(hidden) = mask.hide(text) {
        *text = hidden;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_of_a_member_has_no_token_by_shape() {
        let token = "ghp_0aB1cD2eF3gH4iJ5kL6mN7oP8qR9sT0uV1wX";
        for veil in [Veil::default(), Veil::hiding("planted")] {
            let line = veil.redact(format!("{token} is not valid"));
            assert_eq!(line, format!("{MASK} is not valid"));
            assert_eq!(veil.redact("plain".to_owned()), "plain");
        }
    }
}
