//! Reasons why a command can't be converted to a `container`.

use thiserror::Error;

/// A part of a command that a member's `container` has no field for.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Beyond {
    #[error("`{0}` runs from {1}, but Guild Hall finds a container engine by name")]
    Elsewhere(&'static str, String),
    #[error("`container` has no field for `{0}` before `run`")]
    BeforeRun(String),
    #[error("`{0}` selects the engine that runs the container")]
    DecidesTheEngine(String),
    #[error("`{0}` is set for Podman, which passes it to the container")]
    HandedOn(String),
    #[error("the image is missing")]
    NoImage,
    #[error("`{0}` is not a valid image name")]
    OddImage(String),
    #[error("`container` has no field for `{0}`")]
    NoField(String),
    #[error("`{0}` must be on or off")]
    NeitherOnNorOff(String),
    #[error("`{0}` has no value")]
    NoValue(String),
    #[error("`--detach` runs the server in the background, without stdin")]
    Detached,
    #[error("`--env-file {0}` is a file of variables; put them into `env`")]
    VariablesInFile(String),
    #[error("`{0}` has a value with a variable")]
    FilledInLater(String),
    #[error("`--pull {0}` is not a known value")]
    OddPull(String),
    #[error("members can't use the network `{0}`")]
    NoNetwork(String),
    #[error("`container` allows one network only, so `{0}` can't be added")]
    SecondNetwork(String),
    #[error("`--env {0}` names no variable")]
    NoVariable(String),
    #[error("`--publish {0}` is not the server's port")]
    OddPort(String),
    #[error("the volume `{0}` has no folder on this machine")]
    NoSource(String),
    #[error("`container` has no field for `{0}` of the volume `{1}`")]
    VolumeOption(String, String),
    #[error("`container` has no field for a mount's `{0}`")]
    MountOption(String),
    #[error("the mount `{0}` is not a folder on this machine")]
    OddMount(String),
    #[error("the mount target `{0}` has a variable")]
    OpenTarget(String),
    #[error("`{0}` depends on the working directory")]
    RelativeSource(String),
    #[error("`{0}` is a volume of the engine, and not a folder")]
    EngineVolume(String),
    #[error("its port {0} is published, but a stdio server has no port")]
    PortUnused(u16),
    #[error("the server's port is not published")]
    NoPort,
    #[error("{0} can't be mounted: {1}")]
    Dangerous(String, Danger),
    #[error("{0}")]
    NoManifest(String),
}

/// The reason why a mount would expose more than a server needs.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Danger {
    #[error("it is the whole file system")]
    Everything,
    #[error("it is the socket of a container engine, which gives full control of this machine")]
    Socket,
    #[error("the engine's socket, {0}, is in it")]
    SocketWithin(&'static str),
    #[error("it is all of {0}")]
    Whole(Private),
    #[error("{0}, {1}, is in it")]
    Within(Private, String),
}

/// A folder that must not be mounted as a whole.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Private {
    #[error("the home folder")]
    Home,
    #[error("Guild Hall's data folder")]
    Data,
}
