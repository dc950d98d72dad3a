//! What goes wrong between Guild Hall and a server.

use std::time::Duration;

use super::{Each, EndlessWrong, LargePart, notes, troubles};

troubles! {
    /// Why there is no connection, no list or no answer.
    ConnectionTrouble;
    /// No connection, or it broke.
    Connect(reason: String)
        "The connection failed: {reason}."
        "Keine Verbindung: {reason}."
        "Check that the server listens on 127.0.0.1 and on the port it was given."
        "Prüfen, ob der Server auf 127.0.0.1 und auf dem zugeteilten Port lauscht.";
    /// The opening was answered with an error.
    Handshake(cause: Each, hint: Each)
        "The handshake failed. {cause}"
        "Der Handshake schlug fehl. {cause}"
        "{hint}"
        "{hint}";
    /// No version is spoken by both.
    Version(spoken: Vec<String>)
        "The server speaks no protocol version that was offered; it speaks: {spoken}."
        "Der Server spricht keine der angebotenen Protokollversionen; er spricht: {spoken}."
        "Update the server, or remove `protocol_version` from the manifest."
        "Den Server aktualisieren oder `protocol_version` aus dem Manifest nehmen.";
    /// The opening took too long.
    HandshakeTimeout(limit: Duration)
        "The handshake was not done within {limit} s."
        "Der Handshake wurde nicht innerhalb von {limit} s fertig."
        "Look at the server's output; a server that is slow at first needs a longer handshake limit."
        "Die Ausgabe des Servers ansehen; ein am Anfang langsamer Server braucht eine längere Frist für den Handshake.";
    /// A status that is no answer.
    HttpStatus(status: u16, excerpt: Tail, next: StatusAdvice)
        "The server answered with HTTP {status}{excerpt}"
        "Der Server antwortete mit HTTP {status}{excerpt}"
        "{next}"
        "{next}";
    /// It speaks only the transport of 2024-11-05.
    OldTransport
        "The server speaks only HTTP+SSE, the transport of 2024-11-05, and not Streamable HTTP."
        "Der Server spricht nur HTTP+SSE, den Transport von 2024-11-05, und kein Streamable HTTP."
        "Have the server serve Streamable HTTP, by its own option or a newer version. Or bridge it: a member with the transport `stdio`, the command `npx` and the args `[\"mcp-remote\", \"ADDRESS\", \"--transport\", \"sse-only\"]`."
        "Den Server mit seiner eigenen Option oder einer neueren Version Streamable HTTP sprechen lassen. Oder ihn überbrücken: ein Mitglied mit dem Transport `stdio`, dem Befehl `npx` und den args `[\"mcp-remote\", \"ADRESSE\", \"--transport\", \"sse-only\"]`.";
    /// Something else than the protocol.
    Malformed(what: Each, excerpt: Tail)
        "The answer is no valid MCP: {what}{excerpt}"
        "Die Antwort ist kein gültiges MCP: {what}{excerpt}"
        "Check that the command starts an MCP server, and that the transport and the path are right."
        "Prüfen, ob der Befehl einen MCP-Server startet und ob Transport und Pfad stimmen.";
    /// More than is read.
    TooLarge(what: LargePart, limit_mib: usize)
        "{what} is larger than {limit_mib} MiB and was not read."
        "{what} hat mehr als {limit_mib} MiB; das wurde nicht gelesen."
        "Ask the tool for less, for example for a smaller page."
        "Vom Werkzeug weniger verlangen, etwa eine kleinere Seite.";
    /// Somebody has to sign in.
    SignIn
        "The server wants somebody to sign in."
        "Der Server will, dass sich jemand anmeldet."
        "Sign in on the member's page, or with `guildhall sign-in` and the member's name."
        "Auf der Seite des Mitglieds anmelden oder mit `guildhall sign-in` und dem Namen des Mitglieds.";
    /// More has to be granted.
    GrantMore
        "The server wants to have been granted more."
        "Der Server verlangt mehr Rechte."
        "Sign in on the member's page, or with `guildhall sign-in` and the member's name."
        "Auf der Seite des Mitglieds anmelden oder mit `guildhall sign-in` und dem Namen des Mitglieds.";
    /// This has to be granted.
    GrantThese(scopes: String)
        "The server wants to have been granted more: {scopes}."
        "Der Server verlangt mehr Rechte: {scopes}."
        "Sign in on the member's page, or with `guildhall sign-in` and the member's name."
        "Auf der Seite des Mitglieds anmelden oder mit `guildhall sign-in` und dem Namen des Mitglieds.";
    /// There was no new token this time.
    Unrenewed(reason: String)
        "The token that the server wants was not renewed: {reason}."
        "Das Token, das der Server verlangt, ließ sich nicht erneuern: {reason}."
        "Try again in a moment. If it stays so, sign in again on the member's page, or with `guildhall sign-in` and the member's name."
        "Es gleich noch einmal versuchen. Bleibt es dabei, auf der Seite des Mitglieds neu anmelden oder mit `guildhall sign-in` und dem Namen des Mitglieds.";
    /// An error of the protocol.
    Rpc(code: i64, message: String)
        "The server answered with error {code}: {message}"
        "Der Server antwortete mit Fehler {code}: {message}"
        ""
        "";
    /// A list has no end.
    ListEndless(list: ListName, reason: EndlessWrong)
        "The {list} does not end: {reason}."
        "{list} endet nicht: {reason}."
        "The server's paging is broken; report it to its author."
        "Das Blättern des Servers ist kaputt; es seinem Autor melden.";
    /// A list took too long.
    ListTimeout(list: ListName, limit: Duration)
        "The {list} was not read within {limit} s."
        "{list} wurde nicht innerhalb von {limit} s gelesen."
        "Look at the server's output, then refresh the list."
        "Die Ausgabe des Servers ansehen, dann die Liste neu lesen.";
    /// A call took too long.
    CallTimeout(limit: Duration)
        "No answer within {limit} s; the call was cancelled."
        "Keine Antwort innerhalb von {limit} s; der Aufruf wurde abgebrochen."
        "Try again with a longer time limit."
        "Es mit einer längeren Frist noch einmal versuchen.";
    /// Somebody cancelled.
    Cancelled
        "The call was cancelled."
        "Der Aufruf wurde abgebrochen."
        ""
        "";
    /// The connection ended.
    Closed(reason: Tail)
        "The connection ended before the answer came{reason}"
        "Die Verbindung endete, bevor die Antwort kam{reason}"
        "Look at the server's output. The call is not repeated, because it may have taken effect."
        "Die Ausgabe des Servers ansehen. Der Aufruf wird nicht wiederholt, denn er kann gewirkt haben.";
}

