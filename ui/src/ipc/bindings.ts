// Written by `cargo xtask codegen` from `guild_api::wire`; edit that and run it again.

/** A request without fields. */
export type Nothing = Record<string, never>;

/** Version and folders of the program. */
export interface AppInfo {
  /** Guild Hall's version. */
  version: string;
  /** The folder of the members. */
  membersDir: string;
  /** The folder of Guild Hall's own data. */
  dataDir: string;
  /** The file with the licences of others' works in it; a program that was built here has none. */
  licences: string | null;
}

/** The current state of all members, sorted by name. */
export interface RosterView {
  /** The revision of the newest event that this roster includes. */
  revision: number;
  /** The folder that the members were found in. */
  membersDir: string;
  /** All members, sorted by name. */
  members: MemberView[];
  /** The problem with the folder itself. */
  error: Report | null;
}

/** One member as the roster shows it. */
export interface MemberView {
  /** Its name; the folder's name where the manifest gives none. */
  name: MemberName;
  /** The version in its manifest. */
  version: string;
  /** The description in its manifest. */
  description: string;
  /** How it is spoken to; `None` where the manifest doesn't say. */
  transport: Transport | null;
  /** When it is started. */
  lifecycle: Lifecycle;
  /** Its status. */
  status: Status;
  /** The step of its start, while the status is `starting`. */
  step: StartStep | null;
  /** How far its tool list can be trusted. */
  freshness: Freshness;
  /** When the tool list was last said by the server. */
  listedAtMs: number | null;
  /** How many tools it has. */
  tools: number;
  /** The port it was given. */
  port: number | null;
  /** The process it runs as. */
  pid: number | null;
  /** When the present status began. */
  sinceMs: number;
  /** When it will be tried again, while the status is `backoff`. */
  retryAtMs: number | null;
  /** How many times in a row it has failed. */
  attempt: number;
  /** The protocol version agreed upon, while it is connected. */
  protocolVersion: string | null;
  /** Its last line on stderr, cut to 300 characters. */
  lastStderr: string | null;
  /** Why it failed, or why its last refresh did. */
  error: Report | null;
  /** Oddities that stop nothing: unknown manifest fields, malformed tools, a wide-open port. */
  warnings: Report[];
  /** How many calls run now. */
  calls: number;
  /** Its review. */
  trust: Trust;
}

/** A member's name: 1 to 64 of `A-Z a-z 0-9 . _ -`, beginning with a letter or digit. */
export type MemberName = string;

/** How a member is spoken to. */
export type Transport =
  /** Streamable HTTP at `/mcp` on a port that Guild Hall gives (REQ-MCP-HTTP-1). */
  | "http"
  /** The process's stdin and stdout. */
  | "stdio";

/** When a member is started. */
export type Lifecycle =
  /** When the roster opens; it stays up. */
  | "eager"
  /** To list its tools, then stopped; started again by a call. */
  | "on-demand";

/** A member's current state (product's `Lifecycle`). */
export type Status =
  /** No process, and none wanted now. */
  | "stopped"
  /** The process starts, or its handshake runs. */
  | "starting"
  /** The handshake is done; calls are taken. */
  | "ready"
  /** The process is being ended on request. */
  | "stopping"
  /** It failed; the report says why. */
  | "error"
  /** It failed and is tried again after a pause. */
  | "backoff"
  /** It failed too often; someone has to act. */
  | "crash-loop"
  /** Switched off in the manifest. */
  | "disabled"
  /** It comes from elsewhere, and its launch command is not accepted: nothing starts it. */
  | "unreviewed";

/** The reason why a start waits, other than its server's own work. */
export type StartStep =
  /** Other members are started first; its process does not run yet, nor does its time. */
  | "queued"
  /** A container's image is fetched; its server is not started yet, nor does its time run. */
  | "pulling"
  /**
   * A package runner (`npx`, `uvx`, `docker run`, …) is at work and has not got to its server.
   */
  | "installing"
  /**
   * The start limit has passed, and the package runner is still at work: the start goes on until
   * someone stops it, nothing moves any more, or ten minutes are over.
   */
  | "overtime"
  /**
   * The start limit has passed, and the server is still at work, as on a busy machine: the start
   * goes on for up to four times its limit.
   */
  | "late";

/** How far a member's tool list can be trusted to be what the server would say now. */
export type Freshness =
  /** No list is known. */
  | "unknown"
  /** Read from the cache, made by the configuration in force. */
  | "cached"
  /** Read from the cache, made by another version or configuration: shown greyed. */
  | "outdated"
  /** The last known list, while a new one is being fetched. */
  | "refreshing"
  /** Said by the running server. */
  | "live";

/** An error for display: the event, the member or tool concerned, and the next step. */
export interface Report {
  /** The stable name of the cause. */
  code: Code;
  /** The event, as one or a few sentences. */
  message: string;
  /** The next step; empty if there is none. */
  hint: string;
  /** The member that it happened to. */
  member: MemberName | null;
}

/** A stable name for each cause that a user or program can act on. */
export type Code =
  /** The members' folder can't be read. */
  | "members-folder-unreadable"
  /** A member's folder has no `plugin.json`. */
  | "manifest-missing"
  /** `plugin.json` can't be read, or is not a regular file. */
  | "manifest-unreadable"
  /** `plugin.json` is larger than a manifest may be. */
  | "manifest-too-large"
  /** `plugin.json` is not JSON. */
  | "manifest-not-json"
  /** A field of `plugin.json` is missing or has a value that is not allowed. */
  | "manifest-field"
  /** `plugin.json` has changed since it was opened for editing. */
  | "manifest-changed"
  /** Two folders give the same member name. */
  | "duplicate-name"
  /** The folder is a link that leads nowhere, round in a circle, or back to the members' folder. */
  | "folder-unsafe"
  /** A `${env:NAME}` or `${secret:NAME}` of the manifest has no value. */
  | "variable-missing"
  /** A `${secret:NAME}` of the manifest has no value. */
  | "secret-missing"
  /** The keychain did not answer in time, is locked, or refused. */
  | "keychain-unanswered"
  /** A secret's name or value can't be stored. */
  | "secret-refused"
  /** The file of the secrets can't be read or written, or others may read it. */
  | "secrets-unsafe"
  /** The command is nowhere on the PATH, or no such file. */
  | "command-not-found"
  /** The command is there and may not be executed. */
  | "command-not-executable"
  /** The operating system refused to start the process. */
  | "spawn-failed"
  /** The container engine is there and does not work: its daemon is down, or refuses this user. */
  | "engine-unreachable"
  /** A container's image is not there, and could not or may not be fetched. */
  | "image-unavailable"
  /** A container's mount is not there, or would give away the machine. */
  | "mount-refused"
  /** All ports from 20000 to 30000 are taken. */
  | "ports-exhausted"
  /** The member lost its port to another program several times in a row. */
  | "port-lost"
  /** Another process than the member's own answers on its port. */
  | "port-held"
  /** The member can be reached from other machines: it listens on all addresses. */
  | "port-exposed"
  /** The member did not open its port, or did not answer, within the start limit. */
  | "start-timeout"
  /** The port is open, and the handshake was not done within its limit. */
  | "handshake-timeout"
  /** The member answered the handshake with an error or with something else than MCP. */
  | "handshake-failed"
  /** The process ended without a request to stop. */
  | "member-exited"
  /** The process ended again and again; nothing is tried until someone acts. */
  | "crash-loop"
  /** No connection to the member, or it broke. */
  | "connection-failed"
  /** An HTTP status that does not answer the request. */
  | "http-status"
  /** The server requires a sign-in, or more permissions than were granted. */
  | "sign-in-needed"
  /** The sign-in failed: the authorization server can't be found or used, or it refused. */
  | "sign-in-failed"
  /** No sign-in of that member is under way, or the member is none that anybody signs in to. */
  | "sign-in-unknown"
  /** The answer is not MCP: HTML, cut-off JSON, the wrong shape. */
  | "answer-malformed"
  /** The answer is larger than may be read. */
  | "answer-too-large"
  /** The member answered with a JSON-RPC error. */
  | "rpc-error"
  /** The tool list could not be read; the last known one is kept. */
  | "list-failed"
  /** A call went past its time limit and was cancelled. */
  | "call-timeout"
  /** The caller cancelled the call. */
  | "call-cancelled"
  /** The member ended while the call ran; the call is not repeated. */
  | "call-interrupted"
  /** No member of that name. */
  | "member-unknown"
  /** The trash has no such member. */
  | "removal-unknown"
  /** The member has no tool of that name. */
  | "tool-unknown"
  /** The tool was found in what the server wrote, and the server has not confirmed it. */
  | "tool-unconfirmed"
  /** `config.yml` can't be used. */
  | "discovery-settings"
  /** Asking a model for tools is switched off, or no model is named. */
  | "prediction-off"
  /** A model is not asked about this member, or not before the other ways were tried. */
  | "prediction-refused"
  /** The model was asked, and returned no usable answer. */
  | "prediction-failed"
  /** The embeddings endpoint was asked, and gave no vectors that could be used. */
  | "embeddings-failed"
  /** The build of a member's server failed, or took too long. */
  | "build-failed"
  /** A member's files can't be watched, or not all of them. */
  | "dev-unwatched"
  /** The member's manifest does not say that its files are watched. */
  | "dev-off"
  /** The member has no example of that name. */
  | "example-unknown"
  /** The member is disabled in plugin.json. */
  | "member-disabled"
  /** The member comes from elsewhere, and its launch command is not accepted yet. */
  | "member-unreviewed"
  /** The tool is not as it was accepted, or is new, and agents do not get it. */
  | "tool-held"
  /** The version to be accepted is not the current one. */
  | "review-outdated"
  /** A file of what was accepted is unreadable or malformed. */
  | "reviews-unreadable"
  /** The arguments are not a JSON object, or can't be sent as typed. */
  | "arguments-not-json"
  /** The arguments do not fit the tool's input schema. */
  | "arguments-invalid"
  /** More calls at once than a member may have. */
  | "too-many-calls"
  /** The question of a server waits for no answer any more. */
  | "elicitation-ended"
  /** A server's question could not be shown to a person, and the server got an error. */
  | "elicitation-unanswered"
  /** `tools-cache.json` is unreadable, malformed or too large, and was ignored. */
  | "cache-unreadable"
  /** `tools-cache.json` could not be written. */
  | "cache-unwritable"
  /** Guild Hall's own data folder can't be read or written. */
  | "data-unwritable"
  /** `settings.json` can't be used, or a field of it. */
  | "settings-unusable"
  /** No setting of that name. */
  | "setting-unknown"
  /** A setting can't have that value. */
  | "setting-refused"
  /** Another program changed a settings file in the same moment, or since it was shown. */
  | "settings-changed"
  /** A file that the user asked for could not be written. */
  | "file-unwritable"
  /** The history's database is damaged, or its path holds something else. */
  | "history-unreadable"
  /** The history's database was made by a newer version of Guild Hall. */
  | "history-newer"
  /** Another program holds the history's database, or it did not answer in time. */
  | "history-busy"
  /** The disk has no room for the history. */
  | "history-full"
  /** Calls come faster than the history can write them down. */
  | "history-behind"
  /** No entry or saved call of that id: it was removed. */
  | "history-entry-unknown"
  /** A saved call's name is empty, too long, or taken. */
  | "saved-name-refused"
  /** A history record is larger than the limit for its kind. */
  | "history-too-large"
  /** A file of the logs could not be read or written. */
  | "log-unwritable"
  /** Another program listens on the gateway's port. */
  | "gateway-port-taken"
  /** The gateway could not listen for another reason. */
  | "gateway-failed"
  /** `gateway.json` can't be used. */
  | "gateway-settings"
  /** No client of that id: its token was revoked. */
  | "client-unknown"
  /** No profile of that name. */
  | "profile-unknown"
  /** A profile that can't be stored. */
  | "profile-refused"
  /** Agents may not call this tool. */
  | "tool-denied"
  /** A server says something else of its tools, and by the rules agents may do more with them. */
  | "hints-loosened"
  /** Agents don't get this tool: two would have the same name. */
  | "tool-name-taken"
  /** A person has to allow the call, and none did. */
  | "approval-missing"
  /** An agent's call waits for no decision any more. */
  | "approval-ended"
  /** Guild Hall does not know where that program keeps its configuration. */
  | "program-unknown"
  /** A program's configuration file can't be changed safely, and was not touched. */
  | "client-config-refused"
  /** A program's configuration file is not what it was when the change was shown or made. */
  | "client-config-changed"
  /** A program's configuration file can't be read, or not all of it. */
  | "client-config-unreadable"
  /** No such project folder or workspace file, or the limit of scanned ones is reached. */
  | "project-unknown"
  /** No program's file has a server of that id any more: its command was changed. */
  | "found-server-unknown"
  /** A server in a program's file can't be made a member. */
  | "found-server-unusable"
  /** The imported text has no server, or can't be read. */
  | "snippet-unreadable"
  /** A server can't be adopted so: its name is taken, or something is missing. */
  | "adoption-refused"
  /** An MCPB bundle can't be used: not a bundle, unsafe, or changed since it was inspected. */
  | "mcpb-unusable"
  /** The name of a registry is neither a whole path nor an address that may be read. */
  | "registry-source-refused"
  /** A registry, or a file in its format, could not be read, and no earlier answer is kept. */
  | "registry-unread"
  /** The registry does not list such a server, or no longer as it was shown. */
  | "registry-unknown"
  /** A link leads to no place in the window. */
  | "link-invalid"
  /** The desktop has no tray that the icon could be in. */
  | "tray-missing"
  /** The shortcut can't be had: another program has it, or the desktop gives none away. */
  | "shortcut-unavailable"
  /** The desktop shows no notifications of other programs. */
  | "notifications-missing"
  /** The start at login could not be set up or taken back. */
  | "login-item"
  /** The system could not open a folder, a file, a terminal or an address. */
  | "not-opened"
  /** The update information can't be read, or no such version could be fetched. */
  | "update-unread"
  /** A newer version is not signed as it must be, or is not the one it claims to be. */
  | "update-refused"
  /** This program can't be replaced by a newer version of itself. */
  | "update-unplaced"
  /** Another program of Guild Hall runs on this data folder. */
  | "hall-runs"
  /** Another program of Guild Hall holds this data folder, and does not answer. */
  | "hall-unreachable"
  /** No program of Guild Hall runs on this data folder. */
  | "hall-not-running"
  /** A member's process asks for something that only a person may decide. */
  | "member-request"
  /** The data folder belongs to another user. */
  | "data-of-another"
  /** The hall is closing, and starts nothing any more. */
  | "shutting-down";

/** The review of a member. */
export interface Trust {
  /** Where its manifest says that it comes from; `None` for one that its user wrote. */
  origin: Origin | null;
  /** Whether what it runs was accepted. */
  launch: LaunchTrust;
  /** Whether changed tools need review from agents until they are accepted. */
  holds: boolean;
  /** The number of its tools that agents do not get before a review. */
  held: number;
}

/**
 * Where a member comes from that its user did not write: such a member is started only after a
 * person has accepted what it runs.
 */
export interface Origin {
  /** Another program's word (`cursor`), `registry`, `bundle`, or another origin's name. */
  from: string;
  /** The file that it was read from. */
  path: string | null;
  /** The address that it was read from. */
  url: string | null;
  /** When, as ISO 8601. */
  at: string | null;
  /** The server's name in its registry. */
  server: string | null;
}

/** Whether what a member runs was accepted. */
export type LaunchTrust =
  /** Its user wrote it: it needs no review. */
  | "own"
  /** It comes from elsewhere, and a person accepted exactly what it runs. */
  | "accepted"
  /** It comes from elsewhere and was not reviewed: it is never started. */
  | "unreviewed"
  /**
   * It comes from elsewhere, and its command differs from the accepted one: it is never started.
   */
  | "changed";

/** A request about one member. */
export interface OfMember {
  /** The member. */
  member: MemberName;
}

/** A member's tools in the server's order. */
export interface MemberTools {
  /** The member. */
  member: MemberName;
  /** How far the list can be trusted. */
  freshness: Freshness;
  /** When the server last said it. */
  listedAtMs: number | null;
  /** The tools. */
  tools: ToolSummary[];
  /** The tools that were left out of the list, with reasons. */
  problems: ListProblem[];
  /**
   * How the list was found, where the server did not say it in the protocol's way. Tools that it
   * has not confirmed can't be called.
   */
  found: FoundBy | null;
}

/** One tool as a list shows it. */
export interface ToolSummary {
  /** Its member. */
  member: MemberName;
  /** Its name. */
  name: ToolName;
  /** Its title for people. */
  title: string | null;
  /** The first sentence of its description, at most 200 characters. */
  summary: string;
  /** The server's hints about it. */
  hints: ToolHints;
  /** The reason why agents do not get it, where its member holds changes back until a review. */
  mark: ToolMark | null;
}

/** A tool's name as its server gave it: 1 to 256 bytes, no control characters. */
export type ToolName = string;

/** The server's hints about a tool's effects; never guarantees. */
export interface ToolHints {
  /** Changes nothing. */
  readOnly: boolean | null;
  /** May destroy something. */
  destructive: boolean | null;
  /** A second identical call changes nothing more. */
  idempotent: boolean | null;
  /** Reaches things outside the server. */
  openWorld: boolean | null;
}

/** Why agents do not get a tool, while its member holds changes back. */
export type ToolMark =
  /** It was not in the list that was accepted. */
  | "new"
  /** It is not as it was accepted. */
  | "changed";

/** One entry of a list that was left out, and why. */
export interface ListProblem {
  /** Its place in the list, from 0. */
  index: number;
  /** Its name, cut to 80 characters, where it has one. */
  name: string | null;
  /** The problem with it. */
  reason: string;
}

/** How a list was found, where the server did not say it in the protocol's way. */
export interface FoundBy {
  /** The way to it. */
  rung: Rung;
  /** The stream that the server wrote it to; `None` for sources other than text. */
  stream: Stream | null;
  /** How likely it is that these are the server's tools. */
  confidence: Confidence;
}

