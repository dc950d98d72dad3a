//! What goes wrong with the gateway, its clients, profiles and policies, and in programs' files.

use std::path::PathBuf;

use super::{Each, NameWrong, Told, UrlWrong, notes, troubles};
use crate::agents::policy::{PolicyReason, ToolClass};
use crate::id::MemberName;
use crate::language::Language;

troubles! {
    /// Why the gateway does not do what is asked of it.
    GatewayTrouble;
    /// There is no such profile, when it is looked for.
    NoProfile(name: String)
        "There is no profile {name}."
        "Ein Profil {name} gibt es nicht."
        "Look at the profiles' names."
        "Die Namen der Profile ansehen.";
    /// There is no such profile any more.
    NoProfileNow(name: String)
        "There is no profile {name}."
        "Ein Profil {name} gibt es nicht."
        "Load the list again."
        "Die Liste neu laden.";
    /// There is no such profile, and nothing to do about it.
    NoProfileAtAll(name: String)
        "There is no profile {name}."
        "Ein Profil {name} gibt es nicht."
        ""
        "";
    /// There is nothing of that name.
    Nothing(endpoint: String)
        "There is nothing at {endpoint}."
        "Unter {endpoint} ist nichts."
        "Look at the members' names."
        "Die Namen der Mitglieder ansehen.";
    /// Its port is taken.
    PortTaken(port: u16)
        "Another program listens on port {port}."
        "Ein anderes Programm lauscht auf Port {port}."
        "Close it, or set `gateway.port` in the settings to another port and connect the agents anew."
        "Es schließen oder in den Einstellungen `gateway.port` auf einen anderen Port setzen und die Agenten neu verbinden.";
    /// Its port can't be listened on.
    PortFailed(port: u16, error: String)
        "The gateway can't listen on port {port}: {error}."
        "Das Gateway kann nicht auf Port {port} lauschen: {error}."
        "Set `gateway.port` in the settings to another port."
        "In den Einstellungen `gateway.port` auf einen anderen Port setzen.";
    /// The work was given up.
    Ended(error: String)
        "The work ended: {error}."
        "Die Arbeit brach ab: {error}."
        "Try it again."
        "Es noch einmal versuchen.";
    /// A member has said nothing yet.
    Unsaid
        "The member has not said which tools it has."
        "Das Mitglied hat noch nicht gesagt, welche Werkzeuge es hat."
        "Repeat the call; the member's page shows what it does."
        "Den Aufruf wiederholen; die Seite des Mitglieds zeigt, was es tut.";
    /// The file of clients can't be used.
    ClientsUnusable(file: PathBuf, error: Each)
        "{file} can't be used: {error}."
        "{file} ist nicht nutzbar: {error}."
        "Mend the file, or remove it and let each program in anew."
        "Die Datei berichtigen oder sie entfernen und jedes Programm neu zulassen.";
    /// A file can't be written.
    Unwritable(file: PathBuf, error: Each)
        "{file} can't be written: {error}."
        "{file} lässt sich nicht schreiben: {error}."
        "Give yourself the right to write there, or free space on the disk."
        "Sich dort das Schreibrecht geben oder Platz auf dem Datenträger schaffen.";
    /// No client of that id.
    NoClient
        "There is no such client."
        "Diesen Client gibt es nicht."
        "Load the list again."
        "Die Liste neu laden.";
    /// A token that is none.
    BadToken(least: usize, most: usize)
        "A token has {least} to {most} letters, digits and signs, without spaces."
        "Ein Token hat {least} bis {most} Buchstaben, Ziffern und Zeichen, ohne Leerzeichen."
        ""
        "";
    /// Too many clients.
    ManyClients(most: usize)
        "There are {most} clients already."
        "Es gibt schon {most} Clients."
        ""
        "";
    /// No chance.
    NoRandom(error: String)
        "The system gives no random numbers: {error}."
        "Das System gibt keine Zufallszahlen: {error}."
        ""
        "";
    /// A client's name is none.
    ClientName(most: usize)
        "A client's name has 1 to {most} characters, on one line."
        "Der Name eines Clients hat 1 bis {most} Zeichen, in einer Zeile."
        ""
        "";
    /// A client's id is none.
    ClientId(wrong: NameWrong)
        "{wrong}"
        "{wrong}"
        ""
        "";
    /// `gateway.json` can't be used.
    Unusable(file: PathBuf, error: Each)
        "{file} can't be used: {error}."
        "{file} ist nicht nutzbar: {error}."
        "Repair the file or restore a copy of it. Removing it removes all policies and profiles: agents could call what was denied."
        "Die Datei reparieren oder eine Kopie zurückholen. Wer sie entfernt, entfernt alle Regeln und Profile: Agenten könnten aufrufen, was verboten war.";
    /// A profile can't be kept.
    ProfileRefused(wrong: ProfileWrong)
        "The profile can't be kept: {wrong}."
        "Das Profil lässt sich nicht speichern: {wrong}."
        "Change that, and save it again."
        "Das ändern und es noch einmal speichern.";
    /// A profile's name is taken.
    ProfileTaken(name: String)
        "There is a profile {name} already."
        "Ein Profil {name} gibt es schon."
        "Give it another name."
        "Ihm einen anderen Namen geben.";
    /// A profile has no such member.
    NotMounted(profile: String, member: MemberName)
        "The profile {profile} does not have the member {member}."
        "Das Profil {profile} hat das Mitglied {member} nicht."
        "Add the member to the profile first."
        "Das Mitglied erst in das Profil aufnehmen.";
    /// Too many policies at once.
    ManyPolicies(count: usize, most: usize)
        "{count} policies are too many to be set at once."
        "{count} Regeln sind zu viele auf einmal."
        "Set {most} at a time at most."
        "Höchstens {most} auf einmal setzen.";
    /// A server loosened its own hints.
    Loosened(tools: String)
        "The server says something else of {tools} than before; by the rules for kinds of tools, agents may do more with them now."
        "Der Server sagt über {tools} etwas anderes als zuvor; nach den Regeln für Arten von Werkzeugen dürfen Agenten jetzt mehr damit."
        "Set a policy on them by hand, or have the member's changes held back until you accept them."
        "Von Hand eine Regel dafür setzen oder die Änderungen des Mitglieds zurückhalten, bis sie angenommen sind.";
    /// The same of more tools than are named.
    LoosenedMore(tools: String, more: usize)
        "The server says something else of {tools} and {more} more than before; by the rules for kinds of tools, agents may do more with them now."
        "Der Server sagt über {tools} (weitere Werkzeuge: {more}) etwas anderes als zuvor; nach den Regeln für Arten von Werkzeugen dürfen Agenten jetzt mehr damit."
        "Set a policy on them by hand, or have the member's changes held back until you accept them."
        "Von Hand eine Regel dafür setzen oder die Änderungen des Mitglieds zurückhalten, bis sie angenommen sind.";
    /// A person is asked no more.
    DecisionEnded
        "This call waits for no decision any more."
        "Dieser Aufruf wartet auf keine Entscheidung mehr."
        ""
        "";
}

