//! Why a member does not come up, or what is odd about one that did.

use std::time::Duration;

use super::{Each, Ending, Told, Ungrouped, notes, troubles};
use crate::holder::{Holder, Origin};
use crate::id::MemberName;
use crate::ladder::FoundBy;
use crate::language::Language;

impl Told for Holder {
    fn told(&self, language: Language) -> String {
        if language == Language::En {
            return self.to_string();
        }
        let user = format!("Benutzer {}", self.user);
        let named = match (&self.program, self.pid) {
            (Some(program), Some(pid)) => format!("{program} (Prozess {pid}, {user})"),
            (None, Some(pid)) => format!("Prozess {pid} ({user})"),
            (_, None) => format!("ein Prozess, der nicht zu sehen ist ({user})"),
        };
        let from = match self.origin {
            Origin::Foreign => "",
            Origin::GuildHall => ", Guild Hall selbst",
            Origin::OtherMember => ", der zu einem anderen Mitglied gehört",
            Origin::EarlierRun => {
                ", gestartet von einem früheren Lauf von Guild Hall oder von einer anderen, die läuft"
            }
        };
        named + from
    }
}

#[cfg(test)]
impl super::Example for Holder {
    fn example() -> Self {
        Self {
            pid: Some(7),
            program: None,
            user: "X".to_owned(),
            origin: Origin::OtherMember,
        }
    }
}

notes! {
    /// What can be done about a process that holds a port.
    HeldAdvice;
    /// It is Guild Hall itself.
    MoveGateway
        "Give the gateway a port outside of 20000 to 30000."
        "Dem Gateway einen Port außerhalb von 20000 bis 30000 geben.";
    /// It is another member.
    TakeItsPort
        "Have that member listen on ${{PORT}} instead of a number of its own."
        "Dieses Mitglied auf ${{PORT}} lauschen lassen statt auf einer eigenen Nummer.";
    /// It was left.
    EndWhatWasLeft(pid: u32)
        "Unless another Guild Hall runs, nobody needs it any more: end it, with `kill {pid}`."
        "Läuft keine andere Guild Hall, braucht ihn niemand mehr: ihn mit `kill {pid}` beenden.";
    /// It can be ended.
    EndIt(pid: u32)
        "End it (`kill {pid}`) if it should not be there, and start the member again."
        "Ihn beenden (`kill {pid}`), wenn er nicht da sein soll, und das Mitglied neu starten.";
    /// Its user can end it.
    AskItsUser
        "Ask that user to end it, or start the member again."
        "Diesen Benutzer bitten, ihn zu beenden, oder das Mitglied neu starten.";
    /// It is not known.
    FindIt
        "Find out which program takes ports between 20000 and 30000, then start the member again."
        "Herausfinden, welches Programm Ports zwischen 20000 und 30000 nimmt, dann das Mitglied neu starten.";
}

notes! {
    /// What a process wrote last, behind what happened to it.
    LastWords;
    /// Nothing.
    Nothing
        ". It wrote nothing to stderr."
        ". Auf stderr steht nichts.";
    /// These lines, each behind a line's end.
    Lines(lines: String)
        ". Its last words:{lines}"
        ". Die letzten Worte:{lines}";
    /// Nothing, and this on stdout.
    Stdout(line: String)
        ". It wrote nothing to stderr, and to stdout, where only MCP messages belong: {line}"
        ". Auf stderr steht nichts, und auf stdout, wo nur MCP-Nachrichten hingehören: {line}";
    /// This on stdout, and these lines.
    StdoutAndLines(line: String, lines: String)
        ". To stdout, where only MCP messages belong, it wrote: {line}. Its last words:{lines}"
        ". Auf stdout, wo nur MCP-Nachrichten hingehören, steht: {line}. Die letzten Worte:{lines}";
    /// It has no process here.
    None
        ""
        "";
}

