//! Why a command that runs a container stays a command, and why a folder is given to no container.

use super::notes;

notes! {
    /// What a command says that a member's `container` has no word for: the rest of a sentence.
    Beyond;
    /// Its engine's program is none that is found by its name.
    Elsewhere(program: &'static str, folder: String)
        "`{program}` is started from {folder}, and a container's engine is looked for by its name";
    /// An option stands before `run`.
    BeforeRun(option: String)
        "`{option}` before `run` has no field";
    /// A variable decides which engine runs it.
    DecidesTheEngine(variable: String)
        "`{variable}` is set for the engine's program, and decides which engine runs the container";
    /// A variable that Podman hands on.
    HandedOn(variable: String)
        "`{variable}` is set for Podman, which hands it on without being told to";
    /// It names no image.
    NoImage
        "no image is named";
    /// What it names is no image.
    OddImage(image: String)
        "`{image}` is no image that can be named there";
    /// An option, or one with this value.
    NoField(option: String)
        "`{option}` has no field";
    /// A switch with a value that is none.
    NeitherOnNorOff(option: String)
        "`{option}` is neither on nor off";
    /// An option without its value.
    NoValue(option: String)
        "`{option}` has no value";
    /// It runs in the background.
    Detached
        "`--detach` runs the server where nobody can speak to it";
    /// Its variables are in a file.
    VariablesInFile(file: String)
        "`--env-file {file}` names a file whose variables would stand in `env`";
    /// A value that is not known yet.
    FilledInLater(option: String)
        "`{option}` has a value that is filled in later";
    /// When its image is fetched.
    OddPull(word: String)
        "`--pull {word}` is none of its words";
    /// A network that members do not get.
    NoNetwork(network: String)
        "the network `{network}` is not given to members";
    /// More networks than one.
    SecondNetwork(network: String)
        "a second network, `{network}`, has no field";
    /// `--env` without a name.
    NoVariable(word: String)
        "`--env {word}` names no variable";
    /// More ports than one, or none that can be read.
    OddPort(word: String)
        "`--publish {word}` is not the one port of its server";
    /// A volume without a source.
    NoSource(volume: String)
        "the volume `{volume}` has no folder of this machine";
    /// An option of a volume.
    VolumeOption(option: String, volume: String)
        "`{option}` of the volume `{volume}` has no field";
    /// An option of a mount.
    MountOption(option: String)
        "a mount's `{option}` has no field";
    /// A mount of something else than a folder.
    OddMount(mount: String)
        "the mount `{mount}` is no folder of this machine";
    /// A mount to a place that is filled in later.
    OpenTarget(target: String)
        "the mount at `{target}` has a reference there";
    /// A source by its path from a folder that is not known.
    RelativeSource(source: String)
        "`{source}` depends on the folder that it is started in";
    /// A volume that the engine keeps.
    EngineVolume(volume: String)
        "`{volume}` is a volume of the engine, and no folder";
    /// A port of a server that is spoken to over stdin.
    PortUnused(port: u16)
        "its port {port} is published, and a server that is spoken to over stdin has none";
    /// No port of a server that is spoken to over HTTP.
    NoPort
        "no port of its server is published";
    /// A source that is dangerous.
    Dangerous(source: String, why: Danger)
        "{source} is not given to a container: {why}";
    /// The error of the manifest's reader.
    NoManifest(message: String)
        "{message}";
}

notes! {
    /// Why a mount would give away more than a server can need: the rest of a sentence.
    Danger;
    /// It is `/`.
    Everything
        "it is the whole file system";
    /// It is where an engine listens.
    Socket
        "it is the socket of a container engine, which is as good as being the administrator of this machine";
    /// Where an engine listens is in it.
    SocketWithin(socket: &'static str)
        "the engine's socket, {socket}, is in it";
    /// It is one of the private folders.
    Whole(private: Private)
        "it is {private} as a whole";
    /// One of the private folders is in it.
    Within(private: Private, folder: String)
        "{private}, {folder}, is in it";
}

notes! {
    /// A folder that no container is given as a whole.
    Private;
    /// The user's home.
    Home
        "the home folder";
    /// Guild Hall's own.
    Data
        "Guild Hall's data folder";
}
