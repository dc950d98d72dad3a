//! Notes on a profile that runs for a team.

use super::joined;
use thiserror::Error;

/// A note for the team.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum TeamNote {
    #[error(
        "The gateway {0} is the team's own: it is to forward to http://127.0.0.1:{1} with `Host: 127.0.0.1:{1}`, pass the header Authorization, send no Origin, and not hold back event streams."
    )]
    Gateway(String, u16),
    #[error("The image {0} has to have these beside guildhall: {programs}.", programs = joined(.1))]
    Programs(String, Vec<TeamProgram>),
    #[error("There is no window to ask in: calls of tools with the policy `ask` are denied.")]
    NobodyToAsk,
    #[error(
        "Tools that need review here are denied there: {0}. Later changes of their servers are not held for review."
    )]
    Held(String),
    #[error(
        "How many processes a container may have is for the cluster to say: `pids_limit` is left out, of {0}."
    )]
    NoProcessLimit(String),
    #[error("The Secret is made by hand: kubectl create secret generic {0} {1}")]
    ClusterSecret(String, String),
    #[error(
        "Pods that may connect have the label `guild-hall-client: \"true\"`; from a desk: kubectl port-forward service/{0} {1}:{1}"
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
    #[error("there is no such member now")]
    Gone,
    #[error("it needs review")]
    Unreviewed,
    #[error("its manifest has an error: {0}")]
    BadManifest(String),
    #[error("its manifest can't be used")]
    NoManifest,
    #[error("it is switched off")]
    Off,
    #[error("its address is this machine")]
    AddressHere,
    #[error("it needs a sign-in in a browser")]
    SignIn,
    #[error("it runs in a folder of this machine")]
    FolderHere,
    #[error("its program is a file of this machine, {0}")]
    ProgramHere(String),
    #[error("it runs a container, and there is no engine there")]
    RunsContainer,
    #[error("it needs the files of its folder")]
    OwnFiles,
    #[error("it works on files of this machine, {0}")]
    FilesHere(String),
    #[error("it speaks over stdin to a container, and there is no engine there")]
    OverStdin,
    #[error("its container mounts folders of this machine")]
    MountsHere,
    #[error("its container is on the network {0} of this machine")]
    NetworkHere(String),
    #[error("its container's arguments have variables")]
    OpenArguments,
    #[error("its container's arguments have a secret written out")]
    SecretArgument,
    #[error("another server there has its port, {0}")]
    PortTaken(u16),
}

/// A value that the team has to set.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum TeamNeed {
    #[error(
        "the path of a file with the token that clients show, at least 32 characters, which the user 10001 may read"
    )]
    TokenFile,
    #[error("the token that clients show, at least 32 characters")]
    Token,
    #[error("the secret {0}")]
    Secret(String),
    #[error("what the manifest of {0} has written out for {1}")]
    Written(String, String),
    #[error("the variable for address")]
    InAddress,
    #[error("the variable for argument")]
    InArgument,
    #[error("the variable for {0}")]
    InValue(String),
}