notes! {
    /// A server's own words, as the end of a sentence.
    Tail;
    /// None.
    Nothing
        "."
        ".";
    /// Their beginning.
    Excerpt(said: String)
        ": {said}"
        ": {said}";
}

notes! {
    /// What is listed.
    ListName;
    /// Tools.
    Tools
        "tool list"
        "Die Liste der Werkzeuge";
    /// Resources.
    Resources
        "list of resources"
        "Die Liste der Ressourcen";
    /// Templates of resources.
    Templates
        "list of resource templates"
        "Die Liste der Ressourcenvorlagen";
    /// Prompts.
    Prompts
        "list of prompts"
        "Die Liste der Prompts";
}

notes! {
    /// What to do about a status.
    StatusAdvice;
    /// 401 or 403.
    Authorize
        "The server wants authorization: put the header that it expects into \"headers\" in plugin.json, and its key into a secret, as in \"Authorization\": \"Bearer ${{secret:NAME}}\"."
        "Der Server verlangt eine Berechtigung: den erwarteten Header in plugin.json in \"headers\" schreiben und seinen Schlüssel in ein Geheimnis, etwa \"Authorization\": \"Bearer ${{secret:NAME}}\".";
    /// 404 or 405.
    CheckPath
        "The server may have its MCP endpoint at another path: check the path in the manifest."
        "Der Server hat seinen MCP-Endpunkt vielleicht unter einem anderen Pfad: den Pfad im Manifest prüfen.";
    /// 300 to 399.
    FinalAddress
        "Redirects are not followed: put the final address into the manifest."
        "Weiterleitungen wird nicht gefolgt: die endgültige Adresse ins Manifest schreiben.";
    /// 300 to 399, with an address.
    LeadsTo(address: String)
        "Redirects are not followed: the server leads to {address}. If you trust that address, put it into \"url\"."
        "Weiterleitungen wird nicht gefolgt: Der Server leitet nach {address}. Wer dieser Adresse vertraut, setzt sie als \"url\" ein.";
    /// 403 that names the host.
    HostCheck
        "The server checks the Host header and refuses this one: allow it in the server's own options (often `--allowed-hosts`), or reach the server by the host that it names."
        "Der Server prüft den Host-Header und lehnt diesen ab: ihn in den Optionen des Servers erlauben (oft `--allowed-hosts`) oder den Server unter dem Host erreichen, den er nennt.";
    /// 421.
    OtherHost
        "The server refuses the host name: try `localhost` instead of `127.0.0.1`, or the reverse."
        "Der Server lehnt den Hostnamen ab: `localhost` statt `127.0.0.1` versuchen oder umgekehrt.";
    /// Any other.
    LookAtOutput
        "Look at the server's output."
        "Die Ausgabe des Servers ansehen.";
}

