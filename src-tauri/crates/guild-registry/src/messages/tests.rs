//! A snapshot of all messages and hints: `INSTA_UPDATE=always cargo test -p guild-registry messages`
//! updates it.

use guild_mcp_client::messages::AddressProblem;
use guild_text::messages::{ArgumentsProblem, JsonKind};

use super::*;

guild_tests::message_snapshots! {
    examples {
        JsonKind = JsonKind::Null;
        ArgumentsProblem = ArgumentsProblem::TooLong(Example::example(), Example::example());
        AddressProblem = AddressProblem::Invalid(Example::example());
    }
    bundle_messages [
        BundleNote { NoEntry UnaskedSetting(_) OddDefault(_) SeveralAnswers(_) UnknownVariable(_)
            MadeFor(_ _) UnknownFormat(_) LeftOut(_) SomeLeftOut(_ _) NoList(_) }
        BundleProblem { TooLong(_ _) TooMany(_ _) Mismatch(_ _ _) }
        BundleFault { NoFile TooLarge(_ _) Archive(_) Larger OnePart BetweenParts Before NoZip
            ManyFiles[files kib most most_kib] Twice File(_ _) TooMuch[mebibytes ratio most]
            NoManifest(_) ManifestUnread(_ _) Manifest(_ _) NoEntry(_) NoProgram(_) Changed }
        ArchiveFault { Unread(_) Unsound(_) Unsupported(_) }
        ManifestFault { TooLong(_ _) NotUtf8 Unread(_ _ _) NoField(_) NoType(_) NoEntry
            ManyVariables(_ _) OddVariable(_) UnknownType(_ _) Empty(_) Field(_) }
        EntryFault { NotUtf8 LongPath(_) FromRoot TooDeep(_) NoName Elsewhere LongName(_)
            Backslash Drive Hidden EndsOddly Device NotOnWindows SameAs(_) Twice Encrypted
            OddPacking Link Neither Archive(_) Damaged(_) OtherLength }
        BundleError hints { Unusable(_ _) Another(_) }
    ]
    listing_messages [
        ListingNote { Outward(_) Unpinned FetchedFrom(_ _) }
        Uninstallable { Because(_) NoObject OwnHeaders PortUnset NoTransport NoAddress
            UnsupportedTransport(_) Download NoProgram(_) OtherProgram(_) NoPackage(_ _) NoVersion(_) }
        ListingProblem { NoEntry TooLarge(_) Unreadable(_) NoName LongName(_) OddName LongField(_)
            NoText(_) LongList(_ _) NoList(_) NoArgument UnnamedArgument NoVariable
            UnnamedVariable OddChoices(_) LongText(_) NulInText NoHttp OtherPath(_ _) NoPort
            OtherHost(_) FixedPort(_) }
        SourceProblem { NoPlace Address(_) }
        Unlisted { TooLarge(_) NotUtf8 NoJson BrokenJson(_) NoList Neither TooMany(_)
            Unfetched(_) OnePage Status(_) Unread(_) }
        RegistryError hints { Unread(_ _) Refused(_ _) Cancelled NotListed(_ _)
            NoVersion[registry server version] LongField(_ _) NotAsShown }
    ]
}
