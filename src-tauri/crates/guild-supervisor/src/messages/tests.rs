//! A snapshot of all messages and hints: `INSTA_UPDATE=always cargo test -p guild-supervisor messages`
//! updates it.

use guild_model::discovery::{FoundBy, Rung, Stream};
use guild_model::holder::{PortOwner, ProcessOrigin};
use guild_model::id::MemberName;
use guild_model::messages::HeldAdvice;
use guild_process::Exit;

use super::*;

guild_tests::message_snapshots! {
    examples {
        MemberName = MemberName::for_folder("X", 1);
        Exit = Exit { code: Some(Example::example()), signal: None, asked: false };
        FoundBy = FoundBy::new(Rung::ToolsArray, Some(Stream::Stdout));
        PortOwner = PortOwner {
            pid: Some(7),
            program: None,
            user: "X".to_owned(),
            origin: ProcessOrigin::OtherMember,
        };
        HeldAdvice = HeldAdvice::MoveGateway;
    }
    call_messages [
        PredictionAdvice { Again Address Endpoint Longer LargeAnswer Key Place LaterThan(_)
            Account Elsewhere(_) SomewhereElse Later Model Url AgainOrOther OtherModel ByHand }
        PredictionRefusal { Status(_ _) Says(_ _ _) }
        EndpointProblem { KeyRefused NoModel TooMuch Elsewhere Fails NotTaken }
        NoPrediction { TooLarge(_) NotAnAnswer(_) Declined(_) Filtered CutOff NoList(_) Unknown }
        AnswerProblem { NoJson(_) NoChoices NoChoice NoMessage NoText Unread(_) }
        PredictionError hints { NoPipes Known NotYet(_) NoModel NoCommand NoOtherWays Off
            NotAsShown AskedNoMore InVain(_ _ _) Outdated }
    ]
    dev_messages [
        WatchProblem { ManyEntries(_) ManyFolders(_) ManyFiles(_) Refused(_) }
        DevError hints { Elsewhere SwitchedOff NotSaid Unwatched(_ _) Restless(_) BrokenOff
            Unchanged(_ _) ChangedMeanwhile(_) WrittenByTwo(_ _) BuildBrokenOff
            BuildNotStarted(_) BuildTooLong(_ _) BuildFailed(_ _) }
    ]
    example_messages [
        ExampleNote { AnyResult ClearResult ToolFailed ToolWorked TextWith(_) Structured
            Unstructured Nothing Promised Schema UsableSchema }
    ]
    history_messages [
        SigningError hints { NotRevoked(_) NotHere RunsHere NoneUnderWay NoBrowser(_) TooLarge
            Moved }
    ]
    review_messages [
        ReviewProblem { Version(_) TooLong Unread(_) }
        ReviewError hints { OtherLaunch OtherTools NoTool(_) Unreviewed(_) Unusable(_ _)
            Unwritable(_ _) ListUnusable(_ _) ListUnwritable(_ _) }
    ]
    start_messages [
        LastWords { Nothing Lines(_) Stdout(_) StdoutAndLines(_ _) None }
        OddTool { Named(_ _ _) Nameless(_ _) More(_) }
        ListAdvice { Refresh AskModel(_ _) OneFound(_ _) Found(_ _ _) }
        NotListening { CheckPort SpeaksStdio }
        AfterExit { ReadStderr MayBeStdio }
        AfterCrashes { FixCause Own(_) }
        AfterConnecting { CheckUrl CheckPipes SlowStart Own(_) }
        Circumstance { Stretched(_) BesideOne Beside(_) Loaded LastTime(_) }
        MemberOrigin { Named(_) Elsewhere }
        Who { Nobody Holds(_ _) }
        PortAddresses { Everywhere(_) At(_) }
        StartError hints { NeverListened(_ _ _ _ _) ListensElsewhere(_ _ _) NotFinished(_ _ _)
            NotOpened(_ _ _) NotConnected(_ _ _) OwnGateway(_) Exited(_ _ _) CrashLoop(_ _)
            Broken Stopped Leaving Gone SwitchedOff Installing StillStarting ManyCalls(_)
            Changed(_) Unreviewed(_ _) UnseenReach PortLost(_ _ _ _) Moved(_ _ _ _)
            Usurped(_ _ _) NoEra NoPipes NoProcess BrokenOffBy(_) BrokenOff Exposed(_ _)
            Noise(_ _) ListFailed(_ _) OddTools(_ _) }
    ]
    cache_messages [
        CacheError hints { CacheIgnored(_ _) CacheUnwritable(_ _) }
    ]
}