troubles! {
    /// Why nobody is signed in.
    SignInTrouble;
    /// It is not known where.
    Undiscovered(why: String)
        "Where to sign in can't be found out: {why}."
        "Wo die Anmeldung ist, lässt sich nicht herausfinden: {why}."
        "Check the \"url\" in plugin.json. A server that wants a fixed key gets it in \"headers\"."
        "Die \"url\" in plugin.json prüfen. Ein Server, der einen festen Schlüssel will, bekommt ihn in \"headers\".";
    /// It would not be safe.
    Unsafe(why: String)
        "The authorization server is not used: {why}."
        "Der Autorisierungsserver wird nicht verwendet: {why}."
        "Tell whoever runs the server; nothing was sent."
        "Dem Betreiber des Servers Bescheid geben; gesendet wurde nichts.";
    /// A client's secret was shown to another one before.
    Rebound(first: String, now: String)
        "The client_secret was given to {first}, and the server names {now} now; it was not sent there."
        "Das client_secret bekam {first}, und der Server nennt jetzt {now}; dorthin wurde es nicht gesendet."
        "Ask whoever runs the server. If that is right, `guildhall sign-out MEMBER` forgets the first one; then sign in again."
        "Den Betreiber des Servers fragen. Stimmt das, vergisst `guildhall sign-out MEMBER` den ersten; danach noch einmal anmelden.";
    /// No client is taken on.
    Unregistered(why: String)
        "The authorization server takes no new client: {why}."
        "Der Autorisierungsserver nimmt keinen neuen Client auf: {why}."
        "Have a client registered there, and put it into plugin.json: \"auth\": {{\"client_id\": …}}."
        "Dort einen Client registrieren lassen und ihn in plugin.json schreiben: \"auth\": {{\"client_id\": …}}.";
    /// The browser can't come back.
    Deaf(why: String)
        "The answer of the browser can't be listened for: {why}."
        "Auf die Antwort des Browsers lässt sich nicht lauschen: {why}."
        "Take \"redirect_port\" out of \"auth\", or name a free port."
        "\"redirect_port\" aus \"auth\" nehmen oder einen freien Port nennen.";
    /// Somebody said no.
    Refused(why: String)
        "The authorization server refused: {why}."
        "Der Autorisierungsserver lehnte ab: {why}."
        "Sign in again, and agree in the browser."
        "Sich noch einmal anmelden und im Browser zustimmen.";
    /// What came back is of something else.
    Answer(why: String)
        "The answer of the browser can't be used: {why}."
        "Die Antwort des Browsers ist nicht nutzbar: {why}."
        "Sign in again."
        "Sich noch einmal anmelden.";
    /// No token was given.
    Untokened(why: String)
        "There is no token: {why}."
        "Es gibt kein Token: {why}."
        "Sign in again."
        "Sich noch einmal anmelden.";
    /// Nobody came back.
    TooLong(minutes: u64)
        "Nobody signed in within {minutes} minutes."
        "Niemand hat sich innerhalb von {minutes} Minuten angemeldet."
        "Sign in again, and agree in the browser."
        "Sich noch einmal anmelden und im Browser zustimmen.";
}