notes! {
    /// Why `gateway.json`, or the file of clients, can't be used: the rest of a sentence.
    GatewayWrong;
    /// There are too many profiles.
    ManyProfiles(most: usize)
        "there are more than {most} profiles"
        "es gibt mehr als {most} Profile";
    /// There are too many names of old.
    ManyFormer(most: usize)
        "there are more than {most} formerProfileNames: remove some that nobody uses"
        "es gibt mehr als {most} formerProfileNames: einige entfernen, die niemand verwendet";
    /// A name twice.
    TwoProfiles(name: String)
        "there are two profiles {name:?}"
        "es gibt zwei Profile {name:?}";
    /// A profile can't be.
    Profile(name: String, wrong: ProfileWrong)
        "profile {name}: {wrong}"
        "Profil {name}: {wrong}";
    /// A client could not show that it is it.
    NoDigest(client: String)
        "the client {client} has no digest"
        "der Client {client} hat keinen Hashwert";
    /// Whoever reads or writes it says so.
    Unread(error: String)
        "{error}"
        "{error}";
}

notes! {
    /// Why a profile can't be kept: the rest of a sentence.
    ProfileWrong;
    /// A member twice.
    Twice(member: MemberName)
        "{member} stands in it twice"
        "{member} steht zweimal darin";
    /// Two without a prefix.
    TwoBare(other: MemberName, member: MemberName)
        "{other} and {member} are both without a prefix"
        "{other} und {member} sind beide ohne Präfix";
    /// A tool's name is none.
    ToolName(name: String, tool: String, most: usize)
        "{name}, the new name of {tool}, is not 1 to {most} letters, digits, '_' and '-'"
        "{name}, der neue Name von {tool}, besteht nicht aus 1 bis {most} Buchstaben, Ziffern, '_' und '-'";
}

