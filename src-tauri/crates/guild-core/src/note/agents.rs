//! What goes wrong with the gateway, its clients, profiles and policies, and in programs' files.

use std::path::PathBuf;

use super::{NameWrong, Told, UrlWrong, notes, troubles};
use crate::agents::policy::{PolicyReason, ToolClass};
use crate::id::MemberName;

troubles! {
    /// Why the gateway does not do what is asked of it.
    GatewayTrouble;
    /// There is no such profile, when it is looked for.
    NoProfile(name: String)
        "There is no profile {name}."
        "Look at the profiles' names.";
    /// There is no such profile any more.
    NoProfileNow(name: String)
        "There is no profile {name}."
        "Load the list again.";
    /// There is no such profile, and nothing to do about it.
    NoProfileAtAll(name: String)
        "There is no profile {name}."
        "";
    /// There is nothing of that name.
    Nothing(endpoint: String)
        "There is nothing at {endpoint}."
        "Look at the members' names.";
    /// Its port is taken.
    PortTaken(port: u16)
        "Another program listens on port {port}."
        "Close it, or set `gateway.port` in the settings to another port and connect the agents anew.";
    /// Its port can't be listened on.
    PortFailed(port: u16, error: String)
        "The gateway can't listen on port {port}: {error}."
        "Set `gateway.port` in the settings to another port.";
    /// The work was given up.
    Ended(error: String)
        "The work ended: {error}."
        "Try it again.";
    /// A member has said nothing yet.
    Unsaid
        "The member has not said which tools it has."
        "Repeat the call; the member's page shows what it does.";
    /// The file of clients can't be used.
    ClientsUnusable(file: PathBuf, error: String)
        "{file} can't be used: {error}."
        "Mend the file, or remove it and let each program in anew.";
    /// A file can't be written.
    Unwritable(file: PathBuf, error: String)
        "{file} can't be written: {error}."
        "Give yourself the right to write there, or free space on the disk.";
    /// No client of that id.
    NoClient
        "There is no such client."
        "Load the list again.";
    /// A token that is none.
    BadToken(least: usize, most: usize)
        "A token has {least} to {most} letters, digits and signs, without spaces."
        "";
    /// Too many clients.
    ManyClients(most: usize)
        "There are {most} clients already."
        "";
    /// No chance.
    NoRandom(error: String)
        "The system gives no random numbers: {error}."
        "";
    /// A client's name is none.
    ClientName(most: usize)
        "A client's name has 1 to {most} characters, on one line."
        "";
    /// A client's id is none.
    ClientId(wrong: NameWrong)
        "{wrong}"
        "";
    /// `gateway.json` can't be used.
    Unusable(file: PathBuf, error: String)
        "{file} can't be used: {error}."
        "Repair the file or restore a copy of it. Removing it removes all policies and profiles: agents could call what was denied.";
    /// A profile can't be kept.
    ProfileRefused(wrong: ProfileWrong)
        "The profile can't be kept: {wrong}."
        "Change that, and save it again.";
    /// A profile's name is taken.
    ProfileTaken(name: String)
        "There is a profile {name} already."
        "Give it another name.";
    /// A profile has no such member.
    NotMounted(profile: String, member: MemberName)
        "The profile {profile} does not have the member {member}."
        "Add the member to the profile first.";
    /// Too many policies at once.
    ManyPolicies(count: usize, most: usize)
        "{count} policies are too many to be set at once."
        "Set {most} at a time at most.";
    /// A server loosened its own hints.
    Loosened(tools: String)
        "The server says something else of {tools} than before; by the rules for kinds of tools, agents may do more with them now."
        "Set a policy on them by hand, or have the member's changes held back until you accept them.";
    /// The same of more tools than are named.
    LoosenedMore(tools: String, more: usize)
        "The server says something else of {tools} and {more} more than before; by the rules for kinds of tools, agents may do more with them now."
        "Set a policy on them by hand, or have the member's changes held back until you accept them.";
    /// A person is asked no more.
    DecisionEnded
        "This call waits for no decision any more."
        "";
}

