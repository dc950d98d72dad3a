//! A snapshot of all messages and hints: `INSTA_UPDATE=always cargo test -p guild-engine messages`
//! updates it.

use guild_model::id::{MemberName, ToolName};
use guild_model::messages::NameProblem;

use super::*;

guild_tests::message_snapshots! {
    examples {
        MemberName = MemberName::for_folder("X", 1);
        NameProblem = NameProblem::Empty;
        ToolName = ToolName::parse("X").expect("a name");
    }
    app_messages [
        AppError hints { NoApp(_) Unusable(_) TooLarge(_) NotOpen(_) }
    ]
    call_messages [
        CallNote { Starting(_) }
    ]
    cli_messages [
        CliError hints { Name(_) NoName(_) OtherName(_) ServerName(_) OneName(_)
            NoMember(_ _ _) Stdin(_) StdinNoText NotInIt(_) NothingNew AllAdopted NoSuchServer(_)
            NoTexts(_) NoAnswers(_) NotAsked(_ _) OpenAnswer(_) NobodyToAsk NothingSent Unread(_)
            NoExamples ReportUnwritable(_ _) NothingAdopted(_) Interrupted NoTool(_) NoProfile(_)
            NoHall(_) NoClient(_) SeveralClients(_) NoSuchWay(_ _) OtherWay(_) SecretUnread(_) TokenUnread(_ _)
            SignInGivenUp NoFolder(_ _) SeveralMembers(_) }
    ]
    recording_messages [
        RecordingError hints { NoCalls TooMany(_) NoneUsable(_) NoneForMock(_) NotOfMember(_) TooLarge(_)
            FolderTaken(_) NotWritten(_ _) }
        UnusedReason { NoResult Truncated NoObject NoArguments NotListed NotReadOnly Masked NotRepeated(_)
            Unstable NotSaved(_) }
    ]
    updates_messages [
        UpdateProblem { NoKey Packaged OddName FetchedUnread(_) Unwatched(_) NotUndone(_ _ _) }
        UpdateError hints { NoAddress Unread(_ _) Refused(_) Unplaced(_) NoRoom(_ _)
            NotPlaced(_ _) }
    ]
}
