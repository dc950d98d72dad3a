//! Why nothing comes of an address that is no MCP server's: the rest of a sentence.

use super::notes;

notes! {
    /// Why an address is not asked.
    AddressWrong;
    /// It is none.
    Invalid(error: String)
        "the address is not valid ({error})";
    /// It is none, where something is fetched.
    NotValid(error: String)
        "it is not valid ({error})";
    /// It has what nobody may read.
    Password
        "the address has a user name or a password";
    /// It goes over the network in the open.
    NotEncrypted
        "it is read over https, and over http from this machine alone";
    /// Another scheme.
    Scheme(scheme: String)
        "the address begins with {scheme:?} and not with https";
    /// A part that no server sees.
    Fragment
        "the address has a fragment, which no server sees";
    /// A redirect to no address.
    NowhereElse(error: String)
        "it is said to be elsewhere ({error})";
    /// A redirect into the open.
    NotEncryptedThere
        "it is said to be where it is not read over https";
    /// What proves who asks is no header.
    KeyCharacters
        "the key has characters that no header has";
}

notes! {
    /// Why there is no answer.
    Unfetched;
    /// Nobody answers there, or the connection broke.
    Connection(why: String)
        "the connection failed ({why})";
    /// It took too long.
    TooLong(seconds: u64)
        "there was no answer within {seconds} s";
    /// It is larger than is read.
    TooLarge(bytes: usize)
        "the answer is larger than {bytes} bytes";
    /// It is larger than is read, by much.
    LargerThan(mebibytes: usize)
        "the answer is larger than {mebibytes} MiB";
    /// It could not be written down.
    Unwritten(error: String)
        "it could not be written ({error})";
    /// It is elsewhere too often.
    TooFar(most: usize)
        "it is always elsewhere: more than {most} redirects";
    /// Another status.
    Status(status: u16)
        "it answers with {status}";
}
