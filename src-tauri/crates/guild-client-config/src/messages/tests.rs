//! A snapshot of all messages and hints: `INSTA_UPDATE=always cargo test -p guild-client-config messages`
//! updates it.

use guild_model::messages::ServerEntryOwner;

use super::*;

guild_tests::message_snapshots! {
    examples {
        ServerEntryOwner = ServerEntryOwner::Program(Example::example());
    }
    copied_messages [
        CopyNote { LongArguments OverPipes(_) OverSse(_) ChosenPort NoAddress NoAddressOf(_) Unattended
            SecretsLeftOut(_) CommandsOnly(_) NoFolder(_ _) NotMade(_) Refused(_) }
        ClientReloadStep { NewSession QuitAndStart(_) UnderMcp(_) PressStart PressRefresh InServerList(_)
            InAgentSettings(_) StartAgain }
    ]
    found_messages [
        FoundNote { CallsWithoutAsking(_) SomeTools(_ _) EnvFile(_) EnvFileRead(_ _) EnvFileUnread(_ _ _)
            Repeated(_ _) Script UnsetVariable(_ _) Leftovers(_) ManyLeftovers(_ _)
            NoStdin SourceMissing(_) SourcesMissing(_) LeftOut(_) }
        InputNote { OfFile(_) InPlace(_) InPlaceOf(_ _) WorkFolder NotSet NotGiven }
        FileProblem { Slow(_) NotUtf8 NotWhole ManyServers(_) ManyVariables(_) ManyProjects(_) }
    ]
}

#[test]
fn note_has_its_values() {
    let note = FoundNote::SomeTools(ServerEntryOwner::ItsFirst, "includeTools");
    assert_eq!(
        note.to_string(),
        "Its program offers only some of the server's tools (`includeTools`); a member offers all of them."
    );
}
