//! What `guildhall connect` tells a person: why it leads nowhere, and that nobody answers.

use std::path::PathBuf;

use super::{Each, notes};

notes! {
    /// Why the bridge leads nowhere.
    BridgeWrong;
    /// The address can't be read.
    Address(error: String)
        "The address is not valid: {error}."
        "Die Adresse ist nicht gültig: {error}.";
    /// It leads away from this machine.
    Elsewhere
        "The gateway is on this machine: its address begins with http://127.0.0.1: and a port."
        "Das Gateway ist auf diesem Rechner: Seine Adresse beginnt mit http://127.0.0.1: und einem Port.";
    /// No header can have the token.
    Token
        "The token has characters that no token has."
        "Das Token hat Zeichen, die kein Token hat.";
}

notes! {
    /// What is told while messages are carried.
    BridgeNote;
    /// Nobody answers, or not the gateway.
    Unanswered(place: String, why: Each)
        "Guild Hall's gateway does not answer at {place} ({why}). Open Guild Hall, or run guildhall serve."
        "Das Gateway von Guild Hall antwortet unter {place} nicht ({why}). Guild Hall öffnen oder guildhall serve ausführen.";
}

notes! {
    /// Why there is no answer: a part of a sentence.
    BridgeFault;
    /// None came in time.
    Late(seconds: u64)
        "it did not answer in {seconds} s"
        "keine Antwort innerhalb von {seconds} s";
    /// Who listens there is not the gateway.
    Stranger(who: Each)
        "{who}, so the token was not sent"
        "{who}; das Token wurde deshalb nicht gesendet";
}

notes! {
    /// Who listens at an address that is not the gateway's: a part of a sentence.
    OtherGateway;
    /// No hall runs that it could be of.
    NoHall(folder: PathBuf)
        "another program listens there, and no Guild Hall runs on the data folder {folder}"
        "dort lauscht ein anderes Programm, und auf dem Datenordner {folder} läuft keine Guild Hall";
    /// The hall's is at another address.
    Elsewhere(folder: PathBuf, gateway: String)
        "the gateway of the data folder {folder} is at {gateway}, and this is another"
        "das Gateway des Datenordners {folder} hat die Adresse {gateway}, und dies ist ein anderes";
    /// The hall has none.
    Closed(folder: PathBuf)
        "the Guild Hall of the data folder {folder} has no gateway open"
        "die Guild Hall des Datenordners {folder} hat kein Gateway offen";
    /// The hall can't be asked.
    Unasked(why: Each)
        "{why}"
        "{why}";
}