troubles! {
    /// Why agents do not get a tool.
    WithheldTrouble;
    /// Its member is switched off.
    Disabled
        "The member is switched off in its manifest."
        "Das Mitglied ist in seinem Manifest abgeschaltet."
        "Set `enabled` to true in its plugin.json."
        "In seiner plugin.json `enabled` auf true setzen.";
    /// Nobody has accepted what its member runs.
    Unreviewed
        "The member comes from elsewhere, and nobody has accepted what it runs."
        "Das Mitglied kommt von woanders, und niemand hat angenommen, was es ausführt."
        "The user can accept it on the member's page in Guild Hall."
        "Annehmen lässt es sich auf der Seite des Mitglieds in Guild Hall.";
    /// It was said before the manifest changed.
    Outdated
        "The list of its tools is from before its manifest changed."
        "Die Liste seiner Werkzeuge ist von vor der letzten Änderung des Manifests."
        "Start the member, so that it is read anew."
        "Das Mitglied starten, damit sie neu gelesen wird.";
    /// Its policy says no.
    Denied(reason: PolicyReason)
        "Agents may not call it: its policy is `deny` ({reason})."
        "Agenten dürfen es nicht aufrufen: Seine Regel ist `deny` ({reason})."
        "Change the policy on the agents' page."
        "Die Regel auf der Seite der Agenten ändern.";
    /// A profile leaves it out.
    NotChosen(profile: String)
        "The profile {profile} does not include it."
        "Das Profil {profile} enthält es nicht."
        "Include it on the agents' page, under Profiles."
        "Es auf der Seite der Agenten unter Profile aufnehmen.";
    /// It is new.
    New
        "It is new since the member's tools were accepted."
        "Es ist neu, seit die Werkzeuge des Mitglieds angenommen wurden."
        "The user can look at the difference on the member's page in Guild Hall, and accept it."
        "Der Unterschied lässt sich auf der Seite des Mitglieds in Guild Hall ansehen und annehmen.";
    /// It was changed.
    Changed
        "It is not as it was when it was accepted."
        "Es ist nicht mehr so, wie es angenommen wurde."
        "The user can look at the difference on the member's page in Guild Hall, and accept it."
        "Der Unterschied lässt sich auf der Seite des Mitglieds in Guild Hall ansehen und annehmen.";
}

