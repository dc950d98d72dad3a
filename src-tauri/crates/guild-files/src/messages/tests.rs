//! A snapshot of all messages and hints: `INSTA_UPDATE=always cargo test -p guild-files messages`
//! updates it.

use guild_model::id::MemberName;
use guild_model::messages::{NameProblem, RunProblem};

use super::*;

guild_tests::message_snapshots! {
    examples {
        MemberName = MemberName::for_folder("X", 1);
        NameProblem = NameProblem::Empty;
        RunProblem = RunProblem::NoObject;
    }
    file_messages [
        FileFault { NotRegular TooLarge(_) ManyEntries(_) DeepFolder(_) NoTexts(_ _) LeadsNowhere
            ReadOnly ManyKept(_ _) Removed Held PlaceTaken NoFile BrokenOff LongName LongLine(_) }
    ]
    install_messages [
        ValueFault { Missing TooLong Nul NoChoice }
        InstallError hints { NameTaken(_) BadName(_) BadManifest(_) NoManifest(_)
            Unwritable(_ _) NoRoom(_ _) NotFound OwnGateway RunsAlready(_) NoHome ManyFolders(_)
            ListUnwritable(_ _) NotWhole(_) NoFolder(_) NotSearched(_ _) PlaceTaken(_)
            BeginTaken(_) NotBegun(_ _) NoSamples(_ _) Cancelled OldManifest(_ _)
            ManifestChanged(_) ManifestByTwo(_ _) OtherBundle(_ _) CannotRun(_) Unfit(_ _)
            Unanswered(_) ValueUnfit(_ _ _) ManyServers(_) TooLarge NoJson(_) }
    ]
    managing_messages [
        ManagingError hints { FileChanged(_) FieldUnchanged(_ _ _) NameInTrash(_) OriginChanged
            OriginLost(_) OtherName(_) NotCopied(_ _) NotMoved(_ _ _) NotInTrash(_) EditorFailed(_ _)
            EditedTextUnusable(_ _) }
    ]
    manifest_messages [
        FolderError hints { Scarce(_ _) Unreadable(_ _) UnreadableAsSet(_ _) TooMany(_ _ _)
            Unsafe(_ _) LeadsBack(_) NoManifest(_) HugeManifest(_ _) ClosedManifest(_ _)
            NameTwice(_ _ _) }
    ]
}
