//! The methods of [`EngineClient`] that send a command to the hall. Each has the name of its
//! command.

use guild_api::wire::control::{FromCaller, ListTools, ListedTool};
use guild_api::wire::*;
use guild_model::Report;
use guild_model::manifest::SaveExample;
use guild_model::policy::PolicyRules;
use guild_schema::validate::CheckedArguments;

use super::EngineClient;

macro_rules! requests {
    ($($(#[doc = $doc:literal])+ $name:ident($request:ty) -> $response:ty;)+) => {
        #[allow(dead_code, reason = "some commands of the table are the window's alone")]
        impl EngineClient {
            $($(#[doc = $doc])+
            pub(crate) async fn $name(&self, request: $request) -> Result<$response, Report> {
                self.ask(stringify!($name), &request).await
            })+
        }
    };
}

guild_api::for_each_command!(requests);

requests! {
    /// Returns once no member is starting or stopping.
    at_rest(Nothing) -> Nothing;
    /// Lists all tools of a member in one answer.
    list_tools(ListTools) -> Vec<ListedTool>;
    /// Lists the programs whose files can name the gateway.
    export_list(FromCaller<EndpointRef>) -> ClientConfigs;
    /// Shows the changes to a program's file.
    export_preview(FromCaller<ClientConfigRef>) -> ClientConfigPreview;
    /// Writes a program's file.
    export_write(FromCaller<WriteClientConfig>) -> WrittenClientConfig;
    /// Restores a program's file.
    export_undo(FromCaller<UndoClientConfig>) -> UndoneClientConfig;
    /// Lists the servers in programs' files.
    found_list(FromCaller<Nothing>) -> FoundServers;
    /// Adds servers from programs' files as members.
    found_adopt(FromCaller<AdoptServers>) -> Adopted;
}
