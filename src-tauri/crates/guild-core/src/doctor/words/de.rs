//! In German.

use super::{Words, size, with_words};
use crate::doctor::{Advice, Detail, Ended, Fact, Product, Subject, Unasked};
use crate::language::Language;
use crate::note::Told;

pub(super) const WORDS: Words = Words {
    subject,
    fact,
    detail,
    advice,
};

fn subject(subject: &Subject) -> String {
    match subject {
        Subject::Named(name) => name.as_str(),
        Subject::LoginShell => "Login-Shell",
        Subject::Commands => "Befehle",
        Subject::SignIns => "Anmeldungen",
        Subject::Keychain => "Schlüsselbund",
        Subject::MembersPorts => "Mitglieder",
        Subject::Gateway => "Gateway",
        Subject::Folders => "Ordner",
        Subject::MembersFolder => "Ordner der Mitglieder",
        Subject::DataFolder => "Datenordner",
        Subject::Room => "Platz",
        Subject::EarlierRuns => "frühere Läufe",
    }
    .to_owned()
}

fn fact(fact: &Fact) -> String {
    match fact {
        Fact::GivenUp { seconds } => {
            format!("Das Nachsehen dauerte länger als {seconds} s und wurde aufgegeben.")
        }
        Fact::BrokenOff { error } => format!("Das Nachsehen brach ab: {error}."),
        Fact::ShellNotAsked { why } => format!("Sie wurde nicht gefragt: {}.", unasked(*why)),
        Fact::ShellFailed { problem, ms } => format!(
            "Sie gab keine brauchbare Antwort ({problem}). Das dauerte {ms} ms. Mitglieder bekommen \
             die eigenen Variablen von Guild Hall."
        ),
        Fact::ShellAnswered {
            ms,
            differing,
            unused,
        } => {
            let differ = match differing {
                0 => "keine Variable ist anders".to_owned(),
                1 => "eine Variable ist anders".to_owned(),
                many => format!("{many} Variablen sind anders"),
            };
            let used = match (unused, differing) {
                (Some(why), _) => format!(" Mitglieder bekommen sie nicht: {}.", unasked(*why)),
                (None, 0) => String::new(),
                (None, _) => " Mitglieder bekommen sie.".to_owned(),
            };
            format!("Sie antwortete in {ms} ms; {differ}.{used}")
        }
        Fact::ProgramMissing => "Im PATH nicht gefunden.".to_owned(),
        Fact::ProgramAnswered { version, place } => format!("{version}, {place}"),
        Fact::ProgramFailed {
            place,
            status,
            said,
        } => {
            let ended = match status {
                Some(Ended::Code(code)) => format!("endete mit Code {code}"),
                Some(Ended::Signal(signal)) => format!("endete durch Signal {signal}"),
                None => "wurde beendet".to_owned(),
            };
            let failed = format!("{place} ist da und nannte keine Version: Es {ended}.");
            with_words(failed, said)
        }
        Fact::ProgramSilent { place, seconds } => format!(
            "{place} ist da und nannte innerhalb von {seconds} s keine Version; es wurde beendet."
        ),
        Fact::ProgramUnusable { place, error } => format!("{place} ist da, aber: {error}"),
        Fact::ManifestUnusable => "Sein Manifest ist nicht nutzbar.".to_owned(),
        Fact::Reported { message } => message.told(Language::De),
        Fact::CommandSecret => {
            "In seinem Befehl steht ein Geheimnis; er wird hier nicht gesucht.".to_owned()
        }
        Fact::SecretsInArguments { references } => format!(
            "Seine Argumente haben {}; die Werte sieht jeder Benutzer dieses Rechners, solange es \
             läuft (`ps`).",
            references.join(" und ")
        ),
        Fact::SecretsReadable { file } => {
            format!("{file} enthält ein Geheimnis, und andere Benutzer können sie lesen.")
        }
        Fact::CommandFound { places } => {
            let places = places
                .iter()
                .map(|(command, place)| format!("{command} ist {place}"));
            places.collect::<Vec<_>>().join(", ")
        }
        Fact::CommandMissing { command } => {
            format!("Der Befehl `{command}` wurde nicht gefunden.")
        }
        Fact::EngineMissing { engines } => match engines.as_slice() {
            [engine] => format!("Es läuft in einem Container, und {engine} ist nicht da."),
            engines => format!(
                "Es läuft in einem Container, und weder {} ist da.",
                engines.join(" noch ")
            ),
        },
        Fact::ContainerEscapes => "Sein Befehl startet einen Container, der weiterläuft, wenn der \
                                   Client der Engine abgebrochen wird."
            .to_owned(),
        Fact::SignInWanted => "Sein Server will, dass sich jemand anmeldet.".to_owned(),
        Fact::NobodySignedIn => "Niemand hat sich bisher bei ihm angemeldet.".to_owned(),
        Fact::SignInEnded => {
            "Die Anmeldung ist abgelaufen und wird nicht von selbst erneuert.".to_owned()
        }
        Fact::SignInRefused => "Sein Server lehnt ab, wofür sich jemand angemeldet hat.".to_owned(),
        Fact::SignedIn { issuer } => {
            let by = issuer.as_deref().unwrap_or("den eigenen Server");
            format!("Jemand ist angemeldet, über {by}.")
        }
        Fact::KeychainReady => "Er antwortet.".to_owned(),
        Fact::KeychainAbsent { used: true } => {
            "Keiner ist erreichbar: Geheimnisse stehen in secrets.json im Datenordner.".to_owned()
        }
        Fact::KeychainAbsent { used: false } => {
            "Keiner ist erreichbar: Ein Geheimnis käme in secrets.json im Datenordner.".to_owned()
        }
        Fact::KeychainUnanswered => "Er antwortet nicht.".to_owned(),
        Fact::SecretMissing => "Es ist kein Wert dafür bekannt.".to_owned(),
        Fact::Ports {
            range: (first, last),
            free,
            lent,
            foreign,
        } => format!(
            "Von den Ports {first} bis {last} sind {free} frei, {lent} gehören Mitgliedern, \
             {foreign} sind von anderen Programmen belegt."
        ),
        Fact::GatewayReached { address } => format!("Agenten erreichen es unter {address}."),
        Fact::GatewayOff => "Es ist ausgeschaltet.".to_owned(),
        Fact::GatewayPortFree { port } => format!(
            "Port {port} ist frei; das Gateway öffnet sich mit der Anwendung oder mit `guildhall \
             serve`."
        ),
        Fact::GatewayPortOwn { port, holder } => {
            format!(
                "Port {port} hält Guild Hall selbst: {}.",
                holder.told(Language::De)
            )
        }
        Fact::GatewayPortTaken {
            port,
            holder: Some(holder),
        } => format!("Port {port} ist belegt: {}.", holder.told(Language::De)),
        Fact::GatewayPortTaken { port, holder: None } => {
            format!("Port {port} ist belegt: von einem Programm, das nicht zu sehen ist.")
        }
        Fact::FolderMissing { folder } => format!("{folder} gibt es nicht."),
        Fact::FolderUnreadable { folder, error } => format!("{folder} ist nicht lesbar: {error}."),
        Fact::FolderUnwritable { folder, error } => {
            format!("{folder} ist nicht beschreibbar: {error}.")
        }
        Fact::FolderOpen { folder } => {
            format!("{folder} können andere Benutzer ändern, und damit, was ausgeführt wird.")
        }
        Fact::FolderFine { folder } => format!("{folder} ist lesbar und beschreibbar."),
        Fact::RoomUnknown => "Wie viel Platz frei ist, war nicht zu erfahren.".to_owned(),
        Fact::Room { bytes, folder } => format!("{} sind frei für {folder}.", size(*bytes)),
        Fact::NothingLeft => "Kein Prozess eines früheren Laufs ist übrig.".to_owned(),
        Fact::ProcessesLeft { count: 1 } => {
            "1 Prozess ist von einer Guild Hall übrig, die es nicht mehr gibt.".to_owned()
        }
        Fact::ProcessesLeft { count } => {
            format!("{count} Prozesse sind von einer Guild Hall übrig, die es nicht mehr gibt.")
        }
    }
}

