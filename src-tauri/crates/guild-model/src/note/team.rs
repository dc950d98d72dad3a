//! Notes on a profile that runs for a team.

use guild_text::note::joined;
use thiserror::Error;

/// A note for the team.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum TeamNote {
    #[error(
        "Set up the team's gateway {0}: forward to http://127.0.0.1:{1} with `Host: 127.0.0.1:{1}`, pass the header Authorization, send no Origin, and don't buffer event streams."
    )]
    Gateway(String, u16),
    #[error("Add these programs to the image {0}: {programs}.", programs = joined(.1))]
    Programs(String, Vec<TeamProgram>),
    #[error("Tools with the permission Ask are denied, because no window can ask you.")]
    NobodyToAsk,
    #[error("Tools that need review are denied there: {0}. Later changes aren't reviewed.")]
    Held(String),
    #[error("The cluster limits processes: `pids_limit` is left out of {0}.")]
    NoProcessLimit(String),
    #[error("Create the Secret: kubectl create secret generic {0} {1}")]
    ClusterSecret(String, String),
    #[error(
        "Label pods that may connect `guild-hall-client: \"true\"`. From your computer: kubectl port-forward service/{0} {1}:{1}"
    )]
    Pods(String, u16),
}

/// A program that starts members.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum TeamProgram {
    #[error("{0}")]
    Plain(String),
    #[error("{0} (with the network to fetch packages)")]
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
    #[error("its address is this machine")]
    AddressHere,
    #[error("it needs a sign-in in a browser")]
    SignIn,
    #[error("it runs in a folder on this machine")]
    FolderHere,
    #[error("its program is a file on this machine, {0}")]
    ProgramHere(String),
    #[error("it runs a container, which needs an engine")]
    RunsContainer,
    #[error("it needs the files of its folder")]
    OwnFiles,
    #[error("it uses files on this machine, {0}")]
    FilesHere(String),
    #[error("it is a container that uses stdio, which needs an engine")]
    OverStdin,
    #[error("its container mounts folders on this machine")]
    MountsHere,
    #[error("its container is on the network {0} of this machine")]
    NetworkHere(String),
    #[error("its container's arguments have variables")]
    OpenArguments,
    #[error("its container's arguments contain a secret")]
    SecretArgument,
    #[error("another server uses its port, {0}")]
    PortTaken(u16),
}

/// A value that the team has to set.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum TeamNeed {
    #[error(
        "the path of a file with the token that clients send, at least 32 characters, which the user 10001 may read"
    )]
    TokenFile,
    #[error("the token that clients send, at least 32 characters")]
    Token,
    #[error("the secret {0}")]
    Secret(String),
    #[error("the value of {1} in plugin.json of {0}")]
    Written(String, String),
    #[error("the variable for address")]
    InAddress,
    #[error("the variable for argument")]
    InArgument,
    #[error("the variable for {0}")]
    InValue(String),
}