troubles! {
    /// Why a member is not up, or is not any more.
    StartTrouble;
    /// Its port stayed closed.
    NeverListened(port: u16, limit: Duration, circumstances: Each, words: LastWords, next: NotListening)
        "The member did not open port {port} within {limit} s{circumstances}{words}"
        "Das Mitglied öffnete Port {port} nicht innerhalb von {limit} s{circumstances}{words}"
        "{next}"
        "{next}";
    /// It listens on another port.
    ListensElsewhere(port: u16, others: String, limit: Duration)
        "The member listens on port {others} and did not open port {port}, which it was given, within {limit} s."
        "Das Mitglied lauscht auf Port {others} und öffnete Port {port}, der ihm zugeteilt ist, nicht innerhalb von {limit} s."
        "Give the server its port: put ${{PORT}} into \"args\" or \"env\" in plugin.json, where it takes its port from."
        "Dem Server seinen Port geben: ${{PORT}} in plugin.json in \"args\" oder \"env\" setzen, wo er seinen Port hernimmt.";
    /// It took too long.
    NotFinished(limit: Duration, circumstances: Each, words: LastWords)
        "The member did not finish its start within {limit} s{circumstances}{words}"
        "Das Mitglied wurde nicht innerhalb von {limit} s mit dem Start fertig{circumstances}{words}"
        "Check that the command starts an MCP server; a slow first start wants a larger \"timeouts\": {{\"start_ms\": …}} in plugin.json."
        "Prüfen, ob der Befehl einen MCP-Server startet; ein langsamer erster Start braucht ein größeres \"timeouts\": {{\"start_ms\": …}} in plugin.json.";
    /// Its port is open, and its handshake took too long.
    NotOpened(limit: Duration, circumstances: Each, words: LastWords)
        "The handshake was not done within {limit} s{circumstances}{words}"
        "Der Handshake wurde nicht innerhalb von {limit} s fertig{circumstances}{words}"
        "Look at the server's output; a server that is slow at first needs a larger \"timeouts\": {{\"handshake_ms\": …}} in plugin.json."
        "Die Ausgabe des Servers ansehen; ein am Anfang langsamer Server braucht ein größeres \"timeouts\": {{\"handshake_ms\": …}} in plugin.json.";
    /// There is no connection to it.
    NotConnected(what: Each, words: LastWords, next: AfterConnecting)
        "{what}{words}"
        "{what}{words}"
        "{next}"
        "{next}";
    /// Its address is the gateway's, which would call itself.
    OwnGateway(url: String)
        "The \"url\" {url} is this Guild Hall's own gateway."
        "Die \"url\" {url} ist das eigene Gateway dieser Guild Hall."
        "Give the address of the server itself, or remove this member: the gateway serves all other members already."
        "Die Adresse des Servers selbst angeben oder dieses Mitglied entfernen: Das Gateway bietet alle anderen Mitglieder schon an.";
    /// Its process ended.
    Exited(ending: Ending, words: LastWords, next: AfterExit)
        "The process ended by itself: {ending}{words}"
        "Der Prozess endete von selbst: {ending}{words}"
        "{next}"
        "{next}";
    /// It ended too often.
    CrashLoop(last: Each, next: AfterCrashes)
        "The member ended by itself again and again. Last: {last}"
        "Das Mitglied endete immer wieder von selbst. Zuletzt: {last}"
        "{next}"
        "{next}";
    /// Its connection broke.
    Broken
        "The connection to the member broke, and its process did not end."
        "Die Verbindung zum Mitglied riss ab, und sein Prozess endete nicht."
        "Restart the member; its stderr may say why."
        "Das Mitglied neu starten; sein stderr sagt vielleicht, warum.";
    /// It was stopped.
    Stopped
        "The member was stopped."
        "Das Mitglied wurde angehalten."
        "Start it again."
        "Es wieder starten.";
    /// It leaves.
    Leaving
        "The member is leaving the roster."
        "Das Mitglied verlässt gerade die Liste."
        ""
        "";
    /// It is gone.
    Gone
        "The member has left the roster."
        "Das Mitglied steht nicht mehr in der Liste."
        ""
        "";
    /// It is switched off.
    SwitchedOff
        "The member is switched off."
        "Das Mitglied ist abgeschaltet."
        "Set \"enabled\": true in its plugin.json."
        "In seiner plugin.json \"enabled\": true setzen.";
    /// It is installed still.
    Installing
        "The member is still being installed; its start goes on."
        "Das Mitglied wird noch installiert; sein Start geht weiter."
        "Repeat the call once the member is ready; its page shows how far it is, and stops it."
        "Den Aufruf wiederholen, sobald das Mitglied bereit ist; seine Seite zeigt, wie weit es ist, und hält es an.";
    /// It starts still.
    StillStarting
        "The member is still starting, past its start limit; its start goes on."
        "Das Mitglied startet noch, länger als seine Startfrist; sein Start geht weiter."
        "Repeat the call once the member is ready; its page shows how far it is, and stops it."
        "Den Aufruf wiederholen, sobald das Mitglied bereit ist; seine Seite zeigt, wie weit es ist, und hält es an.";
    /// It has too many calls.
    ManyCalls(most: usize)
        "The member has {most} calls running or too many waiting."
        "Das Mitglied hat {most} laufende Aufrufe oder zu viele wartende."
        "Wait until some have ended, or cancel them."
        "Warten, bis einige geendet haben, oder sie abbrechen.";
    /// It runs something else than was accepted.
    Changed(member: MemberName)
        "What the member runs is not what was accepted."
        "Was das Mitglied ausführt, ist nicht das, was angenommen wurde."
        "Look at what it runs, on its page or with `guildhall review {member}`, and accept it."
        "Ansehen, was es ausführt, auf seiner Seite oder mit `guildhall review {member}`, und es annehmen.";
    /// Nobody has accepted what it runs.
    Unreviewed(from: Source, member: MemberName)
        "The member comes from {from}, and nobody has accepted what it runs."
        "Das Mitglied kommt von {from}, und niemand hat angenommen, was es ausführt."
        "Look at what it runs, on its page or with `guildhall review {member}`, and accept it."
        "Ansehen, was es ausführt, auf seiner Seite oder mit `guildhall review {member}`, und es annehmen.";
    /// Nobody has accepted where it is.
    UnseenReach
        "Nobody has accepted what the member reaches."
        "Niemand hat angenommen, was das Mitglied erreicht."
        "Look at it on its page or with `guildhall review`, and accept it first."
        "Es auf seiner Seite oder mit `guildhall review` ansehen und erst annehmen.";
    /// Its port went to others.
    PortLost(times: usize, ports: String, who: Who, next: HeldAdvice)
        "Another program took the port {times} times before the member could listen on it ({ports}).{who}"
        "Ein anderes Programm nahm den Port {times} Mal, bevor das Mitglied darauf lauschen konnte ({ports}).{who}"
        "{next}"
        "{next}";
    /// It got another port.
    Moved(from: u16, to: u16, holder: Holder, next: HeldAdvice)
        "Port {from} is held by {holder}, so the member was given {to}."
        "Port {from} ist belegt: {holder}. Das Mitglied bekam deshalb {to}."
        "{next}"
        "{next}";
    /// Its port is another's.
    Usurped(port: u16, holder: Holder, next: HeldAdvice)
        "Port {port} is not the member's any more: {holder} answers there. Nothing more is sent to it."
        "Port {port} gehört dem Mitglied nicht mehr: Dort antwortet {holder}. Es wird nichts mehr dorthin gesendet."
        "{next}"
        "{next}";
    /// It refuses each opening.
    NoEra
        "The server refuses each way of opening a connection that Guild Hall knows."
        "Der Server lehnt jede Art ab, eine Verbindung zu öffnen, die Guild Hall kennt."
        "Pin the version that it speaks with \"protocol_version\" in plugin.json."
        "Die Version, die er spricht, mit \"protocol_version\" in plugin.json festlegen.";
    /// It has no pipes.
    NoPipes
        "The process was started without pipes."
        "Der Prozess wurde ohne Pipes gestartet."
        ""
        "";
    /// It has no process.
    NoProcess
        "A member with a url has no process to be started."
        "Ein Mitglied mit einer url hat keinen Prozess, der zu starten wäre."
        ""
        "";
    /// The work was given up.
    BrokenOffBy(error: String)
        "The start was broken off: {error}."
        "Der Start wurde abgebrochen: {error}."
        "Try again."
        "Es noch einmal versuchen.";
    /// Somebody gave up.
    BrokenOff
        "The start was broken off."
        "Der Start wurde abgebrochen."
        ""
        "";
    /// It can be reached from elsewhere.
    Exposed(place: Reach, port: u16)
        "The server listens on {place}, so that port {port} can be reached from other machines."
        "Der Server lauscht auf {place}, sodass Port {port} von anderen Rechnern aus erreichbar ist."
        "Tell it to bind to 127.0.0.1, by its own option for that."
        "Ihn mit seiner eigenen Option dafür an 127.0.0.1 binden.";
    /// It writes what is no protocol.
    Noise(lines: u64, sample: String)
        "Lines on stdout were skipped because they are no MCP ({lines}), e.g. {sample}."
        "Zeilen auf stdout wurden übergangen, weil sie kein MCP sind ({lines}), z. B. {sample}."
        "A stdio server must write its log to stderr."
        "Ein stdio-Server muss sein Log nach stderr schreiben.";
    /// Its list can't be read.
    ListFailed(why: Each, next: Each)
        "The tool list can't be read. {why}"
        "Die Liste der Werkzeuge ist nicht lesbar. {why}"
        "{next}"
        "{next}";
    /// The list has tools that can't be used.
    OddTools(count: usize, problems: Each)
        "Left out of the list of tools ({count}): {problems}."
        "Aus der Liste der Werkzeuge ausgelassen ({count}): {problems}."
        "The other tools work; tell the server's author."
        "Die anderen Werkzeuge funktionieren; dem Autor des Servers Bescheid geben.";
}