troubles! {
    /// Why there is no tool of a name that agents know.
    NamingTrouble;
    /// A profile takes its name away.
    Nameless
        "The profile renames the tool and gives it no name."
        "Das Profil benennt das Werkzeug um und gibt ihm keinen Namen."
        "Give it a name in the profile, or remove the change."
        "Ihm im Profil einen Namen geben oder die Änderung entfernen.";
    /// The menu has the name.
    OfMenu(name: String)
        "Its name for agents, {name}, is the name of a tool of the menu."
        "Sein Name für Agenten, {name}, ist der Name eines Werkzeugs des Menüs."
        "Rename it in a profile."
        "Es in einem Profil umbenennen.";
    /// Others have the name.
    Claimed(name: String, owners: String, last: String)
        "Its name for agents, {name}, would stand for {owners} and {last}; agents get none of them."
        "Sein Name für Agenten, {name}, stünde für {owners} und {last}; Agenten erhalten keines davon."
        "Rename one of them in a profile, or rename its member."
        "Eines davon in einem Profil umbenennen oder dessen Mitglied umbenennen.";
    /// More others have the name than are named.
    ClaimedByMore(name: String, owners: String, more: usize)
        "Its name for agents, {name}, would stand for {owners} and {more} more; agents get none of them."
        "Sein Name für Agenten, {name}, stünde für {owners} (weitere Werkzeuge: {more}); Agenten erhalten keines davon."
        "Rename one of them in a profile, or rename its member."
        "Eines davon in einem Profil umbenennen oder dessen Mitglied umbenennen.";
    /// There is no such tool.
    NoTool(tool: String)
        "There is no tool {tool}."
        "Ein Werkzeug {tool} gibt es nicht."
        "List the tools, or search for one."
        "Die Werkzeuge auflisten oder nach einem suchen.";
    /// Several tools may be meant by a name as a model sees it.
    MayBeSeveral(tool: String, names: String)
        "{tool} may mean several tools."
        "{tool} kann mehrere Werkzeuge bedeuten."
        "Name one of them: {names}."
        "Eines davon nennen: {names}.";
    /// There is no such tool, but others that are called nearly so.
    NoToolNear(tool: String, near: String)
        "There is no tool {tool}."
        "Ein Werkzeug {tool} gibt es nicht."
        "Near names: {near}."
        "Ähnliche Namen: {near}.";
}

troubles! {
    /// Why nobody allowed an agent's call.
    ApprovalTrouble;
    /// There is no window.
    NoWindow
        "A person has to allow calls of this tool, and no window of Guild Hall is open to be asked in."
        "Aufrufe dieses Werkzeugs muss ein Mensch erlauben, und kein Fenster von Guild Hall ist offen, in dem gefragt werden könnte."
        "Ask the user to open Guild Hall, then call again."
        "Guild Hall öffnen, dann noch einmal aufrufen.";
    /// There is too much to show.
    TooLarge
        "A person has to allow calls of this tool, and its arguments are too large to be put to a person."
        "Aufrufe dieses Werkzeugs muss ein Mensch erlauben, und die Argumente des Aufrufs sind zu groß, um sie jemandem vorzulegen."
        "Send less."
        "Weniger senden.";
    /// Too many wait.
    TooMany
        "A person has to allow calls of this tool, and too many calls wait for a decision already."
        "Aufrufe dieses Werkzeugs muss ein Mensch erlauben, und zu viele Aufrufe warten schon auf eine Entscheidung."
        "Wait until some of them were decided."
        "Warten, bis über einige entschieden ist.";
    /// Somebody said no.
    SaidNo
        "A person has to allow calls of this tool, and the user said no."
        "Aufrufe dieses Werkzeugs muss ein Mensch erlauben, und die Antwort war nein."
        "Do not call it again unless the user asks for it."
        "Es nicht noch einmal aufrufen, außer auf Wunsch.";
    /// Nobody said anything.
    NobodyDecided
        "A person has to allow calls of this tool, and nobody decided in time."
        "Aufrufe dieses Werkzeugs muss ein Mensch erlauben, und niemand hat rechtzeitig entschieden."
        "Ask the user to look at Guild Hall, then call again."
        "In Guild Hall nachsehen, dann noch einmal aufrufen.";
    /// The window went.
    WindowClosed
        "A person has to allow calls of this tool, and the window was closed."
        "Aufrufe dieses Werkzeugs muss ein Mensch erlauben, und das Fenster wurde geschlossen."
        "Ask the user to open Guild Hall, then call again."
        "Guild Hall öffnen, dann noch einmal aufrufen.";
}