notes! {
    /// Why `gateway.json`, or the file of clients, can't be used: the rest of a sentence.
    GatewayWrong;
    /// There are too many profiles.
    ManyProfiles(most: usize)
        "there are more than {most} profiles";
    /// There are too many names of old.
    ManyFormer(most: usize)
        "there are more than {most} formerProfileNames: remove some that nobody uses";
    /// A name twice.
    TwoProfiles(name: String)
        "there are two profiles {name:?}";
    /// A profile can't be.
    Profile(name: String, wrong: ProfileWrong)
        "profile {name}: {wrong}";
    /// A client could not show that it is it.
    NoDigest(client: String)
        "the client {client} has no digest";
    /// Whoever reads or writes it says so.
    Unread(error: String)
        "{error}";
}

notes! {
    /// Why a profile can't be kept: the rest of a sentence.
    ProfileWrong;
    /// A member twice.
    Twice(member: MemberName)
        "{member} stands in it twice";
    /// Two without a prefix.
    TwoBare(other: MemberName, member: MemberName)
        "{other} and {member} are both without a prefix";
    /// A tool's name is none.
    ToolName(name: String, tool: String, most: usize)
        "{name}, the new name of {tool}, is not 1 to {most} letters, digits, '_' and '-'";
}

troubles! {
    /// Why agents do not get a tool.
    WithheldTrouble;
    /// Its member is switched off.
    Disabled
        "The member is switched off in its manifest."
        "Set `enabled` to true in its plugin.json.";
    /// Nobody has accepted what its member runs.
    Unreviewed
        "The member comes from elsewhere, and nobody has accepted what it runs."
        "The user can accept it on the member's page in Guild Hall.";
    /// It was said before the manifest changed.
    Outdated
        "The list of its tools is from before its manifest changed."
        "Start the member, so that it is read anew.";
    /// Its policy says no.
    Denied(reason: PolicyReason)
        "Agents may not call it: its policy is `deny` ({reason})."
        "Change the policy on the agents' page.";
    /// A profile leaves it out.
    NotChosen(profile: String)
        "The profile {profile} does not include it."
        "Include it on the agents' page, under Profiles.";
    /// It is new.
    New
        "It is new since the member's tools were accepted."
        "The user can look at the difference on the member's page in Guild Hall, and accept it.";
    /// It was changed.
    Changed
        "It is not as it was when it was accepted."
        "The user can look at the difference on the member's page in Guild Hall, and accept it.";
}

troubles! {
    /// Why there is no tool of a name that agents know.
    NamingTrouble;
    /// A profile takes its name away.
    Nameless
        "The profile renames the tool and gives it no name."
        "Give it a name in the profile, or remove the change.";
    /// The menu has the name.
    OfMenu(name: String)
        "Its name for agents, {name}, is the name of a tool of the menu."
        "Rename it in a profile.";
    /// Others have the name.
    Claimed(name: String, owners: String, last: String)
        "Its name for agents, {name}, would stand for {owners} and {last}; agents get none of them."
        "Rename one of them in a profile, or rename its member.";
    /// More others have the name than are named.
    ClaimedByMore(name: String, owners: String, more: usize)
        "Its name for agents, {name}, would stand for {owners} and {more} more; agents get none of them."
        "Rename one of them in a profile, or rename its member.";
    /// There is no such tool.
    NoTool(tool: String)
        "There is no tool {tool}."
        "List the tools, or search for one.";
    /// Several tools may be meant by a name as a model sees it.
    MayBeSeveral(tool: String, names: String)
        "{tool} may mean several tools."
        "Name one of them: {names}.";
    /// There is no such tool, but others that are called nearly so.
    NoToolNear(tool: String, near: String)
        "There is no tool {tool}."
        "Near names: {near}.";
}

troubles! {
    /// Why nobody allowed an agent's call.
    ApprovalTrouble;
    /// There is no window.
    NoWindow
        "A person has to allow calls of this tool, and no window of Guild Hall is open to be asked in."
        "Ask the user to open Guild Hall, then call again.";
    /// There is too much to show.
    TooLarge
        "A person has to allow calls of this tool, and its arguments are too large to be put to a person."
        "Send less.";
    /// Too many wait.
    TooMany
        "A person has to allow calls of this tool, and too many calls wait for a decision already."
        "Wait until some of them were decided.";
    /// Somebody said no.
    SaidNo
        "A person has to allow calls of this tool, and the user said no."
        "Do not call it again unless the user asks for it.";
    /// Nobody said anything.
    NobodyDecided
        "A person has to allow calls of this tool, and nobody decided in time."
        "Ask the user to look at Guild Hall, then call again.";
    /// The window went.
    WindowClosed
        "A person has to allow calls of this tool, and the window was closed."
        "Ask the user to open Guild Hall, then call again.";
}