fn unasked(why: Unasked) -> &'static str {
    match why {
        Unasked::NotWanted => "hier wird nichts gestartet",
        Unasked::Windows => "Programme haben die Variablen des Benutzers, gleich wie sie starten",
        Unasked::Terminal => {
            "Guild Hall wurde aus einem Terminal gestartet und hat dessen Variablen"
        }
        Unasked::SwitchedOff => "GUILD_HALL_LOGIN_SHELL ist off",
        Unasked::InsideShell => "Guild Hall wurde von der Shell gestartet, die gefragt würde",
        Unasked::NoShell => "der Benutzer hat keine Shell, die jemanden einlässt",
    }
}

fn detail(detail: &Detail) -> String {
    match detail {
        Detail::Plain(text) => text.clone(),
        Detail::Beyond(beyond) => beyond.told(Language::De),
        Detail::LookedIn(folder) => format!("gesucht in {folder}"),
        Detail::LookedFor(file) => format!("gesucht: {file}"),
        Detail::UsedBy(members) => format!("verwendet von {members}"),
        Detail::PortHeld(port, Some(holder)) => format!("{port}: {}", holder.told(Language::De)),
        Detail::PortHeld(port, None) => {
            format!("{port}: ein Programm, das nicht zu sehen ist")
        }
        Detail::InEnv(names) => format!("und unter \"env\": {names}"),
        Detail::ListsInDataFolder => "Werkzeuglisten stehen stattdessen im Datenordner.".to_owned(),
        // Of whatever was listed: no gender fits it all.
        Detail::More(1) => "und noch 1".to_owned(),
        Detail::More(count) => format!("und {count} weitere"),
    }
}

