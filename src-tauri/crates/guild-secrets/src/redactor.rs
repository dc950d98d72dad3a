//! Masks secrets in all published data: the roster, tool lists, events and errors.
//!
//! The redactor knows the secrets that members received. Its matcher is rebuilt for each new
//! secret. Results of tools are not masked, since the person or the agent requested them.

mod server;

use std::borrow::Cow;
use std::sync::{Arc, Weak};

use guild_api::event::HallEvent;
use guild_api::wire::{CallEnd, MASK, MemberView};
use guild_model::Report;
use guild_process::Redact;
use guild_text::secret_detection::without_tokens;
use parking_lot::RwLock;

use super::mask::SecretMatcher;

/// The current matcher, if there are secrets.
type Mask = RwLock<Option<Arc<SecretMatcher>>>;

/// Masks secrets in published data. Clones share the known secrets.
#[derive(Debug, Clone, Default)]
pub struct Redactor {
    mask: Arc<Mask>,
}

/// A weak reference to a redactor.
#[derive(Debug, Clone)]
pub struct WeakRedactor(Weak<Mask>);

impl WeakRedactor {
    /// Returns the redactor, if it still exists.
    pub fn upgrade(&self) -> Option<Redactor> {
        self.0.upgrade().map(|mask| Redactor { mask })
    }
}

/// Masks secrets that are known at the time of the log line, and tokens with a known shape.
impl Redact for Redactor {
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

impl Redactor {
    /// Replaces the set of masked secrets.
    pub fn set_secrets(&self, secrets: impl IntoIterator<Item = String>) {
        let mask = Arc::new(SecretMatcher::new(secrets));
        *self.mask.write() = Some(mask);
    }

    /// Returns a weak reference, which does not keep the secrets in memory.
    pub fn downgrade(&self) -> WeakRedactor {
        WeakRedactor(Arc::downgrade(&self.mask))
    }

    /// Returns a redactor for one secret.
    #[cfg(any(test, feature = "test-util"))]
    pub fn with_secret(secret: &str) -> Self {
        let redactor = Self::default();
        redactor.set_secrets([secret.to_owned()]);
        redactor
    }

    fn mask(&self) -> Option<Arc<SecretMatcher>> {
        let mask = self.mask.read();
        mask.clone()
    }

    /// Masks the known secrets in place. Does nothing before the first [`Self::set_secrets`].
    pub fn hide_in(&self, text: &mut String) {
        if let Some(mask) = self.mask() {
            hide(&mask, text);
        }
    }

    /// Whether a text contains a secret.
    pub fn hides(&self, text: &str) -> bool {
        let mask = self.mask();
        mask.is_some_and(|mask| matches!(mask.hide(text), Cow::Owned(_)))
    }

    /// Masks the known secrets in all texts of a report.
    pub fn report(&self, report: &mut Report) {
        if let Some(mask) = self.mask() {
            hide_report(&mask, report);
        }
    }

    /// Masks secrets in a failed call. A result stays unchanged.
    pub fn end(&self, end: &mut CallEnd) {
        let (Some(mask), CallEnd::Failed { report, rpc, .. }) = (self.mask(), end) else {
            return;
        };
        hide_report(&mask, report);
        if let Some(rpc) = rpc {
            hide_rpc(&mask, &mut rpc.message, &mut rpc.data);
        }
    }

    /// Masks secrets in a JSON-RPC error: its message, and its data as JSON text.
    pub fn rpc(&self, message: &mut String, data: &mut Option<String>) {
        if let Some(mask) = self.mask() {
            hide_rpc(&mask, message, data);
        }
    }

    /// Masks secrets in a member's view. Returns the same value if the view has none.
    pub fn view(&self, view: Arc<MemberView>) -> Arc<MemberView> {
        let plain = view.error.is_none() && view.warnings.is_empty() && view.last_stderr.is_none();
        let Some(mask) = self.mask().filter(|_| !plain) else {
            return view;
        };
        let mut redacted = MemberView::clone(&view);
        let reports = redacted.error.iter_mut().chain(&mut redacted.warnings);
        reports.for_each(|report| hide_report(&mask, report));
        if let Some(line) = &mut redacted.last_stderr {
            hide(&mask, line);
        }
        if redacted == *view {
            view
        } else {
            Arc::new(redacted)
        }
    }

    /// Masks secrets in an event. Events with members, recorded calls or agents' traffic stay
    /// unchanged, because their content was masked before.
    pub fn event(&self, event: &mut HallEvent) {
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

fn hide_report(mask: &SecretMatcher, report: &mut Report) {
    report.texts_mut().for_each(|text| hide(mask, text));
}

fn hide_rpc(mask: &SecretMatcher, message: &mut String, data: &mut Option<String>) {
    hide(mask, message);
    if let Some(text) = data
        && let Cow::Owned(hidden) = mask.hide(text)
    {
        *text = mask.hide_json(text).unwrap_or(hidden);
    }
}

fn hide(mask: &SecretMatcher, text: &mut String) {
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
        for redactor in [Redactor::default(), Redactor::with_secret("planted")] {
            let line = redactor.redact(format!("{token} is not valid"));
            assert_eq!(line, format!("{MASK} is not valid"));
            assert_eq!(redactor.redact("plain".to_owned()), "plain");
        }
    }
}
