//! What should be known of a server that another program has, or that a person brought.

use super::notes;

notes! {
    /// What a member would not have of a server, and what else is odd about it.
    FoundNote;
    /// Its program asks nobody before it calls.
    Unasked(whose: Whose)
        "{whose} calls its tools without a question; of a member's tools, their policies decide."
        "{whose} ruft die Werkzeuge ohne Rückfrage auf; bei einem Mitglied entscheiden deren Regeln.";
    /// Its program has not all of its tools.
    SomeTools(whose: Whose, key: &'static str)
        "{whose} offers only some of its tools (`{key}`); a member offers all."
        "{whose} bietet nur einige der Werkzeuge an (`{key}`); ein Mitglied bietet alle an.";
    /// Its variables are in a file.
    EnvFile(whose: Whose)
        "The variables of its `envFile` are read by {whose} alone; put those that it needs into the member's `env`."
        "Die Variablen aus `envFile` liest nur {whose}; was der Server davon braucht, gehört in `env` des Mitglieds.";
    /// Its arguments have a script that may have a secret.
    Script
        "A script in its arguments has words that tell of a secret. It is kept as it stands."
        "Ein Skript in den Argumenten hat Wörter, die auf ein Geheimnis hindeuten. Es bleibt, wie es ist.";
    /// Its address may be of the older transport.
    OlderTransport
        "Gemini CLI may speak the older transport SSE at this `url`; Guild Hall speaks Streamable HTTP."
        "Gemini CLI spricht unter dieser `url` vielleicht den älteren Transport SSE; Guild Hall spricht Streamable HTTP.";
    /// Its program takes a variable away.
    TakenOut(whose: Whose, variable: String)
        "{whose} takes `{variable}` out of its environment; a member has it."
        "{whose} nimmt `{variable}` aus der Umgebung; ein Mitglied hat diese Variable.";
    /// Keys without a counterpart.
    Leftovers(keys: String)
        "A member does not have: {keys}."
        "Ein Mitglied hat nicht: {keys}.";
    /// More keys than are listed.
    ManyLeftovers(keys: String, more: usize)
        "A member does not have: {keys} and {more} more."
        "Ein Mitglied hat nicht: {keys} und {more} weitere.";
    /// Its container hears nothing.
    Deaf
        "Without `-i` the container hears nothing of what it is asked."
        "Ohne `-i` hört der Container nichts von dem, was er gefragt wird.";
    /// A folder that its container would be given is missing.
    SourceMissing(source: String)
        "{source} is not there. Docker would make a folder; a member's container wants it to be there before it starts."
        "{source} ist nicht vorhanden. Docker würde einen Ordner anlegen; für den Container eines Mitglieds muss er vor dem Start vorhanden sein.";
    /// Several are missing.
    SourcesMissing(sources: String)
        "{sources} are not there. Docker would make a folder; a member's container wants it to be there before it starts."
        "{sources} sind nicht vorhanden. Docker würde Ordner anlegen; für den Container eines Mitglieds müssen sie vor dem Start vorhanden sein.";
    /// A part of what was brought is none, for a reason of whoever read it.
    LeftOut(why: String)
        "Left out, {why}."
        "Ausgelassen, {why}.";
}

notes! {
    /// Whose file a server stands in.
    Whose;
    /// A program's.
    Program(title: &'static str)
        "{title}"
        "{title}";
    /// The member of this name, instead of a file.
    Member(name: String)
        "Member {name}"
        "Mitglied {name}";
    /// One that is not known, within a sentence.
    Its
        "its program"
        "das eigene Programm";
    /// One that is not known, where a sentence begins.
    ItsFirst
        "Its program"
        "Das eigene Programm";
}

notes! {
    /// What a value is that is asked for.
    InputNote;
    /// What the server's file says of it.
    OfFile(said: String)
        "{said}"
        "{said}";
    /// Something stands for it in what was brought.
    InPlace(sample: String)
        "The text has {sample} in its place."
        "Im Text steht {sample} an dieser Stelle.";
    /// Something stands for what has this name.
    InPlaceOf(name: String, sample: String)
        "{name}: the text has {sample} in its place."
        "{name}: Im Text steht {sample} an dieser Stelle.";
    /// The folder that it works in.
    WorkFolder
        "The folder that it is to work in."
        "Der Ordner, in dem der Server arbeiten soll.";
    /// A variable without a value.
    NotSet
        "It has no value in the environment now."
        "In der Umgebung hat es jetzt keinen Wert.";
    /// A variable that a container is not given without one.
    NotGiven
        "It has no value in the environment now, and is not given without one."
        "In der Umgebung hat es jetzt keinen Wert und wird ohne einen nicht weitergegeben.";
}
