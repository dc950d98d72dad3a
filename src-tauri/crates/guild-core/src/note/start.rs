//! Why a member does not come up, or what is odd about one that did.

use std::time::Duration;

use super::{Ending, Told, Ungrouped, notes, troubles};
use crate::holder::Holder;
use crate::id::MemberName;
use crate::ladder::FoundBy;

impl Told for Holder {
    fn told(&self) -> String {
        self.to_string()
    }
}

#[cfg(test)]
impl super::Example for Holder {
    fn example() -> Self {
        Self {
            pid: Some(7),
            program: None,
            user: "X".to_owned(),
            origin: crate::holder::Origin::OtherMember,
        }
    }
}

notes! {
    /// What can be done about a process that holds a port.
    HeldAdvice;
    /// It is Guild Hall itself.
    MoveGateway
        "Give the gateway a port outside of 20000 to 30000.";
    /// It is another member.
    TakeItsPort
        "Have that member listen on ${{PORT}} instead of a number of its own.";
    /// It was left.
    EndWhatWasLeft(pid: u32)
        "Unless another Guild Hall runs, nobody needs it any more: end it, with `kill {pid}`.";
    /// It can be ended.
    EndIt(pid: u32)
        "End it (`kill {pid}`) if it should not be there, and start the member again.";
    /// Its user can end it.
    AskItsUser
        "Ask that user to end it, or start the member again.";
    /// It is not known.
    FindIt
        "Find out which program takes ports between 20000 and 30000, then start the member again.";
}

notes! {
    /// What a process wrote last, behind what happened to it.
    LastWords;
    /// Nothing.
    Nothing
        ". It wrote nothing to stderr.";
    /// These lines, each behind a line's end.
    Lines(lines: String)
        ". Its last words:{lines}";
    /// Nothing, and this on stdout.
    Stdout(line: String)
        ". It wrote nothing to stderr, and to stdout, where only MCP messages belong: {line}";
    /// This on stdout, and these lines.
    StdoutAndLines(line: String, lines: String)
        ". To stdout, where only MCP messages belong, it wrote: {line}. Its last words:{lines}";
    /// It has no process here.
    None
        "";
}

