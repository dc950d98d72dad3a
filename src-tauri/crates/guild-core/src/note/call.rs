//! Why a call has no result, and a question no answer.

use super::{ArgumentsWrong, DiscoveryWrong, Each, Told, Ungrouped, notes, troubles};
use crate::id::MemberName;
use crate::ladder::{FoundBy, Rung, Stream};
use crate::language::Language;

troubles! {
    /// Why a call is not made, or has no result.
    CallTrouble;
    /// Its arguments can't be sent as they were typed.
    Unsendable(line: Ungrouped<usize>, column: Ungrouped<usize>, wrong: ArgumentsWrong)
        "The arguments can't be sent: line {line}, column {column}: {wrong}."
        "Die Argumente lassen sich nicht senden: Zeile {line}, Spalte {column}: {wrong}."
        "Arguments are one JSON object, e.g. {{\"path\": \"notes.txt\"}}."
        "Argumente sind ein JSON-Objekt, z. B. {{\"path\": \"notes.txt\"}}.";
    /// They can't be written out.
    Unwritable(error: String)
        "They can't be written: {error}."
        "Sie lassen sich nicht schreiben: {error}."
        ""
        "";
    /// They could not be checked.
    Unchecked(error: String)
        "The arguments could not be checked: {error}."
        "Die Argumente ließen sich nicht prüfen: {error}."
        "Send them without the check."
        "Sie ohne die Prüfung senden.";
    /// They do not fit the schema.
    Unfit(errors: Each)
        "The arguments do not fit the tool's schema: {errors}."
        "Die Argumente passen nicht zum Schema des Werkzeugs: {errors}."
        "Mend them, or send them all the same without the check."
        "Sie berichtigen oder ohne die Prüfung trotzdem senden.";
    /// Values do not fit what is asked.
    AnswerUnfit(errors: Each)
        "The values do not fit what the server asks for: {errors}."
        "Die Werte passen nicht zu dem, was der Server fragt: {errors}."
        "Correct them and answer again; the question goes on waiting."
        "Sie berichtigen und noch einmal antworten; die Frage wartet weiter.";
    /// They could not be checked.
    AnswerUnchecked(error: String)
        "The values could not be checked: {error}."
        "Die Werte ließen sich nicht prüfen: {error}."
        ""
        "";
    /// The question waits no more.
    QuestionEnded
        "This question waits for no answer any more."
        "Diese Frage wartet auf keine Antwort mehr."
        "Make the call again, and answer when it asks."
        "Den Aufruf noch einmal machen und antworten, wenn er fragt.";
    /// The question was put to nobody.
    NobodyAsked(asked: String, why: WhyNobody)
        "The server asks {asked}, and {why}; it was told so."
        "Der Server fragt {asked}, und {why}; das wurde ihm gesagt."
        "Make the call in the window, and answer there."
        "Den Aufruf im Fenster machen und dort antworten.";
    /// The member ended meanwhile.
    EndedMeanwhile(cause: Each)
        "The member ended while the call ran: {cause}"
        "Das Mitglied endete, während der Aufruf lief: {cause}"
        "Whether the call took effect is not known; look before you repeat it."
        "Ob der Aufruf gewirkt hat, ist nicht bekannt; vor dem Wiederholen nachsehen.";
    /// The member was stopped meanwhile.
    StoppedMeanwhile
        "The member was stopped while the call ran."
        "Das Mitglied wurde angehalten, während der Aufruf lief."
        "Whether the call took effect is not known; look before you repeat it."
        "Ob der Aufruf gewirkt hat, ist nicht bekannt; vor dem Wiederholen nachsehen.";
    /// Guild Hall closes.
    Closing
        "Guild Hall is closing."
        "Guild Hall wird beendet."
        ""
        "";
    /// Guild Hall closed meanwhile.
    ClosedMeanwhile
        "Guild Hall is closing: the call was broken off."
        "Guild Hall wird beendet: Der Aufruf wurde abgebrochen."
        "Whether the call took effect is not known; look before you repeat it."
        "Ob der Aufruf gewirkt hat, ist nicht bekannt; vor dem Wiederholen nachsehen.";
    /// Somebody cancelled it.
    Cancelled
        "The call was cancelled."
        "Der Aufruf wurde abgebrochen."
        ""
        "";
    /// Its result is lost.
    Lost(error: String)
        "The result was lost: {error}."
        "Das Ergebnis ging verloren: {error}."
        ""
        "";
    /// Too many run.
    TooMany(most: usize)
        "{most} calls run already."
        "{most} Aufrufe laufen schon."
        "Wait until some have ended."
        "Warten, bis einige geendet haben.";
    /// One with its id runs.
    SameId(id: String)
        "A call with the id {id} runs already."
        "Ein Aufruf mit der Kennung {id} läuft schon."
        "Give each call its own id."
        "Jedem Aufruf eine eigene Kennung geben.";
    /// There is no such member.
    NoMember(member: String, next: Unknown)
        "There is no member {member}."
        "Ein Mitglied {member} gibt es nicht."
        "{next}"
        "{next}";
    /// There is no such tool.
    NoTool(tool: String, next: Unknown)
        "The member has no tool {tool}."
        "Das Mitglied hat kein Werkzeug {tool}."
        "{next}"
        "{next}";
    /// It is not known which tools the member has.
    NeverListed(tool: String, member: MemberName)
        "The tool {tool} is not known: {member} was never listed."
        "Das Werkzeug {tool} ist nicht bekannt: {member} wurde nie aufgelistet."
        "List it with `guildhall tools {member} --wait`, or start the member."
        "Es mit `guildhall tools {member} --wait` auflisten oder das Mitglied starten.";
    /// There is no such example.
    NoExample(example: String, next: Unknown)
        "The member has no example {example}."
        "Das Mitglied hat kein Beispiel {example}."
        "{next}"
        "{next}";
    /// The server has not confirmed it.
    Unconfirmed(found: FoundBy)
        "The tool was found in {found}, and the server has not confirmed it."
        "Das Werkzeug wurde gefunden ({found}), und der Server hat es nicht bestätigt."
        "Start the member: once its server answers `tools/list`, the tool can be called."
        "Das Mitglied starten: Sobald sein Server `tools/list` beantwortet, ist das Werkzeug aufrufbar.";
}

