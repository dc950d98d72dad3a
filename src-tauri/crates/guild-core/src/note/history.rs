//! What goes wrong with the history, the logs, a hall that runs, and signing in.

use std::path::PathBuf;

use super::{Told, Ungrouped, notes, troubles};
use crate::wire::control::HallRole;

troubles! {
    /// Why the history has not kept or not found something.
    HistoryTrouble;
    /// A file of its own.
    OwnFile(file: PathBuf)
        "{file} belongs to the history itself."
        "Pick another name.";
    /// It was removed.
    Gone
        "It is not in the history any more: it was removed."
        "Load the list again.";
    /// It can't be written as JSON.
    NotWritten(error: String)
        "What was to be kept can't be written as JSON: {error}."
        "";
    /// It is damaged and stays where it is.
    Stuck(file: PathBuf, error: String, problem: String)
        "The history {file} is damaged ({error}) and can't be moved aside: {problem}."
        "Move the file elsewhere by hand to begin a new history.";
    /// It was damaged.
    Damaged(error: String, aside: PathBuf)
        "The history was damaged ({error}). A new one was begun, and the old file was kept as {aside}."
        "`sqlite3 FILE .recover` may get calls out of the old file.";
    /// It is newer.
    Newer(file: PathBuf, version: Ungrouped<usize>, known: Ungrouped<usize>)
        "A newer version of Guild Hall made the history {file} (its format is {version}, this version's is {known}). It was left as it is."
        "Use the newer version, or move the file elsewhere to begin a new history.";
    /// There is no such file to be had.
    NoFile(file: PathBuf, error: String)
        "The history {file} can't be used: {error}."
        "Give yourself the right to write there, or clear the place.";
    /// There is no room.
    Full(file: PathBuf)
        "There is no room for the history {file}."
        "Free space on the disk, or remove calls from the history.";
    /// It can't be used.
    Unusable(file: PathBuf, error: String)
        "The history {file} can't be used: {error}."
        "Give yourself the right to write there; if it stays so, move the file elsewhere.";
    /// It is held.
    Busy(file: PathBuf)
        "The history {file} did not answer in time: another program holds it, or the disk is slow."
        "Close the other program, then try again.";
    /// It is behind.
    Behind(count: u64)
        "Calls end faster than the history can write them down: {count} of this run are missing from it."
        "The calls themselves went well. The data folder may lie on a slow disk.";
    /// A saved call's name can't be.
    SavedName(wrong: SavedNameWrong)
        "This can't be a saved call's name: {wrong}."
        "Choose another name.";
    /// A saved call's name is taken.
    SavedTaken(name: String)
        "The tool has a saved call of the name {name} already."
        "Choose another name, or replace the old one.";
    /// A draft is too large.
    LongDraft(length: usize, most: usize)
        "The draft has {length} bytes; {most} are the most."
        "It is in the form all the same, until the window closes.";
    /// A file can't be written where somebody wants it.
    NotExported(file: PathBuf, error: String)
        "{file} can't be written: {error}."
        "Pick a folder that you may write to, or free space on the disk.";
    /// Its settings can't be used.
    Settings(file: PathBuf, error: String)
        "{file} can't be used: {error}."
        "Mend the file, or remove it to go back to the defaults.";
    /// A log can't be read.
    LogUnreadable(file: PathBuf, error: String)
        "{file} can't be read: {error}."
        "Mend the file's permissions, or remove it.";
    /// A log can't be followed.
    LogUnwatched(folder: PathBuf, error: String)
        "{folder} can't be watched: {error}."
        "Leave --follow out.";
    /// A log can't be read further.
    LogEnded(error: String)
        "The log can't be read further: {error}."
        "Ask for it anew.";
    /// A log can't be kept.
    LogUnwritable(file: PathBuf, error: String)
        "What members write to stderr can't be kept in {file}: {error}."
        "Make room on the disk, or mend the folder's permissions. Members and calls go on; the last lines are in memory.";
    /// A kept list can't be used.
    CacheIgnored(file: PathBuf, why: String)
        "The cached tool list {file} was ignored: {why}."
        "Nothing has to be done: it is written anew when the member has started.";
    /// A list can't be kept.
    CacheUnwritable(file: PathBuf, error: String)
        "The tool list can't be kept in {file}: {error}."
        "Tools work all the same; make the member's folder or the data folder writable to see them before the member has started.";
    /// A file that was to be saved can't be written.
    Unsaved(path: String, error: String)
        "{path} could not be written: {error}."
        "Pick another folder.";
    /// What the window wants to be saved can't be read.
    NoBase64(error: String)
        "What was to be saved is no base64: {error}."
        "Copy the raw result instead.";
}

notes! {
    /// Why a name is none for a saved call: the rest of a sentence.
    SavedNameWrong;
    /// It is empty.
    Empty
        "it is empty";
    /// It is too long.
    Long(length: usize, most: usize)
        "it has {length} characters; {most} are the most";
    /// It has a control character.
    Control
        "it has a line break or another control character";
}

