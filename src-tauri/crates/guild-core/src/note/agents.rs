//! Errors of the gateway, its clients, profiles and policies, and of edits in other programs' files.

use crate::number::grouped;
use miette::Diagnostic;
use std::path::PathBuf;
use thiserror::Error;

use super::{NameWrong, UrlWrong};
use crate::agents::policy::PolicyReason;
use crate::id::MemberName;

/// An error of the gateway.
#[derive(Debug, Clone, PartialEq, Eq, Error, Diagnostic)]
pub enum GatewayTrouble {
    #[error("There is no profile {0}.")]
    #[diagnostic(help("Check the profile names."))]
    NoProfile(String),
    #[error("There is no profile {0}.")]
    #[diagnostic(help("Load the list again."))]
    NoProfileNow(String),
    #[error("There is no profile {0}.")]
    NoProfileAtAll(String),
    #[error("There is nothing at {0}.")]
    #[diagnostic(help("Check the member names."))]
    Nothing(String),
    #[error("Another program listens on port {0}.")]
    #[diagnostic(help(
        "Close it, or set `gateway.port` in the settings to another port and connect the agents again."
    ))]
    PortTaken(u16),
    #[error("The gateway can't listen on port {0}: {1}.")]
    #[diagnostic(help("Set `gateway.port` in the settings to another port."))]
    PortFailed(u16, String),
    #[error("The work ended: {0}.")]
    #[diagnostic(help("Try it again."))]
    Ended(String),
    #[error("The member has not listed its tools yet.")]
    #[diagnostic(help("Repeat the call; the member's page shows what it does."))]
    Unsaid,
    #[error("{0} can't be used: {1}.")]
    #[diagnostic(help("Fix the file, or remove it and connect each program again."))]
    ClientsUnusable(PathBuf, String),
    #[error("{0} can't be written: {1}.")]
    #[diagnostic(help("Make it writable, or free space on the disk."))]
    Unwritable(PathBuf, String),
    #[error("There is no such client.")]
    #[diagnostic(help("Load the list again."))]
    NoClient,
    #[error("A token has {least} to {most} letters, digits and signs, without spaces.", least = grouped(.0), most = grouped(.1))]
    BadToken(usize, usize),
    #[error("There are {most} clients already.", most = grouped(.0))]
    ManyClients(usize),
    #[error("The system gives no random numbers: {0}.")]
    NoRandom(String),
    #[error("A client's name has 1 to {most} characters, on one line.", most = grouped(.0))]
    ClientName(usize),
    #[error("{0}")]
    ClientId(NameWrong),
    #[error("{0} can't be used: {1}.")]
    #[diagnostic(help(
        "Repair the file or restore a copy of it. Removing it removes all policies and profiles: agents could call what was denied."
    ))]
    Unusable(PathBuf, String),
    #[error("The profile can't be kept: {0}.")]
    #[diagnostic(help("Change that, and save it again."))]
    ProfileRefused(ProfileWrong),
    #[error("There is a profile {0} already.")]
    #[diagnostic(help("Give it another name."))]
    ProfileTaken(String),
    #[error("The profile {0} does not have the member {1}.")]
    #[diagnostic(help("Add the member to the profile first."))]
    NotMounted(String, MemberName),
    #[error("{count} policies are too many to be set at once.", count = grouped(.0))]
    #[diagnostic(help("Set {most} at a time at most.", most = grouped(.1)))]
    ManyPolicies(usize, usize),
    #[error(
        "The server describes {0} differently than before, so your policy rules now give agents more access to them."
    )]
    #[diagnostic(help("Set a policy on them, or turn on review for this member's changes."))]
    Loosened(String),
    #[error("The server describes {0} and {more} more differently than before, so your policy rules now give agents more access to them.", more = grouped(.1))]
    #[diagnostic(help("Set a policy on them, or turn on review for this member's changes."))]
    LoosenedMore(String, usize),
    #[error("This call is no longer waiting for a decision.")]
    DecisionEnded,
}

/// A problem in `gateway.json` or the file of clients.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum GatewayWrong {
    #[error("there are more than {most} profiles", most = grouped(.0))]
    ManyProfiles(usize),
    #[error("there are more than {most} formerProfileNames: remove some that are not in use", most = grouped(.0))]
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
    #[error("{0} and {1} are both without a prefix")]
    TwoBare(MemberName, MemberName),
    #[error("{0}, the new name of {1}, is not 1 to {most} letters, digits, '_' and '-'", most = grouped(.2))]
    ToolName(String, String, usize),
}

