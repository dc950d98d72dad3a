//! A snapshot of all messages and hints: `INSTA_UPDATE=always cargo test -p guild-model messages`
//! updates it.

use crate::discovery::{FoundBy, Rung, Stream};
use crate::id::MemberName;
use guild_text::messages::{ArgumentsProblem, JsonKind};

use super::*;

guild_tests::message_snapshots! {
    examples {
        ArgumentsProblem = ArgumentsProblem::TooLong(Example::example(), Example::example());
        FoundBy = FoundBy::new(Rung::ToolsArray, Some(Stream::Stdout));
        MemberName = MemberName::for_folder("X", 1);
        JsonKind = JsonKind::Null;
    }
    call_messages [
        WhyNobody { TooMany(_) Nobody NoAnswer }
        Unknown { Near(_) LookedIn(_) HasTools(_) HasExamples }
        CallError hints { Unsendable(_ _ _) Unwritable(_) Unchecked(_) Unfit(_) AnswerUnfit(_)
            AnswerUnchecked(_) QuestionEnded NobodyAsked(_ _) EndedMeanwhile(_) StoppedMeanwhile
            Closing ClosedMeanwhile Cancelled Lost(_) TooMany(_) SameId(_) NoMember(_ _)
            NoTool(_ _) NeverListed(_ _) NoExample(_ _) Unconfirmed(_) }
    ]
    container_messages [
        Beyond { Elsewhere(_ _) BeforeRun(_) DecidesTheEngine(_) HandedOn(_) NoImage OddImage(_)
            NoField(_) NeitherOnNorOff(_) NoValue(_) Detached VariablesInFile(_) FilledInLater(_)
            OddPull(_) NoNetwork(_) SecondNetwork(_) NoVariable(_) OddPort(_) NoSource(_)
            VolumeOption(_ _) MountOption(_) OddMount(_) OpenTarget(_) RelativeSource(_)
            EngineVolume(_) PortUnused(_) NoPort Dangerous(_ _) NoManifest(_) }
        Danger { Everything Socket SocketWithin(_) Whole(_) Within(_ _) }
        Private { Home Data }
    ]
    discovery_messages [
        DiscoveryProblem { TooLong(_ _) NotUtf8 NoSection(_) Twice(_) NotBelow(_ _ _)
            NoField(_ _ _) NoPair(_) NoFlag(_) NoMillis(_ _ _) NotWithin[least most given]
            Incomplete(_) NoAddress(_) NoScheme(_) MoreThanPath(_) NoHost(_) NotEncrypted(_)
            NoModel(_) NoKey NotLineByLine Unread(_) }
        DiscoveryFields { OfDiscovery OfPrediction }
        DiscoveryError hints { Line(_ _ _) Left(_ _) Changed(_) Unreadable(_ _) Unwritable(_ _) }
    ]
    engine_messages [
        Quoted { Nothing Says(_) }
        ImageAdvice { Login(_) CheckTag MakeRoom(_) ByHand(_ _) }
        ContainerError hints { Denied(_) DockerDown(_) PodmanDown(_) NoIds(_) NoInit(_ _)
            NotFetched(_ _ _) NotHere(_ _) TooSlow(_ _ _) NotSaid(_ _ _) NoAnswer(_ _ _)
            NoEngine(_) NoneNamed MountMissing[host target error] MountDangerous(_ _ _)
            MountUnwritten(_ _) }
    ]
    field_messages [
        VariableProblem { Unclosed Unknown(_) }
        GlobProblem { Long(_ _) Blank Backslash Rooted Outside Names(_) OpenBrace ClosedBrace
            NestedBraces Spellings(_) }
        UrlProblem { Beginning Characters Credentials NoHost }
    ]
    found_messages [
        ServerEntryOwner { Program(_) Member(_) Its ItsFirst }
        RunProblem { NoObject TooLarge(_) Extension(_) NeedsUrl NeedsCommand Neither Unspoken(_)
            UnknownType(_) NoProgram NoArguments NoFolder NoTexts(_) NoText(_) Reference(_ _)
            TooLong(_ _) Nul(_) Dollar(_) OddVariable(_) OddHeader(_) LineEnd(_) Url(_ _)
            NoAnswer(_) }
        RunPlace { Command Argument Variable(_) Folder Url Header(_) }
    ]
    link_messages [
        LinkProblem { TooLong(_) Scheme(_) More Name(_) NoPage Parts NoPlace Escape NotUtf8 }
        LinkError hints { Nowhere(_ _) }
    ]
    manifest_messages [
        ManifestError hints { NoPort NoVariable(_) NoSecret(_) ExampleTwice(_) NoPlace(_)
            NotTheSame(_) }
    ]
    name_messages [
        NameProblem { Empty Long(_ _) Character(_) Beginning Elicitation Approval Client Found Call
            NoTool LongTool(_ _) ControlTool }
    ]
    review_messages [
        MountUse { ReadOnly Writes ReadsDangerously WritesDangerously }
    ]
    settings_messages [
        SettingsError hints { Mistake(_ _) MoreMistakes(_ _) Refused[key wrong doc]
            NoSetting(_ _) Untouched(_ _) ChangedElsewhere(_) NoTurn Unreadable(_ _)
            Unwritable(_ _) TooMany(_) NotCarriedOut NotExported(_ _) SecretInExport NotAsShown
            WrittenByTwo(_ _) NothingToImport(_) NoWholePath(_) NoDataFolder
            NewerData(_ _) }
        SecretError hints { TokenReadable(_) NoKeychain(_ _) Refused(_ _) Unfit(_ _)
            Unanswered(_ _) Silent(_) Locked(_) InFile(_ _) Grant BadName(_) NoValue(_)
            LongValue(_ _) ZeroValue(_) Open(_) TooMany(_) Unreadable(_ _) Unwritable(_ _) }
    ]
    start_messages [
        HeldAdvice { MoveGateway TakeItsPort EndWhatWasLeft(_) EndIt(_) AskItsUser FindIt }
    ]
    suite_messages [
        SuiteError hints { TooLarge(_) NotJson(_ _ _) Version(_) Check(_ _) NoChecks TooMany(_)
            Twice(_ _) Unreadable(_ _) NoValues(_) UnknownValue(_ _) NoObject Relative(_)
            Unwritable(_ _) }
    ]
    tool_messages [
        ToolProblem { TooLarge(_ _) NoObject(_) Unread(_) NoName OddName(_) BadName(_) NoSchema
            OddSchema(_) OddDescription(_) Twice PastLast(_ _) NoModelName HeaderElsewhere(_)
            HeaderTwice(_ _) ManyHeaders(_ _) NoHeader(_ _) NoHeaderValue(_ _) AndMore(_ _) }
    ]
}

#[test]
fn number_is_grouped() {
    assert_eq!(
        ToolProblem::PastLast(12_000, 10_000).to_string(),
        "the list has 12,000 tools; the first 10,000 are used"
    );
}
