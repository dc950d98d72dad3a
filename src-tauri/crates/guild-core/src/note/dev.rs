//! What goes wrong while somebody writes a server: with what is watched, built and kept as an example.

use std::path::PathBuf;
use std::time::Duration;

use super::{Ending, notes, troubles};

troubles! {
    /// Why a member's files restart nothing, or not all of them, and why it is not built.
    DevTrouble;
    /// It comes from elsewhere.
    Elsewhere
        "The member comes from elsewhere, so that its files restart nothing."
        "Take `origin` out of its plugin.json once the code is your own.";
    /// It is switched off.
    SwitchedOff
        "The member is switched off."
        "Set \"enabled\": true in its plugin.json.";
    /// Nobody wants it.
    NotSaid
        "Its plugin.json does not say that its files are watched."
        "Put \"dev\": true into it, or \"dev\": {{\"watch\": [\"src/**\"]}}.";
    /// Not all is watched.
    Unwatched(folder: PathBuf, problem: WatchWrong)
        "Not all of {folder} is watched: {problem}."
        "Name what counts with \"dev\": {{\"watch\": [\"src/**\"]}} in plugin.json.";
    /// It changes by itself.
    Restless(files: String)
        "{files} changed again after each restart, so that the next ones wait."
        "If the server writes it itself, leave it out: \"watch\": [\"!…\"].";
    /// Somebody cancelled a run of examples.
    BrokenOff
        "It was broken off before it began."
        "";
    /// The work on a file was given up.
    NotWritten(file: &'static str, error: String)
        "{file} was not written: {error}."
        "Try again.";
    /// A file can't be changed.
    Unchanged(file: PathBuf, error: String)
        "{file} can't be changed: {error}."
        "Give yourself the right to write it, or put the example in by hand.";
    /// Somebody was faster.
    ChangedMeanwhile(file: PathBuf)
        "{file} can't be changed: somebody else has just written it."
        "Put the example in once more.";
    /// Two texts of a file were written at the same moment.
    WrittenByTwo(file: PathBuf, kept: PathBuf)
        "{file} was written by somebody else at the same moment; a text of it is kept in {kept}."
        "Compare both, keep what is to hold, and put the example in once more.";
    /// Somebody cancelled a build.
    BuildBrokenOff
        "The build was broken off."
        "";
    /// A build was not started.
    BuildNotStarted(error: String)
        "The build could not be started: {error}."
        "Save the file again.";
    /// A build took too long.
    BuildTooLong(program: String, limit: Duration)
        "`{program}` was ended: it had not built the server within {limit} s."
        "Its output is in the member's log; \"build_timeout_ms\" gives it longer.";
    /// A build failed.
    BuildFailed(program: String, ending: Ending)
        "`{program}` failed with {ending}."
        "All that it wrote is in the member's log. The server runs on as it was.";
}

notes! {
    /// Why not all files are watched: the rest of a sentence.
    WatchWrong;
    /// There are too many entries.
    ManyEntries(most: usize)
        "it has more than {most} entries";
    /// There are too many folders.
    ManyFolders(most: usize)
        "it has more than {most} folders, or too deep ones";
    /// There are too many files.
    ManyFiles(most: usize)
        "it has more than {most} files";
    /// The system says so.
    Refused(error: String)
        "{error}";
}