notes! {
    /// What is told of a call while it waits.
    CallNote;
    /// For its member.
    Starting(member: MemberName)
        "{member} is being started"
        "{member} wird gestartet";
}

notes! {
    /// Why a question was put to nobody: the rest of a sentence.
    WhyNobody;
    /// Too many wait.
    TooMany(most: usize)
        "{most} of its questions wait already"
        "{most} seiner Fragen warten schon";
    /// There is no window.
    Nobody
        "nobody is there to be asked: only a window asks"
        "niemand ist da, der gefragt werden könnte: Nur ein Fenster fragt";
    /// Nobody answered.
    NoAnswer
        "nobody answered in time"
        "niemand hat rechtzeitig geantwortet";
}

notes! {
    /// What to do about a name that nobody has.
    Unknown;
    /// One is like it.
    Near(name: String)
        "Did you mean {name}?"
        "War {name} gemeint?";
    /// Where members are.
    LookedIn(folder: String)
        "Members are looked for in {folder}."
        "Mitglieder werden in {folder} gesucht.";
    /// How many tools there are.
    HasTools(count: usize)
        "Tools that it has: {count}; list them to see their names."
        "Werkzeuge, die es hat: {count}; ihre Liste zeigt die Namen.";
    /// Where examples are.
    HasExamples
        "Its plugin.json has them."
        "Seine plugin.json hat sie.";
}

