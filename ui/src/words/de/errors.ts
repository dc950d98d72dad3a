// Written by `cargo xtask codegen` from `guild_core::error`; edit that and run it again.
import type { Code } from "../../bridge/bindings";
import type { CodeWords } from "../report";

/** What each code of the engine means. What happened exactly, the engine's own words say below. */
export const de: Record<Code, CodeWords> = {
  "members-folder-unreadable": {
    what: "Der Ordner der Mitglieder ist nicht lesbar.",
    hint: "Den Pfad prüfen: Ordner anlegen, Leserecht geben oder einen anderen Ordner wählen.",
  },
  "manifest-missing": {
    what: "Im Ordner des Mitglieds fehlt plugin.json.",
    hint: "Die Datei anlegen oder den Ordner woandershin verschieben.",
  },
  "manifest-unreadable": {
    what: "plugin.json ist nicht lesbar.",
    hint: "Die Berechtigung ändern oder eine einfache Datei in UTF-8 daraus machen.",
  },
  "manifest-too-large": {
    what: "plugin.json ist größer, als ein Manifest sein darf.",
    hint: "Daten, die nicht zum Manifest gehören, in eigene Dateien auslagern.",
  },
  "manifest-not-json": {
    what: "plugin.json ist kein gültiges JSON.",
    hint: "Die genannte Stelle berichtigen. Kommentare und Kommas am Ende sind kein JSON.",
  },
  "manifest-field": {
    what: "Ein Feld in plugin.json fehlt oder hat einen unzulässigen Wert.",
    hint: "Das genannte Feld berichtigen. Andere Mitglieder sind nicht betroffen.",
  },
  "duplicate-name": {
    what: "Zwei Manifeste geben denselben Namen an.",
    hint: "In einer der beiden Dateien den Namen ändern.",
  },
  "folder-unsafe": {
    what: "Der Ordner des Mitglieds ist ein Link, der ins Leere, im Kreis oder zurück führt.",
    hint: "Den Link durch den Ordner selbst ersetzen oder auf den eigenen Ordner des Mitglieds richten.",
  },
  "variable-missing": {
    what: "Eine Variable des Manifests hat keinen Wert.",
    hint: "Die Variable in der Startdatei der Shell setzen; dann Guild Hall und das Mitglied neu starten.",
  },
  "secret-missing": {
    what: "Ein Geheimnis des Manifests hat keinen Wert.",
    hint: "Das Geheimnis setzen, im Fenster oder mit `guildhall secret set NAME`; dann das Mitglied starten.",
  },
  "keychain-unanswered": {
    what: "Der Schlüsselbund antwortet nicht, ist gesperrt oder lehnt ab.",
    hint: "Den Schlüsselbund entsperren und es noch einmal versuchen.",
  },
  "secret-refused": {
    what: "Name oder Wert des Geheimnisses lässt sich so nicht speichern.",
    hint: "Name oder Wert so ändern, wie die Meldung es nennt.",
  },
  "secrets-unsafe": {
    what: "Die Datei der Geheimnisse ist nicht nutzbar, oder andere dürfen sie lesen.",
    hint: "Die Berechtigungen der Datei so setzen, dass nur das eigene Konto sie lesen darf.",
  },
  "command-not-found": {
    what: "Den Befehl gibt es nicht: weder im PATH noch als Datei.",
    hint: "Das Programm installieren oder im Manifest den ganzen Pfad nennen.",
  },
  "command-not-executable": {
    what: "Der Befehl darf nicht ausgeführt werden.",
    hint: "Die Datei ausführbar machen (chmod +x).",
  },
  "spawn-failed": {
    what: "Das Betriebssystem hat den Prozess nicht gestartet.",
    hint: "Beheben, was die Meldung nennt, dann das Mitglied starten.",
  },
  "engine-unreachable": {
    what: "Die Container-Engine antwortet nicht oder lässt diesen Benutzer nicht zu.",
    hint: "Docker oder Podman starten; in einem Terminal zeigt `docker version`, ob die Engine antwortet.",
  },
  "image-unavailable": {
    what: "Das Abbild des Containers ist nicht da und konnte nicht geholt werden.",
    hint: "Namen und Tag prüfen, bei einem privaten Abbild anmelden oder das Abbild von Hand holen.",
  },
  "mount-refused": {
    what: "Ein Ordner des Containers fehlt oder gäbe den ganzen Rechner preis.",
    hint: "Nur den Ordner nennen, den der Server braucht.",
  },
  "ports-exhausted": {
    what: "Alle Ports von 20000 bis 30000 sind belegt.",
    hint: "Programme oder Mitglieder beenden, die Ports halten.",
  },
  "port-lost": {
    what: "Ein anderes Programm nahm dem Mitglied mehrmals hintereinander den Port.",
    hint: "Das Mitglied neu starten; bleibt es dabei, prüfen, ob der Server ${PORT} verwendet.",
  },
  "port-held": {
    what: "Auf dem Port des Mitglieds antwortet ein fremder Prozess.",
    hint: "Ansehen, wem der Port gehört; die Meldung nennt den Prozess.",
  },
  "port-exposed": {
    what: "Das Mitglied ist von anderen Rechnern aus erreichbar: Es lauscht auf allen Adressen.",
    hint: "Den Server auf 127.0.0.1 lauschen lassen.",
  },
  "start-timeout": {
    what: "Das Mitglied war innerhalb der Startfrist nicht bereit.",
    hint: "Das Log lesen; braucht der Start länger, im Manifest eine längere Frist setzen.",
  },
  "handshake-timeout": {
    what: "Der Port ist offen, aber der Handshake wurde nicht rechtzeitig fertig.",
    hint: "Das Log lesen; oft spricht dort etwas anderes als MCP.",
  },
  "handshake-failed": {
    what: "Auf den Handshake kam ein Fehler oder etwas anderes als MCP.",
    hint: "Das Log lesen; Transport und Protokollversion im Manifest prüfen.",
  },
  "member-exited": {
    what: "Der Prozess hat geendet, obwohl niemand ihn angehalten hat.",
    hint: "Die letzten Zeilen des Logs lesen.",
  },
  "crash-loop": {
    what: "Der Prozess endete immer wieder; es wird nichts mehr versucht.",
    hint: "Das Log lesen, die Ursache beheben, dann das Mitglied starten.",
  },
  "connection-failed": {
    what: "Keine Verbindung zum Mitglied, oder sie ist abgerissen.",
    hint: "Prüfen, ob das Mitglied läuft und seine Adresse stimmt.",
  },
  "http-status": {
    what: "Der Server antwortete mit einem HTTP-Status, der keine Antwort auf die Anfrage ist.",
    hint: "Adresse und Header im Manifest prüfen.",
  },
  "sign-in-needed": {
    what: "Der Server antwortet nur nach einer Anmeldung, oder er will mehr Rechte.",
    hint: "Auf der Seite des Mitglieds oder mit `guildhall sign-in` anmelden.",
  },
  "sign-in-failed": {
    what: "Die Anmeldung ist nicht gelungen.",
    hint: "Noch einmal versuchen; die Meldung sagt, woran es lag.",
  },
  "sign-in-unknown": {
    what: "Für dieses Mitglied läuft keine Anmeldung, oder es braucht keine.",
    hint: "Die Anmeldung neu beginnen, auf der Seite des Mitglieds oder mit `guildhall sign-in`.",
  },
  "answer-malformed": {
    what: "Die Antwort ist kein MCP.",
    hint: "Das Log lesen; oft schreibt der Server anderes auf stdout.",
  },
  "answer-too-large": {
    what: "Die Antwort ist größer, als gelesen werden darf.",
    hint: "Weniger anfordern, etwa mit einer engeren Suche.",
  },
  "rpc-error": {
    what: "Das Mitglied antwortete mit einem JSON-RPC-Fehler.",
    hint: "Die Meldung ist die des Servers; meist passt ihm ein Argument nicht.",
  },
  "list-failed": {
    what: "Die Werkzeugliste war nicht lesbar; die letzte bekannte gilt weiter.",
    hint: "Die Liste neu lesen oder die Fehlerausgabe des Servers ansehen.",
  },
  "call-timeout": {
    what: "Der Aufruf überschritt seine Frist und wurde abgebrochen.",
    hint: "Dem Werkzeug im Manifest eine längere Frist geben oder den Aufruf mit einer wiederholen.",
  },
  "call-cancelled": {
    what: "Der Aufruf wurde abgebrochen.",
    hint: "Es ist nichts zu tun. Das Mitglied kann einen Teil der Arbeit getan haben.",
  },
  "call-interrupted": {
    what: "Das Mitglied endete während des Aufrufs; der Aufruf wird nicht wiederholt.",
    hint: "Ob er gewirkt hat, ist nicht bekannt: vor einem neuen Aufruf nachsehen.",
  },
  "member-unknown": {
    what: "Es gibt kein Mitglied dieses Namens.",
    hint: "Den Namen in der Mitgliederliste nachsehen (`guildhall list`).",
  },
  "tool-unknown": {
    what: "Das Mitglied hat kein Werkzeug dieses Namens.",
    hint: "Hat der Server gerade ein neues bekommen, die Liste neu lesen.",
  },
  "tool-unconfirmed": {
    what: "Das Werkzeug stammt aus der Ausgabe des Servers und ist von ihm nicht bestätigt.",
    hint: "Das Mitglied starten: Sobald sein Server die Liste bestätigt, ist das Werkzeug aufrufbar.",
  },
  "discovery-settings": {
    what: "config.yml ist so nicht nutzbar.",
    hint: "Die genannte Zeile berichtigen oder die Datei entfernen.",
  },
  "prediction-off": {
    what: "Das Fragen eines Modells ist ausgeschaltet, oder es ist keines genannt.",
    hint: "Adresse und Modell angeben und das Fragen einschalten: auf der Seite der Ermittlung oder in config.yml.",
  },
  "prediction-refused": {
    what: "Zu diesem Mitglied wird kein Modell gefragt, oder nicht vor den anderen Wegen.",
    hint: "Zuerst die Werkzeuge neu lesen; dann die Anfrage ansehen und ihr zustimmen.",
  },
  "prediction-failed": {
    what: "Das Modell wurde gefragt; eine brauchbare Antwort gibt es nicht.",
    hint: "Adresse (sie endet auf /v1), Name des Modells und Schlüssel prüfen.",
  },
  "embeddings-failed": {
    what: "Der Embeddings-Endpunkt wurde gefragt; brauchbare Vektoren gab er nicht.",
    hint: "Adresse (sie endet meist auf /v1), Name des Modells und Schlüssel prüfen.",
  },
  "build-failed": {
    what: "Der Bau des Servers ist fehlgeschlagen oder dauerte zu lange.",
    hint: "Die letzten Zeilen lesen; die ganze Ausgabe steht im Log. Der Server läuft weiter wie zuvor.",
  },
  "dev-unwatched": {
    what: "Die Dateien des Mitglieds lassen sich nicht oder nicht alle beobachten.",
    hint: "Mit dev.watch nennen, welche Dateien zählen.",
  },
  "dev-off": {
    what: "Laut Manifest werden die Dateien des Mitglieds nicht beobachtet.",
    hint: "\"dev\": true in plugin.json schreiben.",
  },
  "example-unknown": {
    what: "Das Mitglied hat kein Beispiel dieses Namens.",
    hint: "Die Seite des Mitglieds und sein Manifest nennen seine Beispiele.",
  },
  "member-disabled": {
    what: "Das Mitglied ist in seinem Manifest ausgeschaltet.",
    hint: "\"enabled\" auf true setzen; die Änderung wird sofort bemerkt.",
  },
  "member-unreviewed": {
    what: "Das Mitglied kommt von woanders, und niemand hat angenommen, was es ausführt.",
    hint: "Prüfen, was es ausführt, und es annehmen: auf der Seite des Mitglieds oder mit `guildhall review`.",
  },
  "tool-held": {
    what: "Das Werkzeug ist neu oder anders als angenommen; Agenten bekommen es nicht.",
    hint: "Den Unterschied ansehen und das Werkzeug annehmen: auf der Seite des Mitglieds oder mit `guildhall review`.",
  },
  "review-outdated": {
    what: "Was angenommen werden sollte, ist inzwischen etwas anderes.",
    hint: "Noch einmal ansehen.",
  },
  "reviews-unreadable": {
    what: "Eine Datei mit dem, was angenommen ist, ist nicht lesbar oder beschädigt.",
    hint: "Die Datei aus einer Sicherung zurückholen oder noch einmal prüfen.",
  },
  "arguments-not-json": {
    what: "Die Argumente sind kein JSON-Objekt oder so nicht zu senden.",
    hint: "Die genannte Stelle berichtigen. {} steht für keine Argumente.",
  },
  "arguments-invalid": {
    what: "Die Argumente passen nicht zum Eingabeschema des Werkzeugs.",
    hint: "Diese Felder berichtigen oder trotzdem senden und sehen, was der Server sagt.",
  },
  "too-many-calls": {
    what: "Das Mitglied hat schon so viele Aufrufe zugleich, wie es haben darf.",
    hint: "Warten, bis einige enden, oder welche abbrechen.",
  },
  "elicitation-ended": {
    what: "Die Frage des Servers wartet auf keine Antwort mehr.",
    hint: "Den Aufruf wiederholen und antworten, wenn er fragt.",
  },
  "elicitation-unanswered": {
    what: "Die Frage des Servers ließ sich niemandem stellen; das wurde ihm gesagt.",
    hint: "Den Aufruf im Fenster machen und dort antworten.",
  },
  "cache-unreadable": {
    what: "tools-cache.json ist nicht lesbar, beschädigt oder zu groß und wurde übergangen.",
    hint: "Es ist nichts zu tun: Die nächste Liste vom Server ersetzt sie.",
  },
  "cache-unwritable": {
    what: "tools-cache.json ließ sich nicht schreiben.",
    hint: "Schreibrecht geben oder Platz auf dem Datenträger schaffen.",
  },
  "data-unwritable": {
    what: "Der Datenordner von Guild Hall ist nicht lesbar oder nicht beschreibbar.",
    hint: "Die Berechtigungen des genannten Ordners ändern oder Platz schaffen.",
  },
  "settings-unusable": {
    what: "settings.json oder ein Feld darin ist nicht, wie es sein muss; oder eine Datei lässt sich nicht importieren.",
    hint: "Die genannte Stelle berichtigen; ein falsches Feld hat so lange seine Vorgabe. Für einen Import eine Datei nehmen, die Guild Hall exportiert hat, oder berichtigen, was die Meldung darin nennt.",
  },
  "setting-unknown": {
    what: "Eine Einstellung dieses Namens gibt es nicht.",
    hint: "`guildhall settings` zeigt alle; auf große und kleine Buchstaben achten.",
  },
  "setting-refused": {
    what: "Diesen Wert kann die Einstellung nicht haben; oder ein Import hat etwas zu ändern und kann niemanden danach fragen.",
    hint: "Einen anderen Wert angeben. Bei einem Import die Änderungen ansehen und ihn mit `--yes` oder in einem Terminal noch einmal ausführen.",
  },
  "settings-changed": {
    what: "Eine Datei mit Einstellungen wurde gleichzeitig von einem anderen Programm geändert; dessen Änderung wurde nicht überschrieben.",
    hint: "Dort speichern und es noch einmal versuchen.",
  },
  "file-unwritable": {
    what: "Die gewünschte Datei ließ sich nicht schreiben.",
    hint: "Einen beschreibbaren Ordner wählen oder Platz auf dem Datenträger schaffen.",
  },
  "history-unreadable": {
    what: "Die Datenbank des Verlaufs ist beschädigt, oder an ihrer Stelle steht etwas anderes.",
    hint: "Wo eine neue begonnen wurde, ist nichts zu tun. Die alte Datei bleibt erhalten.",
  },
  "history-newer": {
    what: "Die Datenbank des Verlaufs stammt von einer neueren Version von Guild Hall.",
    hint: "Die neuere Version verwenden oder die Datei verschieben und einen neuen Verlauf beginnen.",
  },
  "history-busy": {
    what: "Ein anderes Programm hält die Datenbank des Verlaufs, oder sie antwortete nicht rechtzeitig.",
    hint: "Das andere Programm schließen und es noch einmal versuchen.",
  },
  "history-full": {
    what: "Auf dem Datenträger ist kein Platz für den Verlauf.",
    hint: "Platz schaffen, Aufrufe aus dem Verlauf entfernen oder weniger aufheben lassen.",
  },
  "history-behind": {
    what: "Aufrufe kommen schneller, als der Verlauf sie aufschreiben kann.",
    hint: "Es ist nichts zu tun. Geschieht es oft, liegt der Datenordner auf einem langsamen Datenträger.",
  },
  "history-entry-unknown": {
    what: "Diesen Eintrag oder gespeicherten Aufruf gibt es nicht mehr.",
    hint: "Die Liste neu laden.",
  },
  "saved-name-refused": {
    what: "Der Name für den gespeicherten Aufruf ist leer, zu lang oder vergeben.",
    hint: "Einen anderen Namen wählen oder den alten Aufruf ersetzen.",
  },
  "history-too-large": {
    what: "Es ist größer als das, was aufgehoben wird.",
    hint: "Kürzen. Der Aufruf selbst ist trotzdem möglich.",
  },
  "log-unwritable": {
    what: "Eine Log-Datei ließ sich nicht lesen oder schreiben.",
    hint: "Beheben, was die Meldung nennt. Zeilen aus der Zwischenzeit fehlen in den Dateien.",
  },
  "gateway-port-taken": {
    what: "Auf dem Port des Gateways lauscht ein anderes Programm.",
    hint: "Das andere Programm schließen oder für das Gateway einen anderen Port wählen.",
  },
  "gateway-failed": {
    what: "Das Gateway kann keine Verbindungen annehmen.",
    hint: "Beheben, was die Meldung nennt; dann das Gateway aus- und wieder einschalten.",
  },
  "gateway-settings": {
    what: "gateway.json oder eine Änderung daran ist so nicht nutzbar; oder `guildhall serve` kann das Token in einer Datei nicht verwenden.",
    hint: "gateway.json berichtigen oder eine Kopie zurückholen; wer sie entfernt, erlaubt, was verboten war. Ein Token hat 32 bis 4.096 Zeichen ohne Leerzeichen und steht in einer Datei, die lesbar ist.",
  },
  "client-unknown": {
    what: "Diesen Client gibt es nicht: Sein Token wurde widerrufen.",
    hint: "Die Liste neu laden oder das Programm neu zulassen.",
  },
  "profile-unknown": {
    what: "Es gibt kein Profil dieses Namens.",
    hint: "Die Namen auf der Seite der Agenten ansehen oder das Profil anlegen.",
  },
  "profile-refused": {
    what: "Das Profil lässt sich so nicht speichern oder nicht für ein Team exportieren.",
    hint: "Ändern, was die Meldung nennt. Woanders laufen kann, was über eine `url` erreicht oder mit `npx` oder `uvx` gestartet wird.",
  },
  "tool-denied": {
    what: "Agenten dürfen dieses Werkzeug nicht aufrufen.",
    hint: "Die Regel ändern, auf der Seite der Agenten oder mit `guildhall policy`; oder das Mitglied starten, damit die Liste neu gelesen wird.",
  },
  "hints-loosened": {
    what: "Ein Server macht andere Angaben zu seinen Werkzeugen, und Agenten dürfen dadurch mehr mit ihnen.",
    hint: "Die Änderung ansehen; den Werkzeugen von Hand eine Regel geben oder sie zurückhalten.",
  },
  "tool-name-taken": {
    what: "Agenten bekommen dieses Werkzeug nicht: Zwei hätten denselben Namen.",
    hint: "Eines in einem Profil umbenennen oder ein Mitglied umbenennen.",
  },
  "approval-missing": {
    what: "Jemand muss den Aufruf freigeben, und niemand hat es getan.",
    hint: "Beim nächsten Mal in Guild Hall entscheiden oder die Regel des Werkzeugs ändern.",
  },
  "approval-ended": {
    what: "Der Aufruf des Agenten wartet auf keine Entscheidung mehr.",
    hint: "Es ist nichts zu tun.",
  },
  "program-unknown": {
    what: "Wo dieses Programm seine Konfiguration hat, ist nicht bekannt.",
    hint: "Ein Programm nehmen, das `guildhall export --help` nennt; jedes andere lässt sich von Hand verbinden.",
  },
  "client-config-refused": {
    what: "Die Konfigurationsdatei lässt sich nicht sicher ändern und blieb unberührt.",
    hint: "Die Datei berichtigen oder den Eintrag von Hand einfügen.",
  },
  "client-config-changed": {
    what: "Die Konfigurationsdatei ist nicht mehr so, wie sie bei der Vorschau oder der Änderung war.",
    hint: "Die Änderung noch einmal ansehen oder den Eintrag guild-hall von Hand entfernen.",
  },
  "client-config-unreadable": {
    what: "Die Konfigurationsdatei eines Programms ist nicht oder nicht ganz lesbar.",
    hint: "Die genannte Zeile berichtigen; die Datei wird bei jeder Änderung neu gelesen.",
  },
  "project-unknown": {
    what: "Diesen Projektordner oder diese Arbeitsbereichsdatei gibt es nicht, oder es sind schon zu viele.",
    hint: "Den ganzen Pfad nennen oder einen Ordner aus der Liste nehmen.",
  },
  "found-server-unknown": {
    what: "Diesen Server gibt es in keiner Datei mehr: Sein Befehl wurde geändert.",
    hint: "Noch einmal nachsehen, was gefunden wurde.",
  },
  "found-server-unusable": {
    what: "Aus dem, was in der Datei steht, lässt sich kein Mitglied machen.",
    hint: "Den Eintrag in der Datei berichtigen oder ein Manifest von Hand schreiben.",
  },
  "snippet-unreadable": {
    what: "Im Eingefügten ist kein Server, oder es ist nicht lesbar.",
    hint: "Alles kopieren, was die Seite des Servers zeigt: JSON mit mcpServers, TOML oder ein Befehl.",
  },
  "adoption-refused": {
    what: "So lässt sich der Server nicht übernehmen: Der Name ist vergeben, oder etwas fehlt.",
    hint: "Einen anderen Namen oder den fehlenden Wert angeben.",
  },
  "mcpb-unusable": {
    what: "Das MCPB-Bündel ist nicht nutzbar: keines, nicht sicher oder nicht mehr dasselbe.",
    hint: "Das Bündel neu vom Hersteller holen oder noch einmal hineinsehen.",
  },
  "registry-source-refused": {
    what: "Diese Quelle lässt sich nicht merken: weder ein ganzer Pfad noch eine zulässige Adresse.",
    hint: "Pfad oder Adresse berichtigen oder eine andere Quelle entfernen.",
  },
  "registry-unread": {
    what: "Eine Quelle von Registern war nicht lesbar; was zuvor gelesen wurde, gilt weiter.",
    hint: "Prüfen, ob Pfad oder Adresse stimmt und erreichbar ist; dann neu lesen.",
  },
  "registry-unknown": {
    what: "Es gibt keine Quelle dieses Namens, oder sie führt den Server nicht mehr.",
    hint: "Den Server noch einmal suchen; eine alte Quelle neu lesen.",
  },
  "link-invalid": {
    what: "Der Link führt zu keiner Stelle im Fenster.",
    hint: "Den Link berichtigen, etwa guildhall://member/NAME.",
  },
  "tray-missing": {
    what: "Der Desktop hat keinen Bereich, in dem das Symbol stehen könnte.",
    hint: "Einen solchen Bereich einrichten oder das Symbol ausschalten.",
  },
  "shortcut-unavailable": {
    what: "Das Tastenkürzel ist nicht verfügbar.",
    hint: "Ein anderes Kürzel wählen; vielleicht hat es schon ein anderes Programm.",
  },
  "notifications-missing": {
    what: "Der Desktop zeigt keine Benachrichtigungen anderer Programme.",
    hint: "Den Dienst für Benachrichtigungen einrichten oder sie ausschalten.",
  },
  "login-item": {
    what: "Der Start bei der Anmeldung ließ sich nicht einrichten oder nicht zurücknehmen.",
    hint: "Beheben, was die Meldung nennt, und es noch einmal versuchen.",
  },
  "update-unread": {
    what: "Ob es eine neuere Version gibt, ist nicht zu lesen, oder sie war nicht ganz zu holen.",
    hint: "Prüfen, ob updates.address stimmt und erreichbar ist; dann noch einmal nachsehen.",
  },
  "update-refused": {
    what: "Die neuere Version ist nicht gültig signiert und wird nicht verwendet.",
    hint: "Prüfen, ob Adresse und Schlüssel zusammengehören. Tun sie das, diese Version nicht verwenden.",
  },
  "update-unplaced": {
    what: "Die neuere Version kann nicht an die Stelle der laufenden treten.",
    hint: "Auf dem Weg aktualisieren, auf dem installiert wurde, oder das AppImage in einen eigenen Ordner legen.",
  },
  "hall-runs": {
    what: "Auf diesem Datenordner läuft schon ein Programm von Guild Hall.",
    hint: "Das verwenden, das läuft.",
  },
  "hall-unreachable": {
    what: "Ein anderes Programm von Guild Hall hält diesen Datenordner und antwortet nicht.",
    hint: "Dieses Programm beenden; die Meldung nennt seinen Prozess, wo er bekannt ist.",
  },
  "hall-not-running": {
    what: "Auf diesem Datenordner läuft kein Programm von Guild Hall.",
    hint: "Die Anwendung oder guildhall serve starten.",
  },
  "member-request": {
    what: "Ein Prozess eines Mitglieds fragt nach etwas, das nur ein Mensch entscheidet.",
    hint: "Das Fenster verwenden oder ein Terminal, das kein Mitglied gestartet hat.",
  },
  "data-of-another": {
    what: "Der Datenordner gehört einem anderen Benutzer.",
    hint: "Als dieser Benutzer starten oder mit --data einen eigenen Ordner nennen.",
  },
  "shutting-down": {
    what: "Guild Hall schließt gerade und startet nichts mehr.",
    hint: "Nach dem nächsten Öffnen noch einmal versuchen.",
  },
};