troubles! {
    /// Why a program's file is not changed.
    ClientFileTrouble;
    /// Where this program is can't be found.
    NoOwnPlace(error: String)
        "This program can't be found: {error}."
        "";
    /// The work was given up.
    BrokenOff(error: String)
        "The work on the file was broken off: {error}."
        "";
    /// The program is not known.
    NoProgram(word: String, known: String)
        "Guild Hall knows no program {word}."
        "It knows: {known}.";
    /// Two texts of it were written in the moment that it was to be replaced.
    WrittenByTwo(file: PathBuf, kept: PathBuf)
        "{file} was written by another program at the same moment; a text of it is kept in {kept}."
        "Compare both, keep what is to hold, and look at the change again.";
    /// It is another by now.
    Changed(file: PathBuf)
        "{file} is not what it was when the change was shown; nothing was written."
        "Look at the change again.";
    /// It can't be written.
    Unwritable(file: PathBuf, error: String)
        "{file} can't be written: {error}."
        "Give yourself the right to write there, or put the entry in by hand.";
    /// It can't be changed safely.
    Refused(file: PathBuf, why: String)
        "{file} was not touched: {why}."
        "Mend the file, or put the entry in by hand.";
    /// It is no text.
    NoText(file: PathBuf)
        "{file} was not touched: it is no text in UTF-8."
        "Mend the file, or put the entry in by hand.";
    /// What it was can't be kept.
    NoBackup(folder: PathBuf, error: String)
        "A backup can't be kept in {folder}: {error}. Nothing was written."
        "Correct the permissions of the folder, or free space on the disk.";
    /// Nothing was written there.
    NothingWritten(file: PathBuf)
        "Guild Hall has written nothing to {file} that could be taken back."
        "";
    /// What was written is gone.
    NothingLeft(file: PathBuf)
        "Nothing that Guild Hall wrote stands in {file}: there is nothing to take back."
        "";
    /// The entry is another's.
    NotOurs(file: PathBuf)
        "The entry in {file} is not the one that was written there; it was left as it is."
        "Remove the entry guild-hall by hand if it is not wanted any more.";
    /// The same, where something was taken out for it.
    NotOursKept(file: PathBuf, backup: PathBuf)
        "The entry in {file} is not the one that was written there; it was left as it is."
        "Remove the entry guild-hall by hand if it is not wanted any more. What was taken out for it is kept in {backup}.";
    /// It is not searched.
    NotSearched(file: PathBuf)
        "{file} is none of the files that are searched."
        "Have its project's folder searched first.";
}

troubles! {
    /// Why a profile is no team's.
    TeamTrouble;
    /// A path that begins nowhere.
    NoWholePath(folder: String)
        "The folder {folder} is no whole path."
        "Write the whole path.";
    /// A file is there.
    Exists(file: PathBuf)
        "{file} is there already; nothing was written."
        "Name another folder, or move it away.";
    /// A file can't be written.
    Unwritable(file: PathBuf, error: String)
        "{file} could not be written: {error}."
        "Name another folder.";
    /// The work was given up.
    NotWritten(error: String)
        "the files could not be written: {error}."
        "Name another folder.";
    /// No member can go.
    Nobody(why: String)
        "No member of this profile can run elsewhere. {why}"
        "Put members into it that are reached by a url or started by npx or uvx.";
    /// It is too large.
    TooLarge
        "The manifests of its members are too large for one configuration."
        "Make several profiles of it.";
    /// Its image has no name.
    Image(image: String)
        "The image {image} is no name of an image."
        "Name it like `registry.example.com/guild-hall:1.0`.";
    /// Its gateway's image has no name.
    GatewayImage(image: String)
        "The gateway's image {image} is no name of an image."
        "Name it like `registry.example.com/guild-hall:1.0`.";
    /// Its port can't be.
    Port(taken: u16)
        "The gateway's port has to be above 1023, and another than {taken}."
        "Inside, nobody is root.";
    /// Its address can't be.
    Address(wrong: UrlWrong)
        "The address {wrong}."
        "";
}

/// The tools of a kind.
impl Told for ToolClass {
    fn told(&self) -> String {
        self.words().to_owned()
    }
}

impl Told for PolicyReason {
    fn told(&self) -> String {
        self.to_string()
    }
}

#[cfg(test)]
impl super::Example for PolicyReason {
    fn example() -> Self {
        Self::Hand
    }
}