troubles! {
    /// Why a program's file is not changed.
    ClientFileTrouble;
    /// Where this program is can't be found.
    NoOwnPlace(error: String)
        "This program can't be found: {error}."
        "Dieses Programm ist nicht zu finden: {error}."
        ""
        "";
    /// The work was given up.
    BrokenOff(error: String)
        "The work on the file was broken off: {error}."
        "Die Arbeit an der Datei wurde abgebrochen: {error}."
        ""
        "";
    /// The program is not known.
    NoProgram(word: String, known: String)
        "Guild Hall knows no program {word}."
        "Guild Hall kennt kein Programm {word}."
        "It knows: {known}."
        "Bekannt sind: {known}.";
    /// Two texts of it were written in the moment that it was to be replaced.
    WrittenByTwo(file: PathBuf, kept: PathBuf)
        "{file} was written by another program at the same moment; a text of it is kept in {kept}."
        "{file} wurde im selben Augenblick von einem anderen Programm geschrieben; ein Text davon liegt in {kept}."
        "Compare both, keep what is to hold, and look at the change again."
        "Beide vergleichen, behalten, was gelten soll, und die Änderung noch einmal ansehen.";
    /// It is another by now.
    Changed(file: PathBuf)
        "{file} is not what it was when the change was shown; nothing was written."
        "{file} ist nicht mehr, was es war, als die Änderung gezeigt wurde; nichts wurde geschrieben."
        "Look at the change again."
        "Die Änderung noch einmal ansehen.";
    /// It can't be written.
    Unwritable(file: PathBuf, error: Each)
        "{file} can't be written: {error}."
        "{file} lässt sich nicht schreiben: {error}."
        "Give yourself the right to write there, or put the entry in by hand."
        "Sich dort das Schreibrecht geben oder den Eintrag von Hand hineinschreiben.";
    /// It can't be changed safely.
    Refused(file: PathBuf, why: Each)
        "{file} was not touched: {why}."
        "{file} wurde nicht angerührt: {why}."
        "Mend the file, or put the entry in by hand."
        "Die Datei berichtigen oder den Eintrag von Hand hineinschreiben.";
    /// It is no text.
    NoText(file: PathBuf)
        "{file} was not touched: it is no text in UTF-8."
        "{file} wurde nicht angerührt: Es ist kein Text in UTF-8."
        "Mend the file, or put the entry in by hand."
        "Die Datei berichtigen oder den Eintrag von Hand hineinschreiben.";
    /// What it was can't be kept.
    NoBackup(folder: PathBuf, error: Each)
        "A backup can't be kept in {folder}: {error}. Nothing was written."
        "In {folder} lässt sich keine Sicherung aufbewahren: {error}. Nichts wurde geschrieben."
        "Correct the permissions of the folder, or free space on the disk."
        "Die Rechte des Ordners berichtigen oder Platz auf dem Datenträger schaffen.";
    /// Nothing was written there.
    NothingWritten(file: PathBuf)
        "Guild Hall has written nothing to {file} that could be taken back."
        "Guild Hall hat nichts in {file} geschrieben, was sich zurücknehmen ließe."
        ""
        "";
    /// What was written is gone.
    NothingLeft(file: PathBuf)
        "Nothing that Guild Hall wrote stands in {file}: there is nothing to take back."
        "Von dem, was Guild Hall schrieb, steht nichts mehr in {file}: Es gibt nichts zurückzunehmen."
        ""
        "";
    /// The entry is another's.
    NotOurs(file: PathBuf)
        "The entry in {file} is not the one that was written there; it was left as it is."
        "Der Eintrag in {file} ist nicht der, der dort geschrieben wurde; er blieb, wie er ist."
        "Remove the entry guild-hall by hand if it is not wanted any more."
        "Den Eintrag guild-hall von Hand entfernen, wenn er nicht mehr erwünscht ist.";
    /// The same, where something was taken out for it.
    NotOursKept(file: PathBuf, backup: PathBuf)
        "The entry in {file} is not the one that was written there; it was left as it is."
        "Der Eintrag in {file} ist nicht der, der dort geschrieben wurde; er blieb, wie er ist."
        "Remove the entry guild-hall by hand if it is not wanted any more. What was taken out for it is kept in {backup}."
        "Den Eintrag guild-hall von Hand entfernen, wenn er nicht mehr erwünscht ist. Was dafür herausgenommen wurde, steht in {backup}.";
    /// It is not searched.
    NotSearched(file: PathBuf)
        "{file} is none of the files that are searched."
        "{file} ist keine der durchsuchten Dateien."
        "Have its project's folder searched first."
        "Erst den Ordner seines Projekts durchsuchen lassen.";
}