troubles! {
    /// Why a member is not up, or is not any more.
    StartTrouble;
    /// Its port stayed closed.
    NeverListened(port: u16, limit: Duration, circumstances: String, words: LastWords, next: NotListening)
        "The member did not open port {port} within {limit} s{circumstances}{words}"
        "{next}";
    /// It listens on another port.
    ListensElsewhere(port: u16, others: String, limit: Duration)
        "The member listens on port {others} and did not open port {port}, which it was given, within {limit} s."
        "Give the server its port: put ${{PORT}} into \"args\" or \"env\" in plugin.json, where it takes its port from.";
    /// It took too long.
    NotFinished(limit: Duration, circumstances: String, words: LastWords)
        "The member did not finish its start within {limit} s{circumstances}{words}"
        "Check that the command starts an MCP server; a slow first start wants a larger \"timeouts\": {{\"start_ms\": …}} in plugin.json.";
    /// Its port is open, and its handshake took too long.
    NotOpened(limit: Duration, circumstances: String, words: LastWords)
        "The handshake was not done within {limit} s{circumstances}{words}"
        "Look at the server's output; a server that is slow at first needs a larger \"timeouts\": {{\"handshake_ms\": …}} in plugin.json.";
    /// There is no connection to it.
    NotConnected(what: String, words: LastWords, next: AfterConnecting)
        "{what}{words}"
        "{next}";
    /// Its address is the gateway's, which would call itself.
    OwnGateway(url: String)
        "The \"url\" {url} is this Guild Hall's own gateway."
        "Give the address of the server itself, or remove this member: the gateway serves all other members already.";
    /// Its process ended.
    Exited(ending: Ending, words: LastWords, next: AfterExit)
        "The process ended by itself: {ending}{words}"
        "{next}";
    /// It ended too often.
    CrashLoop(last: String, next: AfterCrashes)
        "The member ended by itself again and again. Last: {last}"
        "{next}";
    /// Its connection broke.
    Broken
        "The connection to the member broke, and its process did not end."
        "Restart the member; its stderr may say why.";
    /// It was stopped.
    Stopped
        "The member was stopped."
        "Start it again.";
    /// It leaves.
    Leaving
        "The member is leaving the roster."
        "";
    /// It is gone.
    Gone
        "The member has left the roster."
        "";
    /// It is switched off.
    SwitchedOff
        "The member is switched off."
        "Set \"enabled\": true in its plugin.json.";
    /// It is installed still.
    Installing
        "The member is still being installed; its start goes on."
        "Repeat the call once the member is ready; its page shows how far it is, and stops it.";
    /// It starts still.
    StillStarting
        "The member is still starting, past its start limit; its start goes on."
        "Repeat the call once the member is ready; its page shows how far it is, and stops it.";
    /// It has too many calls.
    ManyCalls(most: usize)
        "The member has {most} calls running or too many waiting."
        "Wait until some have ended, or cancel them.";
    /// It runs something else than was accepted.
    Changed(member: MemberName)
        "What the member runs is not what was accepted."
        "Look at what it runs, on its page or with `guildhall review {member}`, and accept it.";
    /// Nobody has accepted what it runs.
    Unreviewed(from: Source, member: MemberName)
        "The member comes from {from}, and nobody has accepted what it runs."
        "Look at what it runs, on its page or with `guildhall review {member}`, and accept it.";
    /// Nobody has accepted where it is.
    UnseenReach
        "Nobody has accepted what the member reaches."
        "Look at it on its page or with `guildhall review`, and accept it first.";
    /// Its port went to others.
    PortLost(times: usize, ports: String, who: Who, next: HeldAdvice)
        "Another program took the port {times} times before the member could listen on it ({ports}).{who}"
        "{next}";
    /// It got another port.
    Moved(from: u16, to: u16, holder: Holder, next: HeldAdvice)
        "Port {from} is held by {holder}, so the member was given {to}."
        "{next}";
    /// Its port is another's.
    Usurped(port: u16, holder: Holder, next: HeldAdvice)
        "Port {port} is not the member's any more: {holder} answers there. Nothing more is sent to it."
        "{next}";
    /// It refuses each opening.
    NoEra
        "The server refuses each way of opening a connection that Guild Hall knows."
        "Pin the version that it speaks with \"protocol_version\" in plugin.json.";
    /// It has no pipes.
    NoPipes
        "The process was started without pipes."
        "";
    /// It has no process.
    NoProcess
        "A member with a url has no process to be started."
        "";
    /// The work was given up.
    BrokenOffBy(error: String)
        "The start was broken off: {error}."
        "Try again.";
    /// Somebody gave up.
    BrokenOff
        "The start was broken off."
        "";
    /// It can be reached from elsewhere.
    Exposed(place: Reach, port: u16)
        "The server listens on {place}, so that port {port} can be reached from other machines."
        "Tell it to bind to 127.0.0.1, by its own option for that.";
    /// It writes what is no protocol.
    Noise(lines: u64, sample: String)
        "Lines on stdout were skipped because they are no MCP ({lines}), e.g. {sample}."
        "A stdio server must write its log to stderr.";
    /// Its list can't be read.
    ListFailed(why: String, next: String)
        "The tool list can't be read. {why}"
        "{next}";
    /// The list has tools that can't be used.
    OddTools(count: usize, problems: String)
        "Left out of the list of tools ({count}): {problems}."
        "The other tools work; tell the server's author.";
}

notes! {
    /// A tool that can't be used.
    OddTool;
    /// It has a name.
    Named(place: Ungrouped<usize>, name: String, reason: String)
        "no. {place} ({name}): {reason}";
    /// It has none.
    Nameless(place: Ungrouped<usize>, reason: String)
        "no. {place} (no name): {reason}";
    /// So many are not named.
    More(count: usize)
        "and {count} more";
}

