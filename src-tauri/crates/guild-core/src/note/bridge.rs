//! What `guildhall connect` tells a person: why it leads nowhere, and that nobody answers.

use std::path::PathBuf;

use super::notes;

notes! {
    /// Why the bridge leads nowhere.
    BridgeWrong;
    /// The address can't be read.
    Address(error: String)
        "The address is not valid: {error}.";
    /// It leads away from this machine.
    Elsewhere
        "The gateway is on this machine: its address begins with http://127.0.0.1: and a port.";
    /// No header can have the token.
    Token
        "The token has characters that no token has.";
}

notes! {
    /// What is told while messages are carried.
    BridgeNote;
    /// Nobody answers, or not the gateway.
    Unanswered(place: String, why: String)
        "Guild Hall's gateway does not answer at {place} ({why}). Open Guild Hall, or run guildhall serve.";
}

notes! {
    /// Why there is no answer: a part of a sentence.
    BridgeFault;
    /// None came in time.
    Late(seconds: u64)
        "it did not answer in {seconds} s";
    /// Who listens there is not the gateway.
    Stranger(who: String)
        "{who}, so the token was not sent";
}

notes! {
    /// Who listens at an address that is not the gateway's: a part of a sentence.
    OtherGateway;
    /// No hall runs that it could be of.
    NoHall(folder: PathBuf)
        "another program listens there, and no Guild Hall runs on the data folder {folder}";
    /// The hall's is at another address.
    Elsewhere(folder: PathBuf, gateway: String)
        "the gateway of the data folder {folder} is at {gateway}, and this is another";
    /// The hall has none.
    Closed(folder: PathBuf)
        "the Guild Hall of the data folder {folder} has no gateway open";
    /// The hall can't be asked.
    Unasked(why: String)
        "{why}";
}
