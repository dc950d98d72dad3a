//! What is wrong with a text or a command that should have servers.

use super::{Each, JsonFound, JsonPart, Ungrouped, notes};

notes! {
    /// What is wrong with a text, and where: a part of a sentence.
    MisreadAt;
    /// With all of it.
    Whole(wrong: MisreadWrong)
        "{wrong}"
        "{wrong}";
    /// On a line.
    Line(line: Ungrouped<usize>, wrong: MisreadWrong)
        "line {line}: {wrong}"
        "Zeile {line}: {wrong}";
    /// At a character of a line.
    Column(line: Ungrouped<usize>, column: Ungrouped<usize>, wrong: MisreadWrong)
        "line {line}, column {column}: {wrong}"
        "Zeile {line}, Spalte {column}: {wrong}";
}

notes! {
    /// What is wrong with a text: a part of a sentence.
    MisreadWrong;
    /// Something else was expected.
    Expected(expected: JsonPart, found: JsonFound)
        "expected {expected}, found {found}"
        "erwartet: {expected}; gefunden: {found}";
    /// A comment without its end.
    OpenComment
        "a comment that is never closed"
        "ein Kommentar, der nie beendet wird";
    /// An object or a list without its end.
    Open(close: String)
        "what begins here is never closed by '{close}'"
        "was hier beginnt, wird nie mit '{close}' geschlossen";
    /// A text without its end.
    OpenText(quote: String)
        "a text that is not closed by {quote} on its line"
        "ein Text, der auf seiner Zeile nicht mit {quote} beendet wird";
    /// A backslash alone.
    Backslash
        "a text with a backslash that means nothing"
        "ein Text mit einem Backslash, der nichts bedeutet";
    /// Nested too deep.
    TooDeep(most: usize)
        "nested more than {most} levels deep"
        "tiefer als {most} Ebenen verschachtelt";
    /// Too much of it.
    ManyValues(most: usize)
        "it has more than {most} values"
        "es sind mehr als {most} Werte";
    /// Whoever reads TOML or YAML says so.
    Unread(error: String)
        "{error}"
        "{error}";
    /// Something is missing at its end.
    EndsEarly
        "it ends too early"
        "der Text endet zu früh";
    /// Nothing stands where a value should.
    NoValue
        "a value is missing"
        "ein Wert fehlt";
    /// A list or an object as a key.
    OddKey
        "a key that is no text"
        "ein Schlüssel, der kein Text ist";
    /// It would be within itself.
    OwnAlias
        "an alias of what it stands in"
        "ein Alias für das, worin er selbst steht";
    /// Nothing but white space.
    Empty
        "nothing stands in it"
        "darin steht nichts";
    /// It is too long.
    TooLong(mebibytes: usize)
        "it is longer than {mebibytes} MiB"
        "es sind mehr als {mebibytes} MiB";
    /// Nothing in it is a server.
    NoServer
        "no server stands in it"
        "darin steht kein Server";
    /// It is something else.
    NoList
        "no list of servers stands in it"
        "darin steht keine Liste von Servern";
    /// A list without a server.
    EmptyList
        "its list of servers is empty"
        "die Liste der Server ist leer";
    /// A line that is somebody's sentence.
    Neither
        "it is neither a list of servers, nor a command, nor an address"
        "es ist weder eine Liste von Servern noch ein Befehl noch eine Adresse";
    /// Comments alone.
    NoCommand
        "no command stands in it"
        "darin steht kein Befehl";
    /// Variables alone.
    NoProgram
        "no program is named"
        "es ist kein Programm genannt";
    /// A command that comes before the one that starts a server.
    Prepares(said: String)
        "`{said}` prepares something and starts no server"
        "`{said}` bereitet etwas vor und startet keinen Server";
    /// A command that takes JSON ends before it.
    NoJson
        "the server's JSON is missing"
        "das JSON des Servers fehlt";
    /// What is wrong stands in a word of a command.
    InJson(wrong: Each)
        "in its JSON, {wrong}"
        "im JSON des Servers, {wrong}";
    /// An install link carries something else.
    LinkWithoutServer
        "the install link has no server"
        "der Installationslink enthält keinen Server";
    /// An install link is cut or changed.
    NoBase64
        "the install link has a `config` that is not base64 of JSON"
        "der Installationslink hat ein `config`, das kein JSON in Base64 ist";
    /// An install link is too long.
    LinkTooLong(kibibytes: usize)
        "the install link is longer than {kibibytes} KiB"
        "der Installationslink ist länger als {kibibytes} KiB";
    /// What an install link carries can't be read.
    InLink(wrong: Each)
        "in the install link, {wrong}"
        "im Installationslink: {wrong}";
    /// The JSON of a command says nothing of what is run.
    JsonNeither
        "its JSON has neither a `command` nor a `url`"
        "das JSON des Servers hat weder `command` noch `url`";
    /// A command that adds a server ends before its name.
    AddsNoName
        "`mcp add` without a name"
        "`mcp add` ohne Namen";
    /// A command that adds a server ends before what is run.
    AddsNothing
        "`mcp add` without a command or an address"
        "`mcp add` ohne Befehl oder Adresse";
    /// A sign that joins commands, or leads to files.
    Script(sign: String)
        "{sign} makes a script of it"
        "{sign} macht ein Skript daraus";
    /// Too many words.
    ManyWords(most: usize)
        "it has more than {most} words"
        "es sind mehr als {most} Wörter";
    /// A quote without its end.
    OpenQuote
        "a quote that is never closed"
        "ein Anführungszeichen, das nie geschlossen wird";
    /// Something would be run to get a word.
    FilledIn
        "a command within the command, which only a shell can fill in"
        "ein Befehl im Befehl, den nur eine Shell ausfüllen kann";
}

