//! Systems that Guild Hall shows nothing on outside its window yet: each part says so.

pub(super) mod tray {
    use guild_core::note::{PresenceTrouble, PresenceWrong, Told};
    use guild_core::presence::outlook::Mood;
    use guild_core::{Code, Report};
    use tokio::sync::{mpsc, watch};

    use crate::presence::menu::{Line, Wish};

    #[derive(Debug, Clone, PartialEq, Eq)]
    pub(in crate::presence) struct Face {
        pub(in crate::presence) mood: Mood,
        pub(in crate::presence) state: String,
        pub(in crate::presence) menu: Vec<Line>,
    }

    /// There is none.
    pub(in crate::presence) enum Tray {}

    impl Tray {
        pub(in crate::presence) async fn offer(
            _: Face,
            _: mpsc::Sender<Wish>,
        ) -> Result<Self, Report> {
            Err(missing(&PresenceWrong::NotHere))
        }

        pub(in crate::presence) fn host(&self) -> watch::Receiver<bool> {
            match *self {}
        }

        pub(in crate::presence) async fn show(&self, _: Face) {
            match *self {}
        }

        pub(in crate::presence) async fn leave(self) {
            match self {}
        }
    }

    pub(in crate::presence) fn missing(problem: &impl Told) -> Report {
        let trouble = PresenceTrouble::NoTray(problem.told());
        Report::told(Code::TrayMissing, &trouble)
    }
}

pub(super) mod notifying {
    use guild_core::link::Link;
    use guild_core::note::PresenceTrouble;
    use guild_core::presence::notices::{Kind, Notice};
    use guild_core::{Code, Report};
    use tokio::sync::mpsc;

    #[derive(Debug, Clone, PartialEq, Eq)]
    pub(in crate::presence) enum Answer {
        Show(Link),
        Dismissed(Kind),
    }

    /// Nobody answers.
    pub(in crate::presence) struct Notifier {
        _answers: mpsc::Sender<Answer>,
    }

    impl Notifier {
        pub(in crate::presence) fn new(answers: mpsc::Sender<Answer>) -> Self {
            Self { _answers: answers }
        }

        pub(in crate::presence) async fn show(&mut self, _: &Notice) -> Result<(), Report> {
            let trouble = PresenceTrouble::NoNotifications;
            Err(Report::told(Code::NotificationsMissing, &trouble))
        }

        pub(in crate::presence) async fn withdraw(&mut self, _: Kind) {}
    }
}

pub(super) mod shortcut {
    use guild_core::note::PresenceTrouble;
    use guild_core::{Code, Report};
    use tokio::sync::mpsc;

    use crate::presence::menu::Wish;

    /// There is none.
    pub(in crate::presence) struct Shortcut;

    /// Nobody says anything.
    pub(in crate::presence) enum Heard {}

    impl Shortcut {
        pub(in crate::presence) fn new(
            _: mpsc::Sender<Wish>,
            _: Wish,
            _: mpsc::Sender<Heard>,
        ) -> Self {
            Self
        }

        pub(in crate::presence) fn follow(
            &mut self,
            heard: Heard,
            _: Option<&str>,
        ) -> Result<(), Report> {
            match heard {}
        }

        pub(in crate::presence) fn set(&mut self, keys: Option<&str>) -> Result<(), Report> {
            let Some(keys) = keys else { return Ok(()) };
            let trouble = PresenceTrouble::NoShortcut(keys.to_owned());
            Err(Report::told(Code::ShortcutUnavailable, &trouble))
        }
    }
}
