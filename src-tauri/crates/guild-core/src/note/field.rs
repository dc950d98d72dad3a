//! What is wrong with a field of a manifest.

use super::{ArgumentsWrong, Danger, NameWrong, Shown, Ungrouped, notes, troubles};

notes! {
    /// What a field may be.
    Wanted;
    /// An object.
    Braces
        "an object in braces"
        "ein Objekt in geschweiften Klammern";
    /// A text.
    Quoted
        "a text in double quotes"
        "ein Text in doppelten Anführungszeichen";
    /// A truth value.
    Flag
        "true or false"
        "true oder false";
    /// A span of time.
    Millis(most: Ungrouped<u64>)
        "a whole number of milliseconds from 1 to {most}"
        "eine ganze Zahl von Millisekunden von 1 bis {most}";
    /// Texts.
    Texts
        "a list of texts in brackets"
        "eine Liste von Texten in eckigen Klammern";
    /// Mounts.
    Mounts
        "a list of mounts in brackets"
        "eine Liste von Mounts in eckigen Klammern";
    /// Objects.
    Objects
        "a list of objects in brackets"
        "eine Liste von Objekten in eckigen Klammern";
    /// A port.
    Port(least: Ungrouped<u64>, most: u16)
        "a port from {least} to {most}"
        "ein Port von {least} bis {most}";
    /// A number of processors.
    Decimal
        "a number above zero, such as 1.5"
        "eine Zahl über null wie 1.5";
    /// A whole number.
    Whole(most: Ungrouped<u64>)
        "a whole number from 1 to {most}"
        "eine ganze Zahl von 1 bis {most}";
    /// What `dev` may be.
    FlagOrBraces
        "true, false or an object in braces"
        "true, false oder ein Objekt in geschweiften Klammern";
    /// A schema.
    Schema
        "a JSON Schema"
        "ein JSON Schema";
    /// A client's id.
    ClientId
        "an id without spaces"
        "eine Kennung ohne Leerzeichen";
    /// A client's document.
    Document
        "an address that begins with https:// and has a path"
        "eine Adresse, die mit https:// beginnt und einen Pfad hat";
    /// A container's image.
    Image
        "the name of an image, such as \"ghcr.io/example/notes:1.2\", without variables"
        "der Name eines Abbilds wie \"ghcr.io/example/notes:1.2\", ohne Variablen";
    /// A container's user.
    User
        "a user or user:group, by name or number"
        "ein Benutzer oder Benutzer:Gruppe, als Name oder Nummer";
    /// What a container runs.
    Entrypoint
        "a program in the image, such as \"/bin/serve\", without variables"
        "ein Programm im Abbild wie \"/bin/serve\", ohne Variablen";
    /// A container's memory.
    Memory
        "an amount such as \"512m\" or \"1g\""
        "eine Menge wie \"512m\" oder \"1g\"";
}

notes! {
    /// What is wrong with a `${`, behind the name of its field.
    VariableWrong;
    /// It has no end.
    Unclosed
        "has a `${{` without its `}}`"
        "hat ein `${{` ohne sein `}}`";
    /// There is none of that name.
    Unknown(name: String)
        "has the unknown variable `${{{name}}}`"
        "hat die unbekannte Variable `${{{name}}}`";
}

