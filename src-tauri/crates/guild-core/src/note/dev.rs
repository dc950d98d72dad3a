//! What goes wrong while somebody writes a server: with what is watched, built and kept as an example.

use std::path::PathBuf;
use std::time::Duration;

use super::{Each, Ending, notes, troubles};

troubles! {
    /// Why a member's files restart nothing, or not all of them, and why it is not built.
    DevTrouble;
    /// It comes from elsewhere.
    Elsewhere
        "The member comes from elsewhere, so that its files restart nothing."
        "Das Mitglied kommt von woanders; darum lösen seine Dateien keinen Neustart aus."
        "Take `origin` out of its plugin.json once the code is your own."
        "`origin` aus seiner plugin.json nehmen, sobald der Code der eigene ist.";
    /// It is switched off.
    SwitchedOff
        "The member is switched off."
        "Das Mitglied ist ausgeschaltet."
        "Set \"enabled\": true in its plugin.json."
        "In seiner plugin.json \"enabled\": true setzen.";
    /// Nobody wants it.
    NotSaid
        "Its plugin.json does not say that its files are watched."
        "Laut seiner plugin.json werden seine Dateien nicht beobachtet."
        "Put \"dev\": true into it, or \"dev\": {{\"watch\": [\"src/**\"]}}."
        "\"dev\": true hineinschreiben oder \"dev\": {{\"watch\": [\"src/**\"]}}.";
    /// Not all is watched.
    Unwatched(folder: PathBuf, problem: WatchWrong)
        "Not all of {folder} is watched: {problem}."
        "Nicht alles in {folder} wird beobachtet: {problem}."
        "Name what counts with \"dev\": {{\"watch\": [\"src/**\"]}} in plugin.json."
        "In plugin.json mit \"dev\": {{\"watch\": [\"src/**\"]}} nennen, was zählt.";
    /// It changes by itself.
    Restless(files: String)
        "{files} changed again after each restart, so that the next ones wait."
        "{files}: nach jedem Neustart wieder geändert; darum warten die nächsten."
        "If the server writes it itself, leave it out: \"watch\": [\"!…\"]."
        "Schreibt der Server das selbst, es auslassen: \"watch\": [\"!…\"].";
    /// Somebody cancelled a run of examples.
    BrokenOff
        "It was broken off before it began."
        "Es wurde abgebrochen, bevor es begann."
        ""
        "";
    /// The work on a file was given up.
    NotWritten(file: &'static str, error: String)
        "{file} was not written: {error}."
        "{file} wurde nicht geschrieben: {error}."
        "Try again."
        "Es noch einmal versuchen.";
    /// A file can't be changed.
    Unchanged(file: PathBuf, error: Each)
        "{file} can't be changed: {error}."
        "{file} lässt sich nicht ändern: {error}."
        "Give yourself the right to write it, or put the example in by hand."
        "Sich das Schreibrecht dafür geben oder das Beispiel von Hand einfügen.";
    /// Somebody was faster.
    ChangedMeanwhile(file: PathBuf)
        "{file} can't be changed: somebody else has just written it."
        "{file} lässt sich nicht ändern: Jemand anderes hat sie eben geschrieben."
        "Put the example in once more."
        "Das Beispiel noch einmal einfügen.";
    /// Two texts of a file were written at the same moment.
    WrittenByTwo(file: PathBuf, kept: PathBuf)
        "{file} was written by somebody else at the same moment; a text of it is kept in {kept}."
        "{file} hat im selben Augenblick jemand anderes geschrieben; ein Text davon liegt in {kept}."
        "Compare both, keep what is to hold, and put the example in once more."
        "Beide vergleichen, behalten, was gelten soll, und das Beispiel noch einmal einfügen.";
    /// Somebody cancelled a build.
    BuildBrokenOff
        "The build was broken off."
        "Der Bau wurde abgebrochen."
        ""
        "";
    /// A build was not started.
    BuildNotStarted(error: String)
        "The build could not be started: {error}."
        "Der Bau ließ sich nicht starten: {error}."
        "Save the file again."
        "Die Datei noch einmal speichern.";
    /// A build took too long.
    BuildTooLong(program: String, limit: Duration)
        "`{program}` was ended: it had not built the server within {limit} s."
        "`{program}` wurde beendet: Der Server war nach {limit} s nicht gebaut."
        "Its output is in the member's log; \"build_timeout_ms\" gives it longer."
        "Die Ausgabe steht im Log des Mitglieds; \"build_timeout_ms\" gibt mehr Zeit.";
    /// A build failed.
    BuildFailed(program: String, ending: Ending)
        "`{program}` failed with {ending}."
        "`{program}` ist fehlgeschlagen: {ending}."
        "All that it wrote is in the member's log. The server runs on as it was."
        "Die ganze Ausgabe steht im Log des Mitglieds. Der Server läuft weiter wie zuvor.";
}

notes! {
    /// Why not all files are watched: the rest of a sentence.
    WatchWrong;
    /// There are too many entries.
    ManyEntries(most: usize)
        "it has more than {most} entries"
        "mehr als {most} Einträge";
    /// There are too many folders.
    ManyFolders(most: usize)
        "it has more than {most} folders, or too deep ones"
        "mehr als {most} Ordner oder zu tiefe";
    /// There are too many files.
    ManyFiles(most: usize)
        "it has more than {most} files"
        "mehr als {most} Dateien";
    /// The system says so.
    Refused(error: String)
        "{error}"
        "{error}";
}
