use super::*;

fn check<T: Told + std::fmt::Debug>(notes: Vec<T>) {
    for note in notes {
        check_text(&note.told());
    }
}

fn check_troubles<T: Trouble + std::fmt::Debug>(troubles: Vec<T>) {
    for trouble in troubles {
        let Wording { message, hint } = trouble.words();
        check_text(&message);
        check_text(&hint);
    }
}

/// A message is one line, with its code quoted.
fn check_text(text: &str) {
    assert!(!text.contains("  ") && !text.contains('\n'), "{text}");
    assert_eq!(text.matches('`').count() % 2, 0, "{text}");
}

#[test]
fn note_is_one_line() {
    check(GatewayWrong::all());
    check(ProfileWrong::all());
    check(BridgeWrong::all());
    check(BridgeNote::all());
    check(BridgeFault::all());
    check(OtherGateway::all());
    check(ArgumentWrong::all());
    check(BundleNote::all());
    check(BundleWrong::all());
    check(BundleFault::all());
    check(ArchiveFault::all());
    check(ManifestFault::all());
    check(EntryFault::all());
    check(JsonKind::all());
    check(WhyNobody::all());
    check(Unknown::all());
    check(PredictionAdvice::all());
    check(PredictionRefusal::all());
    check(EmbeddingsAdvice::all());
    check(EndpointWrong::all());
    check(NoPrediction::all());
    check(AnswerWrong::all());
    check(AnswerFault::all());
    check(QuestionWrong::all());
    check(LargePart::all());
    check(EndlessWrong::all());
    check(Tail::all());
    check(ListName::all());
    check(StatusAdvice::all());
    check(Beyond::all());
    check(Danger::all());
    check(Private::all());
    check(CopyNote::all());
    check(Then::all());
    check(WatchWrong::all());
    check(UpdateWrong::all());
    check(DiscoveryWrong::all());
    check(DiscoveryFields::all());
    check(AddressWrong::all());
    check(Unfetched::all());
    check(Quoted::all());
    check(ImageAdvice::all());
    check(VariableWrong::all());
    check(GlobWrong::all());
    check(UrlWrong::all());
    check(FileFault::all());
    check(FilesLimit::all());
    check(FoundNote::all());
    check(Whose::all());
    check(InputNote::all());
    check(BroughtKind::all());
    check(BroughtAdvice::all());
    check(FileWrong::all());
    check(RunWrong::all());
    check(RunPlace::all());
    check(SavedNameWrong::all());
    check(AskingFault::all());
    check(GatewayAt::all());
    check(JsonWrong::all());
    check(JsonFound::all());
    check(Shown::all());
    check(NumberWrong::all());
    check(ArgumentsWrong::all());
    check(ListingNote::all());
    check(ListingWrong::all());
    check(Uninstallable::all());
    check(LinkWrong::all());
    check(PresenceWrong::all());
    check(SourceWrong::all());
    check(Unlisted::all());
    check(MisreadAt::all());
    check(MisreadWrong::all());
    check(MisreadAdvice::all());
    check(NameWrong::all());
    check(OfferWrong::all());
    check(ValueFault::all());
    check(CallNote::all());
    check(Looked::all());
    check(NotRunnable::all());
    check(VariableFault::all());
    check(AfterRefusal::all());
    check(Ending::all());
    check(SignalName::all());
    check(Unanswered::all());
    check(HeldAdvice::all());
    check(LastWords::all());
    check(OddTool::all());
    check(ListAdvice::all());
    check(AfterConnecting::all());
    check(Overdue::all());
    check(Source::all());
    check(Who::all());
    check(Reach::all());
    check(TeamNote::all());
    check(TeamProgram::all());
    check(TeamUnfit::all());
    check(TeamNeed::all());
    check(TextAt::all());
    check(TextWrong::all());
    check(ToolWrong::all());
    check(AskNote::all());
    check(ExampleNote::all());
    check(ValueWrong::all());
    check(Condition::all());
    check(FormName::all());
    check(SchemaNote::all());
    check(SchemaPlace::all());
    check(Cut::all());
    check(SchemaChangeNote::all());
    check(SuspicionNote::all());
    check(BreakageNote::all());
    check(PolicyPlace::all());
    check(MountUse::all());
    check(ReviewWrong::all());
}

#[test]
fn trouble_is_one_line() {
    check_troubles(GatewayTrouble::all());
    check_troubles(WithheldTrouble::all());
    check_troubles(NamingTrouble::all());
    check_troubles(ApprovalTrouble::all());
    check_troubles(ClientFileTrouble::all());
    check_troubles(TeamTrouble::all());
    check_troubles(BundleTrouble::all());
    check_troubles(CallTrouble::all());
    check_troubles(EmbeddingsTrouble::all());
    check_troubles(PredictionTrouble::all());
    check_troubles(CliTrouble::all());
    check_troubles(ConnectionTrouble::all());
    check_troubles(SignInTrouble::all());
    check_troubles(DevTrouble::all());
    check_troubles(DiscoveryTrouble::all());
    check_troubles(ContainerTrouble::all());
    check_troubles(FoundTrouble::all());
    check_troubles(HistoryTrouble::all());
    check_troubles(HallTrouble::all());
    check_troubles(SigningTrouble::all());
    check_troubles(InstallTrouble::all());
    check_troubles(LinkTrouble::all());
    check_troubles(PresenceTrouble::all());
    check_troubles(RegistryTrouble::all());
    check_troubles(FolderTrouble::all());
    check_troubles(ManifestTrouble::all());
    check_troubles(ProcessTrouble::all());
    check_troubles(ReviewTrouble::all());
    check_troubles(SettingsTrouble::all());
    check_troubles(SecretTrouble::all());
    check_troubles(StartTrouble::all());
    check_troubles(UpdateTrouble::all());
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
