//! Messages about the gateway, policies and teams, with one enum per subject.

#![expect(missing_docs, reason = "the messages document the variants")]

use std::path::PathBuf;

use guild_model::endpoint::RESULT_TOKENS_RANGE;
use guild_model::id::MemberName;
use guild_model::messages::{DiscoveryProblem, NameProblem, UrlProblem};
use guild_model::policy::PolicyReason;
use guild_text::messages::joined;
use guild_text::number::grouped;
use miette::Diagnostic;
use thiserror::Error;

/// An error of the gateway.
#[derive(Debug, Clone, PartialEq, Eq, Error, Diagnostic)]
pub enum AgentsError {
    #[error("No profile named {0}.")]
    #[diagnostic(help("Check the profile names."))]
    NoProfile(String),
    #[error("No profile named {0}.")]
    #[diagnostic(help("Refresh the list."))]
    NoProfileNow(String),
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
    NotListed,
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
    #[error("A token can be bound to at most {most} endpoints.", most = grouped(.0))]
    #[diagnostic(help("Bind it to a profile that has the members."))]
    ManyEndpoints(usize),
    #[error(
        "The token of {0} is accepted only at {2}, not at {1}. The user can change this on the Agents page."
    )]
    NotAccepted(String, String, String),
    #[error(
        "The token of {0} is accepted at no endpoint, so not at {1}. The user can change this on the Agents page."
    )]
    AcceptedNowhere(String, String),
    #[error("You already have {most} clients, which is the limit.", most = grouped(.0))]
    ManyClients(usize),
    #[error("The system can't generate random numbers: {0}.")]
    NoRandom(String),
    #[error("A client's name must have 1 to {most} characters on one line.", most = grouped(.0))]
    ClientName(usize),
    #[error("{0}")]
    ClientId(NameProblem),
    #[error("{0} can't be used: {1}.")]
    #[diagnostic(help(
        "Repair the file, or restore a copy of it. Removing it also removes all permissions and profiles: agents could then call tools that you denied."
    ))]
    Unusable(PathBuf, String),
    #[error("The profile can't be saved: {0}.")]
    #[diagnostic(help("Fix this, then save again."))]
    ProfileRefused(ProfileProblem),
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
        "The server changed its hints for {0}, so your rules for kinds of tools now give agents more access."
    )]
    #[diagnostic(help(
        "Set the permissions of these tools, or turn on review for this member's changes."
    ))]
    Loosened(String),
    #[error("The server changed its hints for {0} and {more} more, so your rules for kinds of tools now give agents more access.", more = grouped(.1))]
    #[diagnostic(help("Set their permissions, or turn on review for this member's changes."))]
    LoosenedMore(String, usize),
    #[error("This call is no longer waiting for a decision.")]
    DecisionEnded,
}

/// A problem in `gateway.json` or the file of clients.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum GatewayProblem {
    #[error("there are more than {most} profiles", most = grouped(.0))]
    ManyProfiles(usize),
    #[error("there are more than {most} formerProfileNames: remove unused ones", most = grouped(.0))]
    ManyFormer(usize),
    #[error("there are two profiles {0:?}")]
    TwoProfiles(String),
    #[error("profile {0}: {1}")]
    Profile(String, ProfileProblem),
    #[error("the client {0} has no valid tokenSha256")]
    NoDigest(String),
    #[error("{0}")]
    Unread(String),
}

/// A problem of a profile.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ProfileProblem {
    #[error("it includes {0} twice")]
    Twice(MemberName),
    #[error("{0} and {1} can't both be without a prefix")]
    TwoBare(MemberName, MemberName),
    #[error("{0}, the new name of {1}, must have 1 to {most} letters, digits, '_' or '-'", most = grouped(.2))]
    ToolName(String, String, usize),
    #[error(
        "its result limit is {} tokens, but must be {} to {}, or 0 for no limit",
        grouped(.0), grouped(RESULT_TOKENS_RANGE.start()), grouped(RESULT_TOKENS_RANGE.end())
    )]
    ResultTokens(u32),
}