/** One way to a server's tools, in the order in which they are tried. */
export type Rung =
  /** `initialize`, then `tools/list`: as the protocol has it. */
  | "initialize"
  /** `tools/list` without a handshake. */
  | "no-handshake"
  /** An object with a list of `functions`, as OpenAI's API has it. */
  | "openai-functions"
  /** An object with a list of `tools`, or such a list alone. */
  | "tools-array"
  /** Lines that are one JSON object each. */
  | "json-lines"
  /** `"function": "…"` and `"name": "…"` anywhere. */
  | "declarations"
  /** Words that look like a tool's name: `word_word`. */
  | "identifiers"
  /** The names that its manifest has in `auto_approve`. */
  | "auto-approve"
  /** Tools that a model predicts; only after a person agreed. */
  | "prediction";

/** Where a server wrote something. */
export type Stream =
  /** Its standard output. */
  | "stdout"
  /** Its standard error. */
  | "stderr";

/** How likely it is that what was found are the server's tools. */
export type Confidence =
  /** The server answered a request for its list. */
  | "certain"
  /** A list that can hardly be anything else, most often with schemas. */
  | "high"
  /** Objects or names that are a tool's by their shape or by a person's word. */
  | "fair"
  /** Names in a place where tools have theirs, and other things too. */
  | "low"
  /** Words, or what a model said. */
  | "guess";

/** A search over all members' tools. */
export interface SearchTools {
  /** Words; each has to occur in the member's name, the tool's name, title or description. */
  query: string;
  /** At most so many results; 500 are the most. */
  limit: number;
}

/** The best matches first. */
export interface FoundTools {
  /** The best matches, best first. */
  tools: ToolSummary[];
  /** How many matched in all. */
  total: number;
}

/** Of which tools, and with whose policies. */
export interface OfCatalog {
  /** The tools of this profile, with its policies; `None` for all tools. */
  profile: ProfileName | null;
}

/** A profile's name: 1 to 64 of `A-Z a-z 0-9 . _ -`, beginning with a letter or digit. */
export type ProfileName = string;

/** All tools, and all members. */
export interface Catalog {
  /**
   * Guild Hall's own tools for agents, then all members' tools by member name, each in its server's
   * order. The list of a running server comes before a cached one.
   */
  tools: CatalogTool[];
  /**
   * The prompts, resources and templates of the members whose lists are known, and those with a
   * policy, in the same form: `member/prompt:NAME`.
   */
  offers: CatalogTool[];
  /** All members by name, those without tools too. */
  members: CatalogMember[];
}

/** One tool. */
export interface CatalogTool {
  /** `member/tool`; the name alone of one that is Guild Hall's own. */
  name: string;
  /** The first sentence of its description, at most 200 characters. */
  description: string;
  /** Its kind. */
  kind: ToolKind;
  /** Whether agents may call it; `None` for Guild Hall's own. */
  policy: Policy | null;
  /** The origin of the policy. */
  policyReason: PolicyReason | null;
  /** The server's hints about it. */
  hints: ToolHints;
  /** Which kind of tools that makes it for the rules; `None` for Guild Hall's own. */
  class: ToolClass | null;
  /**
   * Where its server says that it only reads, and its name or description says otherwise: whether a
   * person confirmed that.
   */
  readOnlyClaim: ReadOnlyClaim | null;
  /** The reason why agents do not get it, where its member holds changes back until a review. */
  mark: ToolMark | null;
  /**
   * Why agents do not get it although its policy, its mark and its member allow it: no name is left
   * for it.
   */
  withheld: Report | null;
  /** Where the knowledge of it comes from; `None` for Guild Hall's own. */
  provenance: Provenance | null;
  /** The discovery of its member's tools; `None` for Guild Hall's own. */
  discoveryStatus: DiscoveryStatus | null;
  /** When its member's tools were last found out. */
  lastDiscoveredMs: number | null;
}

/** The kind of a tool: Guild Hall's own, or a member's. */
export type ToolKind =
  /** Guild Hall's own, for agents. */
  | "native"
  /** A member's. */
  | "mcp"
  /** A member's prompt. */
  | "prompt"
  /** A member's resource. */
  | "resource"
  /** A member's resource template. */
  | "template";

/** Whether agents may call a tool, the stricter the greater. */
export type Policy =
  /** Called without a question. */
  | "allow"
  /** A person is asked first. */
  | "ask"
  /** Never. */
  | "deny";

/** The rule that decided a tool's policy. */
export type PolicyReason =
  /** No rule applied. */
  | { kind: "default" }
  /** Its member's manifest. */
  | { kind: "manifest" }
  /** A rule that holds everywhere. */
  | {
      kind: "rule";
      /** For which kind. */
      class: ToolClass;
    }
  /** A person set it on the tool. */
  | { kind: "hand" }
  /** A rule of the profile. */
  | {
      kind: "profile-rule";
      /** For which kind. */
      class: ToolClass;
    }
  /** A person set it on the tool in the profile. */
  | { kind: "profile-hand" };

/** A kind of tools by what their servers say of them: hints, never promises. */
export type ToolClass =
  /** It changes nothing. */
  | "read-only"
  /** It changes things, and destroys nothing. */
  | "changing"
  /**
   * It may destroy something; also one that says it changes things and not how, as the protocol has
   * it, and one that says both that it only reads and that it destroys.
   */
  | "destructive"
  /** Its server says neither. */
  | "unsaid"
  /** It declares that it reaches things outside its server, regardless of its other hints. */
  | "open-world";

/**
 * The treatment of a server's claim that a tool only reads, which the tool's own words contradict.
 */
export type ReadOnlyClaim =
  /** The tool counts as one that changes something. */
  | "doubted"
  /** A person confirmed that it only reads. */
  | "confirmed";

/**
 * Where the knowledge of a tool comes from. Tools that are neither `live` nor `cached` can't be
 * called until their server has confirmed them.
 */
export type Provenance =
  /** The running server said so. */
  | "live"
  /** The cache file said so. */
  | "cached"
  /** It was found in the server's output, which was not an answer to a request for its list. */
  | "parsed"
  /** The manifest's `auto_approve` names it. */
  | "auto-approved"
  /** A model takes it for one of the server's. */
  | "predicted";

/** The discovery of a member's tools. */
export type DiscoveryStatus =
  /** Not tried yet. */
  | "never"
  /** It is being tried. */
  | "discovering"
  /** They are known. */
  | "success"
  /** The last try failed; the earlier tools are still known. */
  | "failed";

/** One member in the catalogue. */
export interface CatalogMember {
  /** The member. */
  member: MemberName;
  /** The discovery of its tools. */
  discoveryStatus: DiscoveryStatus;
  /** When they were last found out. */
  lastDiscoveredMs: number | null;
  /** Why the last try failed. */
  discoveryError: Report | null;
  /** How they were found, where the server did not say them in the protocol's way. */
  found: FoundBy | null;
  /** How many of the tools are its. */
  tools: number;
  /** Why agents get none of them, regardless of their policies. */
  withheld: Report | null;
}

/** A request about one tool. */
export interface OfTool {
  /** The member. */
  member: MemberName;
  /** The tool. */
  tool: ToolName;
}

/** Everything about one tool that a form needs. */
export interface ToolDetail {
  /** Name, title, hints. */
  summary: ToolSummary;
  /** The whole description. */
  description: string;
  /** Where the knowledge comes from. */
  provenance: Provenance;
  /** The way in which its list was found, where the server did not list it by the protocol. */
  found: FoundBy | null;
  /** The freshness of its list. */
  freshness: Freshness;
  /** The bounded input schema, as JSON text. */
  inputSchema: string;
  /** The bounded output schema, as JSON text. */
  outputSchema: string | null;
  /** The parts that were cut off the schemas, with reasons; empty for nearly all tools. */
  schemaNotes: string[];
  /** The tool exactly as the server sent it, as JSON text. */
  raw: string;
  /** The time limit of a call, in milliseconds. */
  callTimeoutMs: number;
  /** The words in it that look like an attempt to deceive. */
  suspicions: Suspicion[];
}

/** Something about a tool that looks as if it were to deceive a person or a model. */
export interface Suspicion {
  /** Where, as a JSON Pointer into the tool. */
  place: string;
  /** Of which kind. */
  kind: SuspicionKind;
  /** The description. */
  what: string;
  /** The words around it, characters that can't be seen written as `⟨U+200B⟩`. */
  quote: string;
}

/** Kinds of suspicion. */
export type SuspicionKind =
  /** Characters that can't be seen, or that change the order of others. */
  | "invisible"
  /** Words that are meant for a model and not for a person. */
  | "instruction"
  /** A name that can be taken for another. */
  | "look-alike"
  /** A name that a tool of another member has too. */
  | "shadows";

/** Everything about one member that its page shows. */
export interface MemberDetail {
  /** The member as the roster shows it. */
  view: MemberView;
  /** Its folder. */
  folder: string;
  /** The text of its manifest file, at most 256 KiB. */
  manifest: string | null;
  /** Its whole command, with secrets left as `${secret:NAME}`. */
  command: string | null;
  /** The address it is spoken to at. */
  url: string | null;
  /** The names of the variables that its manifest sets; values may be secret. */
  envNames: string[];
  /** The server's information about itself. */
  server: ServerInfo | null;
  /** Where its tool list is cached. */
  cacheFile: string;
  /** The last lines of its stderr. */
  stderr: LogLine[];
}

/** A server's description of itself when the connection was opened. */
export interface ServerInfo {
  /** The server's own name, bounded to 256 bytes. */
  name: string;
  /** The server's own version, bounded to 256 bytes. */
  version: string;
  /** The server's instructions for a model, bounded to 16 KiB. */
  instructions: string | null;
  /** The version agreed upon, as the server wrote it. */
  protocolVersion: string;
  /** How the connection was opened. */
  era: Era;
  /** The server's capabilities as it sent them. */
  capabilities: unknown;
}

/** How a connection is opened; remembered in a member's tool cache. */
export type Era =
  /** `initialize`, its result, `notifications/initialized`. */
  | "legacy"
  /** `server/discover`, no handshake (2026-07-28). */
  | "modern";

/** One line of a member's stderr. */
export interface LogLine {
  /** Its number, over all that the member ever wrote: a gap says that lines are missing. */
  seq: number;
  /** The number of the start that wrote it, from 1; 0 where that is not known. */
  start: number;
  /** When it was read. */
  atMs: number;
  /** The line, without its end, colour codes kept, at most 8 KiB. */
  text: string;
}

/** Arguments to be checked. */
export interface CheckArguments {
  /** The member. */
  member: MemberName;
  /** The tool. */
  tool: ToolName;
  /** The arguments as JSON text. */
  arguments: string;
}

/** The problems of arguments, or of a result's `structuredContent`; empty when they fit. */
export interface CheckedArguments {
  /** Every error found, at most 100. */
  errors: ArgumentError[];
  /** Parts of the schema that could not be used for checking. */
  notes: string[];
}

/** One thing that is wrong with arguments. */
export interface ArgumentError {
  /** Where, as a JSON Pointer into the arguments; a missing property is named by its own place. */
  pointer: string;
  /** The problem, in words. */
  message: string;
  /** The keyword of the schema that says so, e.g. `required`. */
  keyword: string;
}

/** A call of a tool. */
export interface InvokeTool {
  /** The call's id, chosen by the caller; its progress and its end carry it. */
  call: CallId;
  /** The member. */
  member: MemberName;
  /** The tool. */
  tool: ToolName;
  /** The arguments as JSON text: an object. */
  arguments: string;
  /** Whether arguments that do not fit the schema are refused, or sent all the same. */
  check: ArgumentCheck;
  /** A time limit instead of the manifest's, in milliseconds. */
  timeoutMs: number | null;
}

/** Identifies one call from its start to its end; the caller chooses it. */
export type CallId = string;

/** The action on arguments that do not fit. */
export type ArgumentCheck =
  /** Refused with `arguments-invalid`. */
  | "refuse"
  /** Sent unchanged: this is a debugger too. */
  | "send-anyway";

/** How a call ended. */
export interface CallOutcome {
  /** The call. */
  call: CallId;
  /** The member. */
  member: MemberName;
  /** The tool. */
  tool: ToolName;
  /** When it began. */
  startedAtMs: number;
  /** How long it took, a start of the member included. */
  durationMs: number;
  /**
   * The JSON-RPC message of the call exactly as it was sent, as JSON text; `None` where nothing was
   * sent. Where the server asked for more before it answered, the last one.
   */
  request: string | null;
  /**
   * The check of the result against the tool's output schema; `None` without a schema or a result.
   */
  structured: CheckedArguments | null;
  /** The end. */
  end: CallEnd;
}

/**
 * The end of a call: a result, also where the tool reports a failure, or the reason for a missing
 * one.
 */
export type CallEnd =
  /** The tool answered. */
  | {
      kind: "result";
      /** The MCP result as the server sent it, as JSON text. */
      result: string;
      /** The tool says that it failed (`isError`): a result, never a change of status. */
      isError: boolean;
    }
  /** No result. */
  | {
      kind: "failed";
      /** Why. */
      report: Report;
      /** The JSON-RPC error, where the server sent one. */
      rpc: RpcError | null;
      /** The errors at their fields, where the arguments were refused. */
      arguments: ArgumentError[];
      /** The last lines of the member's stderr, where it ended. */
      stderr: LogLine[];
    };

/** A JSON-RPC error as the server sent it. */
export interface RpcError {
  /** Its code. */
  code: number;
  /** Its message, bounded to 16 KiB. */
  message: string;
  /** Its data as JSON text, bounded to 64 KiB. */
  data: string | null;
}

/** A request about one call. */
export interface OfCall {
  /** The call. */
  call: CallId;
}

/** The part of the window in view. */
export interface LookAt {
  /** Members whose page or tools are shown, the most important first; more than 64 are not kept. */
  members: MemberName[];
}

/** The result of refreshing all members. */
export interface Refreshed {
  /** The members whose list was read. */
  updated: MemberName[];
  /** The members that failed, each with its reason. */
  failed: Report[];
}

/** A request to enable or disable a member. */
export interface SetMemberEnabled {
  /** The member. */
  member: MemberName;
  /** Whether it is enabled from now on. */
  enabled: boolean;
}

/** A member in the trash. */
export interface RemovedMember {
  /** The id of the removal. */
  removal: RemovalId;
  /** The member's name. */
  member: MemberName;
  /** The time of the removal. */
  removedAtMs: number;
}

/** The id of a removal. */
export type RemovalId = string;

/** The members in the trash. */
export interface RemovedMembers {
  /** The members, the newest first. */
  members: RemovedMember[];
}

/** A request about a member in the trash. */
export interface OfRemoval {
  /** The id of the removal. */
  removal: RemovalId;
}

/** A request to rename or duplicate a member. */
export interface RenameMember {
  /** The member. */
  member: MemberName;
  /** The new name, or the name of the copy. */
  name: string;
}

/** A member's `plugin.json`. */
export interface MemberFile {
  /** The member. */
  member: MemberName;
  /** The path of the file. */
  path: string;
  /** The text of the file. */
  text: string;
  /** A digest of the text, by which a save detects changes by other programs. */
  revision: string;
  /**
   * Whether a save accepts the new command: the member comes from elsewhere, and its current
   * command is accepted.
   */
  accepts: boolean;
}

/** A text to check. */
export interface CheckMemberFile {
  /** The member. */
  member: MemberName;
  /** The text. */
  text: string;
}

/** The result of a check. */
export interface CheckedMemberFile {
  /** The errors and warnings, in file order; 200 at most. */
  problems: ManifestProblem[];
}

/** An error or a warning of a manifest. */
export interface ManifestProblem {
  /** The line, from 1. */
  line: number;
  /** The column in characters, from 1. */
  column: number;
  /** The path of the field, e.g. `args[2]`. Empty for the whole file. */
  field: string;
  /** The message, with the field. */
  message: string;
  /** The next step. */
  hint: string;
  /** The severity. */
  severity: ProblemSeverity;
}

/** The severity of a problem. */
export type ProblemSeverity =
  /** The manifest can't be used. */
  | "error"
  /** The manifest can be used. */
  | "warning";

/** A request to change one field of a text. */
export interface EditManifestText {
  /** The text. */
  text: string;
  /** The field, at the top level. */
  field: string;
  /** The new value as JSON. `None` removes the field. */
  value: string | null;
}

/** A text for `plugin.json`. */
export interface ManifestText {
  /** The text. */
  text: string;
}

/** A request to save a member's `plugin.json`. */
export interface SaveMemberFile {
  /** The member. */
  member: MemberName;
  /** The new text. */
  text: string;
  /** The revision of the text that was edited. */
  revision: string;
}

/** The elicitations that wait, oldest first. */
export interface Elicitations {
  /** All that wait, oldest first. */
  elicitations: Elicitation[];
}

/** A question of a server that waits for a person (MCP elicitation). */
export interface Elicitation {
  /** Its id, by which it is answered. */
  id: ElicitationId;
  /** The member whose server asks. */
  member: MemberName;
  /** The call that it belongs to; `None` where several run and the server doesn't say. */
  call: CallId | null;
  /** The tool of that call; `None` for a resource or a prompt, too. */
  tool: ToolName | null;
  /** The server's message to the person: plain text, at most 16 KiB. */
  message: string;
  /** The requested input. */
  mode: ElicitationMode;
  /** When it was asked. */
  askedAtMs: number;
  /** The time at which the server gets a refusal. */
  expiresAtMs: number;
}

/** Names one question of a server to a person, from its asking to its end. */
export type ElicitationId = string;

/** The input that a server requests. */
export type ElicitationMode =
  /** Values for a form. */
  | {
      kind: "form";
      /** The bounded schema of the requested input, as JSON text. */
      schema: string;
      /** The parts that were cut off the schema, with reasons; empty for nearly all. */
      notes: string[];
    }
  /**
   * A visit to an address, outside of Guild Hall. It is shown in full and never opened by itself;
   * accepting says that the person goes there.
   */
  | {
      kind: "url";
      /** The address as the server sent it, at most 8 KiB. */
      url: string;
      /** The server's own id of the visit. */
      elicitationId: string;
    };

/** Values to be checked against what an elicitation wants. */
export interface CheckElicitation {
  /** The elicitation. */
  id: ElicitationId;
  /** The values as JSON text. */
  content: string;
}

