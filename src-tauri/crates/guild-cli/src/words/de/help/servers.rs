//! Servers of other programs, of registries, and elsewhere; what is handed to others.

pub(super) const SERVERS: &[(&str, &str)] = &[
    (
        "found",
        "Server auflisten, die andere Programme in ihren Konfigurationsdateien haben, jeden mit dem ganzen Befehl, den er ausführen würde. Nichts wird gestartet",
    ),
    (
        "found --folder",
        "Auch im Ordner eines Projekts oder in einer .code-workspace-Datei suchen: jetzt und künftig",
    ),
    ("found --forget", "Dort nicht mehr suchen"),
    (
        "adopt",
        "Server anderer Programme zu Mitgliedern machen. Zeigt, was jeder ausführen würde, und fragt",
    ),
    (
        "adopt <names>",
        "Die Server, mit den Namen aus `guildhall found`",
    ),
    ("adopt --all", "Alle, die neu und nicht ausgeschaltet sind"),
    (
        "adopt --yes",
        "Nicht fragen. Was jeder Server ausführt, wird trotzdem gezeigt",
    ),
    (
        "adopt --keep-command",
        "Einen Befehl, der einen Container startet (`docker run …`), behalten, wie er ist, statt ihn zum \
         Container des Mitglieds zu machen",
    ),
    (
        "adopt --inputs",
        "Eine JSON-Datei mit dem, wonach Server fragen, ein Objekt aus Texten nach ihren Kennungen; `-` ist die Standardeingabe. In einem Terminal wird nach dem gefragt, was darin fehlt",
    ),
    (
        "add",
        "Mitglieder aus dem machen, was die Seite eines Servers zeigt: einer Datei, einem Text auf der Standardeingabe oder den Wörtern eines Befehls nach `--`. Zeigt, was jedes ausführen würde, und fragt",
    ),
    (
        "add <file>",
        "Eine Datei mit dem, was die Seite eines Servers zeigt: eine Liste von Servern eines beliebigen Programms (JSON, TOML, YAML), ein Befehl, eine Adresse; `-` ist die Standardeingabe. Oder ein Installationslink von VS Code oder Cursor. Oder ein MCPB-Bündel (`.mcpb`, `.dxt`), dessen Mitglied läuft, sobald es geprüft ist",
    ),
    (
        "add <words>",
        "Der Befehl, der den Server startet, oder seine Adresse: `guildhall add -- npx -y @scope/server`",
    ),
    (
        "add --name",
        "Wie das Mitglied heißen soll, wo es eines ist. Ein Bündel tritt an die Stelle dessen, aus dem das Mitglied gemacht wurde",
    ),
    ("add --only", "Nur diese der Server, nach ihren Namen"),
    (
        "add --look",
        "Zeigen, was jeder Server ausführen würde, und kein Mitglied daraus machen",
    ),
    (
        "add --yes",
        "Nicht fragen. Was jeder Server ausführt, wird trotzdem gezeigt",
    ),
    (
        "add --set",
        "Eine Antwort auf das, wonach ein Bündel fragt; derselbe Schlüssel mehrmals für mehrere Antworten. Geheimnisse werden nicht so gegeben: Andere Programme sehen die Wörter eines Befehls",
    ),
    (
        "add --keep-command",
        "Einen Befehl, der einen Container startet (`docker run …`), behalten, wie er ist, statt ihn zum \
         Container des Mitglieds zu machen",
    ),
    (
        "add --inputs",
        "Eine JSON-Datei mit dem, wonach gefragt wird, ein Objekt nach Kennungen. In einem Terminal wird nach dem gefragt, was darin fehlt",
    ),
    (
        "hand-over",
        "Ein Programm Guild Hall benutzen lassen statt derjenigen seiner Server, die jetzt Mitglieder sind. Zeigt, was sich in seinen Dateien ändert, und fragt; --undo stellt die Dateien wieder her",
    ),
    (
        "hand-over <program>",
        "Das Programm mit seinem Kurznamen: claude-code, cursor, codex … Ohne eines werden die Dateien aufgelistet",
    ),
    ("hand-over --file", "Nur diese seiner Dateien"),
    (
        "hand-over --endpoint",
        "`all`, `member NAME` oder `profile NAME` [Vorgabe: all]",
    ),
    (
        "hand-over --all-tools",
        "Dem Programm alle Werkzeuge geben, auch von Servern, von denen es bisher nur einige anbot. Ohne das behält ein Profil diese Auswahl",
    ),
    (
        "hand-over --yes",
        "Nicht fragen. Was sich ändert, wird trotzdem gezeigt",
    ),
    (
        "hand-over --undo",
        "Die Dateien so wiederherstellen, wie sie waren, bevor Guild Hall hineinschrieb. Mit --yes werden die Tokens widerrufen, die darin standen",
    ),
    (
        "clients",
        "Die Clients auflisten, die ein Token des Gateways haben, oder die Tokens einiger widerrufen",
    ),
    (
        "clients revoke",
        "Die Tokens von Clients widerrufen: Was sie gerade tun, endet. Zeigt sie und fragt",
    ),
    (
        "clients revoke <names>",
        "Die Clients, nach Kennung oder Name; ein Name steht für alle Clients, die so heißen",
    ),
    ("clients revoke --yes", "Nicht fragen"),
    (
        "export",
        "Ausgeben, wie ein Programm mit dem Gateway verbunden wird, oder es in seine Datei schreiben",
    ),
    (
        "export <client>",
        "Das Programm: claude-code, claude-desktop, cursor, vscode, windsurf, cline, zed, codex, gemini-cli oder opencode",
    ),
    (
        "export --endpoint",
        "`all`, `member NAME` oder `profile NAME` [Vorgabe: all]",
    ),
    (
        "export --direct",
        "Das Mitglied des Endpunkts selbst, wie das Programm es ohne Guild Hall ausführen würde",
    ),
    (
        "export --write",
        "Den Eintrag in die Datei des Programms setzen: zeigt, was sich ändern würde",
    ),
    (
        "export --yes",
        "Ihn schreiben; mit --undo das geschriebene Token widerrufen",
    ),
    (
        "export --undo",
        "Die Datei so wiederherstellen, wie sie war, bevor Guild Hall hineinschrieb",
    ),
    (
        "export --mode",
        "Wie Werkzeuge für es aufgelistet werden: lazy, full oder search [Vorgabe: wie der Endpunkt es hat]",
    ),
    (
        "export-team",
        "Ein Profil als compose-Datei oder Manifeste eines Clusters ausgeben, die seine Mitglieder hinter dem Gateway des Teams betreiben, oder sie mit dem Mitglied schreiben, das sich damit verbindet",
    ),
    ("export-team <profile>", "Das Profil"),
    ("export-team --compose", "Als compose-Datei"),
    ("export-team --kubernetes", "Als Manifeste eines Clusters"),
    ("export-team --image", "Das Abbild mit guildhall"),
    ("export-team --gateway-image", "Das Abbild des Gateways"),
    ("export-team --gateway-port", "Sein Port [Vorgabe: 8080]"),
    ("export-team --url", "Die Adresse für die App"),
    ("export-team --out", "In diesen Ordner schreiben"),
    (
        "registry",
        "Server in MCP-Registern suchen, in Dateien oder an genannten Adressen, und installieren",
    ),
    (
        "registry sources",
        "Quellen auflisten, eine hinzufügen, entfernen oder von ihrem Ort lesen",
    ),
    ("registry sources list", "Die Quellen auflisten"),
    (
        "registry sources add",
        "Den Pfad einer Datei oder eine Adresse hinzufügen. Nichts wird abgerufen",
    ),
    (
        "registry sources add <source>",
        "Eine Datei oder eine Adresse",
    ),
    (
        "registry sources remove",
        "Eine Quelle entfernen, und was von ihr gelesen wurde",
    ),
    (
        "registry sources remove <source>",
        "Wie sie aufgelistet ist",
    ),
    (
        "registry sources read",
        "Lesen und aufbewahren, was eine Quelle auflistet",
    ),
    (
        "registry sources read <source>",
        "Wie sie aufgelistet ist; ohne Angabe werden alle gelesen",
    ),
    (
        "registry sources read --anew",
        "Alles lesen, nicht nur, was sich seither geändert hat",
    ),
    (
        "registry search",
        "Server auflisten, die alle Wörter in Name, Titel oder Beschreibung haben. Eine nie gelesene Adresse wird zuerst gelesen; danach wird in dem Gelesenen gesucht",
    ),
    (
        "registry search <words>",
        "Die Wörter; ohne Angabe werden alle Server aufgelistet",
    ),
    ("registry search --source", "Nur aus dieser Quelle"),
    (
        "registry search --limit",
        "Wie viele aus jeder Quelle aufgelistet werden",
    ),
    (
        "registry show",
        "Einen Server zeigen: seine Versionen und jede Art, ihn zu betreiben, mit allem, was er ausführen und fragen würde",
    ),
    (
        "registry show <name>",
        "Als was er aufgelistet ist, z. B. `com.example/notes`",
    ),
    (
        "registry show --version",
        "Eine andere als die neueste Version",
    ),
    (
        "registry show --source",
        "Aus dieser Quelle, nicht aus der ersten, die ihn auflistet",
    ),
    (
        "registry install",
        "Einen Server zum Mitglied machen, nachdem gezeigt und bejaht wurde, was er ausführen würde. Das Mitglied läuft, sobald es geprüft ist: `guildhall review`",
    ),
    (
        "registry install <name>",
        "Als was er aufgelistet ist, z. B. `com.example/notes`",
    ),
    (
        "registry install --version",
        "Eine andere als die neueste Version",
    ),
    (
        "registry install --source",
        "Aus dieser Quelle, nicht aus der ersten, die ihn auflistet",
    ),
    (
        "registry install --way",
        "Die Art, ihn zu betreiben, mit ihrer Nummer aus `show`; ohne Angabe die erste, die installiert werden kann",
    ),
    ("registry install --as", "Wie das Mitglied heißen soll"),
    (
        "registry install --set",
        "Eine Antwort auf eine Frage; derselbe Schlüssel mehrmals für mehrere Antworten. Geheimnisse werden nicht so gegeben: Andere Programme sehen die Wörter eines Befehls",
    ),
    (
        "registry install --inputs",
        "Eine JSON-Datei mit den Antworten, ein Objekt; `-` ist die Standardeingabe. In einem Terminal wird nach dem gefragt, was fehlt",
    ),
    (
        "registry install --yes",
        "Nicht fragen. Was der Server ausführt, wird trotzdem gezeigt",
    ),
    (
        "sign-in",
        "Bei einem Mitglied anmelden, das anderswo läuft: gibt aus, wo, und wartet, bis es geschehen ist",
    ),
    ("sign-in <member>", "Das Mitglied"),
    (
        "sign-in --open",
        "Die Adresse im Browser des Systems öffnen; sonst wird sie nur ausgegeben",
    ),
    (
        "sign-out",
        "Die Token eines Mitglieds zurückgeben und vergessen und das Mitglied anhalten",
    ),
    ("sign-out <member>", "Das Mitglied"),
];
