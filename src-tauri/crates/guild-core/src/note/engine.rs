//! Why a container is not started.

use super::{Danger, notes, troubles};

troubles! {
    /// Why a container is not started.
    ContainerTrouble;
    /// The user may not speak to the engine.
    Denied(said: Quoted)
        "The container engine is there, and this user may not speak to it.{said}"
        "Add yourself to the group that owns the socket (`sudo usermod -aG docker $USER`, then log in anew), or use Podman, which needs no group: \"engine\": \"podman\".";
    /// Docker's engine is down.
    DockerDown(said: Quoted)
        "The engine behind `docker` does not run.{said}"
        "Start it: Docker Desktop, or `sudo systemctl start docker`; then start the member again. `docker version` shows whether it answers.";
    /// Podman's engine is down.
    PodmanDown(said: Quoted)
        "The engine behind `podman` does not run.{said}"
        "On macOS and Windows: `podman machine start`. On Linux Podman needs no engine of its own, unless CONTAINER_HOST names one.";
    /// The user has no ids for containers.
    NoIds(said: Quoted)
        "Podman can't set up containers for this user: it has no ids of its own to give to them.{said}"
        "`grep $USER /etc/subuid /etc/subgid` should show a line each; if not: `sudo usermod --add-subuids 100000-165535 --add-subgids 100000-165535 $USER`, then `podman system migrate`.";
    /// The engine has no init.
    NoInit(program: &'static str, said: Quoted)
        "`{program}` has no init program for containers.{said}"
        "Install the package `catatonit` (Podman) or `docker-init` (Docker).";
    /// The image could not be fetched.
    NotFetched(image: String, said: Quoted, next: ImageAdvice)
        "The image {image} could not be fetched.{said}"
        "{next}";
    /// The image is not there, and may not be fetched.
    NotHere(image: String, program: &'static str)
        "The image {image} is not on this machine, and \"pull\" is \"never\"."
        "Fetch or build it (`{program} pull {image}`), or write \"pull\": \"missing\" in plugin.json.";
    /// The image was fetched for too long.
    TooSlow(image: String, minutes: u64, program: &'static str)
        "The image {image} was not there after {minutes} minutes."
        "Fetch it in a terminal: `{program} pull {image}`.";
    /// The engine does not know its images.
    NotSaid(program: &'static str, image: String, said: String)
        "`{program}` did not say whether it has the image {image}. {said}"
        "Try it in a terminal: `{program} image inspect {image}`.";
    /// The engine does not answer.
    NoAnswer(program: &'static str, image: String, why: String)
        "`{program}` was asked for the image {image}. {why}"
        "See in a terminal whether its engine answers: `{program} version`.";
    /// There is no engine.
    NoEngine(why: String)
        "{why} Nor was `podman`."
        "Install Docker (https://docs.docker.com/engine/install) or Podman (https://podman.io).";
    /// None is asked for.
    NoneNamed
        "No container engine is named."
        "";
    /// A mount's source is not there.
    MountMissing(source: String, target: String, error: String)
        "{source} is not mounted at {target}: {error}."
        "Make the folder, or name another as the mount's `source`.";
    /// A mount would give too much away.
    MountDangerous(source: String, target: String, why: Danger)
        "{source} is not mounted at {target}: {why}."
        "Name the folder that the server needs; \"dangerous\": true beside the mount's `source` lifts this.";
    /// A mount's path can't be written.
    MountUnwritten(source: String, target: String)
        "{source} is not mounted at {target}: its path has a comma, a quotation mark or a line end, or is no text."
        "Give the folder another name.";
}

notes! {
    /// What an engine said, behind another sentence.
    Quoted;
    /// Nothing.
    Nothing
        "";
    /// This.
    Says(line: String)
        " It says: {line}";
}

notes! {
    /// What to do about an image.
    ImageAdvice;
    /// It may be private.
    Login(program: &'static str)
        "Check the image's name; if it is a private one: `{program} login`.";
    /// It may be called otherwise.
    CheckTag
        "Check the image's name and its tag.";
    /// The disk is full.
    MakeRoom(program: &'static str)
        "Make room on the disk, e.g. with `{program} image prune`.";
    /// Anything else.
    ByHand(program: &'static str, image: String)
        "Try it in a terminal: `{program} pull {image}`.";
}