/// The reason why agents do not get a tool.
#[derive(Debug, Clone, PartialEq, Eq, Error, Diagnostic)]
pub enum WithheldTrouble {
    #[error("The member is switched off in its manifest.")]
    #[diagnostic(help("Set `enabled` to true in its plugin.json."))]
    Disabled,
    #[error("The member comes from elsewhere and needs review.")]
    #[diagnostic(help("The user can approve it on the member's page in Guild Hall."))]
    Unreviewed,
    #[error("Its tool list is from before its manifest changed.")]
    #[diagnostic(help("Start the member to read the list again."))]
    Outdated,
    #[error("Agents may not call it: its policy is `deny` ({0}).")]
    #[diagnostic(help("Change the policy on the agents' page."))]
    Denied(PolicyReason),
    #[error("The profile {0} does not include it.")]
    #[diagnostic(help("Include it on the agents' page, under Profiles."))]
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
    #[error("The profile renames the tool and gives it no name.")]
    #[diagnostic(help("Give it a name in the profile, or remove the change."))]
    Nameless,
    #[error("Its name for agents, {0}, is the name of a tool of the menu.")]
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
    #[error("There is no tool {0}.")]
    #[diagnostic(help("List the tools, or search for one."))]
    NoTool(String),
    #[error("{0} may mean several tools.")]
    #[diagnostic(help("Name one of them: {1}."))]
    MayBeSeveral(String, String),
    #[error("There is no tool {0}.")]
    #[diagnostic(help("Near names: {1}."))]
    NoToolNear(String, String),
}

/// The reason why an agent's call was not approved.
#[derive(Debug, Clone, PartialEq, Eq, Error, Diagnostic)]
pub enum ApprovalTrouble {
    #[error("A person has to approve calls of this tool, and no Guild Hall window is open.")]
    #[diagnostic(help("Ask the user to open Guild Hall, then call again."))]
    NoWindow,
    #[error("A person has to approve calls of this tool, and its arguments are too large to show.")]
    #[diagnostic(help("Send smaller arguments."))]
    TooLarge,
    #[error(
        "A person has to approve calls of this tool, and too many calls wait for a decision already."
    )]
    #[diagnostic(help("Wait until some of them are decided."))]
    TooMany,
    #[error("A person has to approve calls of this tool, and the user said no.")]
    #[diagnostic(help("Do not call it again unless the user asks for it."))]
    SaidNo,
    #[error("A person has to approve calls of this tool, and no one decided in time.")]
    #[diagnostic(help("Ask the user to open Guild Hall, then call again."))]
    NobodyDecided,
    #[error("A person has to approve calls of this tool, and the window was closed.")]
    #[diagnostic(help("Ask the user to open Guild Hall, then call again."))]
    WindowClosed,
}

/// An error while another program's file is edited.
#[derive(Debug, Clone, PartialEq, Eq, Error, Diagnostic)]
pub enum ClientFileTrouble {
    #[error("This program can't be found: {0}.")]
    NoOwnPlace(String),
    #[error("The work on the file was stopped: {0}.")]
    BrokenOff(String),
    #[error("Guild Hall knows no program {0}.")]
    #[diagnostic(help("It knows: {1}."))]
    NoProgram(String, String),
    #[error("{0} was written by another program at the same moment; a copy of it is in {1}.")]
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
    #[error("A backup can't be kept in {0}: {1}. Nothing was written.")]
    #[diagnostic(help("Correct the permissions of the folder, or free space on the disk."))]
    NoBackup(PathBuf, String),
    #[error("There is no change in {0} to undo.")]
    NothingWritten(PathBuf),
    #[error("{0} has no entry that Guild Hall wrote, so there is nothing to undo.")]
    NothingLeft(PathBuf),
    #[error("The entry in {0} was changed by another program, so it was kept.")]
    #[diagnostic(help("Remove the entry guild-hall by hand if you don't need it."))]
    NotOurs(PathBuf),
    #[error("The entry in {0} was changed by another program, so it was kept.")]
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
    #[error("{0} exists already; nothing was written.")]
    #[diagnostic(help("Choose another folder, or move the file."))]
    Exists(PathBuf),
    #[error("{0} could not be written: {1}.")]
    #[diagnostic(help("Name another folder."))]
    Unwritable(PathBuf, String),
    #[error("the files could not be written: {0}.")]
    #[diagnostic(help("Name another folder."))]
    NotWritten(String),
    #[error("No member of this profile can run elsewhere. {0}")]
    #[diagnostic(help("Add members with a url, or members that start with npx or uvx."))]
    Nobody(String),
    #[error("The manifests of its members are too large for one configuration.")]
    #[diagnostic(help("Make several profiles of it."))]
    TooLarge,
    #[error("The image {0} is not an image name.")]
    #[diagnostic(help("Name it like `registry.example.com/guild-hall:1.0`."))]
    Image(String),
    #[error("The gateway's image {0} is not an image name.")]
    #[diagnostic(help("Name it like `registry.example.com/guild-hall:1.0`."))]
    GatewayImage(String),
    #[error("The gateway's port has to be above 1023, and another than {0}.")]
    #[diagnostic(help("Ports below 1024 need root, which the gateway does not have."))]
    Port(u16),
    #[error("The address {0}.")]
    Address(UrlWrong),
}
