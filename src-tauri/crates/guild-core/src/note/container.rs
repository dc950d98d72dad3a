//! Reasons why a command stays a command instead of a `container`.

use thiserror::Error;

/// A part of a command that a member's `container` has no field for.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Beyond {
    #[error("`{0}` is started from {1}, and a container engine is found by its name")]
    Elsewhere(&'static str, String),
    #[error("`{0}` before `run` has no field")]
    BeforeRun(String),
    #[error("`{0}` is set for the engine's program, and decides which engine runs the container")]
    DecidesTheEngine(String),
    #[error("`{0}` is set for Podman, which passes it on by itself")]
    HandedOn(String),
    #[error("no image is named")]
    NoImage,
    #[error("`{0}` is not a valid image name")]
    OddImage(String),
    #[error("`{0}` has no field")]
    NoField(String),
    #[error("`{0}` is neither on nor off")]
    NeitherOnNorOff(String),
    #[error("`{0}` has no value")]
    NoValue(String),
    #[error("`--detach` runs the server in the background, without stdin")]
    Detached,
    #[error("`--env-file {0}` names a file of variables, which belong in `env`")]
    VariablesInFile(String),
    #[error("`{0}` has a value that is filled in later")]
    FilledInLater(String),
    #[error("`--pull {0}` is not a known value")]
    OddPull(String),
    #[error("the network `{0}` is not given to members")]
    NoNetwork(String),
    #[error("a second network, `{0}`, has no field")]
    SecondNetwork(String),
    #[error("`--env {0}` names no variable")]
    NoVariable(String),
    #[error("`--publish {0}` is not the one port of its server")]
    OddPort(String),
    #[error("the volume `{0}` has no folder of this machine")]
    NoSource(String),
    #[error("`{0}` of the volume `{1}` has no field")]
    VolumeOption(String, String),
    #[error("a mount's `{0}` has no field")]
    MountOption(String),
    #[error("the mount `{0}` is not a folder on this machine")]
    OddMount(String),
    #[error("the mount at `{0}` has a reference there")]
    OpenTarget(String),
    #[error("`{0}` depends on the folder that it is started in")]
    RelativeSource(String),
    #[error("`{0}` is a volume of the engine, and not a folder")]
    EngineVolume(String),
    #[error("its port {0} is published, and a server that is spoken to over stdin has none")]
    PortUnused(u16),
    #[error("no port of its server is published")]
    NoPort,
    #[error("{0} is not given to a container: {1}")]
    Dangerous(String, Danger),
    #[error("{0}")]
    NoManifest(String),
}

/// The reason why a mount would expose more than a server can need.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Danger {
    #[error("it is the whole file system")]
    Everything,
    #[error(
        "it is the socket of a container engine, which is as good as being the administrator of this machine"
    )]
    Socket,
    #[error("the engine's socket, {0}, is in it")]
    SocketWithin(&'static str),
    #[error("it is {0} as a whole")]
    Whole(Private),
    #[error("{0}, {1}, is in it")]
    Within(Private, String),
}

/// A folder that no container gets as a whole.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Private {
    #[error("the home folder")]
    Home,
    #[error("Guild Hall's data folder")]
    Data,
}
