//! A snapshot of all messages and hints: `INSTA_UPDATE=always cargo test -p guild-logs messages`
//! updates it.

use super::*;

guild_tests::message_snapshots! {
    examples {}
    log_messages [
        LogError hints { LogUnreadable(_ _) LogUnwatched(_ _) LogEnded(_) LogUnwritable(_ _) CrashReports(_ _) }
    ]
}