/** A person's answer to an elicitation. */
export interface AnswerElicitation {
  /** The elicitation. */
  id: ElicitationId;
  /** The person's decision. */
  action: ElicitationAction;
  /** With `accept` of a form: the values as JSON text, an object. */
  content: string | null;
}

/** A person's decision about an elicitation. */
export type ElicitationAction =
  /** The values are sent, or the address is visited. */
  | "accept"
  /** The person says no. */
  | "decline"
  /** The person closed it without a decision. */
  | "cancel";

/** A member's resources and prompts in the server's order. */
export interface MemberOffers {
  /** The member. */
  member: MemberName;
  /** Its resources. */
  resources: ResourceView[];
  /** Its templates of resources. */
  templates: ResourceTemplateView[];
  /** Its prompts. */
  prompts: PromptView[];
  /** The entries that were left out of the three lists, with reasons. */
  problems: OfferProblem[];
}

/** A resource as a list shows it. */
export interface ResourceView {
  /** Its address, by which it is read. */
  uri: string;
  /** Its name. */
  name: string;
  /** Its title for people. */
  title: string | null;
  /** Its description. */
  description: string | null;
  /** Its MIME type. */
  mimeType: string | null;
  /** How large its content is, in bytes. */
  size: number | null;
}

/** A template that an address of a resource is made from. */
export interface ResourceTemplateView {
  /** The template (RFC 6570). */
  uriTemplate: string;
  /** The names of its variables, in their order. */
  variables: string[];
  /** Its name. */
  name: string;
  /** Its title for people. */
  title: string | null;
  /** Its description. */
  description: string | null;
  /** The MIME type of its resources. */
  mimeType: string | null;
}

/** A prompt as a list shows it. */
export interface PromptView {
  /** Its name. */
  name: string;
  /** Its title for people. */
  title: string | null;
  /** Its description. */
  description: string | null;
  /** Its arguments. */
  arguments: PromptArgument[];
}

/** One argument of a prompt; its value is always a text. */
export interface PromptArgument {
  /** Its name. */
  name: string;
  /** Its title for people. */
  title: string | null;
  /** Its description. */
  description: string | null;
  /** Whether the prompt can't do without it. */
  required: boolean;
}

/** Something that could not be taken from one of the lists. */
export interface OfferProblem {
  /** The list. */
  list: OfferList;
  /** The entry's place, from 0; `None` where it is the list itself that failed. */
  index: number | null;
  /** The entry's name or address, cut to 80 characters, where it has one. */
  name: string | null;
  /** The problem. */
  reason: string;
}

/** One of the lists of a member's offers. */
export type OfferList =
  /** The resources. */
  | "resources"
  /** The templates of resources. */
  | "templates"
  /** The prompts. */
  | "prompts";

/** A reading of a resource. */
export interface ReadResource {
  /** The reading's id, chosen by the caller; it is cancelled by `cancel_call`. */
  call: CallId;
  /** The member. */
  member: MemberName;
  /** The resource's address. */
  uri: string;
  /** A time limit instead of the manifest's, in milliseconds. */
  timeoutMs: number | null;
}

/** How a reading of a resource, or a prompt, ended. */
export interface Answered {
  /** The id of the request. */
  call: CallId;
  /** The member. */
  member: MemberName;
  /** When it began. */
  startedAtMs: number;
  /** How long it took, a start of the member included. */
  durationMs: number;
  /** The JSON-RPC message exactly as it was sent, as JSON text; `None` where nothing was sent. */
  request: string | null;
  /** The answer. */
  end: CallEnd;
}

/** A prompt to be filled in by its server. */
export interface GetPrompt {
  /** The request's id, chosen by the caller; it is cancelled by `cancel_call`. */
  call: CallId;
  /** The member. */
  member: MemberName;
  /** The prompt's name. */
  prompt: string;
  /** The arguments that are given. */
  arguments: Record<string, string>;
  /** A time limit instead of the manifest's, in milliseconds. */
  timeoutMs: number | null;
}

/** A question for values that an argument may have. */
export interface CompleteArgument {
  /** The member. */
  member: MemberName;
  /** The owner of the argument. */
  of: CompletedThing;
  /** The argument's name, or the template's variable. */
  argument: string;
  /** The text typed so far. */
  value: string;
  /** The other arguments that are known already. */
  known: Record<string, string>;
}

/** The owner of an argument. */
export type CompletedThing =
  /** A prompt. */
  | {
      kind: "prompt";
      /** Its name. */
      name: string;
    }
  /** A template of resources. */
  | {
      kind: "template";
      /** The template. */
      uriTemplate: string;
    };

/** Values that an argument may have; empty where the server knows none or fails. */
export interface Completions {
  /** At most 100 values. */
  values: string[];
  /** Whether there are more. */
  hasMore: boolean;
}

/** A call to copy as text. */
export interface CopyAs {
  /** The member. */
  member: MemberName;
  /** The tool. */
  tool: ToolName;
  /** The arguments as JSON text: an object. */
  arguments: string;
  /** The form of the copy. */
  form: CopyForm;
}

/** The form of a copied call. */
export type CopyForm =
  /** The JSON-RPC message of the call. */
  | "json-rpc"
  /** A shell script that calls the member with `curl`. */
  | "curl"
  /** The command line of `guildhall call`. */
  | "guildhall"
  /** The member in an `mcpServers` file of another program. */
  | "client-config";

/** The requested text. */
export interface Copied {
  /** The text; empty if this call can't be written in this form. */
  text: string;
  /** A remark on its use, or the reason for a missing text. */
  note: string | null;
}

/** A search of the history. */
export interface SearchHistory {
  /** Which calls. */
  filter: HistoryFilter;
  /** Only those before this entry: the last one of the page before. */
  before: EntryId | null;
  /** At most so many; 500 are the most. */
  limit: number;
}

/** The calls to find; a missing field matches every call. */
export interface HistoryFilter {
  /**
   * Words that the call has to have, in its member, tool, agent, arguments, error, or the first 4
   * KiB of its result; of the last one the beginning is enough.
   */
  text: string | null;
  /** Only this member's. */
  member: MemberName | null;
  /** Only of tools of this name. */
  tool: ToolName | null;
  /** Only those that ended so. */
  outcome: OutcomeKind | null;
  /** Only this one's. */
  caller: Caller | null;
  /** Only those that began then or later. */
  sinceMs: number | null;
  /** Only those that began before then. */
  untilMs: number | null;
  /** Only this entry. */
  entry: EntryId | null;
}

/** How a call ended, in one word. */
export type OutcomeKind =
  /** The tool answered. */
  | "ok"
  /** The tool answered that it failed (`isError`). */
  | "tool-error"
  /** No result: refused, not sent, or not answered. */
  | "failed"
  /** The caller cancelled it. */
  | "cancelled";

/** The caller of a tool. */
export type Caller =
  /** A person, by a form of the window. */
  | "window"
  /** `guildhall call`. */
  | "command-line"
  /** A program, by the gateway. */
  | "agent"
  /** A member's manifest, where the call is an example of it. */
  | "example";

/** Names one entry of the history; a later entry has a higher one. */
export type EntryId = number;

/** One page of the history, the newest call first. */
export interface HistoryPage {
  /** The calls, in the reverse of the order in which they ended. */
  entries: HistoryEntry[];
  /** Whether there are more behind the last one. */
  more: boolean;
  /** The reason for a missing answer, or the problem with the history. */
  trouble: Report | null;
}

/** One call as a list shows it. */
export interface HistoryEntry {
  /** The entry's id. */
  id: EntryId;
  /** The id that the call had while it ran. */
  call: CallId;
  /** When it began. */
  atMs: number;
  /** The caller. */
  caller: Caller;
  /** The agent's name, where it was one. */
  client: string | null;
  /** Its member. */
  member: MemberName;
  /** Its tool. */
  tool: ToolName;
  /** How it ended. */
  outcome: OutcomeKind;
  /** The error's code, if there is no result. */
  code: Code | null;
  /** How long it took. */
  durationMs: number;
  /** How large the result was when it came, in bytes of JSON. */
  size: number;
  /** The arguments on one line, cut to 200 characters. */
  summary: string;
}

/** A request about one entry of the history. */
export interface OfEntry {
  /** The entry. */
  id: EntryId;
}

/** Everything that was kept of one call. */
export interface RecordedCall {
  /** The call as a list shows it. */
  entry: HistoryEntry;
  /** Its arguments as the typed JSON text, with masked secrets. Invalid JSON is kept unchanged. */
  arguments: string;
  /**
   * The places of the masked arguments, as JSON Pointers: a replay has to ask for these values
   * again.
   */
  masked: string[];
  /** The result. A truncated result is not valid JSON. */
  end: CallEnd;
  /** Whether the result was longer than what is kept of one, which is 1 MiB. */
  truncated: boolean;
  /** The change of the tool's input schema since the call. */
  schema: SchemaSince;
}

/** The change of a tool's input schema since a recorded call. */
export type SchemaSince =
  /** It is the same. */
  | "same"
  /** It is another one now. */
  | "changed"
  /** One of the two is not known: the tool is not listed now, or was not then. */
  | "unknown";

/** The removed part of the history. */
export interface Cleared {
  /** How many calls. */
  count: number;
}

/** An export of the history as JSON Lines, one [`RecordedCall`] a line, the oldest first. */
export interface ExportHistory {
  /** Which calls. */
  filter: HistoryFilter;
  /** The file's full path. An existing file is replaced after the new one is complete. */
  path: string;
}

/** The exported file. */
export interface Exported {
  /** The file. */
  path: string;
  /** How many calls are in it. */
  count: number;
}

/** A call to be kept under a name. */
export interface SaveCall {
  /** The member. */
  member: MemberName;
  /** The tool. */
  tool: ToolName;
  /** Its name, 1 to 120 characters on one line; unique among the tool's saved calls. */
  name: string;
  /** The arguments as JSON text: an object. Secrets in it are masked before it is kept. */
  arguments: string;
  /** The action where the tool has a saved call of that name. */
  existing: ExistingName;
}

/** The action on a saved call that has the name already. */
export type ExistingName =
  /** It stays, and the new one is refused with `saved-name-refused`. */
  | "keep"
  /** The new one takes its place. */
  | "replace";

/** A call that was kept under a name. */
export interface SavedCall {
  /** Its id. */
  id: SavedId;
  /** Its name. */
  name: string;
  /** The member. */
  member: MemberName;
  /** The tool. */
  tool: ToolName;
  /** The arguments as JSON text. */
  arguments: string;
  /** The places of the arguments that were masked, as JSON Pointers. */
  masked: string[];
  /** When it was saved. */
  savedAtMs: number;
}

/** Names one saved call. */
export type SavedId = number;

/** Which saved calls are meant. */
export interface SavedCallsOf {
  /** Only this member's. */
  member: MemberName | null;
  /** Only of tools of this name. */
  tool: ToolName | null;
}

/** Saved calls, sorted by member, tool and name; at most 1,000. */
export interface SavedCalls {
  /** The calls. */
  calls: SavedCall[];
  /** Whether there are more. */
  more: boolean;
  /** The reason for a missing answer. */
  trouble: Report | null;
}

/** Another name for a saved call. */
export interface RenameSavedCall {
  /** The saved call. */
  id: SavedId;
  /** Its new name. */
  name: string;
}

/** A request about one saved call. */
export interface OfSavedCall {
  /** The saved call. */
  id: SavedId;
}

/** The draft in a tool's form, to be kept over a restart. */
export interface KeepDraft {
  /** The member. */
  member: MemberName;
  /** The tool. */
  tool: ToolName;
  /**
   * The draft, without secrets, in a format that the window chooses, at most 1 MiB; `None` deletes
   * it. Guild Hall keeps the newest 500.
   */
  draft: string | null;
}

/** The kept draft of a tool's form. */
export interface KeptDraft {
  /** The draft, where there is one. */
  draft: string | null;
  /** When it was kept. */
  keptAtMs: number | null;
  /** The reason for a missing answer. */
  trouble: Report | null;
}

/** How the history is kept, and how it fares. */
export interface HistoryState {
  /** The recorded calls, and how long they are kept. */
  settings: HistorySettings;
  /** The database file. */
  file: string;
  /** How many calls are kept. */
  calls: number;
  /** How many bytes they take. */
  size: number;
  /**
   * How many calls of this run were not recorded, because they came too fast or for the reason in
   * `trouble`.
   */
  unrecorded: number;
  /** The problem with it. */
  trouble: Report | null;
}

/** The recorded calls, and how long they are kept. */
export interface HistorySettings {
  /** Whether calls are recorded. Saved calls and drafts are kept in any case. */
  recording: boolean;
  /** How many calls are kept; the oldest go first. 1 to 10,000,000. */
  keepCalls: number;
  /** How many bytes the calls may take; the oldest go first. 1 MiB to 1 TiB. */
  keepBytes: number;
}

/** The gateway as the window shows it. */
export interface GatewayState {
  /** Whether a person has enabled it. */
  enabled: boolean;
  /** The configured port. */
  port: number;
  /**
   * The address of the endpoint with all members, while the gateway listens:
   * `http://127.0.0.1:19999/mcp`.
   */
  address: string | null;
  /** Why an enabled gateway does not listen. */
  error: Report | null;
  /** Whether a client has to show a token. */
  tokensRequired: boolean;
  /** The listing mode of a client that requests none. */
  listing: Listing;
  /** The policy rules for kinds of tools. */
  rules: PolicyRules;
  /** The endpoint that ranks tools by meaning; `null` if search compares words only. */
  embeddings: EmbeddingsEndpoint | null;
  /** The profiles, by name. */
  profiles: Profile[];
  /** The clients that have a token, the oldest first. */
  clients: AgentClient[];
  /** The problem with the settings' file; the earlier settings stay in force. */
  warnings: Report[];
}

/** How tools are listed. */
export type Listing =
  /** Every tool as a stub: its name and the first sentence of its description. */
  | "lazy"
  /** Every tool as its server describes it. */
  | "full"
  /** A menu of four tools to search, describe and call the others with. */
  | "search";

/** The policies for kinds of tools; empty fields set no policy. */
export interface PolicyRules {
  /** For tools that change nothing. */
  readOnly: Policy | null;
  /** For tools that change things and destroy nothing. */
  changing: Policy | null;
  /** For tools that may destroy something. */
  destructive: Policy | null;
  /** For tools of which their servers say neither. */
  unsaid: Policy | null;
  /** For tools that reach things outside their servers; beside the others, the stricter holds. */
  openWorld: Policy | null;
}

/** An OpenAI-compatible endpoint that gives vectors of texts. */
export interface EmbeddingsEndpoint {
  /** Its base address: `https:`, or `http:` on this machine. */
  url: string;
  /** The model's name there. */
  model: string;
  /** Where the key is, as `${secret:NAME}` or `${env:NAME}`; the key itself is in no file. */
  key?: string | null;
  /** How long a search waits for it, in milliseconds; 5,000 by default. */
  timeoutMs?: number | null;
}

/** A profile. */
export interface Profile {
  /** Its name. */
  name: ProfileName;
  /** How its tools are listed; the gateway's own mode by default. */
  listing: Listing | null;
  /** Policies for kinds of tools; never looser than elsewhere. */
  rules: PolicyRules;
  /** The members that it chooses, in the order of its list. */
  members: MountedMember[];
}

/** A member as a profile has it. */
export interface MountedMember {
  /** The member. */
  member: MemberName;
  /**
   * Its tools have their own names, without the member's before them. One member of a profile at
   * most.
   */
  withoutPrefix: boolean;
  /** Which of its tools; all by default. */
  tools: ToolChoice;
  /**
   * Which of its prompts, resources and templates, by the names under which they are reviewed
   * (`prompt:NAME`, `resource:URI`, `template:URI`); all by default. A template's choice is that of
   * the resources which fit it.
   */
  offers: ToolChoice;
  /** Replacements for the names and descriptions that the server gives its tools. */
  changes: Record<string, ToolChange>;
}

/** Which tools of a member. */
export type ToolChoice =
  /** All, also those that it will have. */
  | { kind: "all" }
  /** Only these. */
  | {
      kind: "only";
      /** Their names. */
      tools: ToolName[];
    }
  /** All but these. */
  | {
      kind: "except";
      /** Their names. */
      tools: ToolName[];
    };

/** Replacements for a tool's name and description. */
export interface ToolChange {
  /** The tool's new name; the member's name is still its prefix. */
  name: string | null;
  /** Its description. */
  description: string | null;
  /** Its policy in this profile, before the profile's rules; never looser than elsewhere. */
  policy: Policy | null;
}

/** A client with access to the gateway. */
export interface AgentClient {
  /** Its id. */
  id: ClientId;
  /** The name that a person gave it. */
  name: string;
  /** The last characters of its token, to recognize it by. */
  tokenEnd: string;
  /** When its token was made. */
  createdAtMs: number;
  /** When the client last sent its token, to the minute. */
  lastUsedMs: number | null;
}

/** Names one client of the gateway, for as long as its token is good. */
export type ClientId = string;

/** New settings of the gateway; a missing field keeps its value. */
export interface ChangeGateway {
  /** Whether the gateway runs. */
  enabled: boolean | null;
  /** Its port. */
  port: number | null;
  /** The listing mode of a client that requests none. */
  listing: Listing | null;
}

/** A client to add. */
export interface AddAgentClient {
  /** Its name, at most 80 characters. */
  name: string;
}

/** An added client. */
export interface AddedAgentClient {
  /** The client. */
  client: AgentClient;
  /** Its token. Guild Hall does not store it: only this answer contains it. */
  token: string;
}

/** A request about one client. */
export interface OfAgentClient {
  /** The client. */
  client: ClientId;
}

/** A profile to save. */
export interface SaveProfile {
  /** The profile. */
  profile: Profile;
  /**
   * The former name of a renamed profile; its former address keeps working. `null` for a new
   * profile, and for one that keeps its name.
   */
  insteadOf: ProfileName | null;
}

/** A request about one profile. */
export interface OfProfile {
  /** The profile. */
  profile: ProfileName;
}

/** Policies to be set on tools by hand: all of them, or none where one can't be. */
export interface SetToolPolicies {
  /** The profile in which they hold; `null` for everywhere. */
  profile: ProfileName | null;
  /** The policies to set, on 10,000 tools at most. */
  tools: ToolPolicy[];
}

