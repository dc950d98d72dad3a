//! A snapshot of all messages and hints: `INSTA_UPDATE=always cargo test -p guild-text messages`
//! updates it.

use super::*;

guild_tests::message_snapshots! {
    examples {}
    bundle_messages [
        JsonKind { Null Boolean Flag Number Whole Text List Object }
    ]
    json_messages [
        JsonProblem { Syntax(_ _) TooDeep(_) Twice(_) Number(_ _) }
        JsonFound { NoMore Slash Quote Character(_) }
        JsonValueSummary { Null Plain(_) VeryLong Number(_) EmptyText Text List Object }
        NumberProblem { Outside(_ _) Unreadable TooLarge Digits(_ _) Changed(_) }
        ArgumentsProblem { TooLong(_ _) NoJson(_) NoObject(_) }
    ]
    misread_messages [
        MisreadProblem { OpenComment Open(_) OpenText(_) Backslash TooDeep(_) ManyValues(_)
            Unread(_) EndsEarly NoValue OddKey OwnAlias Empty TooLong(_) NoServer NoList
            EmptyList Neither NoCommand NoProgram Prepares(_) NoJson InJson(_) LinkWithoutServer
            NoBase64 LinkTooLong(_) InLink(_) JsonNeither AddsNoName AddsNothing Script(_)
            ManyWords(_) OpenQuote FilledIn }
        MisreadAdvice { AfterEnd CloseComment ListAlone Colon CopyAll Comma QuoteKey CloseText
            TwoBackslashes Dots QuoteText Mend MendYaml WhatToBring BringCommand RunFirst
            CopyCommand CopyLink CommandAlone CloseSingle CloseQuote }
    ]
    text_messages [
        TextProblem { Misread(_) NoRoot ManyMembers(_) TooLarge(_) Twice(_) Unread(_) NoPlace
            NoObject(_) NoTable(_) NoList(_) NoEntry(_ _) NoOwnPlace(_) Dotted(_)
            DottedOrPlain(_) Around AroundEntry NotPutBack OtherTomlForm }
    ]
}

#[test]
fn number_is_grouped() {
    let wrong = MisreadProblem::ManyValues(20_000);
    assert_eq!(wrong.to_string(), "it has more than 20,000 values");
    assert_eq!(seconds(&Duration::from_millis(3_600_250)), "3,600.25");
    assert_eq!(seconds(&Duration::from_secs(30)), "30");
}
