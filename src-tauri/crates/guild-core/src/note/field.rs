//! What is wrong with a field of a manifest.

use super::{ArgumentsWrong, Danger, NameWrong, Shown, Ungrouped, notes, troubles};

notes! {
    /// What a field may be.
    Wanted;
    /// An object.
    Braces
        "an object in braces";
    /// A text.
    Quoted
        "a text in double quotes";
    /// A truth value.
    Flag
        "true or false";
    /// A span of time.
    Millis(most: Ungrouped<u64>)
        "a whole number of milliseconds from 1 to {most}";
    /// Texts.
    Texts
        "a list of texts in brackets";
    /// Mounts.
    Mounts
        "a list of mounts in brackets";
    /// Objects.
    Objects
        "a list of objects in brackets";
    /// A port.
    Port(least: Ungrouped<u64>, most: u16)
        "a port from {least} to {most}";
    /// A number of processors.
    Decimal
        "a number above zero, such as 1.5";
    /// A whole number.
    Whole(most: Ungrouped<u64>)
        "a whole number from 1 to {most}";
    /// What `dev` may be.
    FlagOrBraces
        "true, false or an object in braces";
    /// A schema.
    Schema
        "a JSON Schema";
    /// A client's id.
    ClientId
        "an id without spaces";
    /// A client's document.
    Document
        "an address that begins with https:// and has a path";
    /// A container's image.
    Image
        "the name of an image, such as \"ghcr.io/example/notes:1.2\", without variables";
    /// A container's user.
    User
        "a user or user:group, by name or number";
    /// What a container runs.
    Entrypoint
        "a program in the image, such as \"/bin/serve\", without variables";
    /// A container's memory.
    Memory
        "an amount such as \"512m\" or \"1g\"";
}

notes! {
    /// What is wrong with a `${`, behind the name of its field.
    VariableWrong;
    /// It has no end.
    Unclosed
        "has a `${{` without its `}}`";
    /// There is none of that name.
    Unknown(name: String)
        "has the unknown variable `${{{name}}}`";
}

notes! {
    /// What is wrong with a pattern of files, behind the name of its field.
    GlobWrong;
    /// It is too long.
    Long(length: usize, most: usize)
        "has {length} bytes; {most} are the most";
    /// There is nothing in it.
    Blank
        "is empty";
    /// Folders are written otherwise.
    Backslash
        "has a backslash; write folders with /";
    /// It begins at the root.
    Rooted
        "begins with /; patterns go from the member's folder";
    /// It leads out.
    Outside
        "leads out of the member's folder";
    /// It has too many names.
    Names(most: usize)
        "has more than {most} names";
    /// A brace without its end.
    OpenBrace
        "has a {{ without its }}";
    /// A brace without its beginning.
    ClosedBrace
        "has a }} without its {{";
    /// Braces in braces.
    NestedBraces
        "has braces within braces";
    /// It stands for too many.
    Spellings(most: usize)
        "stands for more than {most} patterns";
}

notes! {
    /// What is wrong with an address, behind the name of its field.
    UrlWrong;
    /// It begins otherwise.
    Beginning
        "must begin with http:// or https://";
    /// It has what no address has.
    Characters
        "has a space, a control character or a backslash";
    /// It has a name or a password in it.
    Credentials
        "must have no user name or password; send them in `headers` as a ${{secret:NAME}}";
    /// It has no host.
    NoHost
        "names no host";
}

