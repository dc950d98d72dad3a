//! A snapshot of all messages and hints: `INSTA_UPDATE=always cargo test -p guild-review messages`
//! updates it.

use super::*;

guild_tests::message_snapshots! {
    examples {}
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
    ]
}