/** A policy that a person set on one tool. */
export interface ToolPolicy {
  /** Its member. */
  member: MemberName;
  /** Its name. */
  tool: ToolName;
  /** The policy; `null` for what the rules and the manifest say. */
  policy: Policy | null;
}

/** Policies that were set. */
export interface PoliciesSet {
  /** The earlier policies of these tools. Setting them again undoes the change. */
  before: ToolPolicy[];
}

/** Rules for kinds of tools. */
export interface PolicyRulesOf {
  /** The profile in which they hold; `null` for everywhere. */
  profile: ProfileName | null;
  /** The rules, in the place of those that were there. */
  rules: PolicyRules;
}

/** The changes that rules would make. */
export interface PolicyPreview {
  /**
   * The tools whose policy would be another one, or be decided by something else, by member in
   * their servers' order; 1,000 at most.
   */
  changes: PolicyChange[];
  /** How many there are. */
  total: number;
  /**
   * The members with tools that these rules would allow only because of their servers'
   * descriptions. A server may change its descriptions, and such a change is not held for review.
   */
  unheld: MemberName[];
}

/** One tool whose policy would be another one. */
export interface PolicyChange {
  /** Its member. */
  member: MemberName;
  /** Its name. */
  tool: ToolName;
  /** The current policy. */
  before: Ruling;
  /** As it would be. */
  after: Ruling;
}

/** A tool's policy, and what decided it. */
export interface Ruling {
  /** The policy. */
  policy: Policy;
  /** The rule that decided it. */
  reason: PolicyReason;
}

/** Confirms a server's claim that a tool only reads, or takes that back. */
export interface ConfirmReadOnly {
  /** Its member. */
  member: MemberName;
  /** Its name. */
  tool: ToolName;
  /** Whether the claim holds although the tool's name or description contradicts it. */
  confirmed: boolean;
}

/** Sets the endpoint. */
export interface SetEmbeddings {
  /** The endpoint; `null` to rank by words alone. */
  endpoint: EmbeddingsEndpoint | null;
}

/** Asks an endpoint once. */
export interface TestEmbeddings {
  /** The endpoint; `null` for the one that is set. */
  endpoint: EmbeddingsEndpoint | null;
}

/** The answer of an endpoint that works. */
export interface EmbeddingsTested {
  /** How many numbers one of its vectors has. */
  dimensions: number;
  /** How long its answer took, in milliseconds. */
  durationMs: number;
}

/** A profile to be exported for a team. Nothing is written for it. */
export interface ExportTeam {
  /** The profile. */
  profile: ProfileName;
  /** The runtime of the members there. */
  target: TeamTarget;
  /** The image that has `guildhall`, and the programs that members are started by. */
  image: string;
  /** The image of the gateway that the team has, which is the one that others reach. */
  gatewayImage: string;
  /** The port that it listens on; 8080 by default. */
  gatewayPort: number | null;
  /**
   * The address at which the app reaches the profile there; by default one of this machine, for
   * compose or a forwarded port.
   */
  url: string | null;
}

/** The runtime of the members there. */
export type TeamTarget =
  /** A compose file. */
  | "compose"
  /** Manifests of a cluster. */
  | "kubernetes";

/** The files that run a profile's members for a team. */
export interface TeamExport {
  /**
   * The files, by their paths in one folder; the first is what is applied, the last is the member
   * that connects the app.
   */
  files: TeamFile[];
  /** The members that run there. */
  members: string[];
  /** The members that can't. */
  leftOut: LeftOut[];
  /** The variables to set there; none of their values is in a file. */
  toSet: ToSet[];
  /** Further remarks, a sentence or two each. */
  notes: string[];
}

/** A file of an export. */
export interface TeamFile {
  /** Its path in the export's folder. */
  path: string;
  /** Its text. */
  text: string;
}

/** A member that does not run there. */
export interface LeftOut {
  /** The member. */
  member: string;
  /** Why, as the rest of a sentence. */
  why: string;
}

/** Something that has to be set there. */
export interface ToSet {
  /** The name of the variable, or of the secret's key. */
  name: string;
  /** Its purpose. */
  what: string;
}

/** An export to be written into a folder. */
export interface WriteTeamExport {
  /** The export. */
  export: ExportTeam;
  /** The whole path of the folder; made where it is not there. */
  folder: string;
}

/** An export that was written. */
export interface WrittenTeamExport {
  /** The files, by their whole paths. */
  paths: string[];
}

/** A request for an agent's view of the tools. */
export interface ViewAsAgent {
  /** The agent's endpoint. */
  endpoint: Endpoint;
  /** The listing mode; by default the endpoint's. */
  listing: Listing | null;
}

/** Where agents ask. */
export type Endpoint =
  /** `/mcp`: all members. */
  | { kind: "all" }
  /** `/members/{name}/mcp`: one member, its tools under their own names. */
  | {
      kind: "member";
      /** The member. */
      member: MemberName;
    }
  /** `/profiles/{name}/mcp`: the tools that a profile selects. */
  | {
      kind: "profile";
      /** The profile. */
      profile: ProfileName;
    };

/** The view of an agent. */
export interface AgentView {
  /** The listing mode of this view. */
  listing: Listing;
  /** The exact result of `tools/list` as JSON text, at most 1 MiB. */
  payload: string;
  /** How many bytes the result has. */
  payloadBytes: number;
  /** The number of listed tools, including the menu's. */
  listed: number;
  /** Its cost for a model in each mode, in tokens (o200k). */
  tokens: ModeTokens;
  /** The cost of each member that offers a tool. */
  members: MemberTokens[];
  /** The callable tools by their names for agents, in the list's order. */
  tools: AgentTool[];
  /** The withheld tools, with the reasons. */
  withheld: WithheldTool[];
}

/** The cost of a list in each mode, in tokens. */
export interface ModeTokens {
  /** With all schemas. */
  full: number;
  /** As stubs. */
  lazy: number;
  /** As a menu. The total is the menu itself; a single member costs nothing. */
  search: number;
}

/** The cost of a member's tools. */
export interface MemberTokens {
  /** The member. */
  member: MemberName;
  /** How many of its tools are offered. */
  tools: number;
  /** Their cost. */
  tokens: ModeTokens;
}

/** A tool as agents see it. */
export interface AgentTool {
  /** Its name for agents. */
  name: string;
  /** Its member. */
  member: MemberName;
  /** Its own name. */
  tool: ToolName;
  /** The policy of agents' calls. */
  policy: Policy;
  /** The origin of the policy. */
  policyReason: PolicyReason;
  /** The server's hints about it. */
  hints: ToolHints;
}

/** A tool that agents do not get. */
export interface WithheldTool {
  /** Its member. */
  member: MemberName;
  /** Its own name. */
  tool: ToolName;
  /** The policy of agents' calls at an endpoint that includes the tool. */
  policy: Policy;
  /** The origin of the policy. */
  policyReason: PolicyReason;
  /** The server's hints about it. */
  hints: ToolHints;
  /** The reason, with advice. */
  report: Report;
}

/** A task to test the search with. */
export interface FindForTask {
  /** The agent's endpoint. */
  endpoint: Endpoint;
  /** The task, in a person's words. */
  task: string;
  /** The most results; at most 50. */
  limit: number;
}

/** The tools that search finds for a task, the best first. */
export interface FoundForTask {
  /** The tools, the best first. */
  found: FoundAgentTool[];
}

/** A tool that search found. */
export interface FoundAgentTool {
  /** Its name for agents. */
  name: string;
  /** The first sentence of its description. */
  summary: string;
  /** The rank value; only the order has a meaning. */
  score: number;
  /** The matching words with their places: `name: issue, create`. */
  why: string[];
}

/** The calls that wait, the oldest first. */
export interface Approvals {
  /** All that wait, the oldest first. */
  approvals: Approval[];
}

/** A call of an agent that waits for a person's decision. */
export interface Approval {
  /** Its id, by which it is decided. */
  id: ApprovalId;
  /** The calling client. */
  client: string;
  /** The member. */
  member: MemberName;
  /** The tool. */
  tool: ToolName;
  /** The arguments as JSON text. */
  arguments: string;
  /** When it was asked. */
  askedAtMs: number;
  /** The time at which the agent gets a denial. */
  expiresAtMs: number;
}

/** Names one call of an agent that waits for a person's decision, from its asking to its end. */
export type ApprovalId = string;

/** A person's decision about an agent's call. */
export interface DecideApproval {
  /** The approval. */
  id: ApprovalId;
  /** The decision. */
  decision: Decision;
  /** The arguments that the person changed, as JSON text; by default the original ones. */
  arguments: string | null;
  /** How changed arguments that don't fit the schema are handled. */
  check: ArgumentCheck;
}

/** A person's decision about an agent's call. */
export type Decision =
  /** Allow this call. */
  | "once"
  /** Allow this call and, from now on, the tool. */
  | "always"
  /** Deny this call. */
  | "deny";

/** An excerpt of the traffic. */
export interface Traffic {
  /** The newest exchanges in their order; Guild Hall keeps the last 500. */
  exchanges: Exchange[];
}

/** One request of an agent and its answer. */
export interface Exchange {
  /** Its number, growing. */
  seq: number;
  /** When it came. */
  atMs: number;
  /** The client's name, or the name that it gives itself. */
  client: string;
  /** The endpoint. */
  endpoint: Endpoint;
  /** The method. */
  method: string;
  /** The called member, if any. */
  member: MemberName | null;
  /** The tool. */
  tool: string | null;
  /** How long the answer took, in microseconds. */
  durationUs: number;
  /** How large the request was, in bytes. */
  requestBytes: number;
  /** How large the answer was, in bytes. */
  responseBytes: number;
  /** The protocol error. `null` for a result, even if the tool reports a failure in it. */
  error: string | null;
  /**
   * The argument fields that this client adds to every call. Guild Hall removes them before it
   * checks the arguments.
   */
  dropped: string[];
  /** The beginning of the request's parameters with secrets masked, at most 2 KiB. */
  request: string;
  /** The beginning of the answer with secrets masked, at most 2 KiB. */
  response: string;
}

/** A request about one endpoint. */
export interface OfEndpoint {
  /** The endpoint. */
  endpoint: Endpoint;
}

/** The known programs. */
export interface ClientConfigs {
  /** The programs; those with an existing file come first. */
  clients: ClientConfig[];
}

/** A program whose configuration can name the gateway. */
export interface ClientConfig {
  /** The program's id: `claude-code`. */
  client: string;
  /** Its name: `Claude Code`. */
  title: string;
  /** The file that it reads. */
  path: string;
  /** Whether the file is there. */
  exists: boolean;
  /** Whether the file names the gateway. */
  connected: boolean;
  /** Whether a backup can be restored. */
  canUndo: boolean;
  /** The gateway's entry in the file, ready to copy. */
  snippet: string;
  /** The user's next step after the file has changed. */
  then: string;
  /**
   * For a member's endpoint: the entry with which the program runs the member itself, without Guild
   * Hall.
   */
  direct: Copied | null;
}

/** A request about one program's configuration. */
export interface OfClientConfig {
  /** The program. */
  client: string;
  /** One of the scanned files; `null` for the file that the program reads for this user. */
  path: string | null;
  /** The endpoint to connect to. */
  endpoint: Endpoint;
  /** Whether to remove servers that the endpoint has too. */
  handOver: boolean;
  /** Whether the program gets all tools of members of which it offered only some until now. */
  allTools: boolean;
}

/** A preview of a change to a file. */
export interface ClientConfigPreview {
  /** The file. */
  path: string;
  /** The file's current text, its secrets masked; `null` if the file doesn't exist. */
  before: string | null;
  /** The file's new text, without the token and with other secrets masked. */
  after: string;
  /** A digest of the current file. A changed file is not overwritten. */
  precondition: string;
  /** The names of the removed servers. */
  takenOut: string[];
  /** The number of comments inside the removed entries. An undo restores them. */
  comments: number;
  /** The members of which the program offers only some tools until now. */
  choices: ProgramChoice[];
  /**
   * The profile that keeps these choices, to which the program is connected; `null` without
   * choices, or if the program gets all tools.
   */
  profile: ProfileName | null;
  /** The project's folder, if the file belongs to a project; others may share it. */
  project: string | null;
}

/** The tools of a member that a program offers, by its own file. */
export interface ProgramChoice {
  /** The server's name in the program. */
  server: string;
  /** The member that takes its place. */
  member: MemberName;
  /** The tools; none for a server that is switched off. */
  tools: ToolChoice;
}

/** A previewed change to write. */
export interface WriteClientConfig {
  /** The program. */
  client: string;
  /** The same file as in the preview's request. */
  path: string | null;
  /** The endpoint to connect to. */
  endpoint: Endpoint;
  /** The same choice as in the preview's request. */
  handOver: boolean;
  /** The same choice as in the preview's request. */
  allTools: boolean;
  /** From the preview. */
  precondition: string;
}

/** A written file. */
export interface WrittenClientConfig {
  /** The file. */
  path: string;
  /** The path of the backup; `null` if there was no file. */
  backup: string | null;
}

/** A request about a program's configuration as it was. */
export interface UndoClientConfig {
  /** The program. */
  client: string;
  /** Which of its files; `null` for the one that it reads for the user. */
  path: string | null;
}

/** A restored file. */
export interface UndoneClientConfig {
  /** The file. */
  path: string;
  /**
   * Whether the file has exactly its original bytes. If not, it still contains changes that others
   * made since.
   */
  asBefore: boolean;
  /** The clients whose tokens were written into it and that still have access. */
  clients: AgentClient[];
}

/** A question for lines of a member's log, from the newest backwards. */
export interface ReadMemberLog {
  /** The member. */
  member: MemberName;
  /** Only lines with a lower number: where the page before ended. `None` for the newest. */
  before: number | null;
  /** Which lines. */
  filter: LogFilter;
  /** At most so many; 2,000 are the most. */
  limit: number;
}

/** Which lines of a member's log are wanted. */
export interface LogFilter {
  /** Only lines that contain this text, ignoring case; empty for all. */
  contains: string;
  /** Only lines of the start of this number. */
  start: number | null;
}

/**
 * Lines of a member's log. A page ends where its limit or its share of work is reached, so one
 * without lines is not the last: that is the one without `before`.
 */
export interface LogPage {
  /** The member. */
  member: MemberName;
  /** The lines in their order, without colour codes where they come from a file. */
  lines: LogLine[];
  /** Where the next page goes on; `None` where nothing older is kept. */
  before: number | null;
  /** How much of the files was gone through so far, from their end, in bytes. */
  searchedBytes: number;
  /** How much there is, in bytes. */
  totalBytes: number;
  /** The folder of the logs. */
  folder: string;
  /** The reason why files could not be read; the lines in memory are still there. */
  problem: Report | null;
}

/** A question for a member's whole log in a file. */
export interface SaveMemberLog {
  /** The member. */
  member: MemberName;
  /** Which lines. */
  filter: LogFilter;
  /** The file's path; an existing file is replaced. */
  path: string;
}

/** A log that was written to a file. */
export interface SavedMemberLog {
  /** The file. */
  path: string;
  /** How many lines it has. */
  lines: number;
}

/** The content of a bundle for a bug report. */
export interface Bundled {
  /** The file that it was written to; `None` where it was only looked at. */
  path: string | null;
  /** A name for the file. */
  suggestedName: string;
  /** Its files. */
  files: BundledFile[];
  /** The files that were left out, with reasons. */
  leftOut: string[];
}

/** One file of a bundle for a bug report. */
export interface BundledFile {
  /** Its name in the bundle. */
  name: string;
  /** Its content, in words. */
  what: string;
  /** How large it is, in bytes. */
  bytes: number;
  /** How many places of it were masked. */
  masked: number;
}

/** Where a bundle is to be written. */
export interface WriteBundle {
  /** The file's path; an existing file is replaced. */
  path: string;
}

/** All findings, by kind and then in the order of the checks. */
export interface Examination {
  /** The findings. */
  findings: Finding[];
  /** The worst of the verdicts. */
  worst: Verdict;
  /** Whether it was canceled before the last check. */
  cancelled: boolean;
  /** How long it took. */
  tookMs: number;
}

/** One finding, as displayed. */
export interface Finding {
  /** Its check. */
  check: Check;
  /** The finding's name for programs. */
  kind: FactKind;
  /** The thing: a program's name, a folder, a member. */
  subject: string;
  /** How good or bad it is. */
  verdict: Verdict;
  /** The finding as a sentence. */
  found: string;
  /** More of it, a line each: folders, names. */
  details: string[];
  /** The fix; empty where none is needed. */
  advice: string;
  /** The member that it is about. */
  member: MemberName | null;
}

/** A check of an examination. */
export type Check =
  /** The variables that the login shell adds to the environment. */
  | "login-shell"
  /** A program that servers are often started with. */
  | "program"
  /** A member's command. */
  | "member"
  /** Where secrets are kept. */
  | "keychain"
  /** The ports of the members, and the gateway's. */
  | "ports"
  /** The folders of members and data. */
  | "folders"
  /** Room on the disk. */
  | "disk"
  /** Processes of earlier runs. */
  | "processes";