notes! {
    /// A tool that can't be used.
    OddTool;
    /// It has a name.
    Named(place: Ungrouped<usize>, name: String, reason: Each)
        "no. {place} ({name}): {reason}"
        "Nr. {place} ({name}): {reason}";
    /// It has none.
    Nameless(place: Ungrouped<usize>, reason: Each)
        "no. {place} (no name): {reason}"
        "Nr. {place} (ohne Namen): {reason}";
    /// So many are not named.
    More(count: usize)
        "and {count} more"
        "weitere Werkzeuge: {count}";
}

notes! {
    /// What to do about a list that can't be read, or a server that no way brought tools of.
    ListAdvice;
    /// Nothing better is known.
    Refresh
        "Refresh it, or read the member's stderr."
        "Sie neu lesen oder das stderr des Mitglieds ansehen.";
    /// A model can be asked.
    AskModel(hint: Each, member: MemberName)
        "{hint} No other way brought tools either. A model can be asked which it probably has: `guildhall discover {member} --predict` shows first what would be sent."
        "{hint} Auch kein anderer Weg brachte Werkzeuge. Ein Modell lässt sich fragen, welche es wohl hat: `guildhall discover {member} --predict` zeigt vorher, was gesendet würde.";
    /// One tool was found otherwise.
    OneFound(found: FoundBy, hint: Each)
        "1 tool was found in {found}; it is shown, and is not called before the server answers. {hint}"
        "1 Werkzeug wurde gefunden ({found}); es wird gezeigt und nicht aufgerufen, bevor der Server antwortet. {hint}";
    /// Tools were found otherwise.
    Found(count: usize, found: FoundBy, hint: Each)
        "{count} tools were found in {found}; they are shown, and are not called before the server answers. {hint}"
        "{count} Werkzeuge wurden gefunden ({found}); sie werden gezeigt und nicht aufgerufen, bevor der Server antwortet. {hint}";
}

