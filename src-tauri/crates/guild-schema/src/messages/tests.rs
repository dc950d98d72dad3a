//! A snapshot of all messages and hints: `INSTA_UPDATE=always cargo test -p guild-schema messages`
//! updates it.

use guild_text::messages::{ArgumentsProblem, JsonKind};
use serde_json::json;

use super::*;

guild_tests::message_snapshots! {
    examples {
        ArgumentsProblem = ArgumentsProblem::TooLong(Example::example(), Example::example());
        AllowedValues = AllowedValues::of(&[json!("X")]);
        ClosestBranch = ClosestBranch {
            form: FormName::example(),
            lacks: vec![PartProblem {
                place: Repeated::text("X"),
                what: Box::new(ValueProblem::NotHere),
            }],
        };
        Repeated = Repeated::text("X");
        ValueSize = ValueSize::Entries(7);
        Kinds = Kinds::of(vec![JsonKind::Null, JsonKind::Boolean, JsonKind::Text]);
        PropertyNameSets = PropertyNameSets(vec![vec!["X".to_owned()], vec!["X".to_owned()]]);
        Box<ValueProblem> = Box::new(ValueProblem::NotHere);
    }
    schema_messages [
        SchemaNote { At(_ _) NotChecked Unusable WouldTakeTooLong TooLarge(_) Uncheckable }
        SchemaPlace { Whole Part(_) }
        Cut { WithoutWords(_) StillTooLarge TooDeep(_) NotFetched(_) PropertiesLeftOut(_ _)
            ValueTooDeep(_) Shortened(_) UnknownDialect LeadsNowhere NotLegal Unusable
            LeadsTooDeep TooManyChecks SlowPattern }
    ]
    value_messages [
        ValueProblem { Required RequiredBeside(_) RequiredWhen(_) RequiredUnless(_) RequiredHere
            RequiredOneOf(_) Unknown Somewhere NoForm(_ _) NeedsOneOf(_) OnlyOneOf(_) Kind(_)
            Constant(_) NoChoice(_) NeitherKindNorChoice(_ _) BelowMinimum(_) AboveMaximum(_)
            NotAbove(_) NotBelow(_) NoMultiple(_) TooFew(_) TooMany(_) MoreEntries EntryTwice
            NoEntry NoMatch(_) NoMatchLike(_ _) NoMatchOf(_) NoFormatLike(_ _) NoFormat(_)
            NoEncoding(_) NoMediaType(_) PropertyName(_) SeveralForms(_) NotHere ForbiddenForm(_)
            ForbiddenChoice(_) ForbiddenProperty(_) ForbiddenTogether(_) ForbiddenMatch(_) Unfit
            TooLong(_) Nul NothingStructured Unsendable(_ _ _) }
        Condition { Is(_ _) Given(_) Missing(_) }
        FormName { Titled(_) Tagged(_ _) With(_) Kind(_) At(_) }
    ]
}

#[test]
fn number_is_grouped_unless_it_is_typed() {
    let unsendable = ValueProblem::Unsendable(1_200, 7, ArgumentsProblem::TooLong(20_000, 10_000));
    assert!(
        unsendable.to_string().contains("line 1200, column 7"),
        "{unsendable}"
    );
    assert_eq!(ValueSize::Characters(2_000).to_string(), "2,000 characters");
}
