//! A snapshot of all messages and hints: `INSTA_UPDATE=always cargo test -p guild-ipc messages`
//! updates it.

use guild_model::holder::HallRole;

use super::*;

guild_tests::message_snapshots! {
    examples {
        HallRole = HallRole::App;
    }
    history_messages [
        AskingFault { Silent Ended }
        GatewayAt { At(_) Closed }
        HallError hints { Runs(_ _ _) NoWindow Unreachable(_ _ _) Mute(_) OtherUser(_ _)
            FolderGone(_) NotAsked(_ _ _) NoDescriptors(_ _ _) NoRequest(_ _) NotUnderstood(_)
            NotAnswered(_) NobodyWaits OfMember(_) OfAnotherMember OfNobody OfOtherUser(_ _)
            NoOwnFile(_) }
    ]
}
