//! Why a process is not started, and how one ended.

use std::path::PathBuf;
use std::time::Duration;

use super::{notes, troubles};

troubles! {
    /// Why a process was not started, or had no port.
    ProcessTrouble;
    /// The program is nowhere.
    NotFound(program: String, looked: Looked, advice: String)
        "The command `{program}` was not found. {looked}"
        "{advice}";
    /// The program is nowhere, and seems to be a whole command line.
    CommandLine(program: String, looked: Looked, fields: String)
        "The command `{program}` was not found. {looked}"
        "\"command\" is the program alone. Write its arguments and variables into fields of their own: {fields}";
    /// The program is a file that may not be run.
    NotExecutable(program: String, path: PathBuf, reason: NotRunnable)
        "The command `{program}` can't be run: {path} {reason}."
        "Make it executable: `chmod +x {path}`.";
    /// The program is no file.
    NoProgram(program: String, path: PathBuf, reason: NotRunnable)
        "The command `{program}` can't be run: {path} {reason}."
        "Write the path of the program itself as the manifest's `command`.";
    /// Its folder is not there.
    NoWorkingDirectory(folder: PathBuf)
        "The working directory {folder} is not there or is no folder."
        "Create the folder, or correct \"cwd\" in plugin.json; without \"cwd\" a member runs in its own folder.";
    /// A variable can't be handed on.
    BadVariable(name: String, reason: VariableFault)
        "The environment variable `{name}` can't be set: {reason}."
        "Change the manifest's `env`.";
    /// What should run a script is not there.
    NoInterpreter(path: PathBuf)
        "The command {path} is there, but the program that should run it is not: its first line (`#!`) or its loader names a file that does not exist."
        "Install the program that the file's first line names, or change that line.";
    /// The system refused.
    Refused(program: PathBuf, error: String, next: AfterRefusal)
        "The operating system did not start {program}: {error}."
        "{next}";
    /// No port is left.
    PortsExhausted(census: String, advice: String)
        "{census}"
        "{advice}";
    /// No port could be looked for.
    PortProbe(error: String, next: AfterRefusal)
        "No free port could be looked for: {error}."
        "{next}";
}

notes! {
    /// Where a program was looked for.
    Looked;
    /// Nowhere.
    Nowhere
        "The PATH is empty, so there was nowhere to look.";
    /// In these folders.
    In(folders: String)
        "Looked in: {folders}.";
    /// In these and in more.
    InMore(folders: String, more: usize)
        "Looked in: {folders} and {more} more folders.";
}

notes! {
    /// Why a file can't be run: the rest of a sentence.
    NotRunnable;
    /// It is a folder.
    Folder
        "is a folder";
    /// It is something else than a file.
    Irregular
        "is no regular file";
    /// It may not be run.
    NotMarked
        "is not executable";
    /// It can't be looked at.
    Hidden
        "is in a folder that may not be read";
}

notes! {
    /// Why a variable can't be handed on: the rest of a sentence.
    VariableFault;
    /// It has no name.
    NoName
        "its name is empty";
    /// Its name can't be.
    BadName
        "its name has a character that no name may have";
    /// Its value can't be.
    Zero
        "its value has a zero character";
}

notes! {
    /// What to do when the system did not start a program.
    AfterRefusal;
    /// Its arguments are too long.
    Shorten
        "Shorten the manifest's `args` or `env`.";
    /// There is no room for a connection.
    CloseOthers
        "The system has no room for another connection: close programs and try again.";
    /// There is no room.
    MakeRoom
        "The system has no room for another process: close programs and try again.";
    /// This process has as many files open as it may.
    RaiseLimit(limit: u64)
        "Guild Hall may have {limit} files and connections open, and has no more left: start it with a higher limit (`ulimit -n`), or stop members that you don't need.";
    /// Anything else.
    TryByHand
        "Run the command in a terminal to see what the system objects to.";
}

notes! {
    /// How a process ended.
    Ending;
    /// With a code.
    Code(code: i32)
        "exit code {code}";
    /// By a signal whose meaning is known.
    Named(signal: i32, meaning: SignalName)
        "signal {signal} ({meaning})";
    /// By a signal.
    Signal(signal: i32)
        "signal {signal}";
    /// Nobody saw it.
    Unseen
        "an end that could not be seen";
}

notes! {
    /// What a signal means.
    SignalName;
    /// 1.
    Hangup
        "hangup";
    /// 2.
    Interrupted
        "interrupted";
    /// 3.
    Quit
        "quit";
    /// 4.
    Illegal
        "illegal instruction";
    /// 6.
    Aborted
        "aborted";
    /// 8.
    Arithmetic
        "arithmetic error";
    /// 9.
    Killed
        "killed";
    /// 11.
    Segmentation
        "segmentation fault";
    /// 13.
    Pipe
        "broken pipe";
    /// 14.
    Alarm
        "alarm";
    /// 15.
    Terminated
        "terminated";
}

notes! {
    /// Why a command that was asked has no answer.
    Unanswered;
    /// It could not be started.
    NotStarted(why: String)
        "{why}";
    /// It took too long.
    TimeLimit(limit: Duration)
        "No answer came within {limit} s.";
    /// It said too much.
    TooLong(most: usize)
        "It wrote more than {most} bytes.";
    /// It could not be heard.
    Unreadable(error: String)
        "Its answer could not be read: {error}.";
}