troubles! {
    /// What is wrong with a field of a manifest, or odd about it: the rest of a line that begins with its name.
    FieldWrong;
    /// A value of another kind.
    Mismatch(wanted: Wanted, found: Shown)
        "must be {wanted}; found {found}"
        "";
    /// The whole is of another kind.
    NotWanted(wanted: Wanted, found: Shown)
        "expected {wanted}, found {found}"
        "";
    /// A text of another kind.
    MustBe(wanted: Wanted)
        "must be {wanted}"
        "";
    /// A field that nothing reads, and is like one.
    UnknownNear(near: &'static str)
        "is no field of a manifest; it is kept and has no effect"
        "Did you mean `{near}`?";
    /// A field that nothing reads.
    UnknownField(known: Vec<&'static str>)
        "is no field of a manifest; it is kept and has no effect"
        "Known here: {known}.";
    /// None of a few words, and like one.
    NoChoiceNear(choices: Vec<String>, found: Shown, near: String)
        "must be one of {choices}; found {found}"
        "Did you mean \"{near}\"?";
    /// None of a few words.
    NoChoice(choices: Vec<String>, found: Shown)
        "must be one of {choices}; found {found}"
        "";
    /// A variable that is none.
    Variable(wrong: VariableWrong)
        "{wrong}"
        "Known variables: ${{PORT}}, ${{PLUGIN_DIR}}, ${{GUILDHALL}}, ${{env:NAME}}, ${{secret:NAME}}. Write $${{ for a plain ${{.";
    /// Its text is too long.
    TextLong(length: usize, most: usize)
        "has {length} bytes; {most} are the most"
        "Shorten it, or read it from a file.";
    /// It has a NUL.
    Nul
        "has a NUL character, which no operating system passes on"
        "Take the \\u0000 out.";
    /// It has too many entries.
    ManyEntries(count: usize, most: usize)
        "has {count} entries; {most} are the most"
        "Take out what is not needed.";
    /// `transport` is missing.
    NoTransport
        "is missing; it must be \"http\" or \"stdio\""
        "";
    /// `name` is missing.
    NoName
        "is missing; it is the member's unique name"
        "";
    /// `name` is no name.
    BadName(wrong: NameWrong)
        "is not usable: {wrong}"
        "";
    /// A header with a line end.
    HeaderLine
        "has a line end, which no header may have"
        "";
    /// A header with another name.
    HeaderName
        "is no name of an HTTP header"
        "";
    /// A variable without a name.
    VariableNameless
        "has a variable with an empty name"
        "";
    /// A variable with a name that can't be.
    VariableEquals
        "has an '=' in its name, which no operating system allows"
        "";
    /// Two of what there is one of.
    Beside(other: &'static str)
        "stands beside `{other}`; a member has one or the other"
        "Take one of them out.";
    /// Nothing is run.
    NoCommand
        "is missing; it is the program that runs the server"
        "Give a `command`, a `container`, or a `url` for a server that runs elsewhere.";
    /// `command` is empty.
    EmptyCommand
        "must name a program; found an empty text"
        "";
    /// A url over pipes.
    UrlOverStdio
        "needs the transport \"http\"; this member's is \"stdio\""
        "";
    /// An address that is none.
    BadUrl(wrong: UrlWrong)
        "{wrong}"
        "";
    /// A port that a url is not given.
    UrlWithPort
        "uses ${{PORT}}, which a member with a url is not given"
        "Write the port of the server that runs elsewhere.";
    /// `cwd` is empty.
    EmptyCwd
        "must name a folder; found an empty text"
        "Without the field, the member runs in its own folder.";
    /// The server can't know its port.
    PortUnused
        "and `env` do not use ${{PORT}}; the server can't know the port it is given"
        "Pass it, e.g. \"args\": [\"--port\", \"${{PORT}}\"].";
    /// A secret where every user of the machine sees it.
    SecretInArgs(name: String)
        "has ${{secret:{name}}}, whose value every user of this machine can see while the server runs (`ps`)"
        "Pass it in `env` if the server reads it from a variable.";
    /// A port where there is none.
    PortOverStdio
        "is \"stdio\", and ${{PORT}} is used, which has no value then"
        "Take ${{PORT}} out, or set the transport to \"http\".";
    /// It is the file of another program.
    ClientConfig
        "is of another program's configuration, not of a member's manifest"
        "Import its servers: `guildhall add FILE` makes a member of each, as **Add server** in the window does.";
    /// There are no requests over pipes.
    HeadersOverStdio
        "has no effect over stdio"
        "Take `headers` out, or set the transport to \"http\".";
    /// It does nothing beside another.
    IdleBeside(beside: &'static str, field: String)
        "has no effect beside a `{beside}`"
        "Take `{field}` out.";
    /// No tool can have that name.
    NoTool(wrong: NameWrong)
        "names no tool: {wrong}"
        "";
    /// `origin.from` is missing.
    NoOrigin
        "is missing; it says where the member comes from"
        "Give one word, e.g. \"registry\".";
    /// `dev` in a member from elsewhere.
    DevForeign
        "has no effect: the member comes from elsewhere, as `origin` says"
        "Take `origin` out once the code is your own.";
    /// `dev` in a member that runs elsewhere.
    DevElsewhere
        "restarts nothing: a member with a url runs elsewhere"
        "Its tools are listed anew and its examples run.";
    /// `auth` beside a header that does the same.
    AuthBesideHeader
        "has no effect beside the header `Authorization`"
        "Take one of them out.";
    /// `auth` without a server to sign in to.
    AuthWithoutUrl
        "has no effect without a `url`"
        "Take `auth` out.";
    /// A secret in the open.
    OpenSecret
        "must be a secret by its name; a manifest is no place for its value"
        "Write ${{secret:NAME}}, and set it with `guildhall secret set NAME`.";
    /// A secret without whose it is.
    NoClientId
        "needs a `client_id` beside it"
        "";
    /// Too many scopes.
    ManyScopes(count: usize, most: usize)
        "has {count} scopes; {most} are the most"
        "";
    /// A scope that is none.
    BadScope
        "must be one scope, without spaces, quotes and backslashes"
        "";
    /// `container.image` is missing.
    NoImage
        "is missing; it is the image that the server runs from"
        "";
    /// `container.port` is missing.
    NoContainerPort
        "is missing; it is where the server listens in the container"
        "Guild Hall publishes it on 127.0.0.1, at a port of its own.";
    /// `container.port` without use.
    IdleContainerPort
        "has no effect: the transport is \"stdio\""
        "Take it out, or set the transport to \"http\".";
    /// A secret in a command.
    SecretWord
        "has a secret, which would be a word of the engine's command"
        "Pass it in `env`: the words of a command can be read by everybody on this machine.";
    /// The port outside.
    OuterPort
        "uses ${{PORT}}, which is the port outside the container"
        "Write the number that stands in `container.port`.";
    /// A secret in a variable of the engine.
    SecretForEngine
        "has a secret under a name that the container engine heeds itself, so that it would be a word of the engine's command"
        "Give the server its secret under another name.";
    /// Too many mounts.
    ManyMounts(most: usize)
        "must have at most {most} mounts"
        "";
    /// `source` is missing.
    NoSource
        "is missing; it is a folder or file of this machine"
        "";
    /// It can't stand in a mount.
    BadMount
        "has a comma, a quotation mark or a line end, which no mount may have"
        "";
    /// `source` is no whole path.
    SourcePath
        "must be a whole path, or one that begins with ${{PLUGIN_DIR}}"
        "Volumes of the engine are not mounted: nothing would put them away.";
    /// `source` is too much.
    Dangerous(why: Danger)
        "is not given to a container: {why}"
        "Name the folder that the server needs; \"dangerous\": true beside it lifts this.";
    /// `target` is missing.
    NoTarget
        "is missing; it is where the source is in the container"
        "";
    /// `target` is no whole path.
    TargetPath
        "must be a whole path in the container, and not its root"
        "";
    /// No network to listen on.
    NetworkNone
        "is \"none\", so that nothing could reach the server's port"
        "Use \"bridge\".";
    /// The machine's own network.
    NetworkHost
        "must not be \"host\": the server would be on this machine's own network, with all that listens there"
        "Use \"bridge\", or a network that you made.";
    /// No name of a network.
    NetworkName
        "must be \"none\", \"bridge\" or the name of a network"
        "";
    /// Too many patterns.
    ManyPatterns(count: usize, most: usize)
        "has {count} patterns; {most} are the most"
        "";
    /// A pattern that is none.
    BadPattern(wrong: GlobWrong)
        "{wrong}"
        "Patterns go from the member's folder, e.g. \"src/**/*.py\".";
    /// A build of too many words.
    BuildLong(count: usize, most: usize)
        "has {count} words; {most} are the most"
        "Give the program and its arguments, e.g. [\"npm\", \"run\", \"build\"].";
    /// A build of nothing.
    BuildEmpty
        "has no program"
        "Give the program and its arguments, e.g. [\"npm\", \"run\", \"build\"].";
    /// A build without its program.
    BuildNameless
        "must begin with a program"
        "Give the program and its arguments, e.g. [\"npm\", \"run\", \"build\"].";
    /// A build with the server's port.
    BuildPort
        "uses ${{PORT}}, which only the server is given"
        "Take ${{PORT}} out.";
    /// Too many examples.
    ManyExamples(count: usize, most: usize)
        "has {count} examples; {most} are the most"
        "";
    /// Two examples of a name.
    SameExample
        "has a name that another example has"
        "Give each a name of its own.";
    /// An example without a name.
    NoExampleName
        "is missing; it is what it is called"
        "";
    /// An example without a tool.
    NoExampleTool
        "is missing; it is the tool that is called"
        "";
    /// A name without characters.
    EmptyName
        "must not be empty"
        "";
    /// A name that is too long.
    LongName(length: usize, most: usize)
        "has {length} characters; {most} are the most"
        "";
    /// A name with a control character.
    ControlName
        "has a control character"
        "";
    /// Arguments that would change.
    BadArguments(why: ArgumentsWrong)
        "can't be sent as they are: {why}"
        "";
}