troubles! {
    /// Why a profile is no team's.
    TeamTrouble;
    /// A path that begins nowhere.
    NoWholePath(folder: String)
        "The folder {folder} is no whole path."
        "Der Ordner {folder} ist kein ganzer Pfad."
        "Write the whole path."
        "Den ganzen Pfad schreiben.";
    /// A file is there.
    Exists(file: PathBuf)
        "{file} is there already; nothing was written."
        "{file} ist schon da; nichts wurde geschrieben."
        "Name another folder, or move it away."
        "Einen anderen Ordner nennen oder es wegräumen.";
    /// A file can't be written.
    Unwritable(file: PathBuf, error: Each)
        "{file} could not be written: {error}."
        "{file} ließ sich nicht schreiben: {error}."
        "Name another folder."
        "Einen anderen Ordner nennen.";
    /// The work was given up.
    NotWritten(error: String)
        "the files could not be written: {error}."
        "Die Dateien ließen sich nicht schreiben: {error}."
        "Name another folder."
        "Einen anderen Ordner nennen.";
    /// No member can go.
    Nobody(why: Each)
        "No member of this profile can run elsewhere. {why}"
        "Kein Mitglied dieses Profils kann woanders laufen. {why}"
        "Put members into it that are reached by a url or started by npx or uvx."
        "Mitglieder aufnehmen, die über eine url erreicht oder mit npx oder uvx gestartet werden.";
    /// It is too large.
    TooLarge
        "The manifests of its members are too large for one configuration."
        "Die Manifeste seiner Mitglieder sind zu groß für eine Konfiguration."
        "Make several profiles of it."
        "Mehrere Profile daraus machen.";
    /// Its image has no name.
    Image(image: String)
        "The image {image} is no name of an image."
        "Das Abbild {image} ist kein Name eines Abbilds."
        "Name it like `registry.example.com/guild-hall:1.0`."
        "Es nennen wie `registry.example.com/guild-hall:1.0`.";
    /// Its gateway's image has no name.
    GatewayImage(image: String)
        "The gateway's image {image} is no name of an image."
        "Das Abbild des Gateways {image} ist kein Name eines Abbilds."
        "Name it like `registry.example.com/guild-hall:1.0`."
        "Es nennen wie `registry.example.com/guild-hall:1.0`.";
    /// Its port can't be.
    Port(taken: u16)
        "The gateway's port has to be above 1023, and another than {taken}."
        "Der Port des Gateways muss über 1023 liegen und ein anderer sein als {taken}."
        "Inside, nobody is root."
        "Im Container ist niemand root.";
    /// Its address can't be.
    Address(wrong: UrlWrong)
        "The address {wrong}."
        "Die Adresse {wrong}."
        ""
        "";
}

/// The tools of a kind.
impl Told for ToolClass {
    fn told(&self, language: Language) -> String {
        let words = match (self, language) {
            (class, Language::En) => class.words(),
            (Self::ReadOnly, Language::De) => "nur lesende Werkzeuge",
            (Self::Changing, Language::De) => "ändernde Werkzeuge",
            (Self::Destructive, Language::De) => "zerstörende Werkzeuge",
            (Self::Unsaid, Language::De) => "Werkzeuge ohne Angabe",
            (Self::OpenWorld, Language::De) => "nach außen offene Werkzeuge",
        };
        words.to_owned()
    }
}

impl Told for PolicyReason {
    fn told(&self, language: Language) -> String {
        if language == Language::En {
            return self.to_string();
        }
        match *self {
            Self::Default => "die Vorgabe".to_owned(),
            Self::Manifest => "das Manifest".to_owned(),
            Self::Rule { class } => format!("die Regel für {}", class.told(language)),
            Self::Hand => "von Hand gesetzt".to_owned(),
            Self::ProfileRule { class } => {
                format!("die Regel des Profils für {}", class.told(language))
            }
            Self::ProfileHand => "von Hand im Profil gesetzt".to_owned(),
        }
    }
}

#[cfg(test)]
impl super::Example for PolicyReason {
    fn example() -> Self {
        Self::Hand
    }
}
