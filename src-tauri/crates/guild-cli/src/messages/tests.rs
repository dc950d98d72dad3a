//! A snapshot of all messages and hints: `INSTA_UPDATE=always cargo test -p guild-cli messages`
//! updates it.

use super::*;

guild_tests::message_snapshots! {
    examples {}
    bridge_messages [
        OtherGateway { NoHall(_) Elsewhere(_ _) Closed(_) Unasked(_) }
    ]
    cli_messages [
        ArgumentProblem { Listing KeyValue }
    ]
}