notes! {
    /// What to do about a port that stayed closed.
    NotListening;
    /// Nothing more is known.
    CheckPort
        "Check that the server listens on 127.0.0.1 at ${{PORT}}; a slow first start wants a larger \"timeouts\": {{\"start_ms\": …}} in plugin.json."
        "Prüfen, ob der Server auf 127.0.0.1 an ${{PORT}} lauscht; ein langsamer erster Start braucht ein größeres \"timeouts\": {{\"start_ms\": …}} in plugin.json.";
    /// It seems to speak over its pipes.
    SpeaksStdio
        "The server seems to speak over stdin and stdout: set \"transport\": \"stdio\" in plugin.json."
        "Der Server scheint über stdin und stdout zu sprechen: in plugin.json \"transport\": \"stdio\" setzen.";
}

notes! {
    /// What to do about a process that ended.
    AfterExit;
    /// Nothing more is known.
    ReadStderr
        "Read its stderr; start it by hand in its folder with the command shown on its page."
        "Das stderr lesen; das Mitglied in seinem Ordner mit dem Befehl, den seine Seite zeigt, von Hand starten.";
    /// It may speak over its pipes.
    MayBeStdio
        "A server that speaks over stdin and stdout ends so with the transport http: if it is one, set \"transport\": \"stdio\" in plugin.json. Otherwise read its stderr."
        "So endet mit dem Transport http ein Server, der über stdin und stdout spricht: Ist er einer, in plugin.json \"transport\": \"stdio\" setzen. Sonst sein stderr lesen.";
}