troubles! {
    /// What goes wrong between two programs of Guild Hall.
    HallTrouble;
    /// One runs.
    Runs(role: HallRole, pid: u32, gateway: GatewayAt)
        "Guild Hall runs on this data folder already: {role}, process {pid}; {gateway}."
        "Use the one that runs, or end it first. Another one beside it wants a folder of its own: --data DIR.";
    /// It has no window.
    NoWindow
        "What runs on this data folder has no window."
        "End it, and start the desktop app.";
    /// One does not answer.
    Unreachable(folder: PathBuf, role: HallRole, pid: u32)
        "A program of Guild Hall holds the folder {folder} and does not answer: {role}, process {pid}."
        "End it and try again; or name another folder with --data DIR.";
    /// One takes no requests.
    Mute(folder: PathBuf)
        "A program of Guild Hall holds the folder {folder} and does not answer, one that takes no requests."
        "End it and try again; or name another folder with --data DIR.";
    /// One of another user has the folder.
    OtherUser(folder: PathBuf, uid: u32)
        "The folder {folder} is used by the Guild Hall of another user (uid {uid})."
        "Name a folder of your own with --data DIR.";
    /// Its data folder was taken away.
    FolderGone(folder: PathBuf)
        "The data folder {folder} was removed or replaced while Guild Hall runs: settings, history and tool lists are not kept any more."
        "Restart Guild Hall.";
    /// It could not be asked.
    NotAsked(role: HallRole, pid: u32, problem: String)
        "The Guild Hall that runs ({role}, process {pid}) could not be asked: {problem}."
        "Try again; if it stays so, end that process.";
    /// It has as many files open as it may.
    NoDescriptors(role: HallRole, pid: u32, limit: u64)
        "The Guild Hall that runs ({role}, process {pid}) does not answer: it has {limit} files and connections open, as many as its limit (`ulimit -n`) allows."
        "Close programs that are connected to it, or restart it with a higher limit.";
    /// It is of another version.
    NoRequest(version: &'static str, request: String)
        "The Guild Hall that runs (version {version}) knows no request {request}."
        "Use the same version of both.";
    /// It does not understand.
    NotUnderstood(error: String)
        "The Guild Hall that runs does not understand the request: {error}."
        "Use the same version of both.";
    /// It can't answer.
    NotAnswered(error: String)
        "The answer could not be written: {error}."
        "";
    /// Nobody waits.
    NobodyWaits
        "Nobody waits for it."
        "";
    /// A member's process asks.
    OfMember(member: String)
        "The request comes from a process that the member {member} started. A member's processes can't review, install, sign in, or change policies and settings."
        "Use the window, or run the command in a terminal that no member started. If the request is not yours, review the member {member}.";
    /// A process of another hall's member asks.
    OfAnotherMember
        "The request comes from a process that a member of Guild Hall started. A member's processes can't review, install, sign in, or change policies and settings."
        "Use the window, or run the command in a terminal that no member started.";
    /// A process asks that is gone or not to be seen.
    OfNobody
        "The process that made the request has ended or is not visible, so it could be a member's. Such a process can't review, install, sign in, or change policies and settings."
        "Run `guildhall` on the same machine and outside of containers, or use the window.";
    /// The data folder is another user's.
    OfOtherUser(folder: PathBuf, owner: String)
        "The data folder {folder} belongs to the user {owner}, who could change reviews, policies and settings in it."
        "Start Guild Hall as {owner}, name a folder of your own with --data DIR, or change the folder's owner: `sudo chown -R $(id -u) {folder}`.";
    /// This program can't find itself.
    NoOwnFile(error: String)
        "The program can't find its own file: {error}."
        "Start it by its full path.";
}

notes! {
    /// Why the hall that runs gives no answer: the rest of a sentence.
    AskingFault;
    /// It says nothing.
    Silent
        "it does not answer";
    /// It went away.
    Ended
        "it ended before it answered";
}

notes! {
    /// Where a gateway is: the rest of a sentence.
    GatewayAt;
    /// At an address.
    At(address: String)
        "its gateway is at {address}";
    /// Nowhere.
    Closed
        "its gateway is not open";
}

troubles! {
    /// Why nobody is signed in to a member, or out.
    SigningTrouble;
    /// The tokens were not given back.
    NotRevoked(why: String)
        "The tokens are forgotten here, and could not be given back to the authorization server: {why}."
        "Take the access back on the server's own page of connected programs.";
    /// Nobody signs in to it.
    NotHere
        "Nobody signs in to this member: it runs here, or a header of its manifest proves who asks."
        "A member with a \"url\" and without the header Authorization can be signed in to.";
    /// It runs here.
    RunsHere
        "Nobody signs in to a member that runs here."
        "";
    /// Where it is was not found out.
    NoPlace(error: String)
        "It was not found out where the member is reached: {error}."
        "Try again.";
    /// None is under way.
    NoneUnderWay
        "No sign-in of that member is under way."
        "Begin one on its page, or with `guildhall auth sign-in`.";
    /// No browser.
    NoBrowser(why: String)
        "The browser was not opened: {why}."
        "Open the address by hand.";
    /// The tokens are too large.
    TooLarge
        "The tokens are larger than can be kept here."
        "Ask for fewer scopes: \"auth\": {{\"scopes\": […]}} in plugin.json.";
    /// It is elsewhere by now.
    Moved
        "The member is reached elsewhere by now, or as another client."
        "Sign in again.";
}

impl Told for HallRole {
    fn told(&self) -> String {
        self.words().to_owned()
    }
}

#[cfg(test)]
impl super::Example for HallRole {
    fn example() -> Self {
        Self::App
    }
}
