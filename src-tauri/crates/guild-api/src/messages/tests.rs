//! A snapshot of all messages and hints: `INSTA_UPDATE=always cargo test -p guild-api messages`
//! updates it.

use super::*;

guild_tests::message_snapshots! {
    examples {}
    desktop_messages [
        DesktopErrorCause { NoUtf8 Character(_ _) SwitchedOff NoBus NoDesktop NotShown Wayland NoKey
            NoSuchKey NoScreen Lost(_) Taken Refused(_) }
        DesktopError hints { Login(_ _) NoLogin Tray(_) Notifications(_) Shortcut(_ _) }
    ]
}