/** The kind of a fact: its name for programs. */
export type FactKind =
  /** The check exceeded its time limit. */
  | "given-up"
  /** The check was interrupted. */
  | "broken-off"
  /** The login shell was not run. */
  | "shell-not-asked"
  /** The login shell returned no readable output. */
  | "shell-failed"
  /** The login shell returned its variables. */
  | "shell-answered"
  /** A program is in none of the folders of PATH. */
  | "program-missing"
  /** A program printed its version. */
  | "program-answered"
  /** A program ended without printing its version. */
  | "program-failed"
  /** A program exceeded the time limit for its version, and was stopped. */
  | "program-silent"
  /** A program was found, but can't be run. */
  | "program-unusable"
  /** A member's manifest can't be used. */
  | "manifest-unusable"
  /** A problem with a separate error code. */
  | "reported"
  /** A member's command contains a secret, so it was not searched for. */
  | "command-secret"
  /** A member's arguments contain secrets, which every user can see. */
  | "secrets-in-arguments"
  /** A manifest contains secrets, and other users can read it. */
  | "secrets-readable"
  /** A member's command was found. */
  | "command-found"
  /** A member's command was not found. */
  | "command-missing"
  /** A member runs in a container, but no container engine was found. */
  | "engine-missing"
  /** A member's command runs a container that outlives its client. */
  | "container-escapes"
  /** A member's server requires a sign-in. */
  | "sign-in-wanted"
  /** A member has never been signed in. */
  | "nobody-signed-in"
  /** The sign-in to a member has ended. */
  | "sign-in-ended"
  /** A member's server rejects the sign-in. */
  | "sign-in-refused"
  /** A member is signed in. */
  | "signed-in"
  /** The keychain answers. */
  | "keychain-ready"
  /** No keychain is available. */
  | "keychain-absent"
  /** The keychain does not answer. */
  | "keychain-unanswered"
  /** A secret has no value. */
  | "secret-missing"
  /** The number of free ports for members. */
  | "ports"
  /** Agents reach the gateway. */
  | "gateway-reached"
  /** The gateway is switched off. */
  | "gateway-off"
  /** The gateway's port is free. */
  | "gateway-port-free"
  /** Guild Hall itself has the gateway's port. */
  | "gateway-port-own"
  /** Another program has the gateway's port. */
  | "gateway-port-taken"
  /** A folder does not exist. */
  | "folder-missing"
  /** A folder can't be read. */
  | "folder-unreadable"
  /** A folder can't be written. */
  | "folder-unwritable"
  /** Other users can change a folder. */
  | "folder-open"
  /** A folder can be read and written. */
  | "folder-fine"
  /** The system does not report the free disk space. */
  | "room-unknown"
  /** The free disk space. */
  | "room"
  /** No process of an earlier run is left. */
  | "nothing-left"
  /** Processes of an earlier run are left. */
  | "processes-left";

/** How good or bad a finding is, the worst last. */
export type Verdict =
  /** As it should be. */
  | "fine"
  /** Worth knowing, and nothing is to be done. */
  | "note"
  /** Something may fail because of it. */
  | "warning"
  /** Something fails because of it. */
  | "problem";

/** A member's command and tools, beside the accepted ones. */
export interface MemberReview {
  /** The member. */
  member: MemberName;
  /** Its review. */
  trust: Trust;
  /** Its command; `None` where its manifest can't be used. */
  launch: LaunchView | null;
  /** Its command when it was accepted last. */
  accepted: AcceptedLaunch | null;
  /** The differences between the two: `command`, `args[2]`, `env.TOKEN`, `origin.at`, … */
  launchChanges: string[];
  /** A digest of the tool list in this review, by which it is accepted. */
  list: string;
  /** How many tools it has now. */
  count: number;
  /** When tools were accepted last; `None` where no list was. */
  reviewedAtMs: number | null;
  /**
   * The tools that are not as they were accepted, and those with something suspicious; the held
   * ones first.
   */
  tools: ToolReview[];
  /** How many more there are. */
  more: number;
  /** The problem with the files that keep accepted commands and tools. */
  warning: Report | null;
}

/** A member's command or address as its manifest has it: variables are not filled in. */
export interface LaunchView {
  /** A digest of the command, the origin included. */
  hash: string;
  /** Where the manifest says that it comes from. */
  origin: Origin | null;
  /** The program that is run. */
  command: LaunchText | null;
  /** Its arguments. */
  args: LaunchText[];
  /** The folder that it runs in instead of the member's own. */
  cwd: LaunchText | null;
  /** The variables that are set for it, by name. */
  env: LaunchField[];
  /** The address that is reached instead of a program. */
  url: LaunchText | null;
  /** The headers that are sent there, by name. */
  headers: LaunchField[];
  /** The client and the scopes of its sign-in. */
  auth: LaunchField[];
  /** The container that is run instead of a program: its image, and what it may do. */
  container: LaunchField[];
}

/** A text of a command. */
export interface LaunchText {
  /** The text as the manifest has it; `•••` where that may be a secret. */
  text: string;
  /** A digest that distinguishes it from others, also where both are masked. */
  digest: string;
}

/** A variable or a header. */
export interface LaunchField {
  /** Its name. */
  name: string;
  /** Its value. */
  value: LaunchText;
}

/** A member's command at the time when it was accepted. */
export interface AcceptedLaunch {
  /** When that was. */
  atMs: number;
  /** The command. */
  launch: LaunchView;
}

/** One tool, beside how it was. */
export interface ToolReview {
  /** The tool. */
  name: ToolName;
  /** The difference. */
  difference: ToolDifference;
  /** The parts of it that differ; all of them for a new tool, none for one that is gone. */
  parts: PartDifference[];
  /** The words in it that look like an attempt to deceive. */
  suspicions: Suspicion[];
  /** The uses that no longer work. */
  breaks: Breakage[];
}

/** The difference of a tool from the one of the same name in another list. */
export type ToolDifference =
  /** It is as it was. */
  | "same"
  /** It was not there. */
  | "new"
  /** It was otherwise. */
  | "changed"
  /** It is there no more. */
  | "gone";

/** One part of a tool that differs, such as its description. */
export interface PartDifference {
  /** The part by its name in the tool's JSON: `description`, `inputSchema`, … */
  part: string;
  /** The texts of both sides, piece by piece; for a schema, its JSON line by line. */
  text: TextPiece[];
  /** The effects of a changed schema, the breaking ones first. */
  schema: SchemaChange[];
}

/** A piece of a text, and its side in a comparison. */
export interface TextPiece {
  /** On which side. */
  side: TextSide;
  /** The text. */
  text: string;
}

/** A side of a comparison. */
export type TextSide =
  /** On both. */
  | "both"
  /** Before alone: it was taken out. */
  | "old"
  /** Now alone: it was put in. */
  | "new";

/** One change of a schema. */
export interface SchemaChange {
  /** Where, as a JSON Pointer into the schema. */
  pointer: string;
  /** Its effect on users of the tool. */
  effect: SchemaEffect;
  /** The change in words. */
  what: string;
}

/** The effect of a changed schema on users of the tool. */
export type SchemaEffect =
  /** Arguments that fitted before may not fit now. */
  | "breaking"
  /** All arguments that fit before still fit, and more do. */
  | "widened"
  /** Only its wording changed; the same arguments fit. */
  | "words";

/** Something of a person's that does not work as it did. */
export interface Breakage {
  /** The kind. */
  kind: BreakageKind;
  /** The name of a saved call or of a profile, or the place of a policy. */
  name: string;
  /** Why, in words. */
  what: string;
  /** The saved call, where it is one. */
  saved: SavedId | null;
}

/** A use that a change of tools may break. */
export type BreakageKind =
  /** A call that was saved. */
  | "saved-call"
  /** A policy in the manifest or in the gateway's settings. */
  | "policy"
  /** A profile. */
  | "profile";

/** Accepts what a member runs. */
export interface AcceptMember {
  /** The member. */
  member: MemberName;
  /** The hash of what was shown; refused where it runs something else by now. */
  hash: string;
}

/** Accepts a member's tools. */
export interface AcceptTools {
  /** The member. */
  member: MemberName;
  /** The list that was shown; refused where the member has another by now. */
  list: string;
  /** Which tools, those that are gone included; all where none are named. */
  tools: ToolName[] | null;
}

/** Says whether changes of a member's tools are held back from agents. */
export interface HoldChanges {
  /** The member. */
  member: MemberName;
  /** Whether they are held back. If so, the current list counts as accepted. */
  hold: boolean;
}

/** A question for a member's revisions. */
export interface RevisionsOf {
  /** The member. */
  member: MemberName;
  /** Only older ones than this: where the page before ended. */
  before: RevisionId | null;
  /** At most so many; 100 are the most. */
  limit: number;
}

/** Names one revision of a member's tool list; a later one has a higher number. */
export type RevisionId = number;

/** Revisions of a member's tool list, the newest first. */
export interface Revisions {
  /** The member. */
  member: MemberName;
  /** The revisions, the newest first. */
  revisions: RevisionView[];
  /** Whether there are older ones. */
  more: boolean;
  /** Why they can't be read. */
  trouble: Report | null;
}

/** One revision as a list shows it. */
export interface RevisionView {
  /** Its id. */
  id: RevisionId;
  /** When the list was said. */
  atMs: number;
  /** How many tools the list had then. */
  count: number;
  /** The tools that were new, at most 1,000. */
  added: ToolName[];
  /** The tools that were gone, at most 1,000. */
  removed: ToolName[];
  /** The tools that changed, at most 1,000. */
  changed: ToolSpecDiff[];
  /** How many more were added, removed or changed. */
  more: number;
  /** Whether what the tools said was too large to be kept: then only their names are. */
  namesOnly: boolean;
}

/** One tool that differs. */
export interface ToolSpecDiff {
  /** The tool. */
  name: ToolName;
  /** The fields of its JSON that differ, e.g. `description`, `inputSchema`. */
  fields: string[];
}

/** A question for one revision. */
export interface OfRevision {
  /** The member. */
  member: MemberName;
  /** The revision. */
  id: RevisionId;
}

/** One revision, readable. */
export interface Revision {
  /** The member. */
  member: MemberName;
  /** As a list shows it. */
  view: RevisionView;
  /** Each tool that was added, changed or removed, beside how it was. */
  tools: ToolReview[];
}

/** The development state of a member. */
export interface DevState {
  /** The member. */
  member: MemberName;
  /** The watched files; `None` if the manifest has no `dev`, or this hall watches nothing. */
  watch: DevWatch | null;
  /** Why some or all of its files can't be watched. */
  problem: Report | null;
  /** The calls in its manifest that serve as checks. */
  examples: ExampleView[];
  /** The results of the last changes, the newest first. */
  rounds: DevRound[];
}

/** The watched files of a member. */
export interface DevWatch {
  /** The patterns, relative to the member's folder; empty for all files that people write. */
  patterns: string[];
  /** The command that is run before each restart. */
  build: string | null;
  /** The number of matching files. */
  files: number;
  /** How many folders are watched. */
  folders: number;
}

/** A call that serves as a check. */
export interface ExampleView {
  /** Its name, unique in its member. */
  name: string;
  /** The tool that is called. */
  tool: ToolName;
  /** The arguments, as JSON text. */
  arguments: string;
  /** The expectation, in words. */
  expects: string[];
}

/** The result of one change of a member's files, or of running its examples. */
export interface DevRound {
  /** The member. */
  member: MemberName;
  /** Its number, from 1, as long as the hall runs. */
  number: number;
  /** When it began. */
  beganMs: number;
  /** How long it took, once it is over. */
  tookMs: number | null;
  /** The current step. */
  step: DevStep;
  /**
   * The changed files, relative to the member's folder; none where a person requested the round.
   */
  files: string[];
  /** The number of changed files beyond `files`. */
  moreFiles: number;
  /** The build command's result, if the member has one. */
  build: DevBuild | null;
  /** Why the member did not come up. */
  error: Report | null;
  /** The changed tools, each beside its former version. */
  tools: ToolReview[];
  /** The number of changed tools beyond `tools`. */
  moreTools: number;
  /** The result of each example, in the manifest's order. */
  examples: ExampleRun[];
}

/** A step of a round, and its end. */
export type DevStep =
  /** The build command runs. */
  | "building"
  /** The member is being restarted and lists its tools. */
  | "restarting"
  /** The examples run. */
  | "checking"
  /** Finished: the member is up, and no example failed. */
  | "passed"
  /** Finished: an example failed. */
  | "examples-failed"
  /** Finished: the build command failed, and the member keeps running unchanged. */
  | "build-failed"
  /** Finished: the member did not come up. */
  | "start-failed"
  /** Finished: a person has stopped the member, and it stays stopped. */
  | "not-running"
  /** Finished: the round was canceled. */
  | "broken-off";

/** The result of the build command. */
export interface DevBuild {
  /** How long it took, once it is over. */
  tookMs: number | null;
  /** Why it failed. */
  error: Report | null;
  /** The last lines of its output, if it failed; the member's log has all of them. */
  output: string[];
}

/** The result of one example. */
export interface ExampleRun {
  /** The example. */
  name: string;
  /** The tool that was called. */
  tool: ToolName;
  /** The outcome. */
  end: ExampleEnd;
  /** How long its call took. */
  tookMs: number;
  /** The differences from the expected result; at most 20. */
  differences: ExampleDifference[];
}

/** The outcome of an example. */
export type ExampleEnd =
  /** The result is as expected. */
  | "passed"
  /** The result differs, or there is none. */
  | "failed"
  /** Not called: the files changed again, or a person stopped the round. */
  | "left-out";

/** A part of a result that differs from the expectation. */
export interface ExampleDifference {
  /** The part. */
  part: ExamplePart;
  /** Where in it, as a JSON Pointer; empty for all of it. */
  place: string;
  /** The expected value, bounded to 4,000 characters. */
  expected: string;
  /** The actual value, bounded to 4,000 characters. */
  got: string;
}

/** A part of a result that an example makes a statement about. */
export type ExamplePart =
  /** Whether there is a result at all. */
  | "answer"
  /** Whether the tool reports a failure. */
  | "is-error"
  /** Its text. */
  | "text"
  /** Its structured content. */
  | "structured"
  /** The schema that its structured content has to fit. */
  | "schema"
  /** The tool's own output schema. */
  | "output-schema";

/** Runs the examples of a member; `cancel_call` cancels it. */
export interface RunExamples {
  /** The run's id, chosen by the caller. */
  call: CallId;
  /** The member. */
  member: MemberName;
  /** Only the examples of these names; `None` for all. */
  names: string[] | null;
}

/** Puts a call into a member's manifest, as an example. */
export interface SaveExample {
  /** The member. */
  member: MemberName;
  /** The example's name. */
  name: string;
  /** The tool. */
  tool: ToolName;
  /** The arguments, as JSON text. */
  arguments: string;
  /** The expectation as JSON text: an object as the manifest has it. */
  expect: string;
}

/** The sign-in of a member. */
export interface SignInView {
  /** The member. */
  member: MemberName;
  /**
   * Whether it is one that anybody can sign in to: it runs elsewhere, and its manifest has no
   * header that proves who asks.
   */
  possible: boolean;
  /** Whether its server requires a sign-in, or more scopes. */
  needed: boolean;
  /** The scopes that it named when it refused. */
  wanted: string[];
  /** How far a sign-in is. */
  stage: SignInStage;
  /** The current stage. */
  grant: GrantView | null;
}

/** How far a sign-in is, or how the last one ended. */
export type SignInStage =
  /** None is under way. */
  | { kind: "idle" }
  /** Guild Hall is looking for the authorization server. */
  | { kind: "looking" }
  /** A person is to sign in, in a browser that is not open yet. */
  | {
      kind: "waiting";
      /** The host of the address that is to be opened, with its port. */
      host: string;
      /** The name that the authorization server gives itself. */
      issuer: string | null;
      /** The requested scopes. */
      scopes: string[];
      /** The time until which Guild Hall waits for the answer. */
      untilMs: number;
      /** How many answers came that were of another sign-in, and were not used. */
      strays: number;
    }
  /** The answer is there, and is being exchanged. */
  | { kind: "taking" }
  /** It is done. */
  | { kind: "done" }
  /** A person gave it up. */
  | { kind: "cancelled" }
  /** It failed. */
  | {
      kind: "failed";
      /** Why, and what to do. */
      report: Report;
    };

/** The access that a member's server grants to Guild Hall. */
export interface GrantView {
  /** The name that the authorization server gives itself. */
  issuer: string | null;
  /** The granted scopes. */
  scopes: string[];
  /** The time of the sign-in, or of the last renewal of the token. */
  receivedAtMs: number;
  /** When the token ends; `None` where that was not said. */
  expiresAtMs: number | null;
  /** Whether it is renewed by itself. */
  renews: boolean;
  /** The client that the request names. */
  client: SignInClient;
}

/** Where the id comes from under which Guild Hall is known at an authorization server. */
export type SignInClient =
  /** The manifest names it. */
  | "manifest"
  /** It is the address of a document that the manifest names. */
  | "document"
  /** The authorization server gave it at the sign-in. */
  | "registration";

/** A sign-in whose next step is a person's. */
export interface SignInAddress {
  /** Where the person signs in; nothing has opened it. */
  address: string;
  /** The stage. */
  signIn: SignInView;
}

/** All secrets that are known by name. */
export interface Secrets {
  /** The secrets, sorted by name. */
  secrets: SecretView[];
  /** How the keychain fares. */
  keychain: KeychainState;
  /**
   * A warning about the place where they are stored: no keychain is available, or others may read
   * the file.
   */
  warning: Report | null;
}

/** A secret's name and state, without its value. */
export interface SecretView {
  /** Its name, as in `${secret:NAME}`. */
  name: string;
  /**
   * Where it is kept, as far as that is known without asking the keychain for it; `None` where it
   * has no value.
   */
  kept: SecretPlace | null;
  /** The members whose manifest uses it. */
  members: MemberName[];
}

/** Where a secret is kept. */
export type SecretPlace =
  /** The system's keychain. */
  | "keychain"
  /** `secrets.json` in the data folder, which only its user may read. */
  | "file";

/** How the keychain fares. */
export type KeychainState =
  /** It answers. */
  | "ready"
  /** There is none, or it can't be reached. */
  | "absent"
  /** It is there and does not answer: it may be asking its user for a password. */
  | "unanswered";

/** A value for a secret. */
export interface SetSecret {
  /** Its name. */
  name: string;
  /** Its value. */
  value: string;
  /**
   * Where it is to be kept; where none is said, in the keychain, or in the file where there is no
   * keychain.
   */
  place: SecretPlace | null;
}

/** Where a secret went. */
export interface KeptSecret {
  /** Its name. */
  name: string;
  /** Where it is kept now. */
  place: SecretPlace;
  /** A warning about that place. */
  warning: Report | null;
}

/** A request about one secret. */
export interface OfSecret {
  /** Its name. */
  name: string;
}

/** Everything that was found. */
export interface FoundServers {
  /** The servers, sorted by name; the same one in several files is one. */
  servers: FoundServer[];
  /** The scanned files, including missing ones. */
  files: FoundFile[];
  /** The project folders and workspace files that a person named, as they were named. */
  folders: string[];
  /** How many of the servers are `new`. */
  new: number;
}