notes! {
    /// Advice for a process that ended too often.
    AfterCrashes;
    /// Nothing more is known.
    FixCause
        "Fix the cause, then start the member; Guild Hall does not retry until then."
        "Die Ursache beheben, dann das Mitglied starten; bis dahin wird nichts versucht.";
    /// The advice of its last failure.
    Own(hint: Each)
        "{hint} Then start the member; Guild Hall does not retry until then."
        "{hint} Dann das Mitglied starten; bis dahin wird nichts versucht.";
}

notes! {
    /// What to do about a server that there is no connection to.
    AfterConnecting;
    /// It is elsewhere.
    CheckUrl
        "Check the \"url\" in plugin.json, and that a server runs there."
        "Die \"url\" in plugin.json prüfen, und ob dort ein Server läuft.";
    /// It speaks over pipes.
    CheckPipes
        "Check that the command starts an MCP server that speaks over stdin and stdout."
        "Prüfen, ob der Befehl einen MCP-Server startet, der über stdin und stdout spricht.";
    /// It is slow.
    SlowStart
        "Check that the command starts an MCP server; a slow first start wants a larger \"timeouts\": {{\"start_ms\": …}} in plugin.json."
        "Prüfen, ob der Befehl einen MCP-Server startet; ein langsamer erster Start braucht ein größeres \"timeouts\": {{\"start_ms\": …}} in plugin.json.";
    /// What the connection's own error advises.
    Own(hint: Each)
        "{hint}"
        "{hint}";
}

notes! {
    /// That a start took too long.
    Overdue;
    /// Its limit passed.
    Limit(limit: Duration)
        "The member did not finish its start within {limit} s."
        "Das Mitglied wurde nicht innerhalb von {limit} s mit dem Start fertig.";
}

notes! {
    /// What may explain that a start took too long, within a sentence.
    Circumstances;
    /// This.
    Known(parts: Each)
        " ({parts})"
        " ({parts})";
}

notes! {
    /// One thing that may explain that a start took too long.
    Circumstance;
    /// It had more than its limit.
    Stretched(had: Duration)
        "it had {had} s because it was at work"
        "es hatte {had} s, weil es arbeitete";
    /// One other member was starting.
    BesideOne
        "1 other member was starting"
        "1 anderes Mitglied startete";
    /// Others were starting.
    Beside(others: usize)
        "{others} other members were starting"
        "{others} andere Mitglieder starteten";
    /// Other programs kept the processors busy.
    Loaded
        "other programs kept all processors busy"
        "andere Programme lasteten alle Prozessoren aus";
    /// How long its last start took.
    LastTime(took: Duration)
        "its last start took {took} s"
        "sein letzter Start dauerte {took} s";
}

notes! {
    /// Where a member comes from.
    Source;
    /// As its manifest says.
    Named(from: String)
        "{from}"
        "{from}";
    /// The manifest says nothing.
    Elsewhere
        "elsewhere"
        "woanders";
}

notes! {
    /// Who holds a port, behind another sentence.
    Who;
    /// Nobody can be seen.
    Nobody
        ""
        "";
    /// This process.
    Holds(port: u16, holder: Holder)
        " Port {port} is held by {holder}."
        " Port {port} ist belegt: {holder}.";
}

notes! {
    /// Where a port can be reached.
    Reach;
    /// Everywhere.
    Everywhere(address: String)
        "all addresses ({address})"
        "allen Adressen ({address})";
    /// At an address.
    At(address: String)
        "the address {address}"
        "der Adresse {address}";
}