notes! {
    /// What is wrong with a pattern of files, behind the name of its field.
    GlobWrong;
    /// It is too long.
    Long(length: usize, most: usize)
        "has {length} bytes; {most} are the most"
        "hat {length} Bytes; höchstens {most} dürfen es sein";
    /// There is nothing in it.
    Blank
        "is empty"
        "ist leer";
    /// Folders are written otherwise.
    Backslash
        "has a backslash; write folders with /"
        "hat einen Backslash; Ordner werden mit / geschrieben";
    /// It begins at the root.
    Rooted
        "begins with /; patterns go from the member's folder"
        "beginnt mit /; Muster gehen vom Ordner des Mitglieds aus";
    /// It leads out.
    Outside
        "leads out of the member's folder"
        "führt aus dem Ordner des Mitglieds hinaus";
    /// It has too many names.
    Names(most: usize)
        "has more than {most} names"
        "hat mehr als {most} Namen";
    /// A brace without its end.
    OpenBrace
        "has a {{ without its }}"
        "hat ein {{ ohne sein }}";
    /// A brace without its beginning.
    ClosedBrace
        "has a }} without its {{"
        "hat ein }} ohne sein {{";
    /// Braces in braces.
    NestedBraces
        "has braces within braces"
        "hat geschweifte Klammern in geschweiften Klammern";
    /// It stands for too many.
    Spellings(most: usize)
        "stands for more than {most} patterns"
        "steht für mehr als {most} Muster";
}

notes! {
    /// What is wrong with an address, behind the name of its field.
    UrlWrong;
    /// It begins otherwise.
    Beginning
        "must begin with http:// or https://"
        "muss mit http:// oder https:// beginnen";
    /// It has what no address has.
    Characters
        "has a space, a control character or a backslash"
        "hat ein Leerzeichen, ein Steuerzeichen oder einen Backslash";
    /// It has a name or a password in it.
    Credentials
        "must have no user name or password; send them in `headers` as a ${{secret:NAME}}"
        "darf weder Benutzername noch Passwort haben; sie in `headers` als ${{secret:NAME}} senden";
    /// It has no host.
    NoHost
        "names no host"
        "nennt keinen Host";
}