/** A server in one or more files. */
export interface FoundServer {
  /** A digest of its whole command, secrets included: another command is another server. */
  id: FoundId;
  /** Its name in the first of its places, at most 200 characters. */
  name: string;
  /** A name for the member that is legal and free. */
  suggested: MemberName;
  /** The command that it would run; `None` where that is unclear. */
  launch: FoundLaunch | null;
  /** The same as a line for people, secrets masked; empty where it can't be made out. */
  commandLine: string;
  /** Its command as a container, where it runs one. */
  container: FoundContainer | null;
  /** Its places, the user's own files first; never empty. */
  places: FoundPlace[];
  /** Servers that have the same name and run something else. */
  differs: FoundId[];
  /** Its state. */
  state: FoundState;
  /** The inputs that it needs and the file lacks. */
  inputs: FoundInput[];
  /** Names of tools that may be called without a question, by the file. */
  autoApprove: string[];
  /** Whether it is switched off in all of its places. */
  disabled: boolean;
  /** The parts that a member would lack, and other oddities, a sentence each. */
  notes: string[];
}

/** Identifies one server in other programs' files by all that the server would run. */
export type FoundId = string;

/** The command or address of a found server. */
export type FoundLaunch =
  /** A process. */
  | {
      kind: "command";
      /** The program, as a manifest would have it. */
      command: string;
      /** Its arguments, secrets masked. */
      args: string[];
      /** Its variables, sorted by name. */
      env: FoundValue[];
      /** The folder that it would run in; `None` is the member's own. */
      cwd: string | null;
    }
  /** A server that runs elsewhere. */
  | {
      kind: "url";
      /** Its address, secrets masked. */
      url: string;
      /** The headers of each request, sorted by name. */
      headers: FoundValue[];
    };

/** A variable of the environment or a header. */
export interface FoundValue {
  /** Its name. */
  name: string;
  /** Its value, with [`MASK`](super::MASK) in the place of a secret. */
  value: string;
  /** Whether it contains a secret, which is kept as a secret when the server is adopted. */
  secret: boolean;
}

/**
 * A command that runs a container (`docker run …`), in the form of a member. A container that
 * such a command started keeps running after its client is killed. Guild Hall removes the container
 * of a member with `container`.
 */
export type FoundContainer =
  /** It is adopted as this container, unless the command is to be kept. */
  | {
      kind: "container";
      /** Its rights, part by part: `image`, `network`, `mount /data` and so on. */
      parts: FoundValue[];
      /** The words behind the image, secrets masked. */
      args: string[];
      /** Its variables, sorted by name. */
      env: FoundValue[];
      /**
       * Variables that the entry sets for the engine's program alone, which hands them to no
       * container: the member has none of them.
       */
      keptOutside: string[];
    }
  /** It becomes one, or not, by the answers before it is installed. */
  | {
      kind: "open";
      /** The open points, each as the rest of a sentence. */
      reasons: string[];
    }
  /** It stays the command that it is. */
  | {
      kind: "command";
      /** The parts that `container` has no word for, each as the rest of a sentence. */
      reasons: string[];
    };

/** One place of a server. */
export interface FoundPlace {
  /** The word of the program whose file it is, e.g. `claude-code`. */
  program: string;
  /** The program's name. */
  title: string;
  /** The file. */
  path: string;
  /** The line of the file, from 1. */
  line: number;
  /** Whom it is for. */
  scope: FoundScope;
  /** The project's folder, where it is for one. */
  folder: string | null;
  /** Its name there, at most 200 characters. */
  name: string;
  /** Whether it is switched off there. */
  disabled: boolean;
}

/** Whom a server in a file is for. */
export type FoundScope =
  /** The user, in every folder. */
  | "user"
  /** The user, in one project; the file is the user's own. */
  | "local"
  /** The users of one project; the file is in the project's folder. */
  | "project"
  /** The users of one workspace of several folders. */
  | "workspace";

/** The state of a found server. */
export type FoundState =
  /** No member runs it. */
  | { kind: "new" }
  /** A member runs the same. */
  | {
      kind: "adopted";
      /** The member. */
      member: MemberName;
    }
  /** It is Guild Hall's own gateway. */
  | { kind: "gateway" }
  /** It can't be made a member. */
  | {
      kind: "unusable";
      /** Why. */
      report: Report;
    };

/** Something that a server needs and its file does not have. */
export interface FoundInput {
  /** The id of the file's input, or `env:NAME`. */
  id: string;
  /** Its description in the file; may be empty. */
  description: string;
  /** Whether it is kept as a secret. */
  secret: boolean;
  /**
   * Whether nothing can be adopted without it. A variable of the environment that has no value yet
   * may get one later.
   */
  required: boolean;
  /** Its default value. */
  default: string | null;
  /** Its allowed values; empty where every value is allowed. */
  choices: string[];
}

/** A scanned file. */
export interface FoundFile {
  /** The word of the program whose file it is. */
  program: string;
  /** The program's name. */
  title: string;
  /** The file. */
  path: string;
  /** Whom it is for. */
  scope: FoundScope;
  /** The project's folder, where it is for one. */
  folder: string | null;
  /** Whether it is there. */
  exists: boolean;
  /** The number of its servers, Guild Hall's own left out. */
  servers: number;
  /** Why nothing, or not all, could be read of it; a mistake is named by its line. */
  error: Report | null;
  /**
   * Whether its program can switch to Guild Hall; `null` if Guild Hall doesn't write files of that
   * kind.
   */
  handing: HandingOver | null;
}

/** The switch of a program from the servers of one of its files to Guild Hall. */
export interface HandingOver {
  /** The names of its servers that members run. */
  adopted: string[];
  /** Whether the file names the gateway. */
  connected: boolean;
  /** Whether there is a backup to go back to. */
  canUndo: boolean;
  /** The next step after the file has changed. */
  then: string;
}

/** A project folder, or a `.code-workspace` file. */
export interface OfFoundFolder {
  /** Its whole path. */
  folder: string;
}

/** Servers to import. The sender has already shown a person the command of each one. */
export interface AdoptServers {
  /** The servers, at most 1,000. */
  servers: AdoptServer[];
}

/** A server to be made a member. */
export interface AdoptServer {
  /** The server. */
  id: FoundId;
  /** The name of the new member. */
  name: MemberName;
  /** The inputs that the file lacks. */
  inputs: GivenInput[];
  /** Whether a command that runs a container stays a command. */
  keepCommand: boolean;
}

/** The value of an input. */
export interface GivenInput {
  /** The input. */
  id: string;
  /** Its value. */
  value: string;
}

/** The results of an import. */
export interface Adopted {
  /** Each server, in the order of the request. */
  each: AdoptedServer[];
}

/** The result of importing one server. */
export interface AdoptedServer {
  /** The server. */
  id: FoundId;
  /** The result. */
  end: AdoptionEnd;
}

/** How the adoption of one server ended. */
export type AdoptionEnd =
  /** It is a member. */
  | {
      kind: "member";
      /** The member. */
      member: MemberName;
      /** Its folder. */
      folder: string;
      /** The names of the secrets that were kept for it. */
      secrets: string[];
      /** A warning about the place where they are kept. */
      warning: Report | null;
    }
  /** It is none, and nothing was written. */
  | {
      kind: "refused";
      /** Why. */
      report: Report;
    };

/** The text, file or command that a person brings. */
export type Brought =
  /** A pasted text: a list of servers of any program, a command, an address. */
  | {
      kind: "text";
      /** The text, at most 1 MiB. */
      text: string;
    }
  /** A file with such a text. */
  | {
      kind: "file";
      /** Its whole path. */
      path: string;
    }
  /** The words of a command, in which nothing is filled in. */
  | {
      kind: "words";
      /** The words, at most 1,000. */
      words: string[];
    };

/** The servers in what was brought. */
export interface BroughtServers {
  /** The servers in their order, each once; never empty. */
  servers: FoundServer[];
  /**
   * Members that have the name of one of them and run something else, to be compared with: their
   * ids stand in `differs`.
   */
  members: FoundServer[];
  /** The parts that were left out of it, a sentence each. */
  leftOut: string[];
}

/**
 * Pasted or dropped servers to import. The sender has already shown a person the command of each
 * one.
 */
export interface AdoptBrought {
  /** The brought text as it was shown. */
  brought: Brought;
  /** The servers of it, at most 1,000. */
  servers: AdoptServer[];
}

/** The templates of new members. */
export interface Beginnings {
  /** Each of them. */
  beginnings: OneBeginning[];
}

/** The template of a new member. */
export interface OneBeginning {
  /** Its language. */
  from: Beginning;
  /** The files that are put into the member's folder, by their paths in it. */
  files: string[];
  /** Its start command in that folder, for display. */
  command: string;
  /** The command to run there once before the first start. */
  setUp: string[];
  /**
   * The build command that Guild Hall runs there after each change of the sources, for display;
   * `None` if it only restarts the member.
   */
  build: string | null;
}

/** The language of a new member. */
export type Beginning =
  /** Python, with the official SDK. */
  | "python"
  /** TypeScript on Node.js, with the official SDK. */
  | "typescript"
  /** Rust, with the official SDK. */
  | "rust"
  /** Bash and jq. */
  | "shell";

/** A member to create from a template. */
export interface BeginMember {
  /** Its name, also the name of its folder. */
  member: MemberName;
  /** The template. */
  from: Beginning;
}

/** A member created from a template. */
export interface BegunMember {
  /** Its name. */
  member: MemberName;
  /** Its folder. */
  folder: string;
  /** The command to run there once before the first start. */
  setUp: string[];
}

/** A request for the servers that fit some words. */
export interface SearchRegistry {
  /** The registry; `None` for the one of the settings. */
  source: string | null;
  /**
   * Words that all have to be in the name, the title or the description; may be empty. The official
   * registry compares one word with names alone.
   */
  query: string;
  /** Where the page begins: `next` of the page before; `None` for the first page. */
  cursor: string | null;
  /** The search's id, chosen by the caller: `cancel_call` ends it. */
  call: CallId;
}

/** Servers that were found. */
export interface RegistryPage {
  /** The registry that answered. */
  source: RegistrySource;
  /** The servers of this page, by name. There may be more where it is empty. */
  rows: RegistryRow[];
  /** Where the next page begins; `None` where this is the last one. */
  next: string | null;
  /** Entries of the answer that are wrong, the first hundred. */
  leftOut: RegistryLeftOut[];
  /** How many entries are wrong. */
  leftOutCount: number;
}

/** The registry that answered. */
export interface RegistrySource {
  /** Its address, or the whole path of a file. */
  source: string;
  /** When it answered, or when the file was changed. */
  asOfMs: number;
  /** Why it could not be asked now: this is an earlier answer. `None` where it could. */
  unread: Report | null;
}

/** A server as a list shows it. */
export interface RegistryRow {
  /** Its name in the registry. */
  server: string;
  /** Its name for people; may be empty. */
  title: string;
  /** Its description; may be empty. */
  description: string;
  /** Its newest version; may be empty. */
  version: string;
  /** Whether it is there to be used. */
  standing: RegistryStanding;
  /** The ways to run it: `npm`, `oci`, `remote`. */
  kinds: string[];
  /** The members that were installed from this entry. */
  members: RegistryMember[];
}

/** Whether a server is there to be used. */
export type RegistryStanding =
  /** It is. */
  | "active"
  /** Its publisher advises against it. */
  | "deprecated"
  /** It was taken out of the registry. */
  | "deleted";

/** A member that was installed from a registry. */
export interface RegistryMember {
  /** The member. */
  member: MemberName;
  /** The version that it runs; may be empty. */
  version: string;
  /** Whether a newer one is listed. */
  newer: boolean;
}

/** An entry that is wrong. */
export interface RegistryLeftOut {
  /** Which one of the answer it is, from 1. */
  at: number;
  /** Its name, as far as it has one. */
  name: string;
  /** The problem with it. */
  why: string;
}

/** A request about one server. */
export interface OfRegistryServer {
  /** The registry; `None` for the one of the settings. */
  source: string | null;
  /** Its name in the registry. */
  server: string;
  /** The version; `None` is the newest. */
  version: string | null;
}

/** Everything about one version of a server. */
export interface RegistryServer {
  /** The registry that answered. */
  source: RegistrySource;
  /** Its name in the registry. */
  server: string;
  /** Its name for people; may be empty. */
  title: string;
  /** Its description; may be empty. */
  description: string;
  /** This version; may be empty. */
  version: string;
  /** All versions that are listed, the newest first. */
  versions: string[];
  /** Whether it is there to be used. */
  standing: RegistryStanding;
  /** Why it is not, in its publisher's words; may be empty. */
  standingMessage: string;
  /** When this version was published, as the registry writes it. */
  publishedAt: string | null;
  /** Where its source is. */
  repository: string | null;
  /** Its page. */
  website: string | null;
  /** A name for the member that is legal and free. */
  suggested: MemberName;
  /** The ways to run it. */
  ways: RegistryWay[];
  /** The members that were installed from this entry. */
  members: RegistryMember[];
}

/** One way to run a server. */
export interface RegistryWay {
  /** Its kind: a kind of package, or `remote`. */
  kind: string;
  /** The package's name, or the address; may be empty. */
  name: string;
  /** The package's version, where it has one. */
  version: string | null;
  /** The registry of packages that the entry names. */
  packageRegistry: string | null;
  /** The command that it would run; `None` where it can't be installed. */
  install: RegistryInstall | null;
  /** Why it can't be installed, a sentence; `None` where it can. */
  unusable: string | null;
}

/** The command and the inputs of one way to run a server. */
export interface RegistryInstall {
  /** A digest of its whole command: another command is another way. */
  id: FoundId;
  /** The command that it would run, with `${input:KEY}` for each input. */
  launch: FoundLaunch;
  /** The same as a line for people. */
  commandLine: string;
  /** Its command as a container, where it runs one. */
  container: FoundContainer | null;
  /** Its inputs. */
  asks: McpbAsks;
  /** Further remarks, a sentence each. */
  notes: string[];
}

/** The inputs before an install. */
export interface McpbAsks {
  /**
   * A JSON Schema of one object, as text; `writeOnly` marks what is kept as a secret. Its defaults
   * are what the answers begin with.
   */
  schema: string;
  /** The keys whose answers are kept as secrets. */
  secrets: string[];
}

/** A server to be installed. It becomes a member that needs a review. */
export interface InstallRegistryServer {
  /** The registry; `None` for the one of the settings. */
  source: string | null;
  /** The server's name in the registry. */
  server: string;
  /** The version. */
  version: string;
  /** Which way it is to be run, as it was shown. */
  way: FoundId;
  /** The name of the new member. */
  member: MemberName;
  /** The answers, as the text of one JSON object. A missing one has no answer. */
  answers: string;
}

/** A member that was made of a server. It runs when a person has accepted what it runs. */
export interface InstalledRegistryServer {
  /** The member. */
  member: MemberName;
  /** Its folder. */
  folder: string;
  /** The names of the secrets that were kept for it. */
  secrets: string[];
  /**
   * A warning about the place of the secrets, or the reason why the registry could not be asked and
   * its earlier answer was used.
   */
  warning: Report | null;
  /**
   * The options in the answers that `container` can't express, each as the rest of a sentence. The
   * member then runs a command although the preview showed a container.
   */
  staysCommand: string[];
}

/** A bundle's file. */
export interface OfMcpb {
  /** Its whole path. */
  path: string;
}

/** The content of a bundle. */
export interface McpbLook {
  /** The file. */
  path: string;
  /** SHA-256 of the file, in lower-case hexadecimal. */
  digest: string;
  /** The file's length. */
  bytes: number;
  /** How many files it has. */
  files: number;
  /** How many bytes they have. */
  unpacked: number;
  /** Its description of itself. */
  about: McpbAbout;
  /**
   * The launch command, with `${input:KEY}` for each answer and `${PLUGIN_DIR}` for the member's
   * folder.
   */
  launch: FoundLaunch;
  /** The same as a line for people. */
  commandLine: string;
  /** Its command as a container, where it runs one. */
  container: FoundContainer | null;
  /** Its inputs. */
  asks: McpbAsks;
  /** Why it is not meant for this machine. */
  unfit: string | null;
  /** The words in it that look like an attempt to deceive. */
  suspicions: McpbSuspicion[];
  /**
   * Whether the file ends with a signature block. Guild Hall does not verify it, because it trusts
   * no authority that could vouch for a signer.
   */
  signed: boolean;
  /** Oddities that stop nothing, a sentence each. */
  notes: string[];
  /** A name for a member that is legal and free. */
  suggested: MemberName;
  /** The members that were made of a bundle of this name, at most 20. */
  installed: McpbInstalled[];
}

/** A bundle's description of itself, unverified. */
export interface McpbAbout {
  /** Its name for programs. */
  name: string;
  /** Its name for people; the same where it has none. */
  title: string;
  /** Its version. */
  version: string;
  /** Its description, in a sentence. */
  description: string;
  /** Its long description; may be empty. */
  longDescription: string;
  /** Its author; may be empty. */
  author: string;
  /** Its licence; may be empty. */
  license: string;
  /** Where more is said about it. */
  links: string[];
  /** Its privacy policies. */
  privacyPolicies: string[];
  /** Its server's runtime: `node`, `python`, `binary` or `uv`. */
  runsOn: string;
  /** The runtimes that it needs, each with the versions. */
  runtimes: string[];
  /** The tools that it declares. */
  tools: McpbDeclared[];
  /** Whether there may be more when it runs. */
  moreTools: boolean;
  /** The prompts that it declares. */
  prompts: McpbDeclared[];
  /** Whether there may be more when it runs. */
  morePrompts: boolean;
}

/** A tool or a prompt that a bundle declares. */
export interface McpbDeclared {
  /** Its name. */
  name: string;
  /** Its description; may be empty. */
  description: string;
}

/** Something suspicious about a bundle. */
export interface McpbSuspicion {
  /** The tool that it is about; `None` where it is the bundle's own words. */
  tool: string | null;
  /** The finding. */
  suspicion: Suspicion;
}

/** A member that was made of a bundle. */
export interface McpbInstalled {
  /** The member. */
  member: MemberName;
  /** Its bundle's version. */
  version: string;
  /** The order of its version and the inspected one. */
  change: McpbChange;
  /**
   * The questions for an update of this member: earlier answers are the defaults, and a stored
   * secret need not be entered again.
   */
  asks: McpbAsks;
}

