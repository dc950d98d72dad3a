//! What goes wrong with the gateway, its clients, profiles and policies, and in programs' files.

use crate::number::grouped;
use miette::Diagnostic;
use std::path::PathBuf;
use thiserror::Error;

use super::{NameWrong, UrlWrong};
use crate::agents::policy::PolicyReason;
use crate::id::MemberName;

/// Why the gateway does not do what is asked of it.
#[derive(Debug, Clone, PartialEq, Eq, Error, Diagnostic)]
pub enum GatewayTrouble {
    #[error("There is no profile {0}.")]
    #[diagnostic(help("Look at the profiles' names."))]
    NoProfile(String),
    #[error("There is no profile {0}.")]
    #[diagnostic(help("Load the list again."))]
    NoProfileNow(String),
    #[error("There is no profile {0}.")]
    NoProfileAtAll(String),
    #[error("There is nothing at {0}.")]
    #[diagnostic(help("Look at the members' names."))]
    Nothing(String),
    #[error("Another program listens on port {0}.")]
    #[diagnostic(help(
        "Close it, or set `gateway.port` in the settings to another port and connect the agents anew."
    ))]
    PortTaken(u16),
    #[error("The gateway can't listen on port {0}: {1}.")]
    #[diagnostic(help("Set `gateway.port` in the settings to another port."))]
    PortFailed(u16, String),
    #[error("The work ended: {0}.")]
    #[diagnostic(help("Try it again."))]
    Ended(String),
    #[error("The member has not said which tools it has.")]
    #[diagnostic(help("Repeat the call; the member's page shows what it does."))]
    Unsaid,
    #[error("{0} can't be used: {1}.")]
    #[diagnostic(help("Mend the file, or remove it and let each program in anew."))]
    ClientsUnusable(PathBuf, String),
    #[error("{0} can't be written: {1}.")]
    #[diagnostic(help("Give yourself the right to write there, or free space on the disk."))]
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
        "The server says something else of {0} than before; by the rules for kinds of tools, agents may do more with them now."
    )]
    #[diagnostic(help(
        "Set a policy on them by hand, or have the member's changes held back until you accept them."
    ))]
    Loosened(String),
    #[error("The server says something else of {0} and {more} more than before; by the rules for kinds of tools, agents may do more with them now.", more = grouped(.1))]
    #[diagnostic(help(
        "Set a policy on them by hand, or have the member's changes held back until you accept them."
    ))]
    LoosenedMore(String, usize),
    #[error("This call waits for no decision any more.")]
    DecisionEnded,
}

/// Why `gateway.json`, or the file of clients, can't be used: the rest of a sentence.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum GatewayWrong {
    #[error("there are more than {most} profiles", most = grouped(.0))]
    ManyProfiles(usize),
    #[error("there are more than {most} formerProfileNames: remove some that nobody uses", most = grouped(.0))]
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

/// Why a profile can't be kept: the rest of a sentence.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ProfileWrong {
    #[error("{0} stands in it twice")]
    Twice(MemberName),
    #[error("{0} and {1} are both without a prefix")]
    TwoBare(MemberName, MemberName),
    #[error("{0}, the new name of {1}, is not 1 to {most} letters, digits, '_' and '-'", most = grouped(.2))]
    ToolName(String, String, usize),
}

/// Why agents do not get a tool.
#[derive(Debug, Clone, PartialEq, Eq, Error, Diagnostic)]
pub enum WithheldTrouble {
    #[error("The member is switched off in its manifest.")]
    #[diagnostic(help("Set `enabled` to true in its plugin.json."))]
    Disabled,
    #[error("The member comes from elsewhere, and nobody has accepted what it runs.")]
    #[diagnostic(help("The user can accept it on the member's page in Guild Hall."))]
    Unreviewed,
    #[error("The list of its tools is from before its manifest changed.")]
    #[diagnostic(help("Start the member, so that it is read anew."))]
    Outdated,
    #[error("Agents may not call it: its policy is `deny` ({0}).")]
    #[diagnostic(help("Change the policy on the agents' page."))]
    Denied(PolicyReason),
    #[error("The profile {0} does not include it.")]
    #[diagnostic(help("Include it on the agents' page, under Profiles."))]
    NotChosen(String),
    #[error("It is new since the member's tools were accepted.")]
    #[diagnostic(help(
        "The user can look at the difference on the member's page in Guild Hall, and accept it."
    ))]
    New,
    #[error("It is not as it was when it was accepted.")]
    #[diagnostic(help(
        "The user can look at the difference on the member's page in Guild Hall, and accept it."
    ))]
    Changed,
}

/// Why there is no tool of a name that agents know.
#[derive(Debug, Clone, PartialEq, Eq, Error, Diagnostic)]
pub enum NamingTrouble {
    #[error("The profile renames the tool and gives it no name.")]
    #[diagnostic(help("Give it a name in the profile, or remove the change."))]
    Nameless,
    #[error("Its name for agents, {0}, is the name of a tool of the menu.")]
    #[diagnostic(help("Rename it in a profile."))]
    OfMenu(String),
    #[error(
        "Its name for agents, {name}, would stand for {owners} and {last}; agents get none of them."
    )]
    #[diagnostic(help("Rename one of them in a profile, or rename its member."))]
    Claimed {
        name: String,
        owners: String,
        last: String,
    },
    #[error("Its name for agents, {0}, would stand for {1} and {more} more; agents get none of them.", more = grouped(.2))]
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