troubles! {
    /// What is wrong with a field of a manifest, or odd about it: the rest of a line that begins with its name.
    FieldWrong;
    /// A value of another kind.
    Mismatch(wanted: Wanted, found: Shown)
        "must be {wanted}; found {found}"
        "muss sein: {wanted}; gefunden: {found}"
        ""
        "";
    /// The whole is of another kind.
    NotWanted(wanted: Wanted, found: Shown)
        "expected {wanted}, found {found}"
        "erwartet: {wanted}; gefunden: {found}"
        ""
        "";
    /// A text of another kind.
    MustBe(wanted: Wanted)
        "must be {wanted}"
        "muss sein: {wanted}"
        ""
        "";
    /// A field that nothing reads, and is like one.
    UnknownNear(near: &'static str)
        "is no field of a manifest; it is kept and has no effect"
        "ist kein Feld eines Manifests; es bleibt stehen und bewirkt nichts"
        "Did you mean `{near}`?"
        "War `{near}` gemeint?";
    /// A field that nothing reads.
    UnknownField(known: Vec<&'static str>)
        "is no field of a manifest; it is kept and has no effect"
        "ist kein Feld eines Manifests; es bleibt stehen und bewirkt nichts"
        "Known here: {known}."
        "Hier bekannt: {known}.";
    /// None of a few words, and like one.
    NoChoiceNear(choices: Vec<String>, found: Shown, near: String)
        "must be one of {choices}; found {found}"
        "muss eines sein von {choices}; gefunden: {found}"
        "Did you mean \"{near}\"?"
        "War \"{near}\" gemeint?";
    /// None of a few words.
    NoChoice(choices: Vec<String>, found: Shown)
        "must be one of {choices}; found {found}"
        "muss eines sein von {choices}; gefunden: {found}"
        ""
        "";
    /// A variable that is none.
    Variable(wrong: VariableWrong)
        "{wrong}"
        "{wrong}"
        "Known variables: ${{PORT}}, ${{PLUGIN_DIR}}, ${{GUILDHALL}}, ${{env:NAME}}, ${{secret:NAME}}. Write $${{ for a plain ${{."
        "Bekannte Variablen: ${{PORT}}, ${{PLUGIN_DIR}}, ${{GUILDHALL}}, ${{env:NAME}}, ${{secret:NAME}}. Für ein bloßes ${{ steht $${{.";
    /// Its text is too long.
    TextLong(length: usize, most: usize)
        "has {length} bytes; {most} are the most"
        "hat {length} Bytes; höchstens {most} dürfen es sein"
        "Shorten it, or read it from a file."
        "Kürzen oder aus einer Datei lesen.";
    /// It has a NUL.
    Nul
        "has a NUL character, which no operating system passes on"
        "hat ein NUL-Zeichen, das kein Betriebssystem weitergibt"
        "Take the \\u0000 out."
        "Das \\u0000 herausnehmen.";
    /// It has too many entries.
    ManyEntries(count: usize, most: usize)
        "has {count} entries; {most} are the most"
        "hat {count} Einträge; höchstens {most} dürfen es sein"
        "Take out what is not needed."
        "Herausnehmen, was nicht gebraucht wird.";
    /// `transport` is missing.
    NoTransport
        "is missing; it must be \"http\" or \"stdio\""
        "fehlt; es muss \"http\" oder \"stdio\" sein"
        ""
        "";
    /// `name` is missing.
    NoName
        "is missing; it is the member's unique name"
        "fehlt; es ist der eindeutige Name des Mitglieds"
        ""
        "";
    /// `name` is no name.
    BadName(wrong: NameWrong)
        "is not usable: {wrong}"
        "ist nicht nutzbar: {wrong}"
        ""
        "";
    /// A header with a line end.
    HeaderLine
        "has a line end, which no header may have"
        "hat ein Zeilenende, was kein Header haben darf"
        ""
        "";
    /// A header with another name.
    HeaderName
        "is no name of an HTTP header"
        "ist kein Name eines HTTP-Headers"
        ""
        "";
    /// A variable without a name.
    VariableNameless
        "has a variable with an empty name"
        "hat eine Variable mit leerem Namen"
        ""
        "";
    /// A variable with a name that can't be.
    VariableEquals
        "has an '=' in its name, which no operating system allows"
        "hat ein '=' im Namen, was kein Betriebssystem zulässt"
        ""
        "";
    /// Two of what there is one of.
    Beside(other: &'static str)
        "stands beside `{other}`; a member has one or the other"
        "steht neben `{other}`; ein Mitglied hat das eine oder das andere"
        "Take one of them out."
        "Eines davon herausnehmen.";
    /// Nothing is run.
    NoCommand
        "is missing; it is the program that runs the server"
        "fehlt; es ist das Programm, das den Server ausführt"
        "Give a `command`, a `container`, or a `url` for a server that runs elsewhere."
        "Ein `command` angeben, einen `container` oder eine `url` für einen Server, der woanders läuft.";
    /// `command` is empty.
    EmptyCommand
        "must name a program; found an empty text"
        "muss ein Programm nennen; gefunden: ein leerer Text"
        ""
        "";
    /// A url over pipes.
    UrlOverStdio
        "needs the transport \"http\"; this member's is \"stdio\""
        "braucht den Transport \"http\"; der dieses Mitglieds ist \"stdio\""
        ""
        "";
    /// An address that is none.
    BadUrl(wrong: UrlWrong)
        "{wrong}"
        "{wrong}"
        ""
        "";
    /// A port that a url is not given.
    UrlWithPort
        "uses ${{PORT}}, which a member with a url is not given"
        "verwendet ${{PORT}}, was ein Mitglied mit einer url nicht bekommt"
        "Write the port of the server that runs elsewhere."
        "Den Port des Servers angeben, der woanders läuft.";
    /// `cwd` is empty.
    EmptyCwd
        "must name a folder; found an empty text"
        "muss einen Ordner nennen; gefunden: ein leerer Text"
        "Without the field, the member runs in its own folder."
        "Ohne das Feld läuft das Mitglied in seinem eigenen Ordner.";
    /// The server can't know its port.
    PortUnused
        "and `env` do not use ${{PORT}}; the server can't know the port it is given"
        "und `env` verwenden ${{PORT}} nicht; der Server kann den Port nicht kennen, den er bekommt"
        "Pass it, e.g. \"args\": [\"--port\", \"${{PORT}}\"]."
        "Ihn übergeben, z. B. \"args\": [\"--port\", \"${{PORT}}\"].";
    /// A secret where every user of the machine sees it.
    SecretInArgs(name: String)
        "has ${{secret:{name}}}, whose value every user of this machine can see while the server runs (`ps`)"
        "hat ${{secret:{name}}}, dessen Wert jeder Benutzer dieses Rechners sieht, solange der Server läuft (`ps`)"
        "Pass it in `env` if the server reads it from a variable."
        "In `env` übergeben, wenn der Server es aus einer Variablen liest.";
    /// A port where there is none.
    PortOverStdio
        "is \"stdio\", and ${{PORT}} is used, which has no value then"
        "ist \"stdio\", und ${{PORT}} wird verwendet, was dann keinen Wert hat"
        "Take ${{PORT}} out, or set the transport to \"http\"."
        "${{PORT}} herausnehmen oder den Transport auf \"http\" setzen.";
    /// It is the file of another program.
    ClientConfig
        "is of another program's configuration, not of a member's manifest"
        "gehört zur Konfiguration eines anderen Programms, nicht zum Manifest eines Mitglieds"
        "Import its servers: `guildhall add FILE` makes a member of each, as **Add server** in the window does."
        "Seine Server importieren: `guildhall add DATEI` macht aus jedem ein Mitglied, wie im Fenster das Hinzufügen eines Servers.";
    /// There are no requests over pipes.
    HeadersOverStdio
        "has no effect over stdio"
        "bewirkt über stdio nichts"
        "Take `headers` out, or set the transport to \"http\"."
        "`headers` herausnehmen oder den Transport auf \"http\" setzen.";
    /// It does nothing beside another.
    IdleBeside(beside: &'static str, field: String)
        "has no effect beside a `{beside}`"
        "bewirkt neben `{beside}` nichts"
        "Take `{field}` out."
        "`{field}` herausnehmen.";
    /// No tool can have that name.
    NoTool(wrong: NameWrong)
        "names no tool: {wrong}"
        "nennt kein Werkzeug: {wrong}"
        ""
        "";
    /// `origin.from` is missing.
    NoOrigin
        "is missing; it says where the member comes from"
        "fehlt; es sagt, woher das Mitglied kommt"
        "Give one word, e.g. \"registry\"."
        "Ein Wort angeben, z. B. \"registry\".";
    /// `dev` in a member from elsewhere.
    DevForeign
        "has no effect: the member comes from elsewhere, as `origin` says"
        "bewirkt nichts: Das Mitglied kommt von woanders, wie `origin` sagt"
        "Take `origin` out once the code is your own."
        "`origin` herausnehmen, sobald der Code der eigene ist.";
    /// `dev` in a member that runs elsewhere.
    DevElsewhere
        "restarts nothing: a member with a url runs elsewhere"
        "startet nichts neu: Ein Mitglied mit einer url läuft woanders"
        "Its tools are listed anew and its examples run."
        "Seine Werkzeuge werden neu gelesen, und seine Beispiele laufen.";
    /// `auth` beside a header that does the same.
    AuthBesideHeader
        "has no effect beside the header `Authorization`"
        "bewirkt neben dem Header `Authorization` nichts"
        "Take one of them out."
        "Eines davon herausnehmen.";
    /// `auth` without a server to sign in to.
    AuthWithoutUrl
        "has no effect without a `url`"
        "bewirkt ohne eine `url` nichts"
        "Take `auth` out."
        "`auth` herausnehmen.";
    /// A secret in the open.
    OpenSecret
        "must be a secret by its name; a manifest is no place for its value"
        "muss ein Geheimnis mit seinem Namen sein; ein Manifest ist kein Ort für den Wert"
        "Write ${{secret:NAME}}, and set it with `guildhall secret set NAME`."
        "${{secret:NAME}} schreiben und es mit `guildhall secret set NAME` setzen.";
    /// A secret without whose it is.
    NoClientId
        "needs a `client_id` beside it"
        "braucht eine `client_id` daneben"
        ""
        "";
    /// Too many scopes.
    ManyScopes(count: usize, most: usize)
        "has {count} scopes; {most} are the most"
        "hat {count} Scopes; höchstens {most} dürfen es sein"
        ""
        "";
    /// A scope that is none.
    BadScope
        "must be one scope, without spaces, quotes and backslashes"
        "muss ein Scope sein, ohne Leerzeichen, Anführungszeichen und Backslashes"
        ""
        "";
    /// `container.image` is missing.
    NoImage
        "is missing; it is the image that the server runs from"
        "fehlt; es ist das Abbild, aus dem der Server läuft"
        ""
        "";
    /// `container.port` is missing.
    NoContainerPort
        "is missing; it is where the server listens in the container"
        "fehlt; dort lauscht der Server im Container"
        "Guild Hall publishes it on 127.0.0.1, at a port of its own."
        "Guild Hall veröffentlicht ihn auf 127.0.0.1, an einem eigenen Port.";
    /// `container.port` without use.
    IdleContainerPort
        "has no effect: the transport is \"stdio\""
        "bewirkt nichts: Der Transport ist \"stdio\""
        "Take it out, or set the transport to \"http\"."
        "Es herausnehmen oder den Transport auf \"http\" setzen.";
    /// A secret in a command.
    SecretWord
        "has a secret, which would be a word of the engine's command"
        "hat ein Geheimnis, das ein Wort im Befehl der Engine wäre"
        "Pass it in `env`: the words of a command can be read by everybody on this machine."
        "Es in `env` übergeben: Die Wörter eines Befehls kann jeder auf diesem Rechner lesen.";
    /// The port outside.
    OuterPort
        "uses ${{PORT}}, which is the port outside the container"
        "verwendet ${{PORT}}, das ist der Port außerhalb des Containers"
        "Write the number that stands in `container.port`."
        "Die Zahl schreiben, die in `container.port` steht.";
    /// A secret in a variable of the engine.
    SecretForEngine
        "has a secret under a name that the container engine heeds itself, so that it would be a word of the engine's command"
        "hat ein Geheimnis unter einem Namen, den die Container-Engine selbst beachtet, sodass es ein Wort in ihrem Befehl wäre"
        "Give the server its secret under another name."
        "Dem Server sein Geheimnis unter einem anderen Namen geben.";
    /// Too many mounts.
    ManyMounts(most: usize)
        "must have at most {most} mounts"
        "darf höchstens {most} Mounts haben"
        ""
        "";
    /// `source` is missing.
    NoSource
        "is missing; it is a folder or file of this machine"
        "fehlt; es ist ein Ordner oder eine Datei dieses Rechners"
        ""
        "";
    /// It can't stand in a mount.
    BadMount
        "has a comma, a quotation mark or a line end, which no mount may have"
        "hat ein Komma, ein Anführungszeichen oder ein Zeilenende, was kein Mount haben darf"
        ""
        "";
    /// `source` is no whole path.
    SourcePath
        "must be a whole path, or one that begins with ${{PLUGIN_DIR}}"
        "muss ein ganzer Pfad sein oder einer, der mit ${{PLUGIN_DIR}} beginnt"
        "Volumes of the engine are not mounted: nothing would put them away."
        "Volumes der Engine werden nicht eingebunden: Niemand räumte sie weg.";
    /// `source` is too much.
    Dangerous(why: Danger)
        "is not given to a container: {why}"
        "bekommt kein Container: {why}"
        "Name the folder that the server needs; \"dangerous\": true beside it lifts this."
        "Den Ordner nennen, den der Server braucht; \"dangerous\": true daneben hebt das auf.";
    /// `target` is missing.
    NoTarget
        "is missing; it is where the source is in the container"
        "fehlt; dort ist die Quelle im Container"
        ""
        "";
    /// `target` is no whole path.
    TargetPath
        "must be a whole path in the container, and not its root"
        "muss ein ganzer Pfad im Container sein, und nicht dessen Wurzel"
        ""
        "";
    /// No network to listen on.
    NetworkNone
        "is \"none\", so that nothing could reach the server's port"
        "ist \"none\", sodass nichts den Port des Servers erreichen könnte"
        "Use \"bridge\"."
        "\"bridge\" verwenden.";
    /// The machine's own network.
    NetworkHost
        "must not be \"host\": the server would be on this machine's own network, with all that listens there"
        "darf nicht \"host\" sein: Der Server wäre im eigenen Netz dieses Rechners, mit allem, was dort lauscht"
        "Use \"bridge\", or a network that you made."
        "\"bridge\" verwenden oder ein selbst angelegtes Netz.";
    /// No name of a network.
    NetworkName
        "must be \"none\", \"bridge\" or the name of a network"
        "muss \"none\", \"bridge\" oder der Name eines Netzes sein"
        ""
        "";
    /// Too many patterns.
    ManyPatterns(count: usize, most: usize)
        "has {count} patterns; {most} are the most"
        "hat {count} Muster; höchstens {most} dürfen es sein"
        ""
        "";
    /// A pattern that is none.
    BadPattern(wrong: GlobWrong)
        "{wrong}"
        "{wrong}"
        "Patterns go from the member's folder, e.g. \"src/**/*.py\"."
        "Muster gehen vom Ordner des Mitglieds aus, z. B. \"src/**/*.py\".";
    /// A build of too many words.
    BuildLong(count: usize, most: usize)
        "has {count} words; {most} are the most"
        "hat {count} Wörter; höchstens {most} dürfen es sein"
        "Give the program and its arguments, e.g. [\"npm\", \"run\", \"build\"]."
        "Das Programm und seine Argumente angeben, z. B. [\"npm\", \"run\", \"build\"].";
    /// A build of nothing.
    BuildEmpty
        "has no program"
        "hat kein Programm"
        "Give the program and its arguments, e.g. [\"npm\", \"run\", \"build\"]."
        "Das Programm und seine Argumente angeben, z. B. [\"npm\", \"run\", \"build\"].";
    /// A build without its program.
    BuildNameless
        "must begin with a program"
        "muss mit einem Programm beginnen"
        "Give the program and its arguments, e.g. [\"npm\", \"run\", \"build\"]."
        "Das Programm und seine Argumente angeben, z. B. [\"npm\", \"run\", \"build\"].";
    /// A build with the server's port.
    BuildPort
        "uses ${{PORT}}, which only the server is given"
        "verwendet ${{PORT}}, was nur der Server bekommt"
        "Take ${{PORT}} out."
        "${{PORT}} herausnehmen.";
    /// Too many examples.
    ManyExamples(count: usize, most: usize)
        "has {count} examples; {most} are the most"
        "hat {count} Beispiele; höchstens {most} dürfen es sein"
        ""
        "";
    /// Two examples of a name.
    SameExample
        "has a name that another example has"
        "hat einen Namen, den ein anderes Beispiel hat"
        "Give each a name of its own."
        "Jedem einen eigenen Namen geben.";
    /// An example without a name.
    NoExampleName
        "is missing; it is what it is called"
        "fehlt; so heißt das Beispiel"
        ""
        "";
    /// An example without a tool.
    NoExampleTool
        "is missing; it is the tool that is called"
        "fehlt; es ist das Werkzeug, das aufgerufen wird"
        ""
        "";
    /// A name without characters.
    EmptyName
        "must not be empty"
        "darf nicht leer sein"
        ""
        "";
    /// A name that is too long.
    LongName(length: usize, most: usize)
        "has {length} characters; {most} are the most"
        "hat {length} Zeichen; höchstens {most} dürfen es sein"
        ""
        "";
    /// A name with a control character.
    ControlName
        "has a control character"
        "hat ein Steuerzeichen"
        ""
        "";
    /// Arguments that would change.
    BadArguments(why: ArgumentsWrong)
        "can't be sent as they are: {why}"
        "lassen sich so nicht senden: {why}"
        ""
        "";
}