fn advice(advice: &Advice) -> String {
    match advice {
        Advice::OfReport(hint) => hint.told(Language::De),
        Advice::LookAtDisks => {
            "Nachsehen, ob ein Datenträger oder ein Ordner im Netz nicht antwortet.".to_owned()
        }
        Advice::RunShell => "Die Shell von Hand starten (`$SHELL -ilc true`) und sehen, worauf sie \
                             wartet oder was sie sagt; mit `GUILD_HALL_LOGIN_SHELL=off` fragt Guild \
                             Hall keine Shell."
            .to_owned(),
        Advice::Install(product) => match product.brings {
            Some([one, other]) => format!(
                "{} installieren; dazu gehören {one} und {other}.",
                named(product)
            ),
            None => format!("{} installieren.", named(product)),
        },
        Advice::InstallOneOf(one, other) => {
            format!("{} oder {} installieren.", named(one), named(other))
        }
        Advice::InstallCommand {
            command,
            product: Some(product),
        } => format!(
            "`{command}` gehört zu {product}: das installieren oder den ganzen Pfad von `{command}` \
             als `command` ins Manifest schreiben."
        ),
        Advice::InstallCommand { product: None, .. } => "Das Programm installieren oder seinen \
                                                         ganzen Pfad als `command` ins Manifest \
                                                         schreiben."
            .to_owned(),
        Advice::SecretToEnv => {
            "In `env` übergeben, wenn der Server es aus einer Variablen liest.".to_owned()
        }
        Advice::CloseFile { file } => format!(
            "`chmod 600 '{file}'` ausführen, oder das Geheimnis mit `guildhall secret set NAME` \
             aufbewahren und `${{secret:NAME}}` schreiben."
        ),
        Advice::Newer { oldest } => format!("Viele Server brauchen Version {oldest} oder neuer."),
        Advice::StartDocker => "Die Engine von Docker starten und nachsehen, ob sie verwendet \
                                werden darf: `docker version`."
            .to_owned(),
        Advice::SeeObjection { program } => format!(
            "`{program} --version` in einem Terminal starten und sehen, was das Programm stört."
        ),
        Advice::SeeWaiting { program } => format!(
            "`{program} --version` in einem Terminal starten und sehen, worauf das Programm wartet."
        ),
        Advice::WriteContainer => {
            "Dies statt `command` und `args` in plugin.json schreiben.".to_owned()
        }
        Advice::WriteAsContainer => "Als `container` würde er mit dem Mitglied enden; genannt ist, \
                                     wofür es dort kein Feld gibt."
            .to_owned(),
        Advice::SignIn { member } => {
            format!("Auf seiner Seite oder mit `guildhall sign-in {member}` anmelden.")
        }
        Advice::StartKeychain => "Jedes selbst gestartete Programm kann diese Datei lesen. Den \
                                  Schlüsselbund des Systems starten (GNOME Keyring, KWallet), damit \
                                  Geheimnisse dort gespeichert werden."
            .to_owned(),
        Advice::AnswerKeychain => {
            "Nach einem Fenster suchen, das nach seinem Passwort fragt, und antworten.".to_owned()
        }
        Advice::SetSecret { name } => format!("Setzen: `guildhall secret set {name}`."),
        Advice::FreePorts => {
            "Nicht gebrauchte Mitglieder anhalten oder Programme beenden, die diese Ports halten."
                .to_owned()
        }
        Advice::FreeGatewayPort => {
            "Dieses Programm beenden oder für das Gateway einen anderen Port wählen.".to_owned()
        }
        Advice::OtherGatewayPort => "Für das Gateway einen anderen Port wählen.".to_owned(),
        Advice::MakeFolder => "Den Ordner anlegen oder einen anderen nennen.".to_owned(),
        Advice::MakeReadable => "Das Leserecht geben oder einen anderen nennen.".to_owned(),
        Advice::MakeWritable => {
            "Das Schreibrecht geben oder mit --data einen anderen nennen.".to_owned()
        }
        Advice::KeepOthersOut { folder } => format!("`chmod go-w '{folder}'` ausführen."),
        Advice::MakeRoom => "Platz schaffen: Ohne ihn lassen sich Verlauf, Log und Werkzeuglisten \
                             nicht schreiben."
            .to_owned(),
        Advice::EndLeft => "Der nächste Start versucht wieder, sie zu beenden; `kill -9` mit diesen \
                            Nummern hilft vielleicht."
            .to_owned(),
    }
}

fn named(product: &Product) -> String {
    format!("{} ({})", product.name, product.address)
}