troubles! {
    /// Why a model is not asked which tools a member has.
    PredictionTrouble;
    /// It is not spoken to over pipes.
    NoPipes
        "A model is asked only about servers that a command starts and that speak over pipes: the others are not asked in other ways either."
        "Ein Modell wird nur nach Servern gefragt, die ein Befehl startet und die über Pipes sprechen: Die anderen werden auch sonst auf keinem Weg gefragt."
        "Ask whoever runs this server for its tools."
        "Den Betreiber des Servers nach dessen Werkzeugen fragen.";
    /// Its tools are known.
    Known
        "Its tools are known already."
        "Seine Werkzeuge sind schon bekannt."
        "A model is asked only where no other way brought any."
        "Ein Modell wird nur gefragt, wo kein anderer Weg welche brachte.";
    /// Other ways are left.
    NotYet(member: MemberName)
        "It was not asked in all other ways yet."
        "Es wurde noch nicht auf allen anderen Wegen gefragt."
        "Refresh its tools first, on its page or with `guildhall discover {member}`."
        "Erst seine Werkzeuge neu lesen, auf seiner Seite oder mit `guildhall discover {member}`.";
    /// No model is named.
    NoModel
        "No model is named that could be asked."
        "Es ist kein Modell genannt, das gefragt werden könnte."
        "Name one in `config.yml` under `prediction`, or in the window on its page."
        "Eines nennen: in `config.yml` unter `prediction` oder im Fenster auf der Seite der Ermittlung.";
    /// No command starts it.
    NoCommand
        "A model is asked only about servers that a command starts."
        "Ein Modell wird nur nach Servern gefragt, die ein Befehl startet."
        "Ask whoever runs this server for its tools."
        "Den Betreiber des Servers nach dessen Werkzeugen fragen.";
    /// Nothing is asked in other ways.
    NoOtherWays
        "Tools are looked for in no other ways: discovery is switched off."
        "Werkzeuge werden auf keinem anderen Weg gesucht: Die Ermittlung ist ausgeschaltet."
        "Switch on `enabled` under `discovery` in `config.yml`, or in the window on its page."
        "`enabled` unter `discovery` in `config.yml` einschalten oder im Fenster auf der Seite der Ermittlung.";
    /// No model is asked.
    Off
        "Asking a model for tools is switched off."
        "Das Fragen eines Modells nach Werkzeugen ist ausgeschaltet."
        "Switch on `enabled` under `prediction` in `config.yml`, or in the window on its page."
        "`enabled` unter `prediction` in `config.yml` einschalten oder im Fenster auf der Seite der Ermittlung.";
    /// The key can't be read.
    KeyUnread(error: String)
        "The key could not be read: {error}."
        "Der Schlüssel war nicht lesbar: {error}."
        "Try again."
        "Es noch einmal versuchen.";
    /// It is another request by now.
    NotAsShown
        "What would be sent is not what was shown."
        "Gesendet würde etwas anderes, als gezeigt wurde."
        "Look at the request again."
        "Die Anfrage noch einmal ansehen.";
    /// Somebody cancelled it.
    AskedNoMore
        "The model is asked no more."
        "Das Modell wird nicht mehr gefragt."
        ""
        "";
    /// The model was asked, and there is no answer that could be used.
    InVain(host: String, what: Each, next: PredictionAdvice)
        "The model at {host} was asked for the member's tools in vain: {what}."
        "Das Modell bei {host} wurde vergeblich nach den Werkzeugen des Mitglieds gefragt: {what}."
        "{next}"
        "{next}";
    /// It is another by now.
    Outdated
        "It runs something else by now than the model was asked about."
        "Es führt inzwischen etwas anderes aus als das, wonach das Modell gefragt wurde."
        "Look at the request again."
        "Die Anfrage noch einmal ansehen.";
}

notes! {
    /// What to do where a model was asked in vain.
    PredictionAdvice;
    /// Anything.
    Again
        "Try again."
        "Es noch einmal versuchen.";
    /// It can't be sent.
    Address
        "Correct the address and the key under `prediction`."
        "Adresse und Schlüssel unter `prediction` berichtigen.";
    /// Nobody answers.
    Endpoint
        "See that the endpoint runs and that its address is right. No redirect is followed, and no proxy is used."
        "Nachsehen, ob der Endpunkt läuft und seine Adresse stimmt. Weiterleitungen wird nicht gefolgt, und kein Proxy wird verwendet.";
    /// It takes too long.
    Longer
        "Try again, or give it more time: `timeout` under `prediction`, in milliseconds."
        "Es noch einmal versuchen oder mehr Zeit geben: `timeout` unter `prediction`, in Millisekunden.";
    /// It says too much.
    LargeAnswer
        "Name another model: such an answer is no list of tools."
        "Ein anderes Modell nennen: Eine solche Antwort ist keine Liste von Werkzeugen.";
    /// 401 or 403.
    Key
        "Set the secret that `key` under `prediction` names anew."
        "Das Geheimnis, das `key` unter `prediction` nennt, neu setzen.";
    /// 404.
    Place
        "Look at `url` and `model` under `prediction`: the address most often ends in /v1."
        "`url` und `model` unter `prediction` prüfen: Die Adresse endet meist auf /v1.";
    /// 429, with a time.
    LaterThan(after: String)
        "Try again later; it says: Retry-After: {after}."
        "Es später noch einmal versuchen; die Antwort sagt: Retry-After: {after}.";
    /// 429.
    Account
        "Try again later, or look at what the account may still ask."
        "Es später noch einmal versuchen oder nachsehen, was das Konto noch fragen darf.";
    /// A redirect with its place.
    Elsewhere(location: String)
        "Give the address that it points to: {location}"
        "Die Adresse angeben, auf die verwiesen wird: {location}";
    /// A redirect.
    SomewhereElse
        "Give the address that it points to."
        "Die Adresse angeben, auf die verwiesen wird.";
    /// 500 and more.
    Later
        "Try again later."
        "Es später noch einmal versuchen.";
    /// Another status.
    Model
        "Look at what it says, and at `model` under `prediction`."
        "Lesen, was die Antwort sagt, und `model` unter `prediction` prüfen.";
    /// It is no answer.
    Url
        "Look at `url` under `prediction`: the address most often ends in /v1."
        "`url` unter `prediction` prüfen: Die Adresse endet meist auf /v1.";
    /// It has no tools.
    AgainOrOther
        "Try again, or name another model."
        "Es noch einmal versuchen oder ein anderes Modell nennen.";
    /// It does not want to.
    OtherModel
        "Name another model."
        "Ein anderes Modell nennen.";
    /// It knows none.
    ByHand
        "Write the names that you know into `auto_approve`."
        "Die bekannten Namen in `auto_approve` schreiben.";
}

