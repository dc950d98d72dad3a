//! A snapshot of all messages and hints: `INSTA_UPDATE=always cargo test -p guild-model --lib note`
//! accepts a changed text.

use std::path::PathBuf;

use miette::Diagnostic;
use serde_json::json;

use super::*;
use crate::discovery::{FoundBy, Rung, Stream};
use crate::holder::HallRole;
use crate::holder::{Holder, Origin};
use crate::id::MemberName;
use crate::policy::PolicyReason;
use guild_schema::note::*;
use guild_text::note::*;

/// A value for the fields of messages.
trait Example {
    fn example() -> Self;
}

macro_rules! example_values {
    ($($type:ty = $example:expr;)+) => {
        $(impl Example for $type {
            fn example() -> Self {
                $example
            }
        })+
    };
}

example_values! {
    String = "X".to_owned();
    &'static str = "X";
    u16 = 7;
    u32 = 7;
    u64 = 7;
    usize = 7;
    i32 = 7;
    i64 = -7;
    PathBuf = "/X".into();
    Duration = Duration::from_millis(1_500);
    MemberName = MemberName::for_folder("X", 1);
    PolicyReason = PolicyReason::Hand;
    HallRole = HallRole::App;
    FoundBy = FoundBy::new(Rung::ToolsArray, Some(Stream::Stdout));
    Holder = Holder {
        pid: Some(7),
        program: None,
        user: "X".to_owned(),
        origin: Origin::OtherMember,
    };
    Kinds = Kinds::of(vec![JsonKind::Null, JsonKind::Boolean, JsonKind::Text]);
    Names = Names(vec![vec!["X".to_owned()], vec!["X".to_owned()]]);
    Choices = Choices::of(&[json!("X")]);
    Count = Count::Entries(7);
    Repeated = Repeated::text("X");
    Box<ValueWrong> = Box::new(ValueWrong::NotHere);
    Closest = Closest {
        form: FormName::example(),
        lacks: vec![PartWrong {
            place: Repeated::text("X"),
            what: Box::new(ValueWrong::NotHere),
        }],
    };
}

