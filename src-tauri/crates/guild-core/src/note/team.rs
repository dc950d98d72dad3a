//! What should be known of a profile that runs for a team.

use super::notes;

notes! {
    /// What else is to be known, a sentence or two each.
    TeamNote;
    /// How the team's gateway has to be.
    Gateway(image: String, port: u16)
        "The gateway {image} is the team's own: it is to forward to http://127.0.0.1:{port} with `Host: 127.0.0.1:{port}`, pass the header Authorization, send no Origin, and not hold back event streams.";
    /// What the image has to have.
    Programs(image: String, programs: Vec<TeamProgram>)
        "The image {image} has to have these beside guildhall: {programs}.";
    /// What becomes of calls that somebody would be asked about.
    NobodyToAsk
        "Nobody is there to ask: calls of tools with the policy `ask` are denied.";
    /// Tools that are held back here are denied there; the members, and how many of each.
    Held(tools: String)
        "Tools that wait here until somebody has looked at them are denied there: {tools}. Nobody holds back what their servers change later.";
    /// A cluster's manifests can't say how many processes a container may have.
    NoProcessLimit(containers: String)
        "How many processes a container may have is for the cluster to say: `pids_limit` is left out, of {containers}.";
    /// How a cluster's Secret is made.
    ClusterSecret(name: String, keys: String)
        "The Secret is made by hand: kubectl create secret generic {name} {keys}";
    /// Which pods may connect.
    Pods(name: String, port: u16)
        "Pods that may connect have the label `guild-hall-client: \"true\"`; from a desk: kubectl port-forward service/{name} {port}:{port}";
}

notes! {
    /// A program that members are started by.
    TeamProgram;
    /// It runs what is there.
    Plain(command: String)
        "{command}";
    /// It fetches what it runs.
    Fetching(command: String)
        "{command} (with the network to fetch packages)";
}

notes! {
    /// Why a member can't run there: the rest of a sentence.
    TeamUnfit;
    /// The profile names a member that is gone.
    Gone
        "there is no such member now";
    /// It was not accepted.
    Unreviewed
        "nobody has accepted what it runs";
    /// Its manifest has an error.
    BadManifest(message: String)
        "its manifest has an error: {message}";
    /// It has no manifest.
    NoManifest
        "its manifest can't be used";
    /// It is switched off.
    Off
        "it is switched off";
    /// It is reached at this machine.
    AddressHere
        "its address is this machine";
    /// A person signs in to it.
    SignIn
        "somebody has to sign in to it in a browser";
    /// It runs in a folder.
    FolderHere
        "it runs in a folder of this machine";
    /// Its program is a file.
    ProgramHere(program: String)
        "its program is a file of this machine, {program}";
    /// Its command runs a container.
    RunsContainer
        "it runs a container, and there is no engine there";
    /// It needs what is beside its manifest.
    OwnFiles
        "it needs the files of its folder";
    /// It names files.
    FilesHere(path: String)
        "it works on files of this machine, {path}";
    /// Its container is spoken to over pipes.
    OverStdin
        "it speaks over stdin to a container, and there is no engine there";
    /// Its container is given folders.
    MountsHere
        "its container mounts folders of this machine";
    /// Its container is in a network.
    NetworkHere(network: String)
        "its container is on the network {network} of this machine";
    /// Its container's arguments are filled in.
    OpenArguments
        "its container's arguments have variables";
    /// Its container's arguments would tell a secret.
    SecretArgument
        "its container's arguments have a secret written out";
    /// Its port is another's.
    PortTaken(port: u16)
        "another server there has its port, {port}";
}

notes! {
    /// What has to be set there.
    TeamNeed;
    /// A file with the token.
    TokenFile
        "the path of a file with the token that clients show, at least 32 characters, which the user 10001 may read";
    /// The token.
    Token
        "the token that clients show, at least 32 characters";
    /// A secret of a member.
    Secret(secret: String)
        "the secret {secret}";
    /// A secret that a member's manifest has written out.
    Written(member: String, field: String)
        "what the manifest of {member} has written out for {field}";
    /// A variable of a member's address.
    InAddress
        "the variable for address";
    /// A variable of a member's argument.
    InArgument
        "the variable for argument";
    /// A variable that another one, or a header, is made of.
    InValue(name: String)
        "the variable for {name}";
}