/// The reason why agents do not get a tool.
#[derive(Debug, Clone, PartialEq, Eq, Error, Diagnostic)]
pub enum WithheldError {
    #[error("The member is disabled in plugin.json.")]
    #[diagnostic(help("Set `enabled` to true in its plugin.json."))]
    Disabled,
    #[error("The member comes from another source and needs review.")]
    #[diagnostic(help("The user can approve it on the member's page in Guild Hall."))]
    Unreviewed,
    #[error("The member's manifest changed after its tools were listed.")]
    #[diagnostic(help("Start the member to read the list again."))]
    Outdated,
    #[error("Its permission is Deny ({0}).")]
    #[diagnostic(help("Change the permission on the Agents page."))]
    Denied(PolicyReason),
    #[error("The profile {0} does not include it.")]
    #[diagnostic(help("Include it on the Agents page, under Profiles."))]
    NotChosen(String),
    #[error("It was added after the member's tools were approved.")]
    #[diagnostic(help("The user can review the change on the member's page in Guild Hall."))]
    New,
    #[error("It changed after it was approved.")]
    #[diagnostic(help("The user can review the change on the member's page in Guild Hall."))]
    Changed,
    #[error("The skill {0} was added after the member's tools were approved.")]
    #[diagnostic(help("The user can review the change on the member's page in Guild Hall."))]
    SkillNew(String),
    #[error("The skill {0} changed after it was approved.")]
    #[diagnostic(help("The user can review the change on the member's page in Guild Hall."))]
    SkillChanged(String),
    #[error("The content of {0} differs from the approved digest of this file.")]
    #[diagnostic(help(
        "The user can review the changed skill on the member's page in Guild Hall."
    ))]
    FileDiffers(String),
    #[error("No approved skill lists the file {0}.")]
    #[diagnostic(help(
        "The user can review the changed skill on the member's page in Guild Hall."
    ))]
    FileUnlisted(String),
}

/// The reason why an agent's call was not approved.
#[derive(Debug, Clone, PartialEq, Eq, Error, Diagnostic)]
pub enum ApprovalError {
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
    DeniedByUser,
    #[error("This tool needs the user's approval, and the user did not respond in time.")]
    #[diagnostic(help("Ask the user to open Guild Hall, then call again."))]
    TimedOut,
    #[error("This tool needs the user's approval, and the Guild Hall window was closed.")]
    #[diagnostic(help("Ask the user to open Guild Hall, then call again."))]
    WindowClosed,
}

/// An error while a profile is exported for a team.
#[derive(Debug, Clone, PartialEq, Eq, Error, Diagnostic)]
pub enum TeamError {
    #[error("{0} is not a full path.")]
    #[diagnostic(help("Enter the full path."))]
    NotAbsolute(String),
    #[error("{0} already exists; nothing was written.")]
    #[diagnostic(help("Choose another folder, or move the file."))]
    Exists(PathBuf),
    #[error("{0} could not be written: {1}.")]
    #[diagnostic(help("Choose another folder."))]
    Unwritable(PathBuf, String),
    #[error("The files could not be written: {0}.")]
    #[diagnostic(help("Choose another folder."))]
    NotWritten(String),
    #[error("No member of this profile can run on another machine. {0}")]
    #[diagnostic(help("Add members with a url, or members that start with npx or uvx."))]
    NoMembers(String),
    #[error("The manifests of the profile's members are too large for one configuration.")]
    #[diagnostic(help("Split the profile into several profiles."))]
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
    Address(UrlProblem),
}

/// An error of the embeddings endpoint.
#[derive(Debug, Clone, PartialEq, Eq, Error, Diagnostic)]
pub enum EmbeddingsError {
    #[error("The embeddings endpoint can't be used: {0}.")]
    #[diagnostic(help(
        "Set an address, a model and a reference to a key. To save the key: `guildhall secret set embeddings-key`."
    ))]
    Refused(DiscoveryProblem),
    #[error("No embeddings endpoint is set.")]
    #[diagnostic(help("Set one: `guildhall tools embeddings set --url ADDRESS --model MODEL`."))]
    NotSet,
    #[error("The embeddings endpoint at {0} returned no vectors: {1}.")]
    #[diagnostic(help("{2}"))]
    Failed(String, String, EmbeddingsAdvice),
    #[error("The embeddings endpoint at {0} did not answer within {limit_ms} ms.", limit_ms = grouped(.1))]
    #[diagnostic(help("Try again when the model is loaded, or set a longer time limit."))]
    Slow(String, u64),
}

/// Advice after a failed request for embeddings.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum EmbeddingsAdvice {
    #[error("Check that the endpoint runs and that its address is right: most end in /v1.")]
    Reach,
    #[error("Store the endpoint's API key as a secret again.")]
    Key,
    #[error("Try again later.")]
    Later,
    #[error("Check the address (most end in /v1), and that the model supports embeddings.")]
    Model,
}

