use super::*;

/// Each of an enum's messages on a line behind the name of its variant, with its hint below it.
trait Messages: std::fmt::Debug {
    fn message_and_hint(&self) -> (String, String);

    fn line(&self) -> String {
        let debug = format!("{self:?}");
        let end = debug.find(|c: char| !c.is_alphanumeric());
        let name = &debug[..end.unwrap_or(debug.len())];
        let (message, hint) = self.message_and_hint();
        for text in [&message, &hint] {
            assert!(!text.contains("  ") && !text.contains('\n'), "{text}");
            assert_eq!(text.matches('`').count() % 2, 0, "{text}");
        }
        match hint.as_str() {
            "" => format!("  {name}: {message}\n"),
            _ => format!("  {name}: {message}\n    hint: {hint}\n"),
        }
    }
}

macro_rules! snapshots {
    ($($area:ident { $($note:ident)* } { $($trouble:ident)* })+) => {
        $($(impl Messages for $note {
            fn message_and_hint(&self) -> (String, String) {
                (self.told(), String::new())
            }
        })*
        $(impl Messages for $trouble {
            fn message_and_hint(&self) -> (String, String) {
                let Wording { message, hint } = self.words();
                (message, hint)
            }
        })*)+

        $(#[test]
        fn $area() {
            let mut text = String::new();
            $(
                text += concat!(stringify!($note), "\n");
                text.extend($note::all().iter().map(Messages::line));
            )*
            $(
                text += concat!(stringify!($trouble), "\n");
                text.extend($trouble::all().iter().map(Messages::line));
            )*
            insta::assert_snapshot!(stringify!($area), text);
        })+
    };
}

snapshots! {
    agents_messages { GatewayWrong ProfileWrong } { GatewayTrouble WithheldTrouble NamingTrouble ApprovalTrouble ClientFileTrouble TeamTrouble }
    answer_messages { AnswerFault QuestionWrong LargePart EndlessWrong } {}
    ask_messages { AskNote } {}
    bridge_messages { BridgeWrong BridgeNote BridgeFault OtherGateway } {}
    bundle_messages { BundleNote BundleWrong JsonKind BundleFault ArchiveFault ManifestFault EntryFault } { BundleTrouble }
    call_messages { CallNote WhyNobody Unknown PredictionAdvice EmbeddingsAdvice PredictionRefusal EndpointWrong NoPrediction AnswerWrong } { CallTrouble PredictionTrouble EmbeddingsTrouble }
    cli_messages { ArgumentWrong } { CliTrouble }
    connection_messages { Tail ListName StatusAdvice } { ConnectionTrouble SignInTrouble }
    container_messages { Beyond Danger Private } {}
    copied_messages { CopyNote Then } {}
    dev_messages { WatchWrong } { DevTrouble }
    discovery_messages { DiscoveryWrong DiscoveryFields } { DiscoveryTrouble }
    engine_messages { Quoted ImageAdvice } { ContainerTrouble }
    example_messages { ExampleNote } {}
    fetch_messages { AddressWrong Unfetched } {}
    field_messages { VariableWrong GlobWrong UrlWrong } {}
    file_messages { FileFault FilesLimit } {}
    found_messages { FoundNote Whose InputNote BroughtKind FileWrong BroughtAdvice RunWrong RunPlace } { FoundTrouble }
    history_messages { SavedNameWrong AskingFault GatewayAt } { HistoryTrouble HallTrouble SigningTrouble }
    install_messages { ValueFault } { InstallTrouble }
    json_messages { JsonWrong JsonFound Shown NumberWrong ArgumentsWrong } {}
    link_messages { LinkWrong } { LinkTrouble }
    listing_messages { ListingNote Uninstallable ListingWrong SourceWrong Unlisted } { RegistryTrouble }
    manifest_messages {} { FolderTrouble ManifestTrouble }
    misread_messages { MisreadAt MisreadWrong MisreadAdvice } {}
    name_messages { NameWrong } {}
    offer_messages { OfferWrong } {}
    presence_messages { PresenceWrong } { PresenceTrouble }
    process_messages { Looked NotRunnable VariableFault AfterRefusal Ending SignalName Unanswered } { ProcessTrouble }
    review_messages { SchemaChangeNote SuspicionNote BreakageNote PolicyPlace MountUse ReviewWrong } { ReviewTrouble }
    schema_messages { SchemaNote SchemaPlace Cut } {}
    settings_messages {} { SettingsTrouble SecretTrouble }
    start_messages { HeldAdvice LastWords OddTool ListAdvice NotListening AfterExit AfterCrashes AfterConnecting Overdue Circumstances Circumstance Source Who Reach } { StartTrouble }
    team_messages { TeamNote TeamProgram TeamUnfit TeamNeed } {}
    text_messages { TextAt TextWrong } {}
    tool_messages { ToolWrong } {}
    updates_messages { UpdateWrong } { UpdateTrouble }
    value_messages { ValueWrong Condition FormName } {}
}

#[test]
fn number_is_grouped_unless_it_is_typed() {
    assert_eq!(
        ToolWrong::PastLast(12_000, 10_000).told(),
        "the list has 12,000 tools; the first 10,000 are kept"
    );
    let wrong = MisreadWrong::ManyValues(20_000);
    assert_eq!(
        MisreadAt::Column(Ungrouped(1_200), Ungrouped(7), wrong).told(),
        "line 1200, column 7: it has more than 20,000 values"
    );
    assert_eq!(Duration::from_millis(3_600_250).told(), "3,600.25");
    assert_eq!(Duration::from_secs(30).told(), "30");
    assert_eq!(Count::Characters(2_000).told(), "2,000 characters");
}

#[test]
fn note_has_its_values() {
    let note = FoundNote::SomeTools(Whose::ItsFirst, "includeTools");
    assert_eq!(
        note.to_string(),
        "Its program offers only some of its tools (`includeTools`); a member offers all."
    );
}
