//! What should be known of a call, or of a member, that is copied to be used elsewhere, and of the
//! programs that use it.

use super::{Each, notes};

notes! {
    /// What to know before a copied text is used, or why there is none.
    CopyNote;
    /// The arguments are too long for many a system.
    LongArguments
        "These arguments are longer than most systems take on a command line."
        "Diese Argumente sind länger, als die meisten Systeme auf einer Befehlszeile annehmen.";
    /// The member is spoken to over pipes.
    OverPipes(member: String)
        "{member} is spoken to over the input and output of its process, which curl can't reach. Copy the guildhall command instead."
        "Mit {member} wird über Eingabe und Ausgabe des Prozesses gesprochen, die curl nicht erreicht. Stattdessen lässt sich der Befehl für guildhall kopieren.";
    /// The port is this run's.
    ChosenPort
        "Guild Hall starts this server and chose its port: the address holds while the member runs here."
        "Guild Hall startet diesen Server und hat den Port gewählt: Die Adresse gilt, solange das Mitglied hier läuft.";
    /// A member that does not run has no address.
    NoAddress
        "The member has an address only while it runs: start it first."
        "Das Mitglied hat nur eine Adresse, solange es läuft: Zuerst ist es zu starten.";
    /// A member of this name has none.
    NoAddressOf(member: String)
        "{member} has an address only while it runs: start it first."
        "{member} hat nur eine Adresse, solange es läuft: Zuerst ist es zu starten.";
    /// What Guild Hall does for a container is missing.
    Unattended
        "Without Guild Hall the container has no name, and nothing ends it should the program that starts it be killed."
        "Ohne Guild Hall hat der Container keinen Namen, und nichts beendet ihn, wenn das Programm abgebrochen wird, das ihn startet.";
    /// Which values are to be put in.
    SecretsLeftOut(names: String)
        "Secrets are left out: put the values of {names} in place of `${{…}}`."
        "Geheimnisse sind ausgelassen: Die Werte von {names} gehören an die Stelle von `${{…}}`.";
    /// A program reaches nothing that runs elsewhere.
    CommandsOnly(program: &'static str)
        "{program} starts commands only: it reaches this member by Guild Hall."
        "{program} startet nur Befehle und erreicht dieses Mitglied durch Guild Hall.";
    /// A program has no field for a folder.
    NoFolder(folder: String, program: &'static str)
        "Guild Hall runs it in {folder}, which {program} has no field for."
        "Guild Hall führt es in {folder} aus; dafür hat {program} kein Feld.";
    /// Why no text could be made, as whoever failed says it.
    NotMade(error: String)
        "The text could not be made: {error}."
        "Der Text ließ sich nicht herstellen: {error}.";
    /// Why there is none, in English as all errors are.
    Refused(message: Each)
        "{message}"
        "{message}";
}

notes! {
    /// What to do once a program's file has changed.
    Then;
    /// Claude Code, Codex.
    NewSession
        "Start a new session; /mcp shows the connection."
        "Eine neue Sitzung beginnen; /mcp zeigt die Verbindung.";
    /// Claude Desktop.
    QuitAndStart(program: &'static str)
        "Quit {program} and start it again."
        "{program} beenden und neu starten.";
    /// Cursor.
    UnderMcp(program: &'static str)
        "{program} notices by itself; its settings show the server under MCP."
        "{program} bemerkt es von selbst; die Einstellungen dort zeigen den Server unter MCP.";
    /// VS Code.
    PressStart
        "Press Start above the entry in mcp.json, or run MCP: List Servers."
        "Über dem Eintrag in mcp.json auf Start drücken oder MCP: List Servers ausführen.";
    /// Windsurf.
    PressRefresh
        "Press the refresh button of the MCP servers in Cascade."
        "In Cascade bei den MCP-Servern auf Aktualisieren drücken.";
    /// Cline.
    AmongItsServers(program: &'static str)
        "{program} notices by itself; its MCP servers show the connection."
        "{program} bemerkt es von selbst; die MCP-Server dort zeigen die Verbindung.";
    /// Zed.
    InAgentSettings(program: &'static str)
        "{program} notices by itself; the agent's settings show the server."
        "{program} bemerkt es von selbst; die Einstellungen des Agenten zeigen den Server.";
    /// Gemini CLI.
    StartAgain
        "Start it again; /mcp shows the connection."
        "Neu starten; /mcp zeigt die Verbindung.";
}
