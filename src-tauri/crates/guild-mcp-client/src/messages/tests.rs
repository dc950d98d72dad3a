//! A snapshot test of all messages and hints. `INSTA_UPDATE=always cargo test -p guild-mcp-client
//! messages` updates the snapshot.

use guild_api::wire::RpcError;
use guild_text::messages::JsonKind;

use super::*;
use crate::challenge::Want;
use crate::error::McpError;
use crate::http::{FetchError, PostError};
use crate::sign_in::SignInError;

guild_tests::message_snapshots! {
    examples {
        JsonKind = JsonKind::Null;
        Option<String> = None;
        Box<McpError> = Box::new(McpError::Endpoint(EndpointFault::Missing));
        Want = Want::default();
        RpcError = RpcError { code: -7, message: "X".to_owned(), data: None };
    }
    answer_messages [
        AnswerFault { OtherOpening NoHttp(_) StatusAlone(_) NoContentType OtherContent(_) NoJson
            NoJsonObject NoMessage ManyValues(_) OtherRequest OtherResult Neither
            ErrorMisshapen(_) NewsMisshapen(_) TooDeep(_) ResultUnread(_) NotPassedOn(_)
            NoObject(_) NotAskedFor(_) NoResult(_) NeedsNothing ManyQuestions(_) FieldNoText(_ _)
            FieldNoObject(_ _) NotOffered(_) NoMethod Question(_) ManyRequests RequestTwice
            PageWithout(_ _) CursorNoText(_) TaskUnread(_) ParamsUnwritten(_) ParamsNoObject ClientUnwritten(_) }
        QuestionProblem { NoMessage NoSchema NoAddress(_) LongId OtherMode }
        LargePart { Answer List(_) Cursor(_) State }
        EndlessProblem { CursorAgain(_) ManyPages(_) GoesOn(_) }
    ]
    bridge_messages [
        BridgeProblem { Address(_) NotLocal Token }
        BridgeNote { Unanswered(_ _) }
        BridgeFault { Late(_) Stranger(_) }
    ]
    connection_messages [
        EndpointFault { Missing Late(_) TooLong(_) Invalid(_) Foreign(_) }
        ListName { Tools Resources Templates Prompts Skills }
        StatusAdvice { Authorize CheckPath FinalAddress LeadsTo(_) HostCheck OtherHost
            LookAtOutput }
        McpError hints { Connect[reason] Handshake[cause] Version[spoken] HandshakeTimeout[limit]
            HttpStatus[status excerpt location] Endpoint(_) Malformed[what excerpt]
            TooLarge[what limit] SignIn(_) Unrenewed(_) Rpc(_) ListEndless[list reason]
            ListTimeout[list limit] CallTimeout[limit] Cancelled TaskCancelled[reason]
            Closed[reason] }
        SignInError hints { Undiscovered(_) Unsafe(_) Rebound[first now] Unregistered(_) Deaf(_)
            Refused(_) Answer(_) Untokened(_) TooLong(_) }
    ]
    fetch_messages [
        AddressProblem { Invalid(_) NotValid(_) Password NotEncrypted Scheme(_) Fragment
            NowhereElse(_) NotEncryptedThere KeyCharacters }
        FetchError { Address(_) Connection(_) TooLong(_) TooLarge(_) Unwritten(_) TooFar
            Status(_) }
        PostError { Unsendable(_) Connection(_) TooLong(_) TooLarge(_) }
    ]
    offer_messages [
        OfferEntryProblem { PastLast(_ _) NoObject(_) Empty(_) TooLong(_ _) NoText(_ _) Missing(_)
            NoArguments(_) Argument(_) ArgumentNoObject(_) NoSkill(_) SkillTwice ManyFiles(_ _)
            LargeFiles(_ _) }
    ]
}