/// An enum of messages.
trait Messages: Sized {
    /// Returns an example of each variant, with its name.
    fn all() -> Vec<(&'static str, Self)>;

    /// Returns the texts of all variants.
    fn texts() -> String;
}

impl<T: Example> Example for Vec<T> {
    fn example() -> Self {
        vec![T::example(), T::example()]
    }
}

fn line(name: &str, message: &str, hint: &str) -> String {
    for text in [message, hint] {
        assert!(!text.contains("  ") && !text.contains('\n'), "{text}");
        assert_eq!(text.matches('`').count() % 2, 0, "{text}");
    }
    match hint {
        "" => format!("  {name}: {message}\n"),
        _ => format!("  {name}: {message}\n    hint: {hint}\n"),
    }
}

macro_rules! example {
    ($_field:tt) => {
        Example::example()
    };
}

macro_rules! hint_of {
    (hints $message:expr) => {
        $message
            .help()
            .map(|hint| hint.to_string())
            .unwrap_or_default()
    };
    ($message:expr) => {
        String::new()
    };
}

/// A test for each area that compares the texts of its enums with a snapshot. A variant that is not
/// listed does not compile.
macro_rules! snapshots {
    ($($area:ident [$($name:ident $($hints:ident)? {
        $($variant:ident $(($($field:tt)+))? $([$($key:ident)+])?)+
    })+])+) => {
        $($(impl Example for $name {
            fn example() -> Self {
                Self::all().swap_remove(0).1
            }
        }

        impl Messages for $name {
            fn all() -> Vec<(&'static str, Self)> {
                vec![$((
                    stringify!($variant),
                    Self::$variant $(($(example!($field)),+))? $({ $($key: example!($key)),+ })?,
                )),+]
            }

            fn texts() -> String {
                let mut texts = concat!(stringify!($name), "\n").to_owned();
                for (variant, message) in Self::all() {
                    match &message {
                        $(Self::$variant { .. } => {})+
                    }
                    let hint = hint_of!($($hints)? message);
                    texts += &line(variant, &message.to_string(), &hint);
                }
                texts
            }
        })+)+

        $(#[test]
        fn $area() {
            let texts: String = [$($name::texts()),+].concat();
            insta::assert_snapshot!(stringify!($area), texts);
        })+
    };
}

snapshots! {
    agents_messages [
        GatewayWrong { ManyProfiles(_) ManyFormer(_) TwoProfiles(_) Profile(_ _) NoDigest(_)
            Unread(_) }
        ProfileWrong { Twice(_) TwoBare(_ _) ToolName(_ _ _) }
        GatewayTrouble hints { NoProfile(_) NoProfileNow(_) NoProfileAtAll(_) Nothing(_)
            PortTaken(_) PortFailed(_ _) Unsaid ClientsUnusable(_ _) Unwritable(_ _)
            NoClient BadToken(_ _) ManyClients(_) NoRandom(_) ClientName(_) ClientId(_)
            Unusable(_ _) ProfileRefused(_) ProfileTaken(_) NotMounted(_ _) ManyPolicies(_ _)
            Loosened(_) LoosenedMore(_ _) DecisionEnded }
        WithheldTrouble hints { Disabled Unreviewed Outdated Denied(_) NotChosen(_) New Changed
            }
        NamingTrouble hints { Nameless OfMenu(_) Claimed[name owners last] ClaimedByMore(_ _ _)
            NoTool(_) MayBeSeveral(_ _) NoToolNear(_ _) }
        ApprovalTrouble hints { NoWindow TooLarge TooMany SaidNo NobodyDecided WindowClosed }
        ClientFileTrouble hints { NoOwnPlace(_) NoProgram(_ _) WrittenByTwo(_ _)
            Changed(_) Unwritable(_ _) Refused(_ _) NoText(_) NoBackup(_ _) NothingWritten(_)
            NothingLeft(_) NotOurs(_) NotOursKept(_ _) NotSearched(_) }
        TeamTrouble hints { NoWholePath(_) Exists(_) Unwritable(_ _) NotWritten(_) Nobody(_)
            TooLarge Image(_) GatewayImage(_) Port(_) Address(_) }
    ]
    answer_messages [
        AnswerFault { OtherOpening NoHttp(_) StatusAlone(_) NoContentType OtherContent(_) NoJson
            NoJsonObject NoMessage ManyValues(_) OtherRequest OtherResult Neither
            ErrorMisshapen(_) NewsMisshapen(_) TooDeep(_) ResultUnread(_) NotPassedOn(_)
            NoObject(_) NotAskedFor(_) NoResult(_) NeedsNothing ManyQuestions(_)
            FieldNoText(_ _) FieldNoObject(_ _) NotOffered(_) NoMethod Question(_) ManyRequests
            RequestTwice PageWithout(_ _) CursorNoText(_) ParamsUnwritten(_) ParamsNoObject
            ClientUnwritten(_) }
        QuestionWrong { NoMessage NoSchema NoAddress(_) LongId OtherMode }
        LargePart { Answer List(_) Cursor(_) State }
        EndlessWrong { CursorAgain(_) ManyPages(_) GoesOn(_) }
    ]
    ask_messages [
        AskNote { Example(_) Kept }
    ]
    bridge_messages [
        BridgeWrong { Address(_) Elsewhere Token }
        BridgeNote { Unanswered(_ _) }
        BridgeFault { Late(_) Stranger(_) }
        OtherGateway { NoHall(_) Elsewhere(_ _) Closed(_) Unasked(_) }
    ]
    bundle_messages [
        BundleNote { NoEntry UnaskedSetting(_) OddDefault(_) SeveralAnswers(_)
            UnknownVariable(_) MadeFor(_ _) UnknownFormat(_) LeftOut(_) SomeLeftOut(_ _)
            NoList(_) }
        BundleWrong { TooLong(_ _) TooMany(_ _) Mismatch(_ _ _) }
        JsonKind { Null Boolean Flag Number Whole Text List Object }
        BundleFault { NoFile TooLarge(_ _) Archive(_) Larger OnePart BetweenParts Before NoZip
            ManyFiles[files kib most most_kib] Twice File(_ _) TooMuch[mebibytes ratio most]
            NoManifest(_) ManifestUnread(_ _) Manifest(_ _) NoEntry(_) NoProgram(_) Changed }
        ArchiveFault { Unread(_) Unsound(_) Unsupported(_) }
        ManifestFault { TooLong(_ _) NotUtf8 Unread(_ _ _) NoField(_) NoType(_) NoEntry
            ManyVariables(_ _) OddVariable(_) UnknownType(_ _) Empty(_) Field(_) }
        EntryFault { NotUtf8 LongPath(_) FromRoot TooDeep(_) NoName Elsewhere LongName(_)
            Backslash Drive Hidden EndsOddly Device NotOnWindows SameAs(_) Twice Encrypted
            OddPacking Link Neither Archive(_) Damaged(_) OtherLength }
        BundleTrouble hints { Unusable(_ _) Another(_) }
    ]
    call_messages [
        CallNote { Starting(_) }
        WhyNobody { TooMany(_) Nobody NoAnswer }
        Unknown { Near(_) LookedIn(_) HasTools(_) HasExamples }
        PredictionAdvice { Again Address Endpoint Longer LargeAnswer Key Place LaterThan(_)
            Account Elsewhere(_) SomewhereElse Later Model Url AgainOrOther OtherModel ByHand }
        EmbeddingsAdvice { Reach Key Later Model }
        PredictionRefusal { Status(_ _) Says(_ _ _) }
        EndpointWrong { KeyRefused NoModel TooMuch Elsewhere Fails NotTaken }
        NoPrediction { TooLarge(_) NotAnAnswer(_) Declined(_) Filtered CutOff NoList(_) Unknown
            }
        AnswerWrong { NoJson(_) NoChoices NoChoice NoMessage NoText Unread(_) }
        CallTrouble hints { Unsendable(_ _ _) Unwritable(_) Unchecked(_) Unfit(_) AnswerUnfit(_)
            AnswerUnchecked(_) QuestionEnded NobodyAsked(_ _) EndedMeanwhile(_) StoppedMeanwhile
            Closing ClosedMeanwhile Cancelled Lost(_) TooMany(_) SameId(_) NoMember(_ _)
            NoTool(_ _) NeverListed(_ _) NoExample(_ _) Unconfirmed(_) }
        PredictionTrouble hints { NoPipes Known NotYet(_) NoModel NoCommand NoOtherWays Off
            NotAsShown AskedNoMore InVain(_ _ _) Outdated }
        EmbeddingsTrouble hints { Refused(_) NotSet Failed(_ _ _) Slow(_ _) }
    ]
    cli_messages [
        ArgumentWrong { Listing KeyValue }
        CliTrouble hints { Name(_) NoName(_) OtherName(_) ServerName(_) OneName(_)
            NoMember(_ _ _) Stdin(_) StdinNoText NotInIt(_) NothingNew AllAdopted
            NoSuchServer(_) NoTexts(_) NoAnswers(_) NotAsked(_ _) OpenAnswer(_) NobodyToAsk
            NothingSent Unread(_) NoExamples ReportUnwritable(_ _) NothingAdopted(_) Interrupted
            NoTool(_) NoProfile(_) NoHall(_) NoClient(_) NoSuchWay(_ _) OtherWay(_)
            SecretUnread(_) TokenUnread(_ _) SignInGivenUp NoFolder(_ _) SeveralMembers(_) }
    ]
    connection_messages [
        Tail { Nothing Excerpt(_) }
        ListName { Tools Resources Templates Prompts }
        StatusAdvice { Authorize CheckPath FinalAddress LeadsTo(_) HostCheck OtherHost
            LookAtOutput }
        ConnectionTrouble hints { Connect(_) Handshake(_ _) Version(_) HandshakeTimeout(_)
            HttpStatus(_ _ _) OldTransport Malformed(_ _) TooLarge(_ _) SignIn GrantMore
            GrantThese(_) Unrenewed(_) Rpc(_ _) ListEndless(_ _) ListTimeout(_ _) CallTimeout(_)
            Cancelled Closed(_) }
        SignInTrouble hints { Undiscovered(_) Unsafe(_) Rebound(_ _) Unregistered(_) Deaf(_)
            Refused(_) Answer(_) Untokened(_) TooLong(_) }
    ]
    container_messages [
        Beyond { Elsewhere(_ _) BeforeRun(_) DecidesTheEngine(_) HandedOn(_) NoImage OddImage(_)
            NoField(_) NeitherOnNorOff(_) NoValue(_) Detached VariablesInFile(_)
            FilledInLater(_) OddPull(_) NoNetwork(_) SecondNetwork(_) NoVariable(_) OddPort(_)
            NoSource(_) VolumeOption(_ _) MountOption(_) OddMount(_) OpenTarget(_)
            RelativeSource(_) EngineVolume(_) PortUnused(_) NoPort Dangerous(_ _) NoManifest(_)
            }
        Danger { Everything Socket SocketWithin(_) Whole(_) Within(_ _) }
        Private { Home Data }
    ]
    copied_messages [
        CopyNote { LongArguments OverPipes(_) ChosenPort NoAddress NoAddressOf(_) Unattended
            SecretsLeftOut(_) CommandsOnly(_) NoFolder(_ _) NotMade(_) Refused(_) }
        Then { NewSession QuitAndStart(_) UnderMcp(_) PressStart PressRefresh AmongItsServers(_)
            InAgentSettings(_) StartAgain }
    ]
    dev_messages [
        WatchWrong { ManyEntries(_) ManyFolders(_) ManyFiles(_) Refused(_) }
        DevTrouble hints { Elsewhere SwitchedOff NotSaid Unwatched(_ _) Restless(_) BrokenOff
            Unchanged(_ _) ChangedMeanwhile(_) WrittenByTwo(_ _) BuildBrokenOff
            BuildNotStarted(_) BuildTooLong(_ _) BuildFailed(_ _) }
    ]
    discovery_messages [
        DiscoveryWrong { TooLong(_ _) NotUtf8 NoSection(_)
            Twice(_) NotBelow(_ _ _) NoField(_ _ _) NoPair(_)
            NoFlag(_) NoMillis(_ _ _) NotWithin[least most given] Incomplete(_) NoAddress(_)
            NoScheme(_) MoreThanPath(_) NoHost(_) NotEncrypted(_) NoModel(_) NoKey NotLineByLine
            Unread(_) }
        DiscoveryFields { OfDiscovery OfPrediction }
        DiscoveryTrouble hints { Line(_ _ _) Left(_ _) Changed(_) Unreadable(_ _)
            Unwritable(_ _) }
    ]
    engine_messages [
        Quoted { Nothing Says(_) }
        ImageAdvice { Login(_) CheckTag MakeRoom(_) ByHand(_ _) }
        ContainerTrouble hints { Denied(_) DockerDown(_) PodmanDown(_) NoIds(_) NoInit(_ _)
            NotFetched(_ _ _) NotHere(_ _) TooSlow(_ _ _) NotSaid(_ _ _) NoAnswer(_ _ _)
            NoEngine(_) NoneNamed MountMissing[host target error] MountDangerous(_ _ _)
            MountUnwritten(_ _) }
    ]
    example_messages [
        ExampleNote { AnyResult ClearResult ToolFailed ToolWorked TextWith(_) Structured
            Unstructured Nothing Promised Schema UsableSchema }
    ]
    fetch_messages [
        AddressWrong { Invalid(_) NotValid(_) Password NotEncrypted Scheme(_) Fragment
            NowhereElse(_) NotEncryptedThere KeyCharacters }
        Unfetched { Connection(_) TooLong(_) TooLarge(_) LargerThan(_) Unwritten(_) TooFar(_)
            Status(_) }
    ]
    field_messages [
        VariableWrong { Unclosed Unknown(_) }
        GlobWrong { Long(_ _) Blank Backslash Rooted Outside Names(_) OpenBrace ClosedBrace
            NestedBraces Spellings(_) }
        UrlWrong { Beginning Characters Credentials NoHost }
    ]
    file_messages [
        FileFault { NotRegular TooLarge(_) ManyEntries(_) DeepFolder(_) NoTexts(_ _) LeadsNowhere ReadOnly
            ManyKept(_ _) Removed Held PlaceTaken NoFile BrokenOff
            LongName LongLine(_) }
    ]
    found_messages [
        FoundNote { Unasked(_) SomeTools(_ _) EnvFile(_) EnvFileRead(_ _) EnvFileUnread(_ _ _)
            StandsTwice(_ _) Script OlderTransport TakenOut(_ _) Leftovers(_) ManyLeftovers(_ _)
            Deaf SourceMissing(_) SourcesMissing(_) LeftOut(_) }
        Whose { Program(_) Member(_) Its ItsFirst }
        InputNote { OfFile(_) InPlace(_) InPlaceOf(_ _) WorkFolder NotSet NotGiven }
        BroughtKind { Text Command File(_) }
        FileWrong { Slow(_) NotUtf8 NotWhole ManyServers(_) ManyVariables(_) ManyProjects(_) }
        BroughtAdvice { Again WholePath Look Formats Copy }
        RunWrong { NoObject TooLarge(_) Extension(_) NeedsUrl NeedsCommand Neither
            Unspoken(_) UnknownType(_) NoProgram NoArguments NoFolder NoTexts(_) NoText(_)
            Reference(_ _) TooLong(_ _) Nul(_) Dollar(_) OddVariable(_) OddHeader(_) LineEnd(_)
            Url(_ _) NoAnswer(_) }
        RunPlace { Command Argument Variable(_) Folder Url Header(_) }
        FoundTrouble hints { Unusable(_ _ _ _) Unreadable(_ _) Cut(_ _) Unread(_ _ _) }
    ]
    history_messages [
        SavedNameWrong { Empty Long(_ _) Control }
        AskingFault { Silent Ended }
        GatewayAt { At(_) Closed }
        HistoryTrouble hints { OwnFile(_) Gone NotWritten(_) Stuck(_ _ _) Damaged(_ _)
            Newer(_ _ _) NoFile(_ _) Full(_) Unusable(_ _) Busy(_) Behind(_) SavedName(_)
            SavedTaken(_) LongDraft(_ _) NotExported(_ _) Settings(_ _) LogUnreadable(_ _)
            LogUnwatched(_ _) LogEnded(_) LogUnwritable(_ _) CacheIgnored(_ _)
            CacheUnwritable(_ _) Unsaved(_ _) NoBase64(_) }
        HallTrouble hints { Runs(_ _ _) NoWindow Unreachable(_ _ _) Mute(_) OtherUser(_ _)
            FolderGone(_) NotAsked(_ _ _) NoDescriptors(_ _ _) NoRequest(_ _) NotUnderstood(_)
            NotAnswered(_) NobodyWaits OfMember(_) OfAnotherMember OfNobody OfOtherUser(_ _)
            NoOwnFile(_) }
        SigningTrouble hints { NotRevoked(_) NotHere RunsHere NoneUnderWay
            NoBrowser(_) TooLarge Moved }
    ]
    install_messages [
        ValueFault { Missing TooLong Nul NoChoice }
        InstallTrouble hints { NameTaken(_) BadName(_) BadManifest(_) NoManifest(_)
            Unwritable(_ _) NoRoom(_ _) NotFound OwnGateway
            RunsAlready(_) NoHome ManyFolders(_) ListUnwritable(_ _) NotWhole(_) NoFolder(_)
            NotSearched(_ _) PlaceTaken(_) BeginTaken(_) NotBegun(_ _)             NoSamples(_ _) Cancelled OldManifest(_ _) ManifestChanged(_) ManifestByTwo(_ _)
            OtherBundle(_ _) CannotRun(_) Unfit(_ _) Unanswered(_) ValueUnfit(_ _ _)
            TooLarge NoJson(_) }
    ]
    json_messages [
        JsonWrong { Syntax(_ _) TooDeep(_) Twice(_) Number(_ _) }
        JsonFound { NoMore Slash Quote Character(_) }
        Shown { Null Plain(_) VeryLong Number(_) EmptyText Text List Object }
        NumberWrong { Outside(_ _) Unreadable TooLarge Digits(_ _) Changed(_) }
        ArgumentsWrong { TooLong(_ _) NoJson(_) NoObject(_) }
    ]
    link_messages [
        LinkWrong { TooLong(_) Scheme(_) More Name(_) NoPage Parts NoPlace Escape NotUtf8 }
        LinkTrouble hints { Nowhere(_ _) }
    ]
    listing_messages [
        ListingNote { Outward(_) Unpinned FetchedFrom(_ _) }
        Uninstallable { Because(_) NoObject OwnHeaders PortUntold NoTransport NoAddress Sse
            Unspoken(_) Download NoProgram(_) OtherProgram(_) NoPackage(_ _) NoVersion(_) }
        ListingWrong { NoEntry TooLarge(_) Unreadable(_) NoName LongName(_) OddName LongField(_)
            NoText(_) LongList(_ _) NoList(_) NoArgument UnnamedArgument NoVariable
            UnnamedVariable OddChoices(_) LongText(_) NulInText NoHttp OtherPath(_ _) NoPort
            OtherHost(_) FixedPort(_) }
        SourceWrong { NoPlace Address(_) }
        Unlisted { TooLarge(_) NotUtf8 NoJson BrokenJson(_) NoList Neither TooMany(_)
            Unfetched(_) OnePage Status(_) Unread(_) }
        RegistryTrouble hints { Unread(_ _) Refused(_ _) Cancelled NotListed(_ _)
            NoVersion[registry server version] LongField(_ _) NotAsShown }
    ]
    managing_messages [
        ManagingTrouble hints { FileChanged(_) FieldUnchanged(_ _ _) NameInTrash(_) OriginChanged
            OtherName(_) NotCopied(_ _)
            NotMoved(_ _ _) NotInTrash(_) EditorFailed(_ _)
            EditedTextUnusable(_ _) }
    ]
    manifest_messages [
        FolderTrouble hints { Scarce(_ _) Unreadable(_ _) UnreadableAsSet(_ _) TooMany(_ _ _)
            Unsafe(_ _) LeadsBack(_) NoManifest(_) HugeManifest(_ _) ClosedManifest(_ _)
            NameTwice(_ _ _) }
        ManifestTrouble hints { NoPort NoVariable(_) NoSecret(_) ExampleTwice(_) NoPlace(_)
            NotTheSame(_) }
    ]
    misread_messages [
        MisreadWrong { OpenComment Open(_) OpenText(_) Backslash TooDeep(_) ManyValues(_)
            Unread(_) EndsEarly NoValue OddKey OwnAlias Empty TooLong(_) NoServer NoList
            EmptyList Neither NoCommand NoProgram Prepares(_) NoJson InJson(_) LinkWithoutServer
            NoBase64 LinkTooLong(_) InLink(_) JsonNeither AddsNoName AddsNothing Script(_)
            ManyWords(_) OpenQuote FilledIn }
        MisreadAdvice { AfterEnd CloseComment ListAlone Colon CopyAll Comma QuoteKey CloseText
            TwoBackslashes Dots QuoteText Mend MendYaml WhatToBring BringCommand RunFirst
            CopyCommand CopyLink CommandAlone CloseSingle CloseQuote }
    ]
    name_messages [
        NameWrong { Empty Long(_ _) Character(_) Beginning Elicitation Approval Client Found
            Call NoTool LongTool(_ _) ControlTool }
    ]
    offer_messages [
        OfferWrong { PastLast(_ _) NoObject(_) Empty(_) TooLong(_ _) NoText(_ _) Missing(_)
            NoArguments(_) Argument(_) ArgumentNoObject(_) }
    ]
    presence_messages [
        PresenceWrong { NoUtf8 Character(_ _) SwitchedOff NoBus NoDesktop NotShown Wayland NoKey
            NoSuchKey NoScreen Lost(_) Taken Refused(_) }
        PresenceTrouble hints { Login(_ _) NoLogin Tray(_) Notifications(_) Shortcut(_ _) }
    ]
    process_messages [
        Looked { Nowhere In(_) InMore(_ _) }
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
    review_messages [
        SchemaChangeNote { TooDeep AllowedNothing AllowsNothing OtherKind OtherValues NoMore(_)
            Too(_) AnyValue SomeValues Wants(_) DoesWithout(_) Gone New NoOthers Others
            MoreChoices IsOther[keyword now before] Keyword(_) IsNow(_ _) IsGone(_ _) }
        SuspicionNote { HiddenCharacter HiddenCharacters(_) HiddenText(_) ToBeIgnored
            KeptFromUser OtherTools ToBeCalled OwnInstructions PassedOn RareWord ModelTag
            ModelMark Comment SecretFile Secret Unreadable ForeignLetters(_) SameName(_)
            LooksTheSame(_ _) OneLetterAway(_ _) SpeaksOf(_ _) }
        BreakageNote { PolicyOfNone NoLongerReads MayDestroy NamesNone OwnWords CallsNone
            Unfit(_) UnfitAt(_ _) }
        PolicyPlace { Manifest File(_) }
        MountUse { ReadOnly Writes ReadsDangerously WritesDangerously }
        ReviewWrong { Version(_) TooLong Unread(_) }
        ReviewTrouble hints { OtherLaunch OtherTools NoTool(_) Unreviewed(_) Unusable(_ _)
            Unwritable(_ _) ListUnusable(_ _) ListUnwritable(_ _) }
    ]
    schema_messages [
        SchemaNote { At(_ _) NotChecked Unusable WouldTakeTooLong TooLarge(_) Uncheckable }
        SchemaPlace { Whole Part(_) }
        Cut { WithoutWords(_) StillTooLarge TooDeep(_) NotFetched(_) PropertiesLeftOut(_ _)
            ValueTooDeep(_) Shortened(_) UnknownDialect LeadsNowhere NotLegal Unusable
            LeadsTooDeep TooManyChecks SlowPattern }
    ]
    settings_messages [
        SettingsTrouble hints { Mistake(_ _) MoreMistakes(_ _) Refused[key wrong doc]
            NoSetting(_ _) Untouched(_ _) ChangedElsewhere(_) NoTurn Unreadable(_ _)
            Unwritable(_ _) TooMany(_) NotCarriedOut NotExported(_ _) SecretInExport
            NotAsShown WrittenByTwo(_ _) NothingToImport(_) NoWholePath(_) NoDataFolder }
        SecretTrouble hints { TokenReadable(_) NoKeychain(_ _) Refused(_ _)
            Unfit(_ _) Unanswered(_ _) Silent(_) Locked(_) InFile(_ _) Grant BadName(_)
            NoValue(_) LongValue(_ _) ZeroValue(_) Open(_) TooMany(_) Unreadable(_ _)
            Unwritable(_ _) }
    ]
    start_messages [
        HeldAdvice { MoveGateway TakeItsPort EndWhatWasLeft(_) EndIt(_) AskItsUser FindIt }
        LastWords { Nothing Lines(_) Stdout(_) StdoutAndLines(_ _) None }
        OddTool { Named(_ _ _) Nameless(_ _) More(_) }
        ListAdvice { Refresh AskModel(_ _) OneFound(_ _) Found(_ _ _) }
        NotListening { CheckPort SpeaksStdio }
        AfterExit { ReadStderr MayBeStdio }
        AfterCrashes { FixCause Own(_) }
        AfterConnecting { CheckUrl CheckPipes SlowStart Own(_) }
        Overdue { Limit(_) }
        Circumstances { Known(_) }
        Circumstance { Stretched(_) BesideOne Beside(_) Loaded LastTime(_) }
        Source { Named(_) Elsewhere }
        Who { Nobody Holds(_ _) }
        Reach { Everywhere(_) At(_) }
        StartTrouble hints { NeverListened(_ _ _ _ _) ListensElsewhere(_ _ _) NotFinished(_ _ _)
            NotOpened(_ _ _) NotConnected(_ _ _) OwnGateway(_) Exited(_ _ _) CrashLoop(_ _)
            Broken Stopped Leaving Gone SwitchedOff Installing StillStarting ManyCalls(_)
            Changed(_) Unreviewed(_ _) UnseenReach PortLost(_ _ _ _) Moved(_ _ _ _)
            Usurped(_ _ _) NoEra NoPipes NoProcess BrokenOffBy(_) BrokenOff Exposed(_ _)
            Noise(_ _) ListFailed(_ _) OddTools(_ _) }
    ]
    team_messages [
        TeamNote { Gateway(_ _) Programs(_ _) NobodyToAsk Held(_) NoProcessLimit(_)
            ClusterSecret(_ _) Pods(_ _) }
        TeamProgram { Plain(_) Fetching(_) }
        TeamUnfit { Gone Unreviewed BadManifest(_) NoManifest Off AddressHere SignIn FolderHere
            ProgramHere(_) RunsContainer OwnFiles FilesHere(_) OverStdin MountsHere
            NetworkHere(_) OpenArguments SecretArgument PortTaken(_) }
        TeamNeed { TokenFile Token Secret(_) Written(_ _) InAddress InArgument InValue(_) }
    ]
    text_messages [
        TextWrong { Misread(_) NoRoot ManyMembers(_) TooLarge(_) Twice(_) Unread(_) NoPlace
            NoObject(_) NoTable(_) NoList(_) NoEntry(_ _) NoOwnPlace(_) Dotted(_)
            DottedOrPlain(_) Around AroundEntry NotPutBack WrittenAnew }
    ]
    tool_messages [
        ToolWrong { TooLarge(_ _) NoObject(_) Unread(_) NoName OddName(_) BadName(_) NoSchema
            OddSchema(_) OddDescription(_) Twice PastLast(_ _) NoModelName HeaderElsewhere(_)
            HeaderTwice(_ _) ManyHeaders(_ _) NoHeader(_ _) NoHeaderValue(_ _) AndMore(_ _) }
    ]
    updates_messages [
        UpdateWrong { NoKey Packaged OddName FetchedUnread(_) Unwatched(_) NotUndone(_ _ _) }
        UpdateTrouble hints { NoAddress Unread(_ _) Refused(_) Unplaced(_) NoRoom(_ _)
            NotPlaced(_ _) }
    ]
    value_messages [
        ValueWrong { Required RequiredBeside(_) RequiredWhen(_) RequiredUnless(_) RequiredHere
            RequiredOneOf(_) Unknown Somewhere NoForm(_ _) NeedsOneOf(_) OnlyOneOf(_) Kind(_)
            Constant(_) NoChoice(_) NeitherKindNorChoice(_ _) BelowMinimum(_) AboveMaximum(_)
            NotAbove(_) NotBelow(_) NoMultiple(_) TooFew(_) TooMany(_) MoreEntries EntryTwice
            NoEntry NoMatch(_) NoMatchLike(_ _) NoMatchOf(_) NoFormatLike(_ _) NoFormat(_)
            NoEncoding(_) NoMediaType(_) PropertyName(_) SeveralForms(_) NotHere
            ForbiddenForm(_) ForbiddenChoice(_) ForbiddenProperty(_) ForbiddenTogether(_)
            ForbiddenMatch(_) Unfit TooLong(_) Nul NothingStructured Unsendable(_ _ _) Said(_) }
        Condition { Is(_ _) Given(_) Missing(_) }
        FormName { Titled(_) Tagged(_ _) With(_) Kind(_) At(_) }
    ]
}

#[test]
fn number_is_grouped_unless_it_is_typed() {
    assert_eq!(
        ToolWrong::PastLast(12_000, 10_000).to_string(),
        "the list has 12,000 tools; the first 10,000 are used"
    );
    let wrong = MisreadWrong::ManyValues(20_000);
    assert_eq!(wrong.to_string(), "it has more than 20,000 values");
    let unsendable = ValueWrong::Unsendable(1_200, 7, ArgumentsWrong::TooLong(20_000, 10_000));
    assert!(
        unsendable.to_string().contains("line 1200, column 7"),
        "{unsendable}"
    );
    assert_eq!(seconds(&Duration::from_millis(3_600_250)), "3,600.25");
    assert_eq!(seconds(&Duration::from_secs(30)), "30");
    assert_eq!(Count::Characters(2_000).to_string(), "2,000 characters");
}

#[test]
fn note_has_its_values() {
    let note = FoundNote::SomeTools(Whose::ItsFirst, "includeTools");
    assert_eq!(
        note.to_string(),
        "Its program offers only some of its tools (`includeTools`); a member offers all of them."
    );
}