/// Why nobody allowed an agent's call.
#[derive(Debug, Clone, PartialEq, Eq, Error, Diagnostic)]
pub enum ApprovalTrouble {
    #[error(
        "A person has to allow calls of this tool, and no window of Guild Hall is open to be asked in."
    )]
    #[diagnostic(help("Ask the user to open Guild Hall, then call again."))]
    NoWindow,
    #[error(
        "A person has to allow calls of this tool, and its arguments are too large to be put to a person."
    )]
    #[diagnostic(help("Send less."))]
    TooLarge,
    #[error(
        "A person has to allow calls of this tool, and too many calls wait for a decision already."
    )]
    #[diagnostic(help("Wait until some of them were decided."))]
    TooMany,
    #[error("A person has to allow calls of this tool, and the user said no.")]
    #[diagnostic(help("Do not call it again unless the user asks for it."))]
    SaidNo,
    #[error("A person has to allow calls of this tool, and nobody decided in time.")]
    #[diagnostic(help("Ask the user to look at Guild Hall, then call again."))]
    NobodyDecided,
    #[error("A person has to allow calls of this tool, and the window was closed.")]
    #[diagnostic(help("Ask the user to open Guild Hall, then call again."))]
    WindowClosed,
}

/// Why a program's file is not changed.
#[derive(Debug, Clone, PartialEq, Eq, Error, Diagnostic)]
pub enum ClientFileTrouble {
    #[error("This program can't be found: {0}.")]
    NoOwnPlace(String),
    #[error("The work on the file was broken off: {0}.")]
    BrokenOff(String),
    #[error("Guild Hall knows no program {0}.")]
    #[diagnostic(help("It knows: {1}."))]
    NoProgram(String, String),
    #[error("{0} was written by another program at the same moment; a text of it is kept in {1}.")]
    #[diagnostic(help("Compare both, keep what is to hold, and look at the change again."))]
    WrittenByTwo(PathBuf, PathBuf),
    #[error("{0} is not what it was when the change was shown; nothing was written.")]
    #[diagnostic(help("Look at the change again."))]
    Changed(PathBuf),
    #[error("{0} can't be written: {1}.")]
    #[diagnostic(help("Give yourself the right to write there, or put the entry in by hand."))]
    Unwritable(PathBuf, String),
    #[error("{0} was not touched: {1}.")]
    #[diagnostic(help("Mend the file, or put the entry in by hand."))]
    Refused(PathBuf, String),
    #[error("{0} was not touched: it is no text in UTF-8.")]
    #[diagnostic(help("Mend the file, or put the entry in by hand."))]
    NoText(PathBuf),
    #[error("A backup can't be kept in {0}: {1}. Nothing was written.")]
    #[diagnostic(help("Correct the permissions of the folder, or free space on the disk."))]
    NoBackup(PathBuf, String),
    #[error("Guild Hall has written nothing to {0} that could be taken back.")]
    NothingWritten(PathBuf),
    #[error("Nothing that Guild Hall wrote stands in {0}: there is nothing to take back.")]
    NothingLeft(PathBuf),
    #[error("The entry in {0} is not the one that was written there; it was left as it is.")]
    #[diagnostic(help("Remove the entry guild-hall by hand if it is not wanted any more."))]
    NotOurs(PathBuf),
    #[error("The entry in {0} is not the one that was written there; it was left as it is.")]
    #[diagnostic(help("Remove the entry guild-hall by hand if it is not wanted any more. What was taken out for it is kept in {backup}.", backup = .1.display()))]
    NotOursKept(PathBuf, PathBuf),
    #[error("{0} is none of the files that are searched.")]
    #[diagnostic(help("Have its project's folder searched first."))]
    NotSearched(PathBuf),
}

/// Why a profile is no team's.
#[derive(Debug, Clone, PartialEq, Eq, Error, Diagnostic)]
pub enum TeamTrouble {
    #[error("The folder {0} is no whole path.")]
    #[diagnostic(help("Write the whole path."))]
    NoWholePath(String),
    #[error("{0} is there already; nothing was written.")]
    #[diagnostic(help("Name another folder, or move it away."))]
    Exists(PathBuf),
    #[error("{0} could not be written: {1}.")]
    #[diagnostic(help("Name another folder."))]
    Unwritable(PathBuf, String),
    #[error("the files could not be written: {0}.")]
    #[diagnostic(help("Name another folder."))]
    NotWritten(String),
    #[error("No member of this profile can run elsewhere. {0}")]
    #[diagnostic(help("Put members into it that are reached by a url or started by npx or uvx."))]
    Nobody(String),
    #[error("The manifests of its members are too large for one configuration.")]
    #[diagnostic(help("Make several profiles of it."))]
    TooLarge,
    #[error("The image {0} is no name of an image.")]
    #[diagnostic(help("Name it like `registry.example.com/guild-hall:1.0`."))]
    Image(String),
    #[error("The gateway's image {0} is no name of an image.")]
    #[diagnostic(help("Name it like `registry.example.com/guild-hall:1.0`."))]
    GatewayImage(String),
    #[error("The gateway's port has to be above 1023, and another than {0}.")]
    #[diagnostic(help("Inside, nobody is root."))]
    Port(u16),
    #[error("The address {0}.")]
    Address(UrlWrong),
}
