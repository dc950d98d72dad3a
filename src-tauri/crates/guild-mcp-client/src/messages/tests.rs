//! A snapshot of all messages and hints: `INSTA_UPDATE=always cargo test -p guild-mcp-client messages`
//! updates it.

use guild_text::messages::JsonKind;

use super::*;

guild_tests::message_snapshots! {
    examples {
        JsonKind = JsonKind::Null;
    }
    answer_messages [
        AnswerFault { OtherOpening NoHttp(_) StatusAlone(_) NoContentType OtherContent(_) NoJson
            NoJsonObject NoMessage ManyValues(_) OtherRequest OtherResult Neither
            ErrorMisshapen(_) NewsMisshapen(_) TooDeep(_) ResultUnread(_) NotPassedOn(_)
            NoObject(_) NotAskedFor(_) NoResult(_) NeedsNothing ManyQuestions(_) FieldNoText(_ _)
            FieldNoObject(_ _) NotOffered(_) NoMethod Question(_) ManyRequests RequestTwice
            PageWithout(_ _) CursorNoText(_) ParamsUnwritten(_) ParamsNoObject ClientUnwritten(_) }
        QuestionWrong { NoMessage NoSchema NoAddress(_) LongId OtherMode }
        LargePart { Answer List(_) Cursor(_) State }
        EndlessWrong { CursorAgain(_) ManyPages(_) GoesOn(_) }
    ]
    bridge_messages [
        BridgeWrong { Address(_) Elsewhere Token }
        BridgeNote { Unanswered(_ _) }
        BridgeFault { Late(_) Stranger(_) }
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
    fetch_messages [
        AddressWrong { Invalid(_) NotValid(_) Password NotEncrypted Scheme(_) Fragment
            NowhereElse(_) NotEncryptedThere KeyCharacters }
        Unfetched { Connection(_) TooLong(_) TooLarge(_) LargerThan(_) Unwritten(_) TooFar(_)
            Status(_) }
    ]
    offer_messages [
        OfferWrong { PastLast(_ _) NoObject(_) Empty(_) TooLong(_ _) NoText(_ _) Missing(_)
            NoArguments(_) Argument(_) ArgumentNoObject(_) }
    ]
}
