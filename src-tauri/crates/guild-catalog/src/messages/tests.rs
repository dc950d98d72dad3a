//! A snapshot of all messages and hints: `INSTA_UPDATE=always cargo test -p guild-catalog messages`
//! updates it.

use super::*;

guild_tests::message_snapshots! {
    examples {}
    agents_messages [
        NamingError hints { Nameless OfMenu(_) Claimed[name owners last] ClaimedByMore(_ _ _)
            NoTool(_) MayBeSeveral(_ _) NoToolNear(_ _) }
    ]
}