/// A note for the team.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum TeamNote {
    #[error(
        "The team's gateway (container image {0}) must forward requests to http://127.0.0.1:{1}. Set `Host: 127.0.0.1:{1}`, pass on the header Authorization, remove the header Origin, and don't buffer event streams."
    )]
    Gateway(String, u16),
    #[error("Add these programs to the image {0}: {programs}.", programs = joined(.1))]
    Programs(String, Vec<TeamProgram>),
    #[error("Tools with the permission Ask are denied, because no window can ask you.")]
    AskIsDenied,
    #[error(
        "The team's gateway denies tools that still need your review: {0}. It does not notice if a tool changes later."
    )]
    Held(String),
    #[error("The cluster limits the number of processes, so `pids_limit` is left out of {0}.")]
    NoProcessLimit(String),
    #[error("Create the Secret: kubectl create secret generic {0} {1}")]
    ClusterSecret(String, String),
    #[error(
        "Add the label `guild-hall-client: \"true\"` to pods that may connect. To connect from your computer: kubectl port-forward service/{0} {1}:{1}"
    )]
    Pods(String, u16),
    #[error(
        "The tools, prompts or resources of these members are unknown here, and denied: {0}. Start the members once and export again."
    )]
    Unknown(String),
    #[error(
        "{0} names tools MEMBER_TOOL. It does not use the names and descriptions that the profile changes."
    )]
    OtherNames(&'static str),
    #[error("agentgateway needs these programs on its machine: {programs}.", programs = joined(.0))]
    ProgramsThere(Vec<TeamProgram>),
    #[error(
        "agentgateway replaces `${{NAME}}` in its file by the environment variable NAME when it starts, and does not start without one. The values must not contain quotes, backslashes or line breaks."
    )]
    Expansion,
    #[error(
        "agentgateway listens on all addresses of its machine, at port {0}. Clients send the token as `Authorization: Bearer TOKEN`."
    )]
    OpenPort(u16),
    #[error(
        "Traces go to {0}. Change this address in the file if your OpenTelemetry collector has another one."
    )]
    Collector(&'static str),
    #[error("Create a Secret for each value, from a file without a line break at the end: {0}")]
    ValueSecrets(String),
    #[error(
        "ToolHive does not ask clients for a token. Anyone who reaches the Service vmcp-{0} can use the allowed tools. To let others in, change `incomingAuth` to your sign-in. To connect from your computer: kubectl port-forward service/vmcp-{0} {1}:{1}"
    )]
    NoToken(String, u16),
    #[error("To connect from your computer: kubectl port-forward service/{0} {1}:{1}")]
    Forward(String, u16),
}

/// A program that starts members.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum TeamProgram {
    #[error("{0}")]
    Plain(String),
    #[error("{0} (needs the network to fetch packages)")]
    Fetching(String),
}

/// The reason why a member can't run for a team.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum TeamUnfit {
    #[error("the member no longer exists")]
    Gone,
    #[error("it needs review")]
    Unreviewed,
    #[error("its plugin.json has an error: {0}")]
    BadManifest(String),
    #[error("its plugin.json can't be used")]
    NoManifest,
    #[error("it is disabled")]
    Off,
    #[error("its address is on this machine")]
    AddressHere,
    #[error("it needs a sign-in in a browser")]
    SignIn,
    #[error("it runs in a folder on this machine")]
    FolderHere,
    #[error("its program is a file on this machine, {0}")]
    ProgramHere(String),
    #[error("it starts a container, which needs a container engine")]
    RunsContainer,
    #[error("it needs the files of its folder")]
    OwnFiles,
    #[error("it uses files on this machine, {0}")]
    FilesHere(String),
    #[error("its container uses stdio, which needs a container engine")]
    OverStdin,
    #[error("its container mounts folders on this machine")]
    MountsHere,
    #[error("its container is on the network {0} of this machine")]
    NetworkHere(String),
    #[error("its container's arguments have variables")]
    OpenArguments,
    #[error("its container's arguments contain a secret")]
    SecretArgument,
    #[error("its port, {0}, is used by another server")]
    PortTaken(u16),
    #[error("it gets headers, which can be sent only to members with a url")]
    Headers,
    #[error("it is part of Guild Hall")]
    PartOfGuildHall,
    #[error("its program listens on a port that Guild Hall chooses")]
    OwnPort,
    #[error("agentgateway starts no containers")]
    NoContainers,
    #[error("agentgateway starts no programs in a cluster")]
    NoCommands,
    #[error("it has more headers than the {0} that agentgateway sends")]
    ManyHeaders(usize),
    #[error("ToolHive starts only container images, and no image with its program is named")]
    NoImage,
    #[error("its arguments contain a secret or a variable, which must be in `env` there")]
    ValueInArguments,
    #[error("its address contains a secret or a variable, which must be in `headers` there")]
    ValueInAddress,
}

/// A value that the team has to set.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum TeamNeed {
    #[error(
        "the path of a file that contains the token that clients send (at least 32 characters); the user with ID 10001 must be able to read the file"
    )]
    TokenFile,
    #[error("the token that clients send (at least 32 characters)")]
    Token,
    #[error("the host and port of your OpenTelemetry collector for OTLP over gRPC; {0} by default")]
    Collector(&'static str),
    #[error("the secret {0}")]
    Secret(String),
    #[error("the value of {1} in plugin.json of {0}")]
    Written(String, String),
    #[error("the value of a variable in the address of {0}")]
    InAddress(String),
    #[error("the value of a variable in the arguments of {0}")]
    InArgument(String),
    #[error("a variable in the value of {0}")]
    InValue(String),
}

#[cfg(test)]
mod tests;
