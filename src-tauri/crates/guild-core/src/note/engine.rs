//! Why a container is not started.

use super::{Danger, Each, notes, troubles};

troubles! {
    /// Why a container is not started.
    ContainerTrouble;
    /// The user may not speak to the engine.
    Denied(said: Quoted)
        "The container engine is there, and this user may not speak to it.{said}"
        "Die Container-Engine ist da, und dieser Benutzer darf nicht mit ihr sprechen.{said}"
        "Add yourself to the group that owns the socket (`sudo usermod -aG docker $USER`, then log in anew), or use Podman, which needs no group: \"engine\": \"podman\"."
        "Sich in die Gruppe aufnehmen, der der Socket gehört (`sudo usermod -aG docker $USER`, dann neu anmelden), oder Podman verwenden, das keine Gruppe braucht: \"engine\": \"podman\".";
    /// Docker's engine is down.
    DockerDown(said: Quoted)
        "The engine behind `docker` does not run.{said}"
        "Die Engine hinter `docker` läuft nicht.{said}"
        "Start it: Docker Desktop, or `sudo systemctl start docker`; then start the member again. `docker version` shows whether it answers."
        "Sie starten: Docker Desktop oder `sudo systemctl start docker`; dann das Mitglied neu starten. `docker version` zeigt, ob sie antwortet.";
    /// Podman's engine is down.
    PodmanDown(said: Quoted)
        "The engine behind `podman` does not run.{said}"
        "Die Engine hinter `podman` läuft nicht.{said}"
        "On macOS and Windows: `podman machine start`. On Linux Podman needs no engine of its own, unless CONTAINER_HOST names one."
        "Unter macOS und Windows: `podman machine start`. Unter Linux braucht Podman keine eigene Engine, es sei denn, CONTAINER_HOST nennt eine.";
    /// The user has no ids for containers.
    NoIds(said: Quoted)
        "Podman can't set up containers for this user: it has no ids of its own to give to them.{said}"
        "Podman kann für diesen Benutzer keine Container einrichten: Er hat keine eigenen IDs, die er ihnen geben könnte.{said}"
        "`grep $USER /etc/subuid /etc/subgid` should show a line each; if not: `sudo usermod --add-subuids 100000-165535 --add-subgids 100000-165535 $USER`, then `podman system migrate`."
        "`grep $USER /etc/subuid /etc/subgid` sollte je eine Zeile zeigen; wenn nicht: `sudo usermod --add-subuids 100000-165535 --add-subgids 100000-165535 $USER`, dann `podman system migrate`.";
    /// The engine has no init.
    NoInit(program: &'static str, said: Quoted)
        "`{program}` has no init program for containers.{said}"
        "`{program}` hat kein Init-Programm für Container.{said}"
        "Install the package `catatonit` (Podman) or `docker-init` (Docker)."
        "Das Paket `catatonit` (Podman) oder `docker-init` (Docker) installieren.";
    /// The image could not be fetched.
    NotFetched(image: String, said: Quoted, next: ImageAdvice)
        "The image {image} could not be fetched.{said}"
        "Das Abbild {image} ließ sich nicht holen.{said}"
        "{next}"
        "{next}";
    /// The image is not there, and may not be fetched.
    NotHere(image: String, program: &'static str)
        "The image {image} is not on this machine, and \"pull\" is \"never\"."
        "Das Abbild {image} ist nicht auf diesem Rechner, und \"pull\" ist \"never\"."
        "Fetch or build it (`{program} pull {image}`), or write \"pull\": \"missing\" in plugin.json."
        "Es holen oder bauen (`{program} pull {image}`) oder in plugin.json \"pull\": \"missing\" schreiben.";
    /// The image was fetched for too long.
    TooSlow(image: String, minutes: u64, program: &'static str)
        "The image {image} was not there after {minutes} minutes."
        "Das Abbild {image} war nach {minutes} Minuten nicht da."
        "Fetch it in a terminal: `{program} pull {image}`."
        "Es in einem Terminal holen: `{program} pull {image}`.";
    /// The engine does not know its images.
    NotSaid(program: &'static str, image: String, said: String)
        "`{program}` did not say whether it has the image {image}. {said}"
        "`{program}` sagte nicht, ob das Abbild {image} da ist. {said}"
        "Try it in a terminal: `{program} image inspect {image}`."
        "Es in einem Terminal versuchen: `{program} image inspect {image}`.";
    /// The engine does not answer.
    NoAnswer(program: &'static str, image: String, why: Each)
        "`{program}` was asked for the image {image}. {why}"
        "`{program}` wurde nach dem Abbild {image} gefragt. {why}"
        "See in a terminal whether its engine answers: `{program} version`."
        "In einem Terminal nachsehen, ob die Engine antwortet: `{program} version`.";
    /// There is no engine.
    NoEngine(why: Each)
        "{why} Nor was `podman`."
        "{why} Auch `podman` nicht."
        "Install Docker (https://docs.docker.com/engine/install) or Podman (https://podman.io)."
        "Docker (https://docs.docker.com/engine/install) oder Podman (https://podman.io) installieren.";
    /// None is asked for.
    NoneNamed
        "No container engine is named."
        "Es ist keine Container-Engine genannt."
        ""
        "";
    /// A mount's source is not there.
    MountMissing(source: String, target: String, error: String)
        "{source} is not mounted at {target}: {error}."
        "{source} wird nicht unter {target} eingebunden: {error}."
        "Make the folder, or name another as the mount's `source`."
        "Den Ordner anlegen oder einen anderen als `source` des Mounts nennen.";
    /// A mount would give too much away.
    MountDangerous(source: String, target: String, why: Danger)
        "{source} is not mounted at {target}: {why}."
        "{source} wird nicht unter {target} eingebunden: {why}."
        "Name the folder that the server needs; \"dangerous\": true beside the mount's `source` lifts this."
        "Den Ordner nennen, den der Server braucht; \"dangerous\": true neben `source` des Mounts hebt das auf.";
    /// A mount's path can't be written.
    MountUnwritten(source: String, target: String)
        "{source} is not mounted at {target}: its path has a comma, a quotation mark or a line end, or is no text."
        "{source} wird nicht unter {target} eingebunden: Sein Pfad hat ein Komma, ein Anführungszeichen oder ein Zeilenende oder ist kein Text."
        "Give the folder another name."
        "Dem Ordner einen anderen Namen geben.";
}

notes! {
    /// What an engine said, behind another sentence.
    Quoted;
    /// Nothing.
    Nothing
        ""
        "";
    /// This.
    Says(line: String)
        " It says: {line}"
        " Meldung: {line}";
}

notes! {
    /// What to do about an image.
    ImageAdvice;
    /// It may be private.
    Login(program: &'static str)
        "Check the image's name; if it is a private one: `{program} login`."
        "Den Namen des Abbilds prüfen; ist es ein privates: `{program} login`.";
    /// It may be called otherwise.
    CheckTag
        "Check the image's name and its tag."
        "Namen und Tag des Abbilds prüfen.";
    /// The disk is full.
    MakeRoom(program: &'static str)
        "Make room on the disk, e.g. with `{program} image prune`."
        "Platz auf dem Datenträger schaffen, z. B. mit `{program} image prune`.";
    /// Anything else.
    ByHand(program: &'static str, image: String)
        "Try it in a terminal: `{program} pull {image}`."
        "Es in einem Terminal versuchen: `{program} pull {image}`.";
}
