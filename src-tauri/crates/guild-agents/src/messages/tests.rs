//! A snapshot of all messages and hints: `INSTA_UPDATE=always cargo test -p guild-agents messages`
//! updates it.

use guild_model::id::MemberName;
use guild_model::messages::{DiscoveryProblem, NameProblem, UrlProblem};
use guild_model::policy::PolicyReason;

use super::*;

guild_tests::message_snapshots! {
    examples {
        MemberName = MemberName::for_folder("X", 1);
        NameProblem = NameProblem::Empty;
        PolicyReason = PolicyReason::Hand;
        UrlProblem = UrlProblem::Beginning;
        DiscoveryProblem = DiscoveryProblem::TooLong(Example::example(), Example::example());
    }
    agents_messages [
        GatewayProblem { ManyProfiles(_) ManyFormer(_) TwoProfiles(_) Profile(_ _) NoDigest(_)
            Unread(_) }
        ProfileProblem { Twice(_) TwoBare(_ _) ToolName(_ _ _) ResultTokens(_) }
        AgentsError hints { NoProfile(_) NoProfileNow(_) Nothing(_)
            PortTaken(_) PortFailed(_ _) NotListed ClientsUnusable(_ _) Unwritable(_ _) NoClient
            BadToken(_ _) ManyEndpoints(_) NotAccepted(_ _ _) AcceptedNowhere(_ _) ManyClients(_) NoRandom(_) ClientName(_) ClientId(_) Unusable(_ _)
            ProfileRefused(_) ProfileTaken(_) NotMounted(_ _) ManyPolicies(_ _) Loosened(_)
            LoosenedMore(_ _) DecisionEnded }
        WithheldError hints { Disabled Unreviewed Outdated Denied(_) NotChosen(_) New Changed
            SkillNew(_) SkillChanged(_) FileDiffers(_) FileUnlisted(_) }
        ApprovalError hints { NoWindow TooLarge TooMany DeniedByUser TimedOut WindowClosed }
        TeamError hints { NotAbsolute(_) Exists(_) Unwritable(_ _) NotWritten(_) NoMembers(_)
            TooLarge Image(_) GatewayImage(_) Port(_) Address(_) }
    ]
    call_messages [
        EmbeddingsAdvice { Reach Key Later Model }
        EmbeddingsError hints { Refused(_) NotSet Failed(_ _ _) Slow(_ _) }
    ]
    team_messages [
        TeamNote { Gateway(_ _) Programs(_ _) AskIsDenied Held(_) NoProcessLimit(_)
            ClusterSecret(_ _) Pods(_ _) Unknown(_) OtherNames(_) ProgramsThere(_) Expansion
            OpenPort(_) Collector(_) ValueSecrets(_) NoToken(_ _)
            Forward(_ _) }
        TeamProgram { Plain(_) Fetching(_) }
        TeamUnfit { Gone Unreviewed BadManifest(_) NoManifest Off AddressHere SignIn FolderHere
            ProgramHere(_) RunsContainer OwnFiles FilesHere(_) OverStdin MountsHere
            NetworkHere(_) OpenArguments SecretArgument PortTaken(_) Headers PartOfGuildHall
            OwnPort NoContainers NoCommands ManyHeaders(_) NoImage ValueInArguments ValueInAddress }
        TeamNeed { TokenFile Token Collector(_) Secret(_) Written(_ _) InAddress(_) InArgument(_)
            InValue(_) }
    ]
}
