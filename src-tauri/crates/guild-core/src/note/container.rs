//! Why a command that runs a container stays a command, and why a folder is given to no container.

use super::{Each, notes};

notes! {
    /// What a command says that a member's `container` has no word for: the rest of a sentence.
    Beyond;
    /// Its engine's program is none that is found by its name.
    Elsewhere(program: &'static str, folder: String)
        "`{program}` is started from {folder}, and a container's engine is looked for by its name"
        "`{program}` wird aus {folder} gestartet, und die Engine eines Containers wird nach ihrem Namen gesucht";
    /// An option stands before `run`.
    BeforeRun(option: String)
        "`{option}` before `run` has no field"
        "für `{option}` vor `run` gibt es kein Feld";
    /// A variable decides which engine runs it.
    DecidesTheEngine(variable: String)
        "`{variable}` is set for the engine's program, and decides which engine runs the container"
        "`{variable}` ist für das Programm der Engine gesetzt und entscheidet, welche Engine den Container ausführt";
    /// A variable that Podman hands on.
    HandedOn(variable: String)
        "`{variable}` is set for Podman, which hands it on without being told to"
        "`{variable}` ist für Podman gesetzt, das es von sich aus weitergibt";
    /// It names no image.
    NoImage
        "no image is named"
        "kein Image ist genannt";
    /// What it names is no image.
    OddImage(image: String)
        "`{image}` is no image that can be named there"
        "`{image}` ist kein Image, das dort genannt werden kann";
    /// An option, or one with this value.
    NoField(option: String)
        "`{option}` has no field"
        "für `{option}` gibt es kein Feld";
    /// A switch with a value that is none.
    NeitherOnNorOff(option: String)
        "`{option}` is neither on nor off"
        "`{option}` ist weder ein noch aus";
    /// An option without its value.
    NoValue(option: String)
        "`{option}` has no value"
        "`{option}` hat keinen Wert";
    /// It runs in the background.
    Detached
        "`--detach` runs the server where nobody can speak to it"
        "mit `--detach` läuft der Server dort, wo ihn niemand ansprechen kann";
    /// Its variables are in a file.
    VariablesInFile(file: String)
        "`--env-file {file}` names a file whose variables would stand in `env`"
        "`--env-file {file}` nennt eine Datei, deren Variablen in `env` stehen müssten";
    /// A value that is not known yet.
    FilledInLater(option: String)
        "`{option}` has a value that is filled in later"
        "`{option}` hat einen Wert, der erst später eingesetzt wird";
    /// When its image is fetched.
    OddPull(word: String)
        "`--pull {word}` is none of its words"
        "`--pull {word}` ist keines der Wörter dafür";
    /// A network that members do not get.
    NoNetwork(network: String)
        "the network `{network}` is not given to members"
        "das Netzwerk `{network}` bekommen Mitglieder nicht";
    /// More networks than one.
    SecondNetwork(network: String)
        "a second network, `{network}`, has no field"
        "für ein zweites Netzwerk, `{network}`, gibt es kein Feld";
    /// `--env` without a name.
    NoVariable(word: String)
        "`--env {word}` names no variable"
        "`--env {word}` nennt keine Variable";
    /// More ports than one, or none that can be read.
    OddPort(word: String)
        "`--publish {word}` is not the one port of its server"
        "`--publish {word}` ist nicht der eine Port des Servers";
    /// A volume without a source.
    NoSource(volume: String)
        "the volume `{volume}` has no folder of this machine"
        "das Volume `{volume}` hat keinen Ordner dieses Rechners";
    /// An option of a volume.
    VolumeOption(option: String, volume: String)
        "`{option}` of the volume `{volume}` has no field"
        "für `{option}` des Volumes `{volume}` gibt es kein Feld";
    /// An option of a mount.
    MountOption(option: String)
        "a mount's `{option}` has no field"
        "für `{option}` eines Mounts gibt es kein Feld";
    /// A mount of something else than a folder.
    OddMount(mount: String)
        "the mount `{mount}` is no folder of this machine"
        "der Mount `{mount}` ist kein Ordner dieses Rechners";
    /// A mount to a place that is filled in later.
    OpenTarget(target: String)
        "the mount at `{target}` has a reference there"
        "der Mount bei `{target}` hat dort einen Verweis";
    /// A source by its path from a folder that is not known.
    RelativeSource(source: String)
        "`{source}` depends on the folder that it is started in"
        "`{source}` hängt vom Ordner ab, in dem der Befehl gestartet wird";
    /// A volume that the engine keeps.
    EngineVolume(volume: String)
        "`{volume}` is a volume of the engine, and no folder"
        "`{volume}` ist ein Volume der Engine und kein Ordner";
    /// A port of a server that is spoken to over stdin.
    PortUnused(port: u16)
        "its port {port} is published, and a server that is spoken to over stdin has none"
        "der Port {port} ist veröffentlicht, und ein Server, mit dem über stdin gesprochen wird, hat keinen";
    /// No port of a server that is spoken to over HTTP.
    NoPort
        "no port of its server is published"
        "kein Port des Servers ist veröffentlicht";
    /// A source that is dangerous.
    Dangerous(source: String, why: Danger)
        "{source} is not given to a container: {why}"
        "{source} bekommt kein Container: {why}";
    /// What a manifest's reader says of it, in English as all errors are.
    NoManifest(message: Each)
        "{message}"
        "in einem Manifest wäre das ein Fehler: {message}";
}

notes! {
    /// Why a mount would give away more than a server can need: the rest of a sentence.
    Danger;
    /// It is `/`.
    Everything
        "it is the whole file system"
        "das ist das ganze Dateisystem";
    /// It is where an engine listens.
    Socket
        "it is the socket of a container engine, which is as good as being the administrator of this machine"
        "das ist der Socket einer Container-Engine, und wer ihn hat, ist so gut wie Administrator dieses Rechners";
    /// Where an engine listens is in it.
    SocketWithin(socket: &'static str)
        "the engine's socket, {socket}, is in it"
        "der Socket der Engine, {socket}, liegt darin";
    /// It is one of the private folders.
    Whole(private: Private)
        "it is {private} as a whole"
        "das ist {private} als Ganzes";
    /// One of the private folders is in it.
    Within(private: Private, folder: String)
        "{private}, {folder}, is in it"
        "{private}, {folder}, liegt darin";
}

notes! {
    /// A folder that no container is given as a whole.
    Private;
    /// The user's home.
    Home
        "the home folder"
        "das Home-Verzeichnis";
    /// Guild Hall's own.
    Data
        "Guild Hall's data folder"
        "der Datenordner von Guild Hall";
}
