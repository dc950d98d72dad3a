//! Errors of container engines.

use guild_text::number::grouped;
use miette::Diagnostic;
use thiserror::Error;

use crate::messages::Danger;

/// An error when a container starts.
#[derive(Debug, Clone, PartialEq, Eq, Error, Diagnostic)]
pub enum ContainerError {
    #[error("You don't have permission to use the container engine.{0}")]
    #[diagnostic(help(
        "Add yourself to the group that owns the socket (`sudo usermod -aG docker $USER`, then log in again), or use Podman, which needs no group: \"engine\": \"podman\"."
    ))]
    Denied(Quoted),
    #[error("Docker is not running.{0}")]
    #[diagnostic(help(
        "Start it: Docker Desktop, or `sudo systemctl start docker`; then start the member again. `docker version` shows whether it runs."
    ))]
    DockerDown(Quoted),
    #[error("Podman is not running.{0}")]
    #[diagnostic(help(
        "On macOS and Windows: `podman machine start`. On Linux, Podman works without a running engine unless CONTAINER_HOST is set."
    ))]
    PodmanDown(Quoted),
    #[error("Podman can't set up containers for this user, who has no subordinate ids.{0}")]
    #[diagnostic(help(
        "`grep $USER /etc/subuid /etc/subgid` should show a line each; if not: `sudo usermod --add-subuids 100000-165535 --add-subgids 100000-165535 $USER`, then `podman system migrate`."
    ))]
    NoIds(Quoted),
    #[error("`{0}` has no init program for containers.{1}")]
    #[diagnostic(help("Install the package `catatonit` (Podman) or `docker-init` (Docker)."))]
    NoInit(&'static str, Quoted),
    #[error("The image {0} could not be fetched.{1}")]
    #[diagnostic(help("{2}"))]
    NotFetched(String, Quoted, ImageAdvice),
    #[error("The image {0} is not on this machine, and \"pull\" is \"never\".")]
    #[diagnostic(help(
        "Fetch or build it (`{1} pull {0}`), or write \"pull\": \"missing\" in plugin.json."
    ))]
    NotHere(String, &'static str),
    #[error("The image {0} wasn't fetched within {minutes} minutes.", minutes = grouped(.1))]
    #[diagnostic(help("Fetch it in a terminal: `{2} pull {0}`."))]
    TooSlow(String, u64, &'static str),
    #[error("`{0}` can't check the image {1}. {2}")]
    #[diagnostic(help("Try it in a terminal: `{0} image inspect {1}`."))]
    NotSaid(&'static str, String, String),
    #[error("`{0}` did not answer about the image {1}. {2}")]
    #[diagnostic(help("See in a terminal whether its engine answers: `{0} version`."))]
    NoAnswer(&'static str, String, String),
    #[error("{0} `podman` wasn't found either.")]
    #[diagnostic(help(
        "Install Docker (https://docs.docker.com/engine/install) or Podman (https://podman.io)."
    ))]
    NoEngine(String),
    #[error("No container engine is set.")]
    NoneNamed,
    #[error("{host} is not mounted at {target}: {error}.")]
    #[diagnostic(help("Create the folder, or set another `source` for the mount."))]
    MountMissing {
        host: String,
        target: String,
        error: String,
    },
    #[error("{0} is not mounted at {1}: {2}.")]
    #[diagnostic(help(
        "Mount only the folder that the server needs, or add \"dangerous\": true to the mount."
    ))]
    MountDangerous(String, String, Danger),
    #[error(
        "{0} is not mounted at {1}: its path has a comma, a quotation mark or a line end, or is not UTF-8."
    )]
    #[diagnostic(help("Give the folder another name."))]
    MountUnwritten(String, String),
}

/// The engine's own message, as the end of a sentence.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Quoted {
    #[error("")]
    Nothing,
    #[error(" Its message: {0}")]
    Says(String),
}

/// Advice for an image that could not be pulled.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ImageAdvice {
    #[error("Check the image's name. For a private image: `{0} login`.")]
    Login(&'static str),
    #[error("Check the image's name and its tag.")]
    CheckTag,
    #[error("Free disk space, for example with `{0} image prune`.")]
    MakeRoom(&'static str),
    #[error("Try it in a terminal: `{0} pull {1}`.")]
    ByHand(&'static str, String),
}
