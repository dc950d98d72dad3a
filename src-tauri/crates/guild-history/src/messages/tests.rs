//! A snapshot of all messages and hints: `INSTA_UPDATE=always cargo test -p guild-history messages`
//! updates it.

use super::*;

guild_tests::message_snapshots! {
    examples {}
    history_messages [
        SavedNameProblem { Empty Long(_ _) Control }
        HistoryError hints { OwnFile(_) Gone NotWritten(_) Stuck(_ _ _) Damaged(_ _)
            Newer(_ _ _) NoFile(_ _) Full(_) Unusable(_ _) Busy(_) Behind(_) SavedName(_)
            SavedTaken(_) LongDraft(_ _) NotExported(_ _) Settings(_ _) Unsaved(_ _) NoBase64(_) }
    ]
}
