//! What should be known of a profile that runs for a team.

use super::{Each, notes};

notes! {
    /// What else is to be known, a sentence or two each.
    TeamNote;
    /// How the team's gateway has to be.
    Gateway(image: String, port: u16)
        "The gateway {image} is the team's own: it is to forward to http://127.0.0.1:{port} with `Host: 127.0.0.1:{port}`, pass the header Authorization, send no Origin, and not hold back event streams."
        "Das Gateway {image} hat das Team schon: Es soll mit `Host: 127.0.0.1:{port}` an http://127.0.0.1:{port} weiterleiten, den Header Authorization durchlassen, keinen Origin senden und Ereignisströme nicht zurückhalten.";
    /// What the image has to have.
    Programs(image: String, programs: Vec<TeamProgram>)
        "The image {image} has to have these beside guildhall: {programs}."
        "Das Image {image} braucht neben guildhall: {programs}.";
    /// What becomes of calls that somebody would be asked about.
    NobodyToAsk
        "Nobody is there to ask: calls of tools with the policy `ask` are denied."
        "Dort ist niemand zu fragen: Aufrufe von Werkzeugen mit der Regel `ask` werden verboten.";
    /// Tools that are held back here are denied there; the members, and how many of each.
    Held(tools: String)
        "Tools that wait here until somebody has looked at them are denied there: {tools}. Nobody holds back what their servers change later."
        "Werkzeuge, die hier warten, bis jemand sie angesehen hat, sind dort verboten: {tools}. Was ihre Server später ändern, hält dort niemand zurück.";
    /// A cluster's manifests can't say how many processes a container may have.
    NoProcessLimit(containers: String)
        "How many processes a container may have is for the cluster to say: `pids_limit` is left out, of {containers}."
        "Wie viele Prozesse ein Container haben darf, bestimmt der Cluster: `pids_limit` entfällt, bei {containers}.";
    /// How a cluster's Secret is made.
    ClusterSecret(name: String, keys: String)
        "The Secret is made by hand: kubectl create secret generic {name} {keys}"
        "Das Secret wird von Hand angelegt: kubectl create secret generic {name} {keys}";
    /// Which pods may connect.
    Pods(name: String, port: u16)
        "Pods that may connect have the label `guild-hall-client: \"true\"`; from a desk: kubectl port-forward service/{name} {port}:{port}"
        "Pods, die sich verbinden dürfen, haben das Label `guild-hall-client: \"true\"`; vom eigenen Rechner: kubectl port-forward service/{name} {port}:{port}";
}

notes! {
    /// A program that members are started by.
    TeamProgram;
    /// It runs what is there.
    Plain(command: String)
        "{command}"
        "{command}";
    /// It fetches what it runs.
    Fetching(command: String)
        "{command} (with the network to fetch packages)"
        "{command} (mit dem Netz, um Pakete zu holen)";
}

notes! {
    /// Why a member can't run there: the rest of a sentence.
    TeamUnfit;
    /// The profile names a member that is gone.
    Gone
        "there is no such member now"
        "dieses Mitglied gibt es jetzt nicht";
    /// It was not accepted.
    Unreviewed
        "nobody has accepted what it runs"
        "niemand hat angenommen, was es ausführt";
    /// Its manifest has an error, which is told in English as all are.
    BadManifest(message: Each)
        "its manifest has an error: {message}"
        "das Manifest hat einen Fehler: {message}";
    /// It has no manifest.
    NoManifest
        "its manifest can't be used"
        "das Manifest ist nicht zu verwenden";
    /// It is switched off.
    Off
        "it is switched off"
        "es ist ausgeschaltet";
    /// It is reached at this machine.
    AddressHere
        "its address is this machine"
        "die Adresse ist dieser Rechner";
    /// A person signs in to it.
    SignIn
        "somebody has to sign in to it in a browser"
        "jemand muss sich im Browser anmelden";
    /// It runs in a folder.
    FolderHere
        "it runs in a folder of this machine"
        "es läuft in einem Ordner dieses Rechners";
    /// Its program is a file.
    ProgramHere(program: String)
        "its program is a file of this machine, {program}"
        "das Programm ist eine Datei dieses Rechners, {program}";
    /// Its command runs a container.
    RunsContainer
        "it runs a container, and there is no engine there"
        "es führt einen Container aus, und dort ist keine Engine";
    /// It needs what is beside its manifest.
    OwnFiles
        "it needs the files of its folder"
        "es braucht die Dateien im eigenen Ordner";
    /// It names files.
    FilesHere(path: String)
        "it works on files of this machine, {path}"
        "es arbeitet mit Dateien dieses Rechners, {path}";
    /// Its container is spoken to over pipes.
    OverStdin
        "it speaks over stdin to a container, and there is no engine there"
        "es spricht über stdin mit einem Container, und dort ist keine Engine";
    /// Its container is given folders.
    MountsHere
        "its container mounts folders of this machine"
        "der Container bindet Ordner dieses Rechners ein";
    /// Its container is in a network.
    NetworkHere(network: String)
        "its container is on the network {network} of this machine"
        "der Container ist im Netzwerk {network} dieses Rechners";
    /// Its container's arguments are filled in.
    OpenArguments
        "its container's arguments have variables"
        "in den Argumenten des Containers stehen Variablen";
    /// Its container's arguments would tell a secret.
    SecretArgument
        "its container's arguments have a secret written out"
        "in den Argumenten des Containers steht ein Geheimnis offen da";
    /// Its port is another's.
    PortTaken(port: u16)
        "another server there has its port, {port}"
        "ein anderer Server hat dort denselben Port, {port}";
}

notes! {
    /// What has to be set there.
    TeamNeed;
    /// A file with the token.
    TokenFile
        "the path of a file with the token that clients show, at least 32 characters, which the user 10001 may read"
        "der Pfad einer Datei mit dem Token, das Clients vorzeigen: mindestens 32 Zeichen, lesbar für den Benutzer 10001";
    /// The token.
    Token
        "the token that clients show, at least 32 characters"
        "das Token, das Clients vorzeigen, mindestens 32 Zeichen";
    /// A secret of a member.
    Secret(secret: String)
        "the secret {secret}"
        "das Geheimnis {secret}";
    /// A secret that a member's manifest has written out.
    Written(member: String, field: String)
        "what the manifest of {member} has written out for {field}"
        "was im Manifest von {member} für {field} offen dasteht";
    /// A variable of a member's address.
    InAddress
        "the variable for address"
        "die Variable für die Adresse";
    /// A variable of a member's argument.
    InArgument
        "the variable for argument"
        "die Variable für ein Argument";
    /// A variable that another one, or a header, is made of.
    InValue(name: String)
        "the variable for {name}"
        "die Variable für {name}";
}
