//! The hall, its members and tools, and what its user sets.

pub(super) const HALL: &[(&str, &str)] = &[
    (
        "",
        "MCP-Server betreiben, zeigen, ausprobieren und bereitstellen",
    ),
    (
        "--members",
        "Der Ordner der Mitglieder [Vorgabe: GUILD_HALL_MEMBERS, die Einstellung, der Datenordner]",
    ),
    (
        "--data",
        "Der Ordner für die eigenen Daten von Guild Hall [Vorgabe: GUILD_HALL_DATA, der Ort des Systems]",
    ),
    ("--json", "In JSON antworten, ein Wert in einer Zeile"),
    (
        "list",
        "Mitglieder auflisten: wie sie in der laufenden Guild Hall sind, sonst aus ihren Zwischenspeichern. Nichts wird gestartet",
    ),
    (
        "list --wait",
        "Mitglieder starten, auflisten, solange sie laufen, und wieder anhalten; läuft Guild Hall schon, warten, bis sie gestartet sind, und keines anhalten",
    ),
    (
        "tools",
        "Werkzeuge aller Mitglieder oder eines einzigen auflisten, aus der laufenden Guild Hall oder den Zwischenspeichern",
    ),
    ("tools <member>", "Nur die dieses Mitglieds"),
    (
        "tools --wait",
        "Mitglieder vorher starten und danach anhalten; läuft Guild Hall schon, warten, bis sie gestartet sind, und keines anhalten",
    ),
    (
        "catalog",
        "Jedes Werkzeug auflisten, ob Agenten es aufrufen dürfen und wie es ermittelt wurde, aus der laufenden Guild Hall oder den Zwischenspeichern; nichts wird gestartet",
    ),
    (
        "approvals",
        "Aufrufe von Agenten auflisten, die auf eine Entscheidung warten, und über sie entscheiden, wie im Fenster",
    ),
    (
        "approvals list",
        "Die wartenden Aufrufe auflisten, die ältesten zuerst",
    ),
    ("approvals approve", "Einen Aufruf erlauben"),
    ("approvals approve <id>", "Seine Kennung, wie aufgelistet"),
    (
        "approvals approve --always",
        "Das Werkzeug von jetzt an immer erlauben",
    ),
    ("approvals deny", "Einen Aufruf ablehnen"),
    ("approvals deny <id>", "Seine Kennung, wie aufgelistet"),
    (
        "embeddings",
        "Den Endpunkt zeigen, der Werkzeuge nach Bedeutung ordnet, ihn setzen, entfernen oder prüfen",
    ),
    ("embeddings show", "Den Endpunkt zeigen"),
    (
        "embeddings set",
        "Den Endpunkt setzen. Er erhält Namen und Beschreibungen der Werkzeuge und jede gesuchte Aufgabe",
    ),
    (
        "embeddings set --url",
        "Seine Adresse, die meist auf /v1 endet: `https:`, oder `http:` auf diesem Rechner",
    ),
    ("embeddings set --model", "Der Name des Modells dort"),
    (
        "embeddings set --key",
        "Verweis auf seinen Schlüssel: `${secret:NAME}` oder `${env:NAME}`. `guildhall secret set NAME` speichert den Schlüssel",
    ),
    (
        "embeddings set --timeout",
        "Wie lange eine Suche auf ihn wartet, in Millisekunden [Standard: 5000]",
    ),
    (
        "embeddings clear",
        "Den Endpunkt entfernen: Die Suche ordnet nach Wörtern allein",
    ),
    (
        "embeddings test",
        "Den Endpunkt einmal fragen und ausgeben, wie viele Zahlen seine Vektoren haben",
    ),
    (
        "policy",
        "Jedes Werkzeug mit seiner Regel auflisten und was sie bestimmt hat, und Regeln setzen: für einzelne Werkzeuge oder für Arten von Werkzeugen",
    ),
    (
        "policy --profile",
        "Wie sie in diesem Profil gelten, oder dort setzen",
    ),
    (
        "policy list",
        "Jedes Werkzeug, jeden Prompt, jede Ressource und Vorlage mit Regel auflisten, was sie bestimmt hat, und die Regeln für Arten",
    ),
    ("policy list --policy", "Nur Werkzeuge mit dieser Regel"),
    ("policy list --kind", "Nur Werkzeuge dieser Art"),
    ("policy list --member", "Nur die dieses Mitglieds"),
    (
        "policy set",
        "Eine Regel für einzelne Werkzeuge oder für eine Art setzen: `set forge/melt forge/cast ask`, `set forge/prompt:review deny`, `set --kind destructive ask`",
    ),
    (
        "policy set <words>",
        "Die Werkzeuge als `mitglied/werkzeug`, Prompts und Ressourcen als `mitglied/prompt:NAME`, `mitglied/resource:URI` oder `mitglied/template:URI`, dann `allow`, `ask` oder `deny`",
    ),
    (
        "policy set --kind",
        "Für alle Werkzeuge dieser Art, nach dem, was ihre Server von ihnen sagen",
    ),
    ("policy set --dry-run", "Nur sagen, was sich ändern würde"),
    (
        "policy clear",
        "Wegnehmen, was für einzelne Werkzeuge gesetzt wurde, oder die Regel für eine Art",
    ),
    (
        "policy clear <tools>",
        "Die Werkzeuge als `mitglied/werkzeug`",
    ),
    (
        "policy clear --kind",
        "Die Regel für diese Art von Werkzeugen",
    ),
    ("policy clear --dry-run", "Nur sagen, was sich ändern würde"),
    (
        "policy read-only",
        "Bestätigen, dass ein Werkzeug nur liest, wie sein Server sagt. Sonst überwiegt ein Name oder eine Beschreibung mit Wörtern wie send, create oder delete",
    ),
    (
        "policy read-only <tools>",
        "Die Werkzeuge als `mitglied/werkzeug`",
    ),
    ("policy read-only --clear", "Die Bestätigung zurücknehmen"),
    (
        "discover",
        "Ein Mitglied auf jede Weise nach seinen Werkzeugen fragen: über das Protokoll, in dem, was es ausgibt, und, wo das eingeschaltet und bejaht ist, durch ein Modell",
    ),
    ("discover <member>", "Das Mitglied"),
    (
        "discover --show-request",
        "Ausgeben, was ein Modell bekäme, vollständig. Nichts wird gestartet und nichts gesendet",
    ),
    (
        "discover --predict",
        "Wo sonst nichts Werkzeuge bringt: zeigen, was ein Modell bekäme, fragen und senden",
    ),
    (
        "discover --remember",
        "Mit --predict: genau diese Anfrage für das Mitglied künftig ohne Rückfrage senden",
    ),
    (
        "discover --yes",
        "Mit --predict: nicht fragen. Was gesendet wird, wird trotzdem gezeigt",
    ),
    (
        "discover --forget",
        "Eine gespeicherte Zustimmung zurücknehmen",
    ),
    (
        "describe",
        "Ein Werkzeug beschreiben: was sein Server sagt und seine Schemas, aus der laufenden Guild Hall oder dem Zwischenspeicher",
    ),
    ("describe <member>", "Das Mitglied"),
    ("describe <tool>", "Das Werkzeug"),
    (
        "describe --wait",
        "Mitglieder vorher starten und danach anhalten",
    ),
    (
        "review",
        "Zeigen, was ein Mitglied ausführt und was seine Werkzeuge sagen, neben dem, was angenommen wurde, und es annehmen",
    ),
    ("review <member>", "Das Mitglied"),
    ("review --accept", "Annehmen, was es ausführt"),
    (
        "review --accept-tools",
        "Seine Werkzeuge annehmen, wie sie gezeigt sind: die genannten oder alle",
    ),
    (
        "review --hold",
        "Änderungen seiner Werkzeuge vor Agenten zurückhalten, bis sie angenommen sind, oder durchlassen",
    ),
    (
        "review --yes",
        "Nicht fragen. Was angenommen wird, wird trotzdem gezeigt",
    ),
    (
        "call",
        "Ein Werkzeug aufrufen und sein MCP-Ergebnis ausgeben",
    ),
    ("call <member>", "Das Mitglied"),
    ("call <tool>", "Das Werkzeug"),
    ("call --args", "Die Argumente, ein JSON-Objekt"),
    (
        "call --send-anyway",
        "Die Argumente auch senden, wenn sie nicht zum Schema des Werkzeugs passen",
    ),
    (
        "call --timeout-ms",
        "Eine Zeitgrenze statt der des Manifests, in Millisekunden",
    ),
    (
        "history",
        "Vergangene Aufrufe auflisten, auch die des Fensters, oder exportieren",
    ),
    (
        "history --search",
        "Nur Aufrufe, die alle diese Wörter haben: in Mitglied, Werkzeug, Argumenten, Ergebnis oder Fehler",
    ),
    (
        "history --member",
        "Nur Aufrufe dieses Mitglieds. Es muss kein Mitglied mehr sein",
    ),
    ("history --tool", "Nur Aufrufe von Werkzeugen dieses Namens"),
    ("history --outcome", "Nur Aufrufe, die so endeten"),
    ("history --outcome=ok", "Das Werkzeug hat geantwortet"),
    (
        "history --outcome=tool-error",
        "Das Werkzeug hat geantwortet, dass es fehlschlug",
    ),
    ("history --outcome=failed", "Es gibt kein Ergebnis"),
    (
        "history --outcome=cancelled",
        "Der Aufruf wurde abgebrochen",
    ),
    ("history --limit", "Höchstens so viele, die neuesten zuerst"),
    (
        "history --export",
        "Stattdessen alle in eine Datei schreiben, die ältesten zuerst, als JSON Lines",
    ),
    (
        "bundle",
        "Ein Paket für einen Fehlerbericht schreiben: Logs, Versionen, Manifeste, Einstellungen und Zustände, ohne die Werte von Geheimnissen. Vorher wird gesagt, was darin ist",
    ),
    (
        "bundle --to",
        "Die Datei, `.tar.gz`; eine vorhandene wird ersetzt [Vorgabe: eine neue in diesem Ordner]",
    ),
    (
        "bundle --list",
        "Sagen, was darin wäre, und nichts schreiben",
    ),
    (
        "check",
        "Die Beispiele in den Manifesten einmal ausführen und sagen, worin ein Ergebnis nicht wie erwartet ist. Endet mit 1, wenn eines fehlschlägt",
    ),
    (
        "check <named>",
        "Die Mitglieder; ohne Angabe alle, die Beispiele haben und selbst geschrieben sind",
    ),
    (
        "check --example",
        "Nur Beispiele dieses Namens; mehrmals möglich",
    ),
    (
        "check --junit",
        "Das Ergebnis als XML von JUnit in eine Datei schreiben",
    ),
    (
        "settings",
        "Einstellungen auflisten, lesen, ändern, prüfen und mitnehmen",
    ),
    ("settings get", "Eine Einstellung ausgeben"),
    (
        "settings get <key>",
        "Ihr Name, zum Beispiel window.onClose",
    ),
    (
        "settings set",
        "Eine Einstellung ändern; was sonst in der Datei steht, bleibt, wie es ist",
    ),
    (
        "settings set <key>",
        "Ihr Name, zum Beispiel window.onClose",
    ),
    (
        "settings set <value>",
        "Was sie sein soll; null für die Vorgabe",
    ),
    (
        "settings path",
        "Ausgeben, wo die Datei der Einstellungen ist",
    ),
    (
        "settings check",
        "Alles nennen, was an der Datei falsch ist. Endet mit 1, wenn etwas falsch ist",
    ),
    (
        "settings export",
        "Alles Eingestellte in eine Datei schreiben, für einen anderen Rechner: Einstellungen, Profile und Regeln des Gateways, Ermittlung von Werkzeugen, Einstellungen des Verlaufs, Quellen der Register. Kein Token, kein Geheimnis und kein Aufruf steht darin",
    ),
    ("settings export <file>", "Die Datei"),
    (
        "settings import",
        "Zeigen, was eine solche Datei ändern würde, fragen, und alles davon importieren oder nichts",
    ),
    ("settings import <file>", "Die Datei"),
    (
        "settings import --yes",
        "Nicht fragen. Was sich ändert, wird trotzdem gezeigt",
    ),
    (
        "start",
        "Ein Mitglied der laufenden Guild Hall starten, auch eines, das immer wieder endete",
    ),
    ("start <member>", "Das Mitglied"),
    ("stop", "Ein Mitglied der laufenden Guild Hall anhalten"),
    ("stop <member>", "Das Mitglied"),
    (
        "restart",
        "Ein Mitglied der laufenden Guild Hall anhalten und wieder starten",
    ),
    ("restart <member>", "Das Mitglied"),
    (
        "serve",
        "Alle Mitglieder starten und das Gateway für Agenten öffnen. Gibt Adresse und Token als Zeile JSON aus, danach jedes Ereignis als weitere, bis SIGINT oder SIGTERM",
    ),
    (
        "serve --gateway-port",
        "Das Gateway auf diesem Port öffnen statt auf dem der Einstellungen; 0 für einen freien",
    ),
    (
        "serve --no-token",
        "Alle auf diesem Rechner einlassen, die den Port finden: für Tests",
    ),
    (
        "serve --token-file",
        "Einlassen, wer das Token in dieser Datei zeigt, mindestens 32 Zeichen, statt eines zu erzeugen und auszugeben",
    ),
    ("serve --no-gateway", "Kein Gateway öffnen"),
    (
        "dev",
        "Den Dateien eines selbst geschriebenen Mitglieds folgen: es bei Änderungen bauen und neu starten, zeigen, was sich an seinen Werkzeugen geändert hat, und seine Beispiele ausführen. Bis SIGINT oder SIGTERM",
    ),
    ("dev <member>", "Das Mitglied"),
    (
        "logs",
        "Zeigen, was ein Mitglied auf stderr ausgegeben hat, auch in früheren Läufen",
    ),
    (
        "logs <member>",
        "Das Mitglied. Es muss kein Mitglied mehr sein",
    ),
    ("logs --lines", "Höchstens so viele, die neuesten"),
    (
        "logs --grep",
        "Nur Zeilen mit diesem Text, ohne auf Groß- und Kleinschreibung zu achten",
    ),
    ("logs --start", "Nur Zeilen des Starts mit dieser Nummer"),
    (
        "logs --follow",
        "Mit jeder neuen Zeile weitermachen, bis SIGINT oder SIGTERM",
    ),
    (
        "connect",
        "Das Gateway für Programme, die einen Befehl starten: Nachrichten auf Standardein- und -ausgabe, solange die App oder `guildhall serve` läuft",
    ),
    (
        "connect --endpoint",
        "`all`, `member NAME` oder `profile NAME` [Vorgabe: all]",
    ),
    (
        "connect --mode",
        "Wie Werkzeuge aufgelistet werden: lazy, full oder search [Vorgabe: wie der Endpunkt es hat]",
    ),
    (
        "connect --url",
        "Die Adresse selbst [Vorgabe: das Gateway dieses Datenordners]",
    ),
    (
        "connect --token",
        "Das Token [Vorgabe: GUILD_HALL_TOKEN]. Andere Benutzer sehen womöglich die Wörter eines Befehls",
    ),
    (
        "doctor",
        "Diesen Rechner ansehen und sagen, was Mitglieder am Laufen hindert und was zu tun ist. Endet mit 1, wenn etwas fehlschlagen kann, mit 6, wenn etwas fehlschlägt",
    ),
    (
        "explain",
        "Sagen, was der Code eines Fehlers bedeutet und was zu tun ist, oder die Codes auflisten",
    ),
    (
        "explain <code>",
        "Der Code, etwa `call-timeout`; ohne Angabe werden alle aufgelistet",
    ),
    (
        "new",
        "Einen kleinen Server, der funktioniert, in den Ordner der Mitglieder legen, in der gewünschten Sprache",
    ),
    ("new <name>", "Der Name des Mitglieds und seines Ordners"),
    (
        "new --from",
        "Die Sprache des Beispiels, als das es beginnt",
    ),
    (
        "secret",
        "Geheimnisse setzen, auflisten oder entfernen, die Manifeste als `${secret:NAME}` benutzen",
    ),
    (
        "secret set",
        "Ein Geheimnis unter einem Namen speichern, für `${secret:NAME}` in Manifesten. Der Wert wird von der Standardeingabe gelesen, ohne das Ende der Zeile, oder getippt, wo das ein Terminal ist",
    ),
    ("secret set <name>", "Der Name"),
    (
        "secret set --place",
        "Wo es gespeichert wird [Vorgabe: der Schlüsselbund, oder die Datei, wo es keinen gibt]",
    ),
    (
        "secret set --place=keychain",
        "Der Schlüsselbund des Systems",
    ),
    (
        "secret set --place=file",
        "`secrets.json` im Datenordner, die nur das eigene Konto lesen darf",
    ),
    (
        "secret list",
        "Die Namen der Geheimnisse auflisten und wo jedes gespeichert ist; nie einen Wert",
    ),
    ("secret remove", "Ein Geheimnis entfernen"),
    ("secret remove <name>", "Der Name"),
    (
        "completions",
        "Ausgeben, womit eine Shell die Wörter dieses Befehls ergänzt",
    ),
    ("completions <shell>", "Die Shell"),
];
