//! Errors of the gateway, its clients, profiles and policies, and of edits in other programs' files.

use guild_text::number::grouped;
use miette::Diagnostic;
use std::path::PathBuf;
use thiserror::Error;

use super::{NameWrong, UrlWrong};
use crate::id::MemberName;
use crate::policy::PolicyReason;

/// An error of the gateway.
#[derive(Debug, Clone, PartialEq, Eq, Error, Diagnostic)]
pub enum GatewayTrouble {
    #[error("No profile named {0}.")]
    #[diagnostic(help("Check the profile names."))]
    NoProfile(String),
    #[error("No profile named {0}.")]
    #[diagnostic(help("Refresh the list."))]
    NoProfileNow(String),
    #[error("No profile named {0}.")]
    NoProfileAtAll(String),
    #[error("Nothing is available at {0}.")]
    #[diagnostic(help("Check the member names."))]
    Nothing(String),
    #[error("Another app is using port {0}.")]
    #[diagnostic(help(
        "Close it, or change `gateway.port` in the settings and connect your clients again."
    ))]
    PortTaken(u16),
    #[error("The gateway can't listen on port {0}: {1}.")]
    #[diagnostic(help("Set `gateway.port` in the settings to another port."))]
    PortFailed(u16, String),
    #[error("The member has not listed its tools yet.")]
    #[diagnostic(help("Call again. The member's page shows its progress."))]
    Unsaid,
    #[error("{0} can't be used: {1}.")]
    #[diagnostic(help("Fix the file, or remove it and connect each app again."))]
    ClientsUnusable(PathBuf, String),
    #[error("{0} can't be written: {1}.")]
    #[diagnostic(help("Make it writable, or free space on the disk."))]
    Unwritable(PathBuf, String),
    #[error("This client doesn't exist.")]
    #[diagnostic(help("Refresh the list."))]
    NoClient,
    #[error("A token must have {least} to {most} letters, digits or signs, without spaces.", least = grouped(.0), most = grouped(.1))]
    BadToken(usize, usize),
    #[error("You already have {most} clients, which is the limit.", most = grouped(.0))]
    ManyClients(usize),
    #[error("The system can't generate random numbers: {0}.")]
    NoRandom(String),
    #[error("A client's name must have 1 to {most} characters on one line.", most = grouped(.0))]
    ClientName(usize),
    #[error("{0}")]
    ClientId(NameWrong),
    #[error("{0} can't be used: {1}.")]
    #[diagnostic(help(
        "Repair the file or restore a copy of it. Removing it removes all permissions and profiles: agents could call what was denied."
    ))]
    Unusable(PathBuf, String),
    #[error("The profile can't be saved: {0}.")]
    #[diagnostic(help("Fix this, then save again."))]
    ProfileRefused(ProfileWrong),
    #[error("A profile named {0} already exists.")]
    #[diagnostic(help("Give it another name."))]
    ProfileTaken(String),
    #[error("The profile {0} doesn't include the member {1}.")]
    #[diagnostic(help("Add the member to the profile first."))]
    NotMounted(String, MemberName),
    #[error("You can't set {count} permissions at once.", count = grouped(.0))]
    #[diagnostic(help("Set at most {most} at a time.", most = grouped(.1)))]
    ManyPolicies(usize, usize),
    #[error(
        "The server describes {0} differently than before, so your permissions now give agents more access to them."
    )]
    #[diagnostic(help("Set their permissions, or turn on review for this member's changes."))]
    Loosened(String),
    #[error("The server describes {0} and {more} more differently than before, so your permissions now give agents more access to them.", more = grouped(.1))]
    #[diagnostic(help("Set their permissions, or turn on review for this member's changes."))]
    LoosenedMore(String, usize),
    #[error("This call is no longer waiting for a decision.")]
    DecisionEnded,
}

/// A problem in `gateway.json` or the file of clients.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum GatewayWrong {
    #[error("there are more than {most} profiles", most = grouped(.0))]
    ManyProfiles(usize),
    #[error("there are more than {most} formerProfileNames: remove unused ones", most = grouped(.0))]
    ManyFormer(usize),
    #[error("there are two profiles {0:?}")]
    TwoProfiles(String),
    #[error("profile {0}: {1}")]
    Profile(String, ProfileWrong),
    #[error("the client {0} has no digest")]
    NoDigest(String),
    #[error("{0}")]
    Unread(String),
}