notes! {
    /// What to do about a list that can't be read, or a server that no way brought tools of.
    ListAdvice;
    /// Nothing better is known.
    Refresh
        "Refresh it, or read the member's stderr.";
    /// A model can be asked.
    AskModel(hint: String, member: MemberName)
        "{hint} No other way brought tools either. A model can be asked which it probably has: `guildhall tools discover {member} --predict` shows first what would be sent.";
    /// One tool was found otherwise.
    OneFound(found: FoundBy, hint: String)
        "1 tool was found in {found}; it is shown, and is not called before the server answers. {hint}";
    /// Tools were found otherwise.
    Found(count: usize, found: FoundBy, hint: String)
        "{count} tools were found in {found}; they are shown, and are not called before the server answers. {hint}";
}

notes! {
    /// What to do about a port that stayed closed.
    NotListening;
    /// Nothing more is known.
    CheckPort
        "Check that the server listens on 127.0.0.1 at ${{PORT}}; a slow first start wants a larger \"timeouts\": {{\"start_ms\": …}} in plugin.json.";
    /// It seems to speak over its pipes.
    SpeaksStdio
        "The server seems to speak over stdin and stdout: set \"transport\": \"stdio\" in plugin.json.";
}

notes! {
    /// What to do about a process that ended.
    AfterExit;
    /// Nothing more is known.
    ReadStderr
        "Read its stderr; start it by hand in its folder with the command shown on its page.";
    /// It may speak over its pipes.
    MayBeStdio
        "A server that speaks over stdin and stdout ends so with the transport http: if it is one, set \"transport\": \"stdio\" in plugin.json. Otherwise read its stderr.";
}

notes! {
    /// Advice for a process that ended too often.
    AfterCrashes;
    /// Nothing more is known.
    FixCause
        "Fix the cause, then start the member; Guild Hall does not retry until then.";
    /// The advice of its last failure.
    Own(hint: String)
        "{hint} Then start the member; Guild Hall does not retry until then.";
}

notes! {
    /// What to do about a server that there is no connection to.
    AfterConnecting;
    /// It is elsewhere.
    CheckUrl
        "Check the \"url\" in plugin.json, and that a server runs there.";
    /// It speaks over pipes.
    CheckPipes
        "Check that the command starts an MCP server that speaks over stdin and stdout.";
    /// It is slow.
    SlowStart
        "Check that the command starts an MCP server; a slow first start wants a larger \"timeouts\": {{\"start_ms\": …}} in plugin.json.";
    /// What the connection's own error advises.
    Own(hint: String)
        "{hint}";
}

notes! {
    /// That a start took too long.
    Overdue;
    /// Its limit passed.
    Limit(limit: Duration)
        "The member did not finish its start within {limit} s.";
}

notes! {
    /// What may explain that a start took too long, within a sentence.
    Circumstances;
    /// This.
    Known(parts: String)
        " ({parts})";
}

notes! {
    /// One thing that may explain that a start took too long.
    Circumstance;
    /// It had more than its limit.
    Stretched(had: Duration)
        "it had {had} s because it was at work";
    /// One other member was starting.
    BesideOne
        "1 other member was starting";
    /// Others were starting.
    Beside(others: usize)
        "{others} other members were starting";
    /// Other programs kept the processors busy.
    Loaded
        "other programs kept all processors busy";
    /// How long its last start took.
    LastTime(took: Duration)
        "its last start took {took} s";
}

notes! {
    /// Where a member comes from.
    Source;
    /// As its manifest says.
    Named(from: String)
        "{from}";
    /// The manifest says nothing.
    Elsewhere
        "elsewhere";
}

notes! {
    /// Who holds a port, behind another sentence.
    Who;
    /// Nobody can be seen.
    Nobody
        "";
    /// This process.
    Holds(port: u16, holder: Holder)
        " Port {port} is held by {holder}.";
}

notes! {
    /// Where a port can be reached.
    Reach;
    /// Everywhere.
    Everywhere(address: String)
        "all addresses ({address})";
    /// At an address.
    At(address: String)
        "the address {address}";
}
