//! A snapshot of all messages and hints: `INSTA_UPDATE=always cargo test -p guild-api messages`
//! updates it.

use super::*;

guild_tests::message_snapshots! {
    examples {}
    presence_messages [
        PresenceWrong { NoUtf8 Character(_ _) SwitchedOff NoBus NoDesktop NotShown Wayland NoKey
            NoSuchKey NoScreen Lost(_) Taken Refused(_) }
        PresenceTrouble hints { Login(_ _) NoLogin Tray(_) Notifications(_) Shortcut(_ _) }
    ]
}