/// A problem of a profile.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ProfileWrong {
    #[error("{0} is in it twice")]
    Twice(MemberName),
    #[error("{0} and {1} both have no prefix")]
    TwoBare(MemberName, MemberName),
    #[error("{0}, the new name of {1}, must have 1 to {most} letters, digits, '_' or '-'", most = grouped(.2))]
    ToolName(String, String, usize),
}

/// The reason why agents do not get a tool.
#[derive(Debug, Clone, PartialEq, Eq, Error, Diagnostic)]
pub enum WithheldTrouble {
    #[error("The member is disabled in plugin.json.")]
    #[diagnostic(help("Set `enabled` to true in its plugin.json."))]
    Disabled,
    #[error("The member comes from elsewhere and needs review.")]
    #[diagnostic(help("The user can approve it on the member's page in Guild Hall."))]
    Unreviewed,
    #[error("Its tool list is from before its manifest changed.")]
    #[diagnostic(help("Start the member to read the list again."))]
    Outdated,
    #[error("Its permission is Deny ({0}).")]
    #[diagnostic(help("Change the permission on the Agents page."))]
    Denied(PolicyReason),
    #[error("The profile {0} does not include it.")]
    #[diagnostic(help("Include it on the Agents page, under Profiles."))]
    NotChosen(String),
    #[error("It is new since the member's tools were approved.")]
    #[diagnostic(help("The user can review the change on the member's page in Guild Hall."))]
    New,
    #[error("It changed since it was approved.")]
    #[diagnostic(help("The user can review the change on the member's page in Guild Hall."))]
    Changed,
}

/// The reason why a name means no tool for agents.
#[derive(Debug, Clone, PartialEq, Eq, Error, Diagnostic)]
pub enum NamingTrouble {
    #[error("The profile renames the tool to an empty name.")]
    #[diagnostic(help("Give it a name in the profile, or remove the change."))]
    Nameless,
    #[error("Its name for agents, {0}, is reserved for a tool of the gateway.")]
    #[diagnostic(help("Rename it in a profile."))]
    OfMenu(String),
    #[error(
        "Its name for agents, {name}, would mean both {owners} and {last}, so agents get neither."
    )]
    #[diagnostic(help("Rename one of them in a profile, or rename its member."))]
    Claimed {
        name: String,
        owners: String,
        last: String,
    },
    #[error("Its name for agents, {0}, would mean {1} and {more} more, so agents get none of them.", more = grouped(.2))]
    #[diagnostic(help("Rename one of them in a profile, or rename its member."))]
    ClaimedByMore(String, String, usize),
    #[error("No tool named {0}.")]
    #[diagnostic(help("List the tools, or search for one."))]
    NoTool(String),
    #[error("{0} matches several tools.")]
    #[diagnostic(help("Name one of them: {1}."))]
    MayBeSeveral(String, String),
    #[error("No tool named {0}.")]
    #[diagnostic(help("Similar names: {1}."))]
    NoToolNear(String, String),
}

/// The reason why an agent's call was not approved.
#[derive(Debug, Clone, PartialEq, Eq, Error, Diagnostic)]
pub enum ApprovalTrouble {
    #[error("This tool needs the user's approval, and no Guild Hall window is open.")]
    #[diagnostic(help("Ask the user to open Guild Hall, then call again."))]
    NoWindow,
    #[error("This tool needs the user's approval, and the arguments are too large to show.")]
    #[diagnostic(help("Send smaller arguments."))]
    TooLarge,
    #[error("This tool needs the user's approval, and too many calls are waiting already.")]
    #[diagnostic(help("Wait until some are approved or denied."))]
    TooMany,
    #[error("The user denied this call.")]
    #[diagnostic(help("Do not call it again unless the user asks for it."))]
    SaidNo,
    #[error("This tool needs the user's approval, and the user did not respond in time.")]
    #[diagnostic(help("Ask the user to open Guild Hall, then call again."))]
    NobodyDecided,
    #[error("This tool needs the user's approval, and the Guild Hall window was closed.")]
    #[diagnostic(help("Ask the user to open Guild Hall, then call again."))]
    WindowClosed,
}