troubles! {
    /// Why an embeddings endpoint is of no use.
    EmbeddingsTrouble;
    /// It can't be set like that.
    Refused(wrong: DiscoveryWrong)
        "The embeddings endpoint can't be used: {wrong}."
        "Der Embeddings-Endpunkt ist so nicht nutzbar: {wrong}."
        "Give an address, a model, and a key only as a reference. To store the key: `guildhall secret set embeddings-key`."
        "Eine Adresse und ein Modell angeben, einen Schlüssel nur als Verweis. So wird der Schlüssel gespeichert: `guildhall secret set embeddings-key`.";
    /// There is none.
    NotSet
        "No embeddings endpoint is set."
        "Es ist kein Embeddings-Endpunkt eingestellt."
        "Set one: `guildhall embeddings set --url ADDRESS --model MODEL`."
        "Einen einstellen: `guildhall embeddings set --url ADRESSE --model MODELL`.";
    /// It was asked, and there is no vector.
    Failed(host: String, what: Each, next: EmbeddingsAdvice)
        "The embeddings endpoint at {host} gave no vectors: {what}."
        "Der Embeddings-Endpunkt bei {host} gab keine Vektoren: {what}."
        "{next}"
        "{next}";
    /// It takes too long.
    Slow(host: String, limit_ms: u64)
        "The embeddings endpoint at {host} did not answer within {limit_ms} ms."
        "Der Embeddings-Endpunkt bei {host} antwortete nicht innerhalb von {limit_ms} ms."
        "Try again when the model is loaded, or set a longer time limit."
        "Es noch einmal versuchen, wenn das Modell geladen ist, oder eine längere Zeitgrenze setzen.";
}

notes! {
    /// What to do where an embeddings endpoint gave no vectors.
    EmbeddingsAdvice;
    /// It can't be reached.
    Reach
        "Check that the endpoint runs and that its address is right: most end in /v1."
        "Nachsehen, ob der Endpunkt läuft und seine Adresse stimmt: Die meisten enden auf /v1.";
    /// 401 or 403.
    Key
        "Set the secret of the key again."
        "Das Geheimnis des Schlüssels neu setzen.";
    /// 429, 500 and more.
    Later
        "Try again later."
        "Es später noch einmal versuchen.";
    /// Anything else.
    Model
        "Check the address, which most often ends in /v1, and that the model gives embeddings."
        "Die Adresse prüfen, die meist auf /v1 endet, und ob das Modell Embeddings gibt.";
}

notes! {
    /// Why an endpoint did not take the request: the rest of a sentence.
    PredictionRefusal;
    /// With its status, and nothing else.
    Status(why: EndpointWrong, status: u16)
        "{why} (HTTP {status})"
        "{why} (HTTP {status})";
    /// With its own words.
    Says(why: EndpointWrong, status: u16, words: String)
        "{why} (HTTP {status}), and it says {words:?}"
        "{why} (HTTP {status}), und die Antwort sagt {words:?}";
}