/** The order of a bundle's version and the installed one. */
export type McpbChange =
  /** It is the same file. */
  | "same"
  /** A newer version. */
  | "newer"
  /** An older version. */
  | "older"
  /** Another file, of the same version or of one that can't be compared. */
  | "other";

/** A bundle to be made a member, or to be put in the place of an older one. */
export interface InstallMcpb {
  /**
   * The install's id, chosen by the caller: its progress events carry it, and `cancel_call` cancels
   * it until the new files are in place.
   */
  call: CallId;
  /** The file. */
  path: string;
  /** Its digest from the preview. */
  digest: string;
  /** The name of the new member. */
  member: MemberName;
  /**
   * Whether it takes the place of a bundle that the member has; without, the name has to be free.
   */
  update: boolean;
  /** The answers, as the text of one JSON object. A missing one has no answer. */
  answers: string;
}

/** A bundle that is a member now. It runs when a person has accepted what it runs. */
export interface InstalledMcpb {
  /** The member. */
  member: MemberName;
  /** Its folder. */
  folder: string;
  /** The version whose place it took. */
  replaced: string | null;
  /** The names of the secrets that were kept for it. */
  secrets: string[];
  /** A warning about the place where they are kept. */
  warning: Report | null;
  /**
   * The options in the answers that `container` can't express, each as the rest of a sentence. The
   * member then runs a command although the preview showed a container.
   */
  staysCommand: string[];
}

/** Answers to be checked against the inputs. */
export interface CheckAnswers {
  /** The inputs: a JSON Schema as text. */
  schema: string;
  /** The answers, as the text of one JSON object. */
  answers: string;
}

/** The content of `config.yml`. */
export interface DiscoveryState {
  /** The file. */
  file: string;
  /** Its settings; the defaults where it can't be used. */
  settings: DiscoverySettings;
  /** Why it can't be used. */
  trouble: Report | null;
}

/** Whether and how servers that speak the protocol badly are asked in other ways. */
export interface DiscoverySettings {
  /** Whether they are. */
  enabled: boolean;
  /**
   * How long one may take in all, in milliseconds, where its manifest has no `discovery_ms` of its
   * own.
   */
  timeoutMs: number | null;
  /** Whether what was found is kept for the next start. */
  cache: boolean;
  /** The model that is asked where nothing else brought tools. */
  prediction: PredictionSettings;
}

/** The model that predicts a server's tools if all other ways found none. */
export interface PredictionSettings {
  /** Whether it may be asked at all; off unless it is switched on. */
  enabled: boolean;
  /**
   * The base address of an OpenAI-compatible endpoint, `https:`, or `http:` on this machine; empty
   * where none is given.
   */
  url: string;
  /** The model's name there; empty where none is given. */
  model: string;
  /** The key's reference, as `${secret:NAME}` or `${env:NAME}`; no file contains the key itself. */
  key: string | null;
  /** The limit for an answer, in milliseconds. */
  timeoutMs: number;
}

/** Other settings for `config.yml`. */
export interface ChangeDiscovery {
  /** The settings that were seen: others by now are not written over. */
  seen: DiscoverySettings;
  /** The new settings. */
  settings: DiscoverySettings;
}

/** The whole request to a model for one member. */
export interface PredictionRequest {
  /** The member. */
  member: MemberName;
  /** Where it is sent to. */
  url: string;
  /** Its headers, the key as a reference. */
  headers: string[];
  /** The exact body of the request. */
  body: string;
  /** A digest of the request: a consent covers this request alone. */
  hash: string;
  /** Whether this very request may be sent without a question. */
  remembered: boolean;
  /** Why it would not be sent now. */
  whyNot: Report | null;
}

/** A person's yes to a request. */
export interface PredictTools {
  /** Names the request, so that it can be cancelled. */
  call: CallId;
  /** The member. */
  member: MemberName;
  /** The request that was shown. */
  hash: string;
  /** Whether this very request may be sent for the member from now on without a question. */
  remember: boolean;
}

/** The content of `settings.json`, and the settings in force. */
export interface SettingsState {
  /** The file. */
  file: string;
  /** The settings in force. */
  settings: Settings;
  /** The defaults. */
  defaults: Settings;
  /** The problems of the file. */
  problems: SettingsProblem[];
}

/**
 * The settings of a person, as JSON with comments. Fields that are not described here are kept and
 * have no effect.
 */
export interface Settings {
  /**
   * The folder of the members: guild-members in the data folder where none is named. A relative
   * path starts at the data folder. Takes effect at the next start of Guild Hall.
   */
  membersDir: string | null;
  /**
   * The MCP registry to search: an address, or the whole path of a file in the registry's format.
   * Without one, the official registry is searched.
   */
  registry: string | null;
  /** The start of the program and its window. */
  window: WindowSettings;
  /** Keys that work while another program has the keyboard. */
  shortcut: Shortcut;
  /** Notifications of the desktop. */
  notifications: Notifications;
  /** Colors and size of the window. */
  appearance: Appearance;
  /** Your own keys of actions, by the action's id; an empty text removes an action's keys. */
  keys: Record<string, string>;
  /** The gateway, where agents connect. */
  gateway: GatewaySettings;
  /** Time limits of members whose manifest has none. */
  limits: Limits;
  /** Connections to other machines. */
  network: NetworkSettings;
  /** Checks for newer versions. */
  updates: UpdateSettings;
}

/** The start of the program and its window. */
export interface WindowSettings {
  /** Ends Guild Hall with its members, or leaves both running in the tray. */
  onClose: OnClose;
  /** Shows the state of the hall in the system's tray. */
  tray: boolean;
  /** Starts Guild Hall when you log in. Takes effect at your next login. */
  startAtLogin: boolean;
  /**
   * Keeps the window closed when Guild Hall starts at login, if the tray has its icon. Takes effect
   * at your next login.
   */
  startHidden: boolean;
}

/** The effect of closing the window. */
export type OnClose =
  /** Ends Guild Hall */
  | "quit"
  /** Leaves it in the tray */
  | "tray";

/** Keys that work while another program has the keyboard. */
export interface Shortcut {
  /** Keys that open the palette from any other program. */
  palette: string | null;
}

/** Notifications of the desktop. */
export interface Notifications {
  /** Notifies you of a member that crashed again and again. */
  crashLoop: boolean;
  /** Notifies you of an agent's call that waits for you. */
  approval: boolean;
  /** Notifies you when a member's tools differ from those that you accepted. */
  changedTools: boolean;
}

/** Colors and size of the window. */
export interface Appearance {
  /** The colors of the window. */
  theme: ThemeChoice;
  /** The size of everything in the window, in percent. */
  zoom: number;
}

/** The colors of the window. */
export type ThemeChoice =
  /** As the system */
  | "system"
  /** Light */
  | "light"
  /** Dark */
  | "dark"
  /** High contrast, light */
  | "contrast-light"
  /** High contrast, dark */
  | "contrast-dark";

/** The gateway, where agents connect. */
export interface GatewaySettings {
  /**
   * Where agents connect: 1024 to 19999 or 30001 to 65535, as members have the ports between.
   * Connect agents that use the former port again. If another program has the port, the gateway
   * stays at the former one.
   */
  port: number;
  /** The tool list for a client or profile that asks for no other. */
  listing: Listing;
}

/** Time limits of members whose manifest has none, in milliseconds. */
export interface Limits {
  /** The longest start of a member, in milliseconds. Takes effect at each member's next start. */
  startMs: number;
  /**
   * The longest handshake once a member's port answers, in milliseconds. Takes effect at each
   * member's next start.
   */
  handshakeMs: number;
  /** The longest call, in milliseconds. Takes effect at the next call. */
  callMs: number;
  /**
   * The longest listing of a member's tools, in milliseconds. Takes effect when tools are listed
   * next.
   */
  discoveryMs: number;
}

/** Connections to other machines. */
export interface NetworkSettings {
  /**
   * Connects to members on other machines through the proxies of the environment (`HTTPS_PROXY`,
   * `HTTP_PROXY`, `ALL_PROXY`, `NO_PROXY`) and of the system. Takes effect at each member's next
   * start.
   */
  proxies: boolean;
}

/** Checks for newer versions. */
export interface UpdateSettings {
  /**
   * Asks the address below once a day for a newer version of an AppImage; other packages are
   * updated by the program that installed them. Guild Hall downloads and installs nothing without
   * you.
   */
  check: boolean;
  /** The address that lists newer versions of an AppImage; empty for the AppImage's own. */
  address: string | null;
  /** The public key that signs newer versions of an AppImage; empty for the AppImage's own. */
  key: string | null;
}

/** A mistake in the file. */
export interface SettingsProblem {
  /** Its effect. */
  effect: ProblemEffect;
  /** The line, from 1; `None` for the file as a whole. */
  line: number | null;
  /** The column, from 1, in characters. */
  column: number | null;
  /** The field. */
  field: string | null;
  /** The mistake, and the way to correct it. */
  report: Report;
}

/** The effect of a mistake in the file. */
export type ProblemEffect =
  /** Nothing of the file holds; the settings before it go on. */
  | "unread"
  /** The field's default holds. */
  | "default"
  /** The field stays in the file, and nothing reads it. */
  | "kept";

/** Settings that are to be others. */
export interface ChangeSettings {
  /** All of them, or none; more than 1,000 are refused. */
  changes: SettingChange[];
}

/** A change of one setting. */
export interface SettingChange {
  /** The field, such as `appearance.theme`, or `keys.` and an action's id. */
  key: string;
  /** Its new value; `null` for its default. */
  value: unknown;
}

/** A file that settings are exported to, or imported from. */
export interface OfSettingsFile {
  /** Its whole path. */
  path: string;
}

/** The changes of an import. */
export interface SettingsImport {
  /** The file. */
  path: string;
  /** Identifies the texts of the file and of the current settings. */
  hash: string;
  /** The settings that get another value. */
  changes: ImportChange[];
  /** The mistakes in the file. With one that is not an unknown field, it is not imported. */
  problems: SettingsProblem[];
}

/** One setting that an import changes. */
export interface ImportChange {
  /** The setting. */
  key: string;
  /** Its value now, as JSON; `None` where it has none. */
  before: string | null;
  /** Its value after the import. */
  after: string | null;
}

/** An import that was shown. */
export interface ImportSettings {
  /** The file. */
  path: string;
  /** The hash of the file that the preview showed. */
  hash: string;
}

/** The state of updates. */
export interface UpdateState {
  /** The version that runs. */
  version: string;
  /** How it gets newer ones. */
  way: UpdateWay;
  /** Their address; `None` where the settings have none. */
  address: string | null;
  /** When that was read last. */
  lookedAtMs: number | null;
  /** How far one is. */
  stage: UpdateStage;
  /** Why the last look or fetch came to nothing. */
  problem: Report | null;
  /** The end of the last update, until a person has seen it. */
  last: LastUpdate | null;
}

/** How this program gets newer versions of itself. */
export type UpdateWay =
  /** It is one file, which it replaces when a person wants it. */
  | "itself"
  /** The person or the package manager that installed it replaces it. */
  | "elsewhere";

/** How far a newer version is. */
export type UpdateStage =
  /** Nothing is under way, and no newer version is known. */
  | { kind: "idle" }
  /** The address is being read. */
  | { kind: "looking" }
  /** There is one. */
  | {
      kind: "offered";
      /** Which. */
      new: NewVersion;
    }
  /** It is being fetched. */
  | {
      kind: "fetching";
      /** Which. */
      new: NewVersion;
      /** How many bytes are there. */
      done: number;
      /** How many there will be, where that was said. */
      of: number | null;
    }
  /** It was fetched and its signature is right: the next start may be its own. */
  | {
      kind: "ready";
      /** Which. */
      new: NewVersion;
    }
  /** It is in its place, and this program ends so that it can be started. */
  | {
      kind: "changing";
      /** Its number. */
      version: string;
    };

/** A newer version. */
export interface NewVersion {
  /** Its number. */
  version: string;
  /** The publisher's notes on the version. */
  notes: string | null;
  /** Where it is fetched from. */
  address: string;
}

/** How the last change of version ended. */
export interface LastUpdate {
  /** The version before. */
  from: string;
  /** The version that was to be. */
  to: string;
  /**
   * Why it is not the one that runs: it did not start, and the one before was put back; `None`
   * where it came up.
   */
  takenBack: string | null;
  /** When that was. */
  atMs: number;
}

/** An event with its place in the order. */
export interface Envelope {
  /** Grows by one with each event; a roster carries the revision up to which it is complete. */
  revision: number;
  /** The event. */
  event: HallEvent;
}

/** An event of the hall. */
export type HallEvent =
  /** A listener fell behind, or has just begun: the whole roster. */
  | {
      kind: "roster";
      /** The current state of all members. */
      roster: RosterView;
    }
  /** A member was added to the roster. */
  | {
      kind: "member_added";
      /** The current state. */
      member: MemberView;
    }
  /** Something about a member changed. */
  | {
      kind: "member_changed";
      /** The current state. */
      member: MemberView;
    }
  /** A member left the roster. */
  | {
      kind: "member_removed";
      /** Its name. */
      member: MemberName;
    }
  /**
   * A member's tool list was read from its server (REQ-MCP-TOOL-16); the difference may be empty.
   */
  | {
      kind: "tools_updated";
      /** The member. */
      member: MemberName;
      /** How many tools it has now. */
      count: number;
      /** The changes against the list before. */
      diff: ToolListDiff;
    }
  /** A member's resources or prompts changed; they are read when a person opens them. */
  | {
      kind: "offers_changed";
      /** The member. */
      member: MemberName;
      /** Whether the resources did. */
      resources: boolean;
      /** Whether the prompts did. */
      prompts: boolean;
    }
  /** A call began. */
  | {
      kind: "call_started";
      /** The call. */
      call: CallId;
      /** Its member. */
      member: MemberName;
      /** Its tool. */
      tool: ToolName;
    }
  /** A call's server reported progress, or its member is starting. */
  | {
      kind: "call_progress";
      /** The call. */
      call: CallId;
      /** How far it is. */
      progress: Progress;
    }
  /** A call ended, with or without a result. */
  | {
      kind: "call_finished";
      /** The call. */
      call: CallId;
      /** Its member. */
      member: MemberName;
      /** Its tool. */
      tool: ToolName;
      /** How long it took. */
      durationMs: number;
      /** Whether the tool itself said that it failed. */
      isError: boolean;
      /** The reason for a missing result. */
      error: Report | null;
    }
  /** An examination of this machine found something. */
  | {
      kind: "examined";
      /** The examination. */
      call: CallId;
      /** The finding. */
      finding: Finding;
      /** How much it has looked at by now. */
      done: number;
      /** How much it looks at in all. */
      of: number;
    }
  /** A bundle is being unpacked. */
  | {
      kind: "unpacking";
      /** The install. */
      call: CallId;
      /** How many bytes are unpacked. */
      done: number;
      /** How many there are in all. */
      of: number;
    }
  /** The history has recorded a call, secrets masked. */
  | {
      kind: "call_recorded";
      /** The call as the history's list shows it. */
      entry: HistoryEntry;
    }
  /** A member's server asks a person something. */
  | {
      kind: "elicitation_asked";
      /** The question. */
      elicitation: Elicitation;
    }
  /** A question has ended: answered, given up, or withdrawn by the server. */
  | {
      kind: "elicitation_ended";
      /** Its id. */
      id: ElicitationId;
    }
  /** The gateway, its clients or its profiles changed. */
  | {
      kind: "gateway_changed";
      /** The current state. */
      gateway: GatewayState;
    }
  /** An agent's call waits for a person's decision. */
  | {
      kind: "approval_asked";
      /** The call. */
      approval: Approval;
    }
  /** A call waits no more: it was decided, its time is up, or the agent gave it up. */
  | {
      kind: "approval_ended";
      /** Its id. */
      id: ApprovalId;
    }
  /** Requests of agents; sent in batches, the newest where there are more than are kept. */
  | {
      kind: "traffic_seen";
      /** The exchanges in their order. */
      exchanges: Exchange[];
    }
  /** The files of other programs changed; the listener requests the found servers again. */
  | {
      kind: "found_changed";
      /** How many servers are there that no member runs. */
      new: number;
    }
  /** A development round of a member began a step or ended. */
  | {
      kind: "dev_round";
      /** The current state. */
      round: DevRound;
    }
  /** The content of `settings.json` or its problems changed. */
  | {
      kind: "settings_changed";
      /** The settings in force. */
      settings: Settings;
      /** The problems of the file. */
      problems: SettingsProblem[];
    }
  /** The sign-in of a member changed. */
  | {
      kind: "sign_in_changed";
      /** The current state. */
      signIn: SignInView;
    }
  /** The state of updates changed. */
  | {
      kind: "updates_changed";
      /** The current state. */
      updates: UpdateState;
    }
  /** New lines on a member's stderr; sent in batches. */
  | {
      kind: "stderr";
      /** The member. */
      member: MemberName;
      /** The lines in their order. */
      lines: LogLine[];
      /** How many lines before these were dropped because they came too fast. */
      skipped: number;
    }
  /** A warning that stops nothing: an unwritable cache, a noisy stdout. */
  | {
      kind: "warning";
      /** The problem, its member, and the fix. */
      report: Report;
    };

/** The changes between a list and its successor. */
export interface ToolListDiff {
  /** Tools that are new, in the new list's order. */
  added: ToolName[];
  /** Tools that are gone, in the old list's order. */
  removed: ToolName[];
  /** Tools that stand in both and differ, in the new list's order. */
  changed: ToolSpecDiff[];
}

/** How far a call is. */
export interface Progress {
  /** How much is done, in the server's own unit. */
  progress: number;
  /** How much there is in all, if the server knows. */
  total: number | null;
  /** The current step, bounded to 1,000 characters. */
  message: string | null;
}

