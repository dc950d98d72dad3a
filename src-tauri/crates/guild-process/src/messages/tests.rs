//! A snapshot of all messages and hints: `INSTA_UPDATE=always cargo test -p guild-process messages`
//! updates it.

use super::*;

guild_tests::message_snapshots! {
    examples {}
    process_messages [
        SearchedFolders { Nowhere In(_) InMore(_ _) }
        NotRunnable { Folder Irregular NotMarked Hidden }
        VariableFault { NoName BadName Zero }
        AfterRefusal { Shorten CloseOthers MakeRoom RaiseLimit(_) TryByHand }
        Ending { Code(_) Named(_ _) Signal(_) Unseen }
        SignalName { Hangup Interrupted Quit Illegal Aborted Arithmetic Killed Segmentation Pipe
            Alarm Terminated }
        Unanswered { NotStarted(_) TimeLimit(_) TooLong(_) Unreadable(_) }
        ProcessTrouble hints { NotFound(_ _ _) CommandLine(_ _ _) NotExecutable(_ _ _)
            NoProgram(_ _ _) NoWorkingDirectory(_) BadVariable(_ _) NoInterpreter(_)
            Refused(_ _ _) PortsExhausted(_ _) PortProbe(_ _) }
    ]
}