notes! {
    /// What the status of an endpoint's answer means: the rest of a sentence.
    EndpointWrong;
    /// 401 or 403.
    KeyRefused
        "the key is refused"
        "der Schlüssel wird abgelehnt";
    /// 404.
    NoModel
        "there is no such model, or the address is another"
        "ein solches Modell gibt es nicht, oder die Adresse ist eine andere";
    /// 429.
    TooMuch
        "too much was asked of it"
        "es wurde zu viel gefragt";
    /// A redirect.
    Elsewhere
        "it points elsewhere, and is not followed"
        "die Antwort verweist anderswohin, und dem wird nicht gefolgt";
    /// 500 and more.
    Fails
        "it fails itself"
        "der Endpunkt hat selbst einen Fehler";
    /// Another one.
    NotTaken
        "it does not take the request"
        "der Endpunkt nimmt die Anfrage nicht an";
}

notes! {
    /// Why a model's answer has no tools: the rest of a sentence.
    NoPrediction;
    /// It is larger than is read.
    TooLarge(most: usize)
        "the answer is larger than {most} bytes"
        "die Antwort ist größer als {most} Bytes";
    /// It is no JSON, or not an answer of an OpenAI-compatible endpoint.
    NotAnAnswer(what: AnswerWrong)
        "the answer is none of an OpenAI-compatible endpoint ({what})"
        "die Antwort ist keine eines OpenAI-kompatiblen Endpunkts ({what})";
    /// The model declines.
    Declined(said: String)
        "the model declines: {said:?}"
        "das Modell lehnt ab: {said:?}";
    /// It was kept from answering.
    Filtered
        "the model declines: \"its answer was filtered\""
        "das Modell lehnt ab: Die Antwort wurde gefiltert";
    /// It ends in the middle.
    CutOff
        "the model's answer ends in the middle"
        "die Antwort des Modells endet mittendrin";
    /// There is no list of tools in what the model said.
    NoList(said: String)
        "the model answered without a list of tools: {said:?}"
        "das Modell antwortete ohne eine Liste von Werkzeugen: {said:?}";
    /// The model knows of no tools.
    Unknown
        "the model knows of no tools of this server"
        "das Modell weiß von keinen Werkzeugen dieses Servers";
}

notes! {
    /// Why an answer is none of a model's endpoint: the rest of a sentence.
    AnswerWrong;
    /// It is no JSON.
    NoJson(error: String)
        "it is no JSON: {error}"
        "sie ist kein JSON: {error}";
    /// It has no `choices`.
    NoChoices
        "it has no `choices`"
        "`choices` fehlt";
    /// They are empty.
    NoChoice
        "`choices` is empty"
        "`choices` ist leer";
    /// The first has no message.
    NoMessage
        "the choice has no `message`"
        "in der Auswahl fehlt `message`";
    /// It has no text.
    NoText
        "the message has no text"
        "die Nachricht hat keinen Text";
    /// It was not read.
    Unread(error: String)
        "{error}"
        "{error}";
}

impl Told for FoundBy {
    fn told(&self, language: Language) -> String {
        if language == Language::En {
            return self.to_string();
        }
        let rung = match self.rung {
            Rung::Initialize => "in der Antwort des Servers",
            Rung::NoHandshake => "in der Antwort des Servers ohne Handshake",
            Rung::OpenaiFunctions => "in einer Liste von OpenAI-Funktionen",
            Rung::ToolsArray => "in einer Liste von Werkzeugen, die keine Antwort ist",
            Rung::JsonLines => "in JSON-Objekten, je einem in der Zeile",
            Rung::Declarations => "in Deklarationen von Funktionen",
            Rung::Identifiers => "in Wörtern, die wie Namen von Werkzeugen aussehen",
            Rung::AutoApprove => "in den Namen, die `auto_approve` hat",
            Rung::Prediction => "in der Vorhersage eines Modells",
        };
        let stream = match self.stream {
            Some(Stream::Stdout) => " auf seinem stdout",
            Some(Stream::Stderr) => " auf seinem stderr",
            None => "",
        };
        format!("{rung}{stream}")
    }
}

#[cfg(test)]
impl super::Example for FoundBy {
    fn example() -> Self {
        Self::new(Rung::ToolsArray, Some(Stream::Stdout))
    }
}
