//! A snapshot of all messages and hints: `INSTA_UPDATE=always cargo test -p guild-import messages`
//! updates it.

use guild_client_config::messages::FileProblem;
use guild_model::messages::RunProblem;

use super::*;

guild_tests::message_snapshots! {
    examples {
        FileProblem = FileProblem::Slow(Example::example());
        RunProblem = RunProblem::NoObject;
    }
    agents_messages [
        ClientFileError hints { NoOwnPlace(_) NoProgram(_ _) WrittenByTwo(_ _) Changed(_)
            Unwritable(_ _) Refused(_ _) NoText(_) NoBackup(_ _) NothingWritten(_) NothingLeft(_)
            NotOurs(_) NotOursKept(_ _) NotSearched(_) }
    ]
    ask_messages [
        AskNote { Example(_) Kept }
    ]
    found_messages [
        BroughtKind { Text Command File(_) }
        BroughtAdvice { Again WholePath Look Formats Copy }
        FoundError hints { Unusable(_ _ _ _) Unreadable(_ _) Cut(_ _) Unread(_ _ _) }
    ]
}