/// An error while another program's file is edited.
#[derive(Debug, Clone, PartialEq, Eq, Error, Diagnostic)]
pub enum ClientFileTrouble {
    #[error("The `guildhall` program can't be found: {0}.")]
    NoOwnPlace(String),
    #[error("Guild Hall doesn't know the app {0}.")]
    #[diagnostic(help("Known apps: {1}."))]
    NoProgram(String, String),
    #[error("{0} was also changed by another app; a copy of its version is in {1}.")]
    #[diagnostic(help("Compare both, keep the version you want, and open the preview again."))]
    WrittenByTwo(PathBuf, PathBuf),
    #[error("{0} has changed since the preview; nothing was written.")]
    #[diagnostic(help("Open the preview again."))]
    Changed(PathBuf),
    #[error("{0} can't be written: {1}.")]
    #[diagnostic(help("Make it writable, or add the entry by hand."))]
    Unwritable(PathBuf, String),
    #[error("{0} was not changed: {1}.")]
    #[diagnostic(help("Fix the file, or add the entry by hand."))]
    Refused(PathBuf, String),
    #[error("{0} was not changed: it is not UTF-8 text.")]
    #[diagnostic(help("Fix the file, or add the entry by hand."))]
    NoText(PathBuf),
    #[error("A backup can't be saved in {0}: {1}. Nothing was changed.")]
    #[diagnostic(help("Fix the folder's permissions, or free disk space."))]
    NoBackup(PathBuf, String),
    #[error("{0} has no change to undo.")]
    NothingWritten(PathBuf),
    #[error("{0} has no entry that Guild Hall wrote, so there is nothing to undo.")]
    NothingLeft(PathBuf),
    #[error("The entry in {0} was changed by another app, so Guild Hall left it in the file.")]
    #[diagnostic(help("Remove the entry guild-hall by hand if you don't need it."))]
    NotOurs(PathBuf),
    #[error("The entry in {0} was changed by another app, so Guild Hall left it in the file.")]
    #[diagnostic(help("Remove the entry guild-hall by hand if you don't need it. The entries it replaced are in {backup}.", backup = .1.display()))]
    NotOursKept(PathBuf, PathBuf),
    #[error("{0} is not one of the scanned files.")]
    #[diagnostic(help("Add its project folder to the scanned locations first."))]
    NotSearched(PathBuf),
}

/// An error while a profile is exported for a team.
#[derive(Debug, Clone, PartialEq, Eq, Error, Diagnostic)]
pub enum TeamTrouble {
    #[error("{0} is not a full path.")]
    #[diagnostic(help("Enter the full path."))]
    NoWholePath(String),
    #[error("{0} already exists; nothing was written.")]
    #[diagnostic(help("Choose another folder, or move the file."))]
    Exists(PathBuf),
    #[error("{0} could not be written: {1}.")]
    #[diagnostic(help("Choose another folder."))]
    Unwritable(PathBuf, String),
    #[error("the files could not be written: {0}.")]
    #[diagnostic(help("Choose another folder."))]
    NotWritten(String),
    #[error("No member of this profile can run elsewhere. {0}")]
    #[diagnostic(help("Add members with a url, or members that start with npx or uvx."))]
    Nobody(String),
    #[error("The manifests of its members are too large for one configuration.")]
    #[diagnostic(help("Split it into several profiles."))]
    TooLarge,
    #[error("{0} is not a valid image name.")]
    #[diagnostic(help("Use a name such as `registry.example.com/guild-hall:1.0`."))]
    Image(String),
    #[error("{0} is not a valid name for the gateway's image.")]
    #[diagnostic(help("Use a name such as `registry.example.com/guild-hall:1.0`."))]
    GatewayImage(String),
    #[error("The gateway's port must be above 1023 and differ from {0}.")]
    #[diagnostic(help("Ports below 1024 need root, which the gateway does not have."))]
    Port(u16),
    #[error("The address {0}.")]
    Address(UrlWrong),
}