notes! {
    /// What to do about it.
    MisreadAdvice;
    /// Something comes after what is whole.
    AfterEnd
        "Take away what stands after the last brace, or put what belongs to it before it."
        "Was nach der letzten Klammer steht, entfernen oder, wenn es dazugehört, davor setzen.";
    /// A comment without its end.
    CloseComment
        "Close it by `*/`."
        "Den Kommentar mit `*/` beenden.";
    /// There is too much of it.
    ListAlone
        "Bring in the list of servers alone."
        "Nur die Liste der Server einfügen.";
    /// Something else comes after a key.
    Colon
        "After a key comes a colon and its value."
        "Nach einem Schlüssel kommen ein Doppelpunkt und der Wert.";
    /// It was cut off.
    CopyAll
        "Something at the end is missing: copy all of it."
        "Am Ende fehlt etwas: alles kopieren.";
    /// Two values without anything between them.
    Comma
        "Put a comma between what stands side by side."
        "Ein Komma zwischen das setzen, was nebeneinander steht.";
    /// A key that is none.
    QuoteKey
        "A key stands in double quotes."
        "Ein Schlüssel steht in doppelten Anführungszeichen.";
    /// A text without its end.
    CloseText
        "Close it; a line's end within a text is written \\n."
        "Den Text beenden; ein Zeilenende in einem Text wird als \\n geschrieben.";
    /// A backslash alone.
    TwoBackslashes
        "A backslash is written twice there: C:\\\\folder."
        "Ein Backslash wird dort doppelt geschrieben: C:\\\\Ordner.";
    /// An example leaves something out.
    Dots
        "Three dots stand for something left out: put it there, or take them away."
        "Drei Punkte stehen für etwas Ausgelassenes: es dort einsetzen oder die Punkte entfernen.";
    /// A text that is no word of JSON.
    QuoteText
        "A text stands in double quotes."
        "Ein Text steht in doppelten Anführungszeichen.";
    /// TOML.
    Mend
        "Mend the text there."
        "Den Text dort berichtigen.";
    /// YAML.
    MendYaml
        "Mend the text there: in YAML, what belongs together is indented alike by spaces."
        "Den Text dort berichtigen: In YAML ist mit Leerzeichen gleich weit eingerückt, was zusammengehört.";
    /// No server is in it.
    WhatToBring
        "Bring what the server's page shows: JSON with `mcpServers`, TOML, YAML, a command that starts it, or its address."
        "Einfügen, was die Seite des Servers zeigt: JSON mit `mcpServers`, TOML, YAML, einen Befehl, der den Server startet, oder die Adresse.";
    /// No command is in it.
    BringCommand
        "Bring in the command that starts the server, e.g. `npx -y @scope/server`."
        "Den Befehl einfügen, der den Server startet, z. B. `npx -y @scope/server`.";
    /// The command comes before the one that starts a server.
    RunFirst
        "Run it in a terminal, and bring in the command that starts the server."
        "Diesen Befehl in einem Terminal ausführen und dann den einfügen, der den Server startet.";
    /// A command was cut off.
    CopyCommand
        "Copy all of the command."
        "Den ganzen Befehl kopieren.";
    /// A link was cut off.
    CopyLink
        "Copy the whole link from the server's page, or bring in what the page shows for a file."
        "Den ganzen Link von der Seite des Servers kopieren oder einfügen, was sie für eine Datei zeigt.";
    /// A shell would have to read it.
    CommandAlone
        "Bring in the command that starts the server alone, or adopt it as `sh -c '…'`."
        "Nur den Befehl einfügen, der den Server startet, oder ihn als `sh -c '…'` übernehmen.";
    /// An apostrophe, perhaps.
    CloseSingle
        "Close the quote; within a word, an apostrophe is written \\'."
        "Das Anführungszeichen schließen; in einem Wort wird ein Apostroph als \\' geschrieben.";
    /// A quote without its end.
    CloseQuote
        "Close the quote."
        "Das Anführungszeichen schließen.";
}
