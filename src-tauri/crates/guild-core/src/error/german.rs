//! What each code means in German, and what to do about it. What happened exactly, the report's own
//! message says.

use super::{Code, CodeWords};

pub(super) fn words(code: Code) -> CodeWords {
    let (what, hint) = match code {
        Code::MembersFolderUnreadable => (
            "Der Ordner der Mitglieder ist nicht lesbar.",
            "Den Pfad prüfen: Ordner anlegen, Leserecht geben oder einen anderen Ordner wählen.",
        ),
        Code::ManifestMissing => (
            "Im Ordner des Mitglieds fehlt plugin.json.",
            "Die Datei anlegen oder den Ordner woandershin verschieben.",
        ),
        Code::ManifestUnreadable => (
            "plugin.json ist nicht lesbar.",
            "Die Berechtigung ändern oder eine einfache Datei in UTF-8 daraus machen.",
        ),
        Code::ManifestTooLarge => (
            "plugin.json ist größer, als ein Manifest sein darf.",
            "Daten, die nicht zum Manifest gehören, in eigene Dateien auslagern.",
        ),
        Code::ManifestNotJson => (
            "plugin.json ist kein gültiges JSON.",
            "Die genannte Stelle berichtigen. Kommentare und Kommas am Ende sind kein JSON.",
        ),
        Code::ManifestField => (
            "Ein Feld in plugin.json fehlt oder hat einen unzulässigen Wert.",
            "Das genannte Feld berichtigen. Andere Mitglieder sind nicht betroffen.",
        ),
        Code::DuplicateName => (
            "Zwei Manifeste geben denselben Namen an.",
            "In einer der beiden Dateien den Namen ändern.",
        ),
        Code::FolderUnsafe => (
            "Der Ordner des Mitglieds ist ein Link, der ins Leere, im Kreis oder zurück führt.",
            "Den Link durch den Ordner selbst ersetzen oder auf den eigenen Ordner des Mitglieds richten.",
        ),
        Code::VariableMissing => (
            "Eine Variable des Manifests hat keinen Wert.",
            "Die Variable in der Startdatei der Shell setzen; dann Guild Hall und das Mitglied neu starten.",
        ),
        Code::SecretMissing => (
            "Ein Geheimnis des Manifests hat keinen Wert.",
            "Das Geheimnis setzen, im Fenster oder mit `guildhall secret set NAME`; dann das Mitglied starten.",
        ),
        Code::KeychainUnanswered => (
            "Der Schlüsselbund antwortet nicht, ist gesperrt oder lehnt ab.",
            "Den Schlüsselbund entsperren und es noch einmal versuchen.",
        ),
        Code::SecretRefused => (
            "Name oder Wert des Geheimnisses lässt sich so nicht speichern.",
            "Name oder Wert so ändern, wie die Meldung es nennt.",
        ),
        Code::SecretsUnsafe => (
            "Die Datei der Geheimnisse ist nicht nutzbar, oder andere dürfen sie lesen.",
            "Die Berechtigungen der Datei so setzen, dass nur das eigene Konto sie lesen darf.",
        ),
        Code::CommandNotFound => (
            "Den Befehl gibt es nicht: weder im PATH noch als Datei.",
            "Das Programm installieren oder im Manifest den ganzen Pfad nennen.",
        ),
        Code::CommandNotExecutable => (
            "Der Befehl darf nicht ausgeführt werden.",
            "Die Datei ausführbar machen (chmod +x).",
        ),
        Code::SpawnFailed => (
            "Das Betriebssystem hat den Prozess nicht gestartet.",
            "Beheben, was die Meldung nennt, dann das Mitglied starten.",
        ),
        Code::EngineUnreachable => (
            "Die Container-Engine antwortet nicht oder lässt diesen Benutzer nicht zu.",
            "Docker oder Podman starten; in einem Terminal zeigt `docker version`, ob die Engine antwortet.",
        ),
        Code::ImageUnavailable => (
            "Das Abbild des Containers ist nicht da und konnte nicht geholt werden.",
            "Namen und Tag prüfen, bei einem privaten Abbild anmelden oder das Abbild von Hand holen.",
        ),
        Code::MountRefused => (
            "Ein Ordner des Containers fehlt oder gäbe den ganzen Rechner preis.",
            "Nur den Ordner nennen, den der Server braucht.",
        ),
        Code::PortsExhausted => (
            "Alle Ports von 20000 bis 30000 sind belegt.",
            "Programme oder Mitglieder beenden, die Ports halten.",
        ),
        Code::PortLost => (
            "Ein anderes Programm nahm dem Mitglied mehrmals hintereinander den Port.",
            "Das Mitglied neu starten; bleibt es dabei, prüfen, ob der Server ${PORT} verwendet.",
        ),
        Code::PortHeld => (
            "Auf dem Port des Mitglieds antwortet ein fremder Prozess.",
            "Ansehen, wem der Port gehört; die Meldung nennt den Prozess.",
        ),
        Code::PortExposed => (
            "Das Mitglied ist von anderen Rechnern aus erreichbar: Es lauscht auf allen Adressen.",
            "Den Server auf 127.0.0.1 lauschen lassen.",
        ),
        Code::StartTimeout => (
            "Das Mitglied war innerhalb der Startfrist nicht bereit.",
            "Das Log lesen; braucht der Start länger, im Manifest eine längere Frist setzen.",
        ),
        Code::HandshakeTimeout => (
            "Der Port ist offen, aber der Handshake wurde nicht rechtzeitig fertig.",
            "Das Log lesen; oft spricht dort etwas anderes als MCP.",
        ),
        Code::HandshakeFailed => (
            "Auf den Handshake kam ein Fehler oder etwas anderes als MCP.",
            "Das Log lesen; Transport und Protokollversion im Manifest prüfen.",
        ),
        Code::MemberExited => (
            "Der Prozess hat geendet, obwohl niemand ihn angehalten hat.",
            "Die letzten Zeilen des Logs lesen.",
        ),
        Code::CrashLoop => (
            "Der Prozess endete immer wieder; es wird nichts mehr versucht.",
            "Das Log lesen, die Ursache beheben, dann das Mitglied starten.",
        ),
        Code::ConnectionFailed => (
            "Keine Verbindung zum Mitglied, oder sie ist abgerissen.",
            "Prüfen, ob das Mitglied läuft und seine Adresse stimmt.",
        ),
        Code::HttpStatus => (
            "Der Server antwortete mit einem HTTP-Status, der keine Antwort auf die Anfrage ist.",
            "Adresse und Header im Manifest prüfen.",
        ),
        Code::SignInNeeded => (
            "Der Server antwortet nur nach einer Anmeldung, oder er will mehr Rechte.",
            "Auf der Seite des Mitglieds oder mit `guildhall sign-in` anmelden.",
        ),
        Code::SignInFailed => (
            "Die Anmeldung ist nicht gelungen.",
            "Noch einmal versuchen; die Meldung sagt, woran es lag.",
        ),
        Code::SignInUnknown => (
            "Für dieses Mitglied läuft keine Anmeldung, oder es braucht keine.",
            "Die Anmeldung neu beginnen, auf der Seite des Mitglieds oder mit `guildhall sign-in`.",
        ),
        Code::AnswerMalformed => (
            "Die Antwort ist kein MCP.",
            "Das Log lesen; oft schreibt der Server anderes auf stdout.",
        ),
        Code::AnswerTooLarge => (
            "Die Antwort ist größer, als gelesen werden darf.",
            "Weniger anfordern, etwa mit einer engeren Suche.",
        ),
        Code::RpcError => (
            "Das Mitglied antwortete mit einem JSON-RPC-Fehler.",
            "Die Meldung ist die des Servers; meist passt ihm ein Argument nicht.",
        ),
        Code::ListFailed => (
            "Die Werkzeugliste war nicht lesbar; die letzte bekannte gilt weiter.",
            "Die Liste neu lesen oder die Fehlerausgabe des Servers ansehen.",
        ),
        Code::CallTimeout => (
            "Der Aufruf überschritt seine Frist und wurde abgebrochen.",
            "Dem Werkzeug im Manifest eine längere Frist geben oder den Aufruf mit einer wiederholen.",
        ),
        Code::CallCancelled => (
            "Der Aufruf wurde abgebrochen.",
            "Es ist nichts zu tun. Das Mitglied kann einen Teil der Arbeit getan haben.",
        ),
        Code::CallInterrupted => (
            "Das Mitglied endete während des Aufrufs; der Aufruf wird nicht wiederholt.",
            "Ob er gewirkt hat, ist nicht bekannt: vor einem neuen Aufruf nachsehen.",
        ),
        Code::MemberUnknown => (
            "Es gibt kein Mitglied dieses Namens.",
            "Den Namen in der Mitgliederliste nachsehen (`guildhall list`).",
        ),
        Code::ToolUnknown => (
            "Das Mitglied hat kein Werkzeug dieses Namens.",
            "Hat der Server gerade ein neues bekommen, die Liste neu lesen.",
        ),
        Code::ToolUnconfirmed => (
            "Das Werkzeug stammt aus der Ausgabe des Servers und ist von ihm nicht bestätigt.",
            "Das Mitglied starten: Sobald sein Server die Liste bestätigt, ist das Werkzeug aufrufbar.",
        ),
        Code::DiscoverySettings => (
            "config.yml ist so nicht nutzbar.",
            "Die genannte Zeile berichtigen oder die Datei entfernen.",
        ),
        Code::PredictionOff => (
            "Das Fragen eines Modells ist ausgeschaltet, oder es ist keines genannt.",
            "Adresse und Modell angeben und das Fragen einschalten: auf der Seite der Ermittlung oder in config.yml.",
        ),
        Code::PredictionRefused => (
            "Zu diesem Mitglied wird kein Modell gefragt, oder nicht vor den anderen Wegen.",
            "Zuerst die Werkzeuge neu lesen; dann die Anfrage ansehen und ihr zustimmen.",
        ),
        Code::PredictionFailed => (
            "Das Modell wurde gefragt; eine brauchbare Antwort gibt es nicht.",
            "Adresse (sie endet auf /v1), Name des Modells und Schlüssel prüfen.",
        ),
        Code::EmbeddingsFailed => (
            "Der Embeddings-Endpunkt wurde gefragt; brauchbare Vektoren gab er nicht.",
            "Adresse (sie endet meist auf /v1), Name des Modells und Schlüssel prüfen.",
        ),
        Code::BuildFailed => (
            "Der Bau des Servers ist fehlgeschlagen oder dauerte zu lange.",
            "Die letzten Zeilen lesen; die ganze Ausgabe steht im Log. Der Server läuft weiter wie zuvor.",
        ),
        Code::DevUnwatched => (
            "Die Dateien des Mitglieds lassen sich nicht oder nicht alle beobachten.",
            "Mit dev.watch nennen, welche Dateien zählen.",
        ),
        Code::DevOff => (
            "Laut Manifest werden die Dateien des Mitglieds nicht beobachtet.",
            "\"dev\": true in plugin.json schreiben.",
        ),
        Code::ExampleUnknown => (
            "Das Mitglied hat kein Beispiel dieses Namens.",
            "Die Seite des Mitglieds und sein Manifest nennen seine Beispiele.",
        ),
        Code::MemberDisabled => (
            "Das Mitglied ist in seinem Manifest ausgeschaltet.",
            "\"enabled\" auf true setzen; die Änderung wird sofort bemerkt.",
        ),
        Code::MemberUnreviewed => (
            "Das Mitglied kommt von woanders, und niemand hat angenommen, was es ausführt.",
            "Prüfen, was es ausführt, und es annehmen: auf der Seite des Mitglieds oder mit `guildhall review`.",
        ),
        Code::ToolHeld => (
            "Das Werkzeug ist neu oder anders als angenommen; Agenten bekommen es nicht.",
            "Den Unterschied ansehen und das Werkzeug annehmen: auf der Seite des Mitglieds oder mit `guildhall review`.",
        ),
        Code::ReviewOutdated => (
            "Was angenommen werden sollte, ist inzwischen etwas anderes.",
            "Noch einmal ansehen.",
        ),
        Code::ReviewsUnreadable => (
            "Eine Datei mit dem, was angenommen ist, ist nicht lesbar oder beschädigt.",
            "Die Datei aus einer Sicherung zurückholen oder noch einmal prüfen.",
        ),
        Code::ArgumentsNotJson => (
            "Die Argumente sind kein JSON-Objekt oder so nicht zu senden.",
            "Die genannte Stelle berichtigen. {} steht für keine Argumente.",
        ),
        Code::ArgumentsInvalid => (
            "Die Argumente passen nicht zum Eingabeschema des Werkzeugs.",
            "Diese Felder berichtigen oder trotzdem senden und sehen, was der Server sagt.",
        ),
        Code::TooManyCalls => (
            "Das Mitglied hat schon so viele Aufrufe zugleich, wie es haben darf.",
            "Warten, bis einige enden, oder welche abbrechen.",
        ),
        Code::ElicitationEnded => (
            "Die Frage des Servers wartet auf keine Antwort mehr.",
            "Den Aufruf wiederholen und antworten, wenn er fragt.",
        ),
        Code::ElicitationUnanswered => (
            "Die Frage des Servers ließ sich niemandem stellen; das wurde ihm gesagt.",
            "Den Aufruf im Fenster machen und dort antworten.",
        ),
        Code::CacheUnreadable => (
            "tools-cache.json ist nicht lesbar, beschädigt oder zu groß und wurde übergangen.",
            "Es ist nichts zu tun: Die nächste Liste vom Server ersetzt sie.",
        ),
        Code::CacheUnwritable => (
            "tools-cache.json ließ sich nicht schreiben.",
            "Schreibrecht geben oder Platz auf dem Datenträger schaffen.",
        ),
        Code::DataUnwritable => (
            "Der Datenordner von Guild Hall ist nicht lesbar oder nicht beschreibbar.",
            "Die Berechtigungen des genannten Ordners ändern oder Platz schaffen.",
        ),
        Code::SettingsUnusable => (
            "settings.json oder ein Feld darin ist nicht, wie es sein muss; oder eine Datei lässt sich nicht importieren.",
            "Die genannte Stelle berichtigen; ein falsches Feld hat so lange seine Vorgabe. Für einen Import eine Datei nehmen, die Guild Hall exportiert hat, oder berichtigen, was die Meldung darin nennt.",
        ),
        Code::SettingUnknown => (
            "Eine Einstellung dieses Namens gibt es nicht.",
            "`guildhall settings` zeigt alle; auf große und kleine Buchstaben achten.",
        ),
        Code::SettingRefused => (
            "Diesen Wert kann die Einstellung nicht haben; oder ein Import hat etwas zu ändern und kann niemanden danach fragen.",
            "Einen anderen Wert angeben. Bei einem Import die Änderungen ansehen und ihn mit `--yes` oder in einem Terminal noch einmal ausführen.",
        ),
        Code::SettingsChanged => (
            "Eine Datei mit Einstellungen wurde gleichzeitig von einem anderen Programm geändert; dessen Änderung wurde nicht überschrieben.",
            "Dort speichern und es noch einmal versuchen.",
        ),
        Code::FileUnwritable => (
            "Die gewünschte Datei ließ sich nicht schreiben.",
            "Einen beschreibbaren Ordner wählen oder Platz auf dem Datenträger schaffen.",
        ),
        Code::HistoryUnreadable => (
            "Die Datenbank des Verlaufs ist beschädigt, oder an ihrer Stelle steht etwas anderes.",
            "Wo eine neue begonnen wurde, ist nichts zu tun. Die alte Datei bleibt erhalten.",
        ),
        Code::HistoryNewer => (
            "Die Datenbank des Verlaufs stammt von einer neueren Version von Guild Hall.",
            "Die neuere Version verwenden oder die Datei verschieben und einen neuen Verlauf beginnen.",
        ),
        Code::HistoryBusy => (
            "Ein anderes Programm hält die Datenbank des Verlaufs, oder sie antwortete nicht rechtzeitig.",
            "Das andere Programm schließen und es noch einmal versuchen.",
        ),
        Code::HistoryFull => (
            "Auf dem Datenträger ist kein Platz für den Verlauf.",
            "Platz schaffen, Aufrufe aus dem Verlauf entfernen oder weniger aufheben lassen.",
        ),
        Code::HistoryBehind => (
            "Aufrufe kommen schneller, als der Verlauf sie aufschreiben kann.",
            "Es ist nichts zu tun. Geschieht es oft, liegt der Datenordner auf einem langsamen Datenträger.",
        ),
        Code::HistoryEntryUnknown => (
            "Diesen Eintrag oder gespeicherten Aufruf gibt es nicht mehr.",
            "Die Liste neu laden.",
        ),
        Code::SavedNameRefused => (
            "Der Name für den gespeicherten Aufruf ist leer, zu lang oder vergeben.",
            "Einen anderen Namen wählen oder den alten Aufruf ersetzen.",
        ),
        Code::HistoryTooLarge => (
            "Es ist größer als das, was aufgehoben wird.",
            "Kürzen. Der Aufruf selbst ist trotzdem möglich.",
        ),
        Code::LogUnwritable => (
            "Eine Log-Datei ließ sich nicht lesen oder schreiben.",
            "Beheben, was die Meldung nennt. Zeilen aus der Zwischenzeit fehlen in den Dateien.",
        ),
        Code::GatewayPortTaken => (
            "Auf dem Port des Gateways lauscht ein anderes Programm.",
            "Das andere Programm schließen oder für das Gateway einen anderen Port wählen.",
        ),
        Code::GatewayFailed => (
            "Das Gateway kann keine Verbindungen annehmen.",
            "Beheben, was die Meldung nennt; dann das Gateway aus- und wieder einschalten.",
        ),
        Code::GatewaySettings => (
            "gateway.json oder eine Änderung daran ist so nicht nutzbar; oder `guildhall serve` kann das Token in einer Datei nicht verwenden.",
            "gateway.json berichtigen oder eine Kopie zurückholen; wer sie entfernt, erlaubt, was verboten war. Ein Token hat 32 bis 4.096 Zeichen ohne Leerzeichen und steht in einer Datei, die lesbar ist.",
        ),
        Code::ClientUnknown => (
            "Diesen Client gibt es nicht: Sein Token wurde widerrufen.",
            "Die Liste neu laden oder das Programm neu zulassen.",
        ),
        Code::ProfileUnknown => (
            "Es gibt kein Profil dieses Namens.",
            "Die Namen auf der Seite der Agenten ansehen oder das Profil anlegen.",
        ),
        Code::ProfileRefused => (
            "Das Profil lässt sich so nicht speichern oder nicht für ein Team exportieren.",
            "Ändern, was die Meldung nennt. Woanders laufen kann, was über eine `url` erreicht oder mit `npx` oder `uvx` gestartet wird.",
        ),
        Code::ToolDenied => (
            "Agenten dürfen dieses Werkzeug nicht aufrufen.",
            "Die Regel ändern, auf der Seite der Agenten oder mit `guildhall policy`; oder das Mitglied starten, damit die Liste neu gelesen wird.",
        ),
        Code::HintsLoosened => (
            "Ein Server macht andere Angaben zu seinen Werkzeugen, und Agenten dürfen dadurch mehr mit ihnen.",
            "Die Änderung ansehen; den Werkzeugen von Hand eine Regel geben oder sie zurückhalten.",
        ),
        Code::ToolNameTaken => (
            "Agenten bekommen dieses Werkzeug nicht: Zwei hätten denselben Namen.",
            "Eines in einem Profil umbenennen oder ein Mitglied umbenennen.",
        ),
        Code::ApprovalMissing => (
            "Jemand muss den Aufruf freigeben, und niemand hat es getan.",
            "Beim nächsten Mal in Guild Hall entscheiden oder die Regel des Werkzeugs ändern.",
        ),
        Code::ApprovalEnded => (
            "Der Aufruf des Agenten wartet auf keine Entscheidung mehr.",
            "Es ist nichts zu tun.",
        ),
        Code::ProgramUnknown => (
            "Wo dieses Programm seine Konfiguration hat, ist nicht bekannt.",
            "Ein Programm nehmen, das `guildhall export --help` nennt; jedes andere lässt sich von Hand verbinden.",
        ),
        Code::ClientConfigRefused => (
            "Die Konfigurationsdatei lässt sich nicht sicher ändern und blieb unberührt.",
            "Die Datei berichtigen oder den Eintrag von Hand einfügen.",
        ),
        Code::ClientConfigChanged => (
            "Die Konfigurationsdatei ist nicht mehr so, wie sie bei der Vorschau oder der Änderung war.",
            "Die Änderung noch einmal ansehen oder den Eintrag guild-hall von Hand entfernen.",
        ),
        Code::ClientConfigUnreadable => (
            "Die Konfigurationsdatei eines Programms ist nicht oder nicht ganz lesbar.",
            "Die genannte Zeile berichtigen; die Datei wird bei jeder Änderung neu gelesen.",
        ),
        Code::ProjectUnknown => (
            "Diesen Projektordner oder diese Arbeitsbereichsdatei gibt es nicht, oder es sind schon zu viele.",
            "Den ganzen Pfad nennen oder einen Ordner aus der Liste nehmen.",
        ),
        Code::FoundServerUnknown => (
            "Diesen Server gibt es in keiner Datei mehr: Sein Befehl wurde geändert.",
            "Noch einmal nachsehen, was gefunden wurde.",
        ),
        Code::FoundServerUnusable => (
            "Aus dem, was in der Datei steht, lässt sich kein Mitglied machen.",
            "Den Eintrag in der Datei berichtigen oder ein Manifest von Hand schreiben.",
        ),
        Code::SnippetUnreadable => (
            "Im Eingefügten ist kein Server, oder es ist nicht lesbar.",
            "Alles kopieren, was die Seite des Servers zeigt: JSON mit mcpServers, TOML oder ein Befehl.",
        ),
        Code::AdoptionRefused => (
            "So lässt sich der Server nicht übernehmen: Der Name ist vergeben, oder etwas fehlt.",
            "Einen anderen Namen oder den fehlenden Wert angeben.",
        ),
        Code::McpbUnusable => (
            "Das MCPB-Bündel ist nicht nutzbar: keines, nicht sicher oder nicht mehr dasselbe.",
            "Das Bündel neu vom Hersteller holen oder noch einmal hineinsehen.",
        ),
        Code::RegistrySourceRefused => (
            "Diese Quelle lässt sich nicht merken: weder ein ganzer Pfad noch eine zulässige Adresse.",
            "Pfad oder Adresse berichtigen oder eine andere Quelle entfernen.",
        ),
        Code::RegistryUnread => (
            "Eine Quelle von Registern war nicht lesbar; was zuvor gelesen wurde, gilt weiter.",
            "Prüfen, ob Pfad oder Adresse stimmt und erreichbar ist; dann neu lesen.",
        ),
        Code::RegistryUnknown => (
            "Es gibt keine Quelle dieses Namens, oder sie führt den Server nicht mehr.",
            "Den Server noch einmal suchen; eine alte Quelle neu lesen.",
        ),
        Code::LinkInvalid => (
            "Der Link führt zu keiner Stelle im Fenster.",
            "Den Link berichtigen, etwa guildhall://member/NAME.",
        ),
        Code::TrayMissing => (
            "Der Desktop hat keinen Bereich, in dem das Symbol stehen könnte.",
            "Einen solchen Bereich einrichten oder das Symbol ausschalten.",
        ),
        Code::ShortcutUnavailable => (
            "Das Tastenkürzel ist nicht verfügbar.",
            "Ein anderes Kürzel wählen; vielleicht hat es schon ein anderes Programm.",
        ),
        Code::NotificationsMissing => (
            "Der Desktop zeigt keine Benachrichtigungen anderer Programme.",
            "Den Dienst für Benachrichtigungen einrichten oder sie ausschalten.",
        ),
        Code::LoginItem => (
            "Der Start bei der Anmeldung ließ sich nicht einrichten oder nicht zurücknehmen.",
            "Beheben, was die Meldung nennt, und es noch einmal versuchen.",
        ),
        Code::UpdateUnread => (
            "Ob es eine neuere Version gibt, ist nicht zu lesen, oder sie war nicht ganz zu holen.",
            "Prüfen, ob updates.address stimmt und erreichbar ist; dann noch einmal nachsehen.",
        ),
        Code::UpdateRefused => (
            "Die neuere Version ist nicht gültig signiert und wird nicht verwendet.",
            "Prüfen, ob Adresse und Schlüssel zusammengehören. Tun sie das, diese Version nicht verwenden.",
        ),
        Code::UpdateUnplaced => (
            "Die neuere Version kann nicht an die Stelle der laufenden treten.",
            "Auf dem Weg aktualisieren, auf dem installiert wurde, oder das AppImage in einen eigenen Ordner legen.",
        ),
        Code::HallRuns => (
            "Auf diesem Datenordner läuft schon ein Programm von Guild Hall.",
            "Das verwenden, das läuft.",
        ),
        Code::HallUnreachable => (
            "Ein anderes Programm von Guild Hall hält diesen Datenordner und antwortet nicht.",
            "Dieses Programm beenden; die Meldung nennt seinen Prozess, wo er bekannt ist.",
        ),
        Code::HallNotRunning => (
            "Auf diesem Datenordner läuft kein Programm von Guild Hall.",
            "Die Anwendung oder guildhall serve starten.",
        ),
        Code::MemberRequest => (
            "Ein Prozess eines Mitglieds fragt nach etwas, das nur ein Mensch entscheidet.",
            "Das Fenster verwenden oder ein Terminal, das kein Mitglied gestartet hat.",
        ),
        Code::DataOfAnother => (
            "Der Datenordner gehört einem anderen Benutzer.",
            "Als dieser Benutzer starten oder mit --data einen eigenen Ordner nennen.",
        ),
        Code::ShuttingDown => (
            "Guild Hall schließt gerade und startet nichts mehr.",
            "Nach dem nächsten Öffnen noch einmal versuchen.",
        ),
    };
    CodeWords { what, hint }
}