/** Every command with what it takes and what it answers. Each fails with a `Report`. */
export interface Commands {
  /** Returns version and folders of the program. */
  app_info: { request: Nothing; response: AppInfo };
  /** The current state of all members. */
  roster: { request: Nothing; response: RosterView };
  /** One member's tools. */
  member_tools: { request: OfMember; response: MemberTools };
  /** The tools of all members that match some words. */
  search_tools: { request: SearchTools; response: FoundTools };
  /** Every tool, with whether agents may call it and how it was found out; nothing is started. */
  catalog: { request: OfCatalog; response: Catalog };
  /** Everything about one tool. */
  tool_detail: { request: OfTool; response: ToolDetail };
  /** Everything about one member. */
  member_detail: { request: OfMember; response: MemberDetail };
  /** Whether arguments fit a tool's schema. */
  check_arguments: { request: CheckArguments; response: CheckedArguments };
  /** Calls a tool and answers when the call has ended. */
  invoke_tool: { request: InvokeTool; response: CallOutcome };
  /** Cancels a call that runs. */
  cancel_call: { request: OfCall; response: Nothing };
  /** Sets the members in view: of those that wait to start, these start first. */
  look_at: { request: LookAt; response: Nothing };
  /** Starts a member; answers when it is ready or has failed. */
  start_member: { request: OfMember; response: MemberView };
  /** Stops a member; answers when its processes are gone. */
  stop_member: { request: OfMember; response: MemberView };
  /** Stops a member if it runs, and starts it. */
  restart_member: { request: OfMember; response: MemberView };
  /** Reads one member's tool list again, and starts the member if needed. */
  refresh_member: { request: OfMember; response: MemberTools };
  /** Reads all members' tool lists again (REQ-MCP-TOOL-14). */
  refresh_tool_caches: { request: Nothing; response: Refreshed };
  /** Enables or disables a member in its `plugin.json`. */
  set_member_enabled: { request: SetMemberEnabled; response: MemberView };
  /**
   * Stops a member and moves its folder to the trash. Its secrets, permissions and history stay.
   */
  remove_member: { request: OfMember; response: RemovedMember };
  /** Returns the members in the trash, the newest first. */
  removed_members: { request: Nothing; response: RemovedMembers };
  /** Moves a member's folder from the trash back to its place. */
  restore_member: { request: OfRemoval; response: MemberView };
  /** Renames a member, with its permissions, profiles, saved calls and reviews. */
  rename_member: { request: RenameMember; response: MemberView };
  /** Copies a member's folder under a new name, with its permissions and reviews. */
  duplicate_member: { request: RenameMember; response: MemberView };
  /** Returns the text of a member's `plugin.json`. */
  member_file: { request: OfMember; response: MemberFile };
  /** Checks a text for `plugin.json`; nothing is saved. */
  check_member_file: { request: CheckMemberFile; response: CheckedMemberFile };
  /** Sets or removes one field in a text for `plugin.json`; nothing is saved. */
  edit_manifest_text: { request: EditManifestText; response: ManifestText };
  /**
   * Saves a member's `plugin.json`, unless another program has changed the file. An accepted member
   * stays accepted.
   */
  save_member_file: { request: SaveMemberFile; response: MemberFile };
  /** The questions of servers that wait for a person. */
  elicitations: { request: Nothing; response: Elicitations };
  /** Whether values fit what an elicitation wants. */
  check_elicitation: { request: CheckElicitation; response: CheckedArguments };
  /** Answers an elicitation; values that do not fit are refused and it goes on waiting. */
  answer_elicitation: { request: AnswerElicitation; response: Nothing };
  /** A member's resources, templates and prompts, read from its server. */
  member_offers: { request: OfMember; response: MemberOffers };
  /** Reads a resource and answers when that has ended. */
  read_resource: { request: ReadResource; response: Answered };
  /** Gets a prompt filled in and answers when that has ended. */
  get_prompt: { request: GetPrompt; response: Answered };
  /** Values that an argument of a prompt or a template may have. */
  complete_argument: { request: CompleteArgument; response: Completions };
  /** A call as text to be used elsewhere. */
  copy_as: { request: CopyAs; response: Copied };
  /** The calls of the past that fit a filter, the newest first. */
  search_history: { request: SearchHistory; response: HistoryPage };
  /** Everything that was kept of one call. */
  history_entry: { request: OfEntry; response: RecordedCall };
  /** Removes calls from the history. */
  clear_history: { request: HistoryFilter; response: Cleared };
  /** Writes calls of the history to a file, as JSON Lines. */
  export_history: { request: ExportHistory; response: Exported };
  /** Keeps a call under a name. */
  save_call: { request: SaveCall; response: SavedCall };
  /** The calls that were kept under a name. */
  saved_calls: { request: SavedCallsOf; response: SavedCalls };
  /** Gives a saved call another name. */
  rename_saved_call: { request: RenameSavedCall; response: SavedCall };
  /** Removes a saved call. */
  delete_saved_call: { request: OfSavedCall; response: Nothing };
  /** Keeps what a person typed into a tool's form. */
  keep_draft: { request: KeepDraft; response: Nothing };
  /** Returns the kept draft of a tool's form. */
  kept_draft: { request: OfTool; response: KeptDraft };
  /** How the history is kept, and how it fares. */
  history_settings: { request: Nothing; response: HistoryState };
  /** Changes how the history is kept. */
  change_history_settings: { request: HistorySettings; response: HistoryState };
  /** The gateway, its clients and its profiles. */
  gateway: { request: Nothing; response: GatewayState };
  /** Changes how the gateway is; answers when it listens so, or could not. */
  change_gateway: { request: ChangeGateway; response: GatewayState };
  /** Adds a client and returns its token, which no later answer contains. */
  add_agent_client: { request: AddAgentClient; response: AddedAgentClient };
  /** Revokes a client's access and cancels its running requests. */
  revoke_agent_client: { request: OfAgentClient; response: GatewayState };
  /** Keeps a profile, in the place of one of the same name, or of the one that is named so now. */
  save_profile: { request: SaveProfile; response: GatewayState };
  /** Removes a profile. */
  delete_profile: { request: OfProfile; response: GatewayState };
  /** Sets policies on many tools by hand, everywhere or in a profile; says what was set before. */
  set_tool_policies: { request: SetToolPolicies; response: PoliciesSet };
  /** Returns the changes that rules for kinds of tools would make; nothing is saved. */
  preview_policy_rules: { request: PolicyRulesOf; response: PolicyPreview };
  /**
   * Saves rules for kinds of tools, everywhere or of a profile; gives those that were there before.
   */
  save_policy_rules: { request: PolicyRulesOf; response: PolicyRules };
  /** Confirms a server's claim that a tool only reads, or takes that back. */
  confirm_read_only: { request: ConfirmReadOnly; response: GatewayState };
  /** Sets the endpoint that ranks tools by meaning, or removes it. */
  set_embeddings: { request: SetEmbeddings; response: GatewayState };
  /** Asks an endpoint for one vector; nothing is saved. */
  test_embeddings: { request: TestEmbeddings; response: EmbeddingsTested };
  /**
   * A profile as files that run its members for a team, behind a gateway that it has; nothing is
   * written.
   */
  export_team: { request: ExportTeam; response: TeamExport };
  /** Writes such files into a folder, in the place of none. */
  write_team_export: { request: WriteTeamExport; response: WrittenTeamExport };
  /** Returns an agent's view at an endpoint, and its cost in tokens. */
  view_as_agent: { request: ViewAsAgent; response: AgentView };
  /** Which tools an agent's search would find for a task. */
  find_for_task: { request: FindForTask; response: FoundForTask };
  /** The agents' calls that wait for a person. */
  approvals: { request: Nothing; response: Approvals };
  /** Decides about an agent's call. */
  decide_approval: { request: DecideApproval; response: Nothing };
  /** The newest of what agents asked. */
  gateway_traffic: { request: Nothing; response: Traffic };
  /** The programs whose configuration can name the gateway. */
  client_configs: { request: OfEndpoint; response: ClientConfigs };
  /** Returns the changes to a program's configuration; nothing is written. */
  preview_client_config: { request: OfClientConfig; response: ClientConfigPreview };
  /** Writes the previewed changes, with a token for this program alone. */
  write_client_config: { request: WriteClientConfig; response: WrittenClientConfig };
  /** Puts a program's configuration back to what it was before. */
  undo_client_config: { request: UndoClientConfig; response: UndoneClientConfig };
  /** Lines that a member wrote to stderr, from the newest backwards, files included. */
  read_member_log: { request: ReadMemberLog; response: LogPage };
  /** Writes all that is kept of a member's log to a file. */
  save_member_log: { request: SaveMemberLog; response: SavedMemberLog };
  /** Returns the content of a bundle for a bug report; nothing is written. */
  preview_bundle: { request: Nothing; response: Bundled };
  /** Writes a bundle for a bug report, secrets removed. */
  write_bundle: { request: WriteBundle; response: Bundled };
  /**
   * Checks this machine: programs, ports, folders, secrets, members' commands; sends each finding
   * as an event, and `cancel_call` cancels it.
   */
  doctor: { request: OfCall; response: Examination };
  /** Returns a member's command and tools, beside the accepted ones; nothing is changed. */
  member_review: { request: OfMember; response: MemberReview };
  /** Accepts what a member runs, by the hash that the review showed, and starts it. */
  accept_member: { request: AcceptMember; response: MemberView };
  /** Accepts a member's tools as the review showed them: agents get them from now on. */
  accept_tools: { request: AcceptTools; response: MemberReview };
  /**
   * Holds changes of a member's tools back from agents until they are accepted, or lets them pass.
   */
  hold_changes: { request: HoldChanges; response: MemberView };
  /** How a member's tool list changed over time, the newest first. */
  revisions: { request: RevisionsOf; response: Revisions };
  /** One change of a member's tool list, readable. */
  revision: { request: OfRevision; response: Revision };
  /**
   * Returns the watched files of a member in development, its examples, and the results of the last
   * changes.
   */
  dev_state: { request: OfMember; response: DevState };
  /** Runs a member's examples, starting it if need be; `cancel_call` breaks it off. */
  run_examples: { request: RunExamples; response: DevRound };
  /** Puts a call into a member's manifest as an example; nothing else in the file changes. */
  save_example: { request: SaveExample; response: DevState };
  /** Returns the sign-in of a member. */
  sign_in_state: { request: OfMember; response: SignInView };
  /**
   * Finds the address where a person signs in to a member and returns it without opening it. Events
   * report the result.
   */
  sign_in: { request: OfMember; response: SignInAddress };
  /** Opens the address of a sign-in under way in the system's browser. */
  open_sign_in: { request: OfMember; response: Nothing };
  /** Answers when the current sign-in has ended, with or without success. */
  sign_in_ended: { request: OfMember; response: SignInView };
  /** Gives a sign-in up. */
  cancel_sign_in: { request: OfMember; response: SignInView };
  /** Gives a member's tokens back where that is possible, and forgets them. */
  sign_out: { request: OfMember; response: SignInView };
  /** The names of all secrets, and which members use them; never a value. */
  secrets: { request: Nothing; response: Secrets };
  /** Keeps a secret, in the place of one of the same name. */
  set_secret: { request: SetSecret; response: KeptSecret };
  /** Removes a secret wherever it is kept. */
  remove_secret: { request: OfSecret; response: Secrets };
  /** The servers that other programs have in their configuration files; nothing is started. */
  found_servers: { request: Nothing; response: FoundServers };
  /** Looks in a project folder or a workspace file too, from now on. */
  look_for_servers: { request: OfFoundFolder; response: FoundServers };
  /** Looks in a project folder or a workspace file no more. */
  forget_found_folder: { request: OfFoundFolder; response: FoundServers };
  /** Makes members of servers whose command a person has seen. */
  adopt_servers: { request: AdoptServers; response: Adopted };
  /** Returns the servers in a pasted text, in a file or in a command; nothing is started. */
  read_brought: { request: Brought; response: BroughtServers };
  /** Makes members of servers that a person brought and whose command they have seen. */
  adopt_brought: { request: AdoptBrought; response: Adopted };
  /** Returns the templates of new members. */
  beginnings: { request: Nothing; response: Beginnings };
  /** Creates a member from a template for a person to develop; answers when it is in the roster. */
  begin_member: { request: BeginMember; response: BegunMember };
  /**
   * Searches a registry, or a file in its format; `cancel_call` cancels it. An answer is cached for
   * a few minutes; for an unreachable registry it returns an earlier answer.
   */
  search_registry: { request: SearchRegistry; response: RegistryPage };
  /** Everything about one server of a registry, and what each way to run it would run. */
  registry_server: { request: OfRegistryServer; response: RegistryServer };
  /**
   * Makes a member of a server, one way to run it, as it was shown. The member runs when what it
   * runs was accepted.
   */
  install_registry_server: { request: InstallRegistryServer; response: InstalledRegistryServer };
  /**
   * Returns the content and the command of an MCPB bundle; nothing is written, and nothing started.
   */
  look_into_mcpb: { request: OfMcpb; response: McpbLook };
  /**
   * Makes a member of a bundle, or puts it in the place of an older one; `cancel_call` ends it as
   * long as nothing is in its place. The member runs when what it runs was accepted.
   */
  install_mcpb: { request: InstallMcpb; response: InstalledMcpb };
  /** Checks answers against the inputs of an install. */
  check_answers: { request: CheckAnswers; response: CheckedArguments };
  /** Whether and how servers that speak badly are asked in other ways: `config.yml`. */
  discovery_settings: { request: Nothing; response: DiscoveryState };
  /** Changes that file, line by line; refused where it has other settings than were seen. */
  change_discovery_settings: { request: ChangeDiscovery; response: DiscoveryState };
  /** Returns the request to a model for a member; nothing is sent. */
  prediction_request: { request: OfMember; response: PredictionRequest };
  /** Sends the shown request, and lists the model's answer; `cancel_call` ends it. */
  predict_tools: { request: PredictTools; response: MemberTools };
  /** Takes a remembered yes back. */
  forget_prediction: { request: OfMember; response: PredictionRequest };
  /**
   * Returns the content of `settings.json`, the settings in force, and the problems of the file.
   */
  settings: { request: Nothing; response: SettingsState };
  /** Changes settings, all of them or none; the rest of the file stays the same. */
  change_settings: { request: ChangeSettings; response: SettingsState };
  /** Copies `settings.json` to another file. */
  export_settings: { request: OfSettingsFile; response: OfSettingsFile };
  /** The settings that an import of such a file would change; nothing is written. */
  preview_settings_import: { request: OfSettingsFile; response: SettingsImport };
  /** Puts the file that was shown in the place of `settings.json`, and keeps a backup. */
  import_settings: { request: ImportSettings; response: SettingsImport };
  /** Returns the state of updates. */
  updates: { request: Nothing; response: UpdateState };
  /** Looks for a newer version at the address of the settings; nothing of it is fetched. */
  look_for_update: { request: Nothing; response: UpdateState };
  /** Fetches the newer version that was shown, and checks its signature. */
  fetch_update: { request: Nothing; response: UpdateState };
  /** Ends the current step, or discards the fetched version. */
  cancel_update: { request: Nothing; response: UpdateState };
  /**
   * Replaces this program with the downloaded version and restarts it. If the new version does not
   * come up, this version is restored.
   */
  change_to_update: { request: Nothing; response: UpdateState };
  /** How the last change of version ended has been seen. */
  forget_last_update: { request: Nothing; response: UpdateState };
}

/** The name of a command. */
export type CommandName = keyof Commands;

/** The names of all commands. */
export const COMMANDS = [
  "app_info",
  "roster",
  "member_tools",
  "search_tools",
  "catalog",
  "tool_detail",
  "member_detail",
  "check_arguments",
  "invoke_tool",
  "cancel_call",
  "look_at",
  "start_member",
  "stop_member",
  "restart_member",
  "refresh_member",
  "refresh_tool_caches",
  "set_member_enabled",
  "remove_member",
  "removed_members",
  "restore_member",
  "rename_member",
  "duplicate_member",
  "member_file",
  "check_member_file",
  "edit_manifest_text",
  "save_member_file",
  "elicitations",
  "check_elicitation",
  "answer_elicitation",
  "member_offers",
  "read_resource",
  "get_prompt",
  "complete_argument",
  "copy_as",
  "search_history",
  "history_entry",
  "clear_history",
  "export_history",
  "save_call",
  "saved_calls",
  "rename_saved_call",
  "delete_saved_call",
  "keep_draft",
  "kept_draft",
  "history_settings",
  "change_history_settings",
  "gateway",
  "change_gateway",
  "add_agent_client",
  "revoke_agent_client",
  "save_profile",
  "delete_profile",
  "set_tool_policies",
  "preview_policy_rules",
  "save_policy_rules",
  "confirm_read_only",
  "set_embeddings",
  "test_embeddings",
  "export_team",
  "write_team_export",
  "view_as_agent",
  "find_for_task",
  "approvals",
  "decide_approval",
  "gateway_traffic",
  "client_configs",
  "preview_client_config",
  "write_client_config",
  "undo_client_config",
  "read_member_log",
  "save_member_log",
  "preview_bundle",
  "write_bundle",
  "doctor",
  "member_review",
  "accept_member",
  "accept_tools",
  "hold_changes",
  "revisions",
  "revision",
  "dev_state",
  "run_examples",
  "save_example",
  "sign_in_state",
  "sign_in",
  "open_sign_in",
  "sign_in_ended",
  "cancel_sign_in",
  "sign_out",
  "secrets",
  "set_secret",
  "remove_secret",
  "found_servers",
  "look_for_servers",
  "forget_found_folder",
  "adopt_servers",
  "read_brought",
  "adopt_brought",
  "beginnings",
  "begin_member",
  "search_registry",
  "registry_server",
  "install_registry_server",
  "look_into_mcpb",
  "install_mcpb",
  "check_answers",
  "discovery_settings",
  "change_discovery_settings",
  "prediction_request",
  "predict_tools",
  "forget_prediction",
  "settings",
  "change_settings",
  "export_settings",
  "preview_settings_import",
  "import_settings",
  "updates",
  "look_for_update",
  "fetch_update",
  "cancel_update",
  "change_to_update",
  "forget_last_update",
] as const satisfies readonly CommandName[];

/** The Tauri events that carry rare events of the hall, each a list of {@link Envelope}. */
export const PUSHED_EVENTS = ["roster_changed", "member_changed", "tools_updated", "approval_requested", "hall_changed"] as const;
