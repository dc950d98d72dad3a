// Written by `cargo xtask codegen` from `guild_api::wire`; edit that and run it again.

/** A request without fields. */
export type Nothing = Record<string, never>;

/** Version and folders of the program. */
export interface AppInfo {
  /** The version of Guild Hall. */
  version: string;
  /** The members' folder. */
  membersDir: string;
  /** The data folder. */
  dataDir: string;
  /** The file with the licenses of third-party software. `None` if no package installed one. */
  licences: string | null;
}

/** The current state of all members, sorted by name. */
export interface RosterView {
  /** The revision of the newest event that this roster includes. */
  revision: number;
  /** The members' folder. */
  membersDir: string;
  /** All members, sorted by name. */
  members: MemberView[];
  /** Why the members' folder can't be read. */
  error: Report | null;
}

/** One member as the roster shows it. */
export interface MemberView {
  /** The member's name, or the folder's name if the manifest has none. */
  name: MemberName;
  /** The version in the manifest. */
  version: string;
  /** The description in the manifest. */
  description: string;
  /**
   * The transport in use, or the manifest's transport while the server is down. `None` if the
   * manifest's transport is invalid.
   */
  transport: Transport | null;
  /** When Guild Hall starts the member. */
  lifecycle: Lifecycle;
  status: Status;
  /** The current step of the start, while the status is `starting`. */
  step: StartStep | null;
  /** How current the tool list is. */
  freshness: Freshness;
  /** When the server last sent the tool list. */
  listedAtMs: number | null;
  /** The number of tools. */
  tools: number;
  /** The port that Guild Hall assigned to the member. */
  port: number | null;
  /** The id of the member's process. */
  pid: number | null;
  /** When the current status began. */
  sinceMs: number;
  /** When Guild Hall will restart the member, while the status is `backoff`. */
  retryAtMs: number | null;
  /** The number of consecutive failures. */
  attempt: number;
  /** The negotiated MCP version, while the member is connected. */
  protocolVersion: string | null;
  /** The last line on stderr, cut to 300 characters. */
  lastStderr: string | null;
  /** Why the member failed, or why the last refresh of the tools failed. */
  error: Report | null;
  /**
   * Problems that don't prevent a start: unknown manifest fields, malformed tools, a port that
   * other machines can reach.
   */
  warnings: Report[];
  /** The number of running calls. */
  calls: number;
  /** The review state. */
  trust: Trust;
}

/** A member's name: 1 to 64 of `A-Z a-z 0-9 . _ -`, beginning with a letter or digit. */
export type MemberName = string;

/** How Guild Hall communicates with a member. */
export type Transport =
  /**
   * Streamable HTTP at `/mcp` on a port that Guild Hall assigns (REQ-MCP-HTTP-1). If the server
   * rejects this transport, Guild Hall uses HTTP+SSE.
   */
  | "http"
  /** The process's stdin and stdout. */
  | "stdio"
  /** HTTP+SSE, the transport of 2024-11-05, at `/sse` or at the `url`. */
  | "sse";

/** When a member is started. */
export type Lifecycle =
  /** The member is started when Guild Hall starts, and keeps running. */
  | "eager"
  /** The member is started to list its tools, and then stopped. A call starts the member again. */
  | "on-demand";

/** A member's current state. */
export type Status =
  /** There is no process, and none is needed now. */
  | "stopped"
  /** The process is starting, or its handshake is in progress. */
  | "starting"
  /** The handshake is done, and the member accepts calls. */
  | "ready"
  /** The process is being stopped on request. */
  | "stopping"
  /** The member failed. Its report has the reason. */
  | "error"
  /** The member failed and is restarted after a pause. */
  | "backoff"
  /** The member failed too often. The user has to act. */
  | "crash-loop"
  /** The member is disabled in the manifest. */
  | "disabled"
  /**
   * The user did not write the member and has not accepted its launch command, so it does not
   * start.
   */
  | "unreviewed";

/** The reason why a start takes long. */
export type StartStep =
  /** Other members start first. The process does not run yet, and its time limit has not begun. */
  | "queued"
  /**
   * A container's image is being pulled. The server has not started, and its time limit has not
   * begun.
   */
  | "pulling"
  /**
   * A package runner (`npx`, `uvx`, `docker run`, …) is working and has not started the server
   * yet.
   */
  | "installing"
  /**
   * The start limit has passed, and the package runner is still working. The start continues until
   * it is stopped, the package runner makes no more progress, or ten minutes have passed.
   */
  | "overtime"
  /**
   * The start limit has passed, and the server is still working, for example on a busy machine. The
   * start continues for up to four times its limit.
   */
  | "late";

/** How current a member's tool list is. */
export type Freshness =
  /** There is no list. */
  | "unknown"
  /** The list comes from the cache, and belongs to the current configuration. */
  | "cached"
  /**
   * The list comes from the cache, and belongs to another version or configuration. It is shown
   * grayed out.
   */
  | "outdated"
  /** The list is the last known one, while a new list is being fetched. */
  | "refreshing"
  /** The list comes from the running server. */
  | "live";

/** An error for display: its cause, the member concerned, and the next step. */
export interface Report {
  /** The stable name of the cause. */
  code: Code;
  /** The description of the error, in one or a few sentences. */
  message: string;
  /** The next step. Empty if there is none. */
  hint: string;
  /** The member concerned, if any. */
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
  /** `plugin.json` is larger than the limit. */
  | "manifest-too-large"
  /** `plugin.json` is not JSON. */
  | "manifest-not-json"
  /** A field of `plugin.json` is missing or has an invalid value. */
  | "manifest-field"
  /** `plugin.json` has changed since it was opened for editing. */
  | "manifest-changed"
  /** Two folders have the same member name. */
  | "duplicate-name"
  /** The folder is a broken link, a circular link, or a link back to the members' folder. */
  | "folder-unsafe"
  /** A `${env:NAME}` or `${secret:NAME}` of the manifest has no value. */
  | "variable-missing"
  /** A `${secret:NAME}` of the manifest has no value. */
  | "secret-missing"
  /** The keychain did not answer in time, is locked, or refused. */
  | "keychain-unanswered"
  /** A secret's name or value can't be stored. */
  | "secret-refused"
  /** The secrets file can't be read or written, or other users may read it. */
  | "secrets-unsafe"
  /** The command is not on the PATH, or the file does not exist. */
  | "command-not-found"
  /** The command exists but is not executable. */
  | "command-not-executable"
  /** The operating system refused to start the process. */
  | "spawn-failed"
  /**
   * The container engine is installed but does not work: its daemon is not running, or refuses this
   * user.
   */
  | "engine-unreachable"
  /** A container's image is not on this machine, and could not or may not be pulled. */
  | "image-unavailable"
  /** A container's mount does not exist, or would expose the machine. */
  | "mount-refused"
  /** All ports from 20000 to 30000 are taken. */
  | "ports-exhausted"
  /** The member lost its port to another program several times in a row. */
  | "port-lost"
  /** Another process answers on the member's port. */
  | "port-held"
  /** Other machines can reach the member, because it listens on all addresses. */
  | "port-exposed"
  /** The member did not open its port, or did not answer, within the start limit. */
  | "start-timeout"
  /** The port is open, but the handshake did not finish within its limit. */
  | "handshake-timeout"
  /** The member answered the handshake with an error, or with something other than MCP. */
  | "handshake-failed"
  /** The process ended without a request to stop. */
  | "member-exited"
  /** The process ended again and again. It is not restarted until the user acts. */
  | "crash-loop"
  /** The connection to the member could not be opened, or it broke. */
  | "connection-failed"
  /** The server answered the request with an HTTP error status. */
  | "http-status"
  /** The server requires a sign-in, or more permissions than were granted. */
  | "sign-in-needed"
  /** The sign-in failed: the authorization server can't be found or used, or it refused. */
  | "sign-in-failed"
  /** No sign-in of the member is in progress, or the member does not use sign-ins. */
  | "sign-in-unknown"
  /** The response is not MCP: HTML, truncated JSON, or the wrong structure. */
  | "answer-malformed"
  /** The response is larger than the limit. */
  | "answer-too-large"
  /** The member answered with a JSON-RPC error. */
  | "rpc-error"
  /** The tool list could not be read. The last known list is kept. */
  | "list-failed"
  /** A call exceeded its time limit and was cancelled. */
  | "call-timeout"
  /** The caller cancelled the call. */
  | "call-cancelled"
  /** The member ended during the call. The call is not repeated. */
  | "call-interrupted"
  /** No member has that name. */
  | "member-unknown"
  /** The trash does not contain that member. */
  | "removal-unknown"
  /** The member has no tool with that name. */
  | "tool-unknown"
  /** The tool was found in the server's output, and the server has not confirmed it. */
  | "tool-unconfirmed"
  /** `config.yml` can't be used. */
  | "discovery-settings"
  /** Prediction by a model is off, or no model is set. */
  | "prediction-off"
  /** The model may not be asked about this member, or only after the other ways were tried. */
  | "prediction-refused"
  /** The model returned no usable response. */
  | "prediction-failed"
  /** The embeddings endpoint returned no usable vectors. */
  | "embeddings-failed"
  /** The build of a member's server failed, or took too long. */
  | "build-failed"
  /** A member's files can't be watched, or not all of them. */
  | "dev-unwatched"
  /** The member's manifest does not enable watching of its files. */
  | "dev-off"
  /** The member has no example with that name. */
  | "example-unknown"
  /** A suite of checks can't be used, or a value for it is missing. */
  | "suite-refused"
  /** No check or mock can be made of the recorded calls. */
  | "recording-unusable"
  /** The member is disabled in plugin.json. */
  | "member-disabled"
  /** The user did not write the member and has not accepted its launch command yet. */
  | "member-unreviewed"
  /** The tool is new or differs from its accepted version, so agents don't get it. */
  | "tool-held"
  /**
   * A file of a skill differs from its reviewed digest, or is not in the reviewed list of files.
   */
  | "skill-mismatch"
  /** The version to be accepted is not the current one. */
  | "review-outdated"
  /** A file with accepted versions is unreadable or malformed. */
  | "reviews-unreadable"
  /** The arguments are not a JSON object, or can't be sent as typed. */
  | "arguments-not-json"
  /** The arguments do not fit the tool's input schema. */
  | "arguments-invalid"
  /** The member already runs its maximum number of concurrent calls. */
  | "too-many-calls"
  /** The server's question no longer waits for an answer. */
  | "elicitation-ended"
  /** A server's question could not be shown to a person, so the server got an error. */
  | "elicitation-unanswered"
  /** `tools-cache.json` is unreadable, malformed or too large, and was ignored. */
  | "cache-unreadable"
  /** `tools-cache.json` could not be written. */
  | "cache-unwritable"
  /** Guild Hall's own data folder can't be read or written. */
  | "data-unwritable"
  /** A newer version of Guild Hall has used the data folder. */
  | "data-newer"
  /** `settings.json`, or a field of it, can't be used. */
  | "settings-unusable"
  /** No setting has that name. */
  | "setting-unknown"
  /** The setting can't have that value. */
  | "setting-refused"
  /** Another program changed a settings file at the same moment, or after it was shown. */
  | "settings-changed"
  /** A file that the user asked for could not be written. */
  | "file-unwritable"
  /** The history's database is damaged, or its path leads to something else. */
  | "history-unreadable"
  /** The history's database was made by a newer version of Guild Hall. */
  | "history-newer"
  /** Another program locks the history's database, or the database did not respond in time. */
  | "history-busy"
  /** The disk has no room for the history. */
  | "history-full"
  /** Calls arrive faster than the history can record them. */
  | "history-behind"
  /** No history entry or saved call has that id, because it was removed. */
  | "history-entry-unknown"
  /** A saved call's name is empty, too long, or taken. */
  | "saved-name-refused"
  /** A history record is larger than the limit for its kind. */
  | "history-too-large"
  /** A log file could not be read or written. */
  | "log-unwritable"
  /** Another program listens on the gateway's port. */
  | "gateway-port-taken"
  /** The gateway could not listen, for a reason other than a used port. */
  | "gateway-failed"
  /** `gateway.json` can't be used. */
  | "gateway-settings"
  /** No client has that id, because its token was revoked. */
  | "client-unknown"
  /** No profile has that name. */
  | "profile-unknown"
  /** The profile can't be stored. */
  | "profile-refused"
  /** Agents may not call this tool. */
  | "tool-denied"
  /** A server changed its tools' hints, so the policy rules now allow agents more. */
  | "hints-loosened"
  /** Agents don't get this tool, because another tool would have the same name. */
  | "tool-name-taken"
  /** The call needs a person's approval, and no one approved it. */
  | "approval-missing"
  /** An agent's call no longer waits for a decision. */
  | "approval-ended"
  /** Guild Hall does not know where that program stores its configuration. */
  | "program-unknown"
  /** A program's configuration file can't be changed safely, and is unchanged. */
  | "client-config-refused"
  /** A program's configuration file has changed since the change was shown or made. */
  | "client-config-changed"
  /** A program's configuration file can't be read, or only in part. */
  | "client-config-unreadable"
  /**
   * No such project folder or workspace file exists, or the limit of scanned folders and files is
   * reached.
   */
  | "project-unknown"
  /** No program's configuration has a server with that id, because its command was changed. */
  | "found-server-unknown"
  /** A server in a program's file can't be made a member. */
  | "found-server-unusable"
  /** The imported text contains no server, or can't be read. */
  | "snippet-unreadable"
  /** A server can't be imported with these values: its name is taken, or a value is missing. */
  | "adoption-refused"
  /** An MCPB bundle can't be used: not a bundle, unsafe, or changed since it was inspected. */
  | "mcpb-unusable"
  /** The registry is neither an absolute path nor an allowed address. */
  | "registry-source-refused"
  /** A registry, or a file in its format, could not be read, and no earlier copy is stored. */
  | "registry-unread"
  /** The registry does not list that server, or its entry has changed since it was shown. */
  | "registry-unknown"
  /** A link does not lead to a page of the window. */
  | "link-invalid"
  /** The desktop has no tray for the icon. */
  | "tray-missing"
  /** The shortcut is not available: another program uses it, or the desktop offers no shortcuts. */
  | "shortcut-unavailable"
  /** The desktop does not show notifications of other programs. */
  | "notifications-missing"
  /** The start at login could not be set up or removed. */
  | "login-item"
  /** The system could not open a folder, a file, a terminal or an address. */
  | "not-opened"
  /** A tool's app can't be shown: its resource is not an app, or too large. */
  | "app-unusable"
  /** The update information can't be read, or the version could not be downloaded. */
  | "update-unread"
  /** A newer version has no valid signature, or is not the version that it claims to be. */
  | "update-refused"
  /** This program can't replace itself with a newer version. */
  | "update-unplaced"
  /** Another Guild Hall program is running with this data folder. */
  | "hall-runs"
  /** Another Guild Hall program uses this data folder, and does not respond. */
  | "hall-unreachable"
  /** No Guild Hall program is running with this data folder. */
  | "hall-not-running"
  /** A member's process requested something that only a person may decide. */
  | "member-request"
  /** The data folder belongs to another user. */
  | "data-of-another"
  /** The hall is closing and starts nothing new. */
  | "shutting-down";

/** The review state of a member. */
export interface Trust {
  /** The member's origin according to the manifest. `None` for a member that the user wrote. */
  origin: Origin | null;
  /** Whether the user accepted the member's command. */
  launch: LaunchTrust;
  /** Whether changed tools are withheld from agents until the user accepts them. */
  holds: boolean;
  /** The number of the member's tools that agents do not get before a review. */
  held: number;
}

/**
 * The source of a member that its user did not write. Such a member starts only after a person has
 * accepted its launch.
 */
export interface Origin {
  /** The id of another program (`cursor`), `registry`, `bundle`, or another source's name. */
  from: string;
  /** The file that the member came from. */
  path: string | null;
  /** The address that the member came from. */
  url: string | null;
  /** The time when the member was added, as ISO 8601. */
  at: string | null;
  /** The server's name in its registry. */
  server: string | null;
}

/** Whether the user accepted a member's command. */
export type LaunchTrust =
  /** The user wrote the member, so it needs no review. */
  | "own"
  /** A third-party member, and the user accepted exactly this command. */
  | "accepted"
  /** A third-party member without a review. It never starts. */
  | "unreviewed"
  /** A third-party member whose command differs from the accepted one. It never starts. */
  | "changed";

/** A request about one member. */
export interface MemberRef {
  member: MemberName;
}

/** A member's tools in the server's order. */
export interface MemberTools {
  member: MemberName;
  /** How current the list is. */
  freshness: Freshness;
  /** When the server last sent the list. */
  listedAtMs: number | null;
  tools: ToolSummary[];
  /** The entries that were left out of the list, with reasons. */
  problems: ListProblem[];
  /**
   * How Guild Hall found the list. `None` if the server sent it by the MCP protocol. Tools that the
   * server has not confirmed can't be called.
   */
  found: FoundBy | null;
}

/** One tool as a list shows it. */
export interface ToolSummary {
  member: MemberName;
  name: ToolName;
  title: string | null;
  /** The first sentence of the description, at most 200 characters. */
  summary: string;
  /** The server's hints about the tool. */
  hints: ToolHints;
  /** Why the tool is withheld from agents until a review. `None` if it is not withheld. */
  mark: ToolMark | null;
}

/** A tool's name from its server: 1 to 256 bytes without control characters. */
export type ToolName = string;

/** The server's hints about a tool's effects. Hints are never guarantees. */
export interface ToolHints {
  /** The tool changes nothing. */
  readOnly: boolean | null;
  /** The tool may destroy something. */
  destructive: boolean | null;
  /** A second identical call changes nothing more. */
  idempotent: boolean | null;
  /** The tool reaches things outside the server. */
  openWorld: boolean | null;
}

/** Why agents do not get a tool of a member that withholds changed tools. */
export type ToolMark =
  /** The tool list that the user accepted does not contain the tool. */
  | "new"
  /** The tool differs from its accepted version. */
  | "changed";

/** An entry of a list that was left out, and the reason. */
export interface ListProblem {
  /** The entry's position in the list, from 0. */
  index: number;
  /** The entry's name, truncated to 80 characters. `None` if it has none. */
  name: string | null;
  /** The reason. */
  reason: string;
}

/** How a tool list was found, if the server did not return the list as the protocol requires. */
export interface FoundBy {
  /** The strategy that found the list. */
  rung: Rung;
  /** The stream that contained the list. `None` if the list was not found in output. */
  stream: Stream | null;
  /** The confidence that these are the server's tools. */
  confidence: Confidence;
}

/**
 * A strategy for finding the tools of a server. The strategies are tried in the order of the
 * variants.
 */
export type Rung =
  /** `initialize`, then `tools/list`, as the protocol requires. */
  | "initialize"
  /** `tools/list` without a handshake. */
  | "no-handshake"
  /** An object with a list of `functions`, as in OpenAI's API. */
  | "openai-functions"
  /** An object with a list of `tools`, or only that list. */
  | "tools-array"
  /** Lines that each contain one JSON object. */
  | "json-lines"
  /** `"function": "…"` and `"name": "…"` anywhere. */
  | "declarations"
  /** Words that look like a tool's name: `word_word`. */
  | "identifiers"
  /** The names in the manifest's `auto_approve`. */
  | "auto-approve"
  /** Tools that a model predicts, only with the user's consent. */
  | "prediction";

/** The stream that a server wrote to. */
export type Stream =
  /** The server's standard output. */
  | "stdout"
  /** The server's standard error. */
  | "stderr";

/** The confidence that the found tools are the server's tools. */
export type Confidence =
  /** The server answered a request for its tool list. */
  | "certain"
  /** The form of the list is nearly unmistakable. In most cases the list has schemas. */
  | "high"
  /** Objects or names in the form of tools, or names that a person listed. */
  | "fair"
  /** Names from a text that contains the names of tools and also other names. */
  | "low"
  /** Words in the output, or a model's prediction. */
  | "guess";

/** A search over all members' tools. */
export interface SearchTools {
  /** Words that must all occur in the member's name or in the tool's name, title or description. */
  query: string;
  /** The maximum number of results, at most 500. */
  limit: number;
}

/** The results of a search over all members' tools. */
export interface FoundTools {
  /** The best matches, best first. */
  tools: ToolSummary[];
  /** The total number of matching tools. */
  total: number;
}

/** A request for the catalog. */
export interface CatalogRequest {
  /** A profile, to get only its tools, with its policies. `None` for all tools. */
  profile: ProfileName | null;
}

/** A profile's name: 1 to 64 of `A-Z a-z 0-9 . _ -`, beginning with a letter or digit. */
export type ProfileName = string;

/** All tools and all members. */
export interface Catalog {
  /**
   * Guild Hall's own tools for agents, then all members' tools, sorted by member name and then in
   * the server's order. A running server's list is preferred to a cached one.
   */
  tools: CatalogTool[];
  /**
   * The prompts, resources and templates that are known or that have a policy. Their names have the
   * form `member/prompt:NAME`.
   */
  offers: CatalogTool[];
  /** All members, sorted by name, including those without tools. */
  members: CatalogMember[];
}

/** One tool, prompt, resource or template. */
export interface CatalogTool {
  /** `member/tool`, or only the name for a tool of Guild Hall. */
  name: string;
  /** The first sentence of the description, at most 200 characters. */
  description: string;
  /** The entry's kind and owner. */
  kind: ToolKind;
  /** Whether agents may call the tool. `None` for Guild Hall's own tools. */
  policy: Policy | null;
  /** The origin of the policy. */
  policyReason: PolicyReason | null;
  /** The server's hints about the tool. */
  hints: ToolHints;
  /**
   * The class that the policy rules use, derived from the hints. `None` for Guild Hall's own tools.
   */
  class: ToolClass | null;
  /**
   * The treatment of the server's claim that the tool only reads. `None` if the server makes no
   * such claim, or if the tool's name and description don't contradict it.
   */
  readOnlyClaim: ReadOnlyClaim | null;
  /** Why the tool is withheld from agents until a review. `None` if it is not withheld. */
  mark: ToolMark | null;
  /**
   * Why agents do not get the tool although its policy allows it and no review withholds it: Guild
   * Hall found no unique name for it.
   */
  withheld: Report | null;
  /** The source of this description. `None` for Guild Hall's own tools. */
  provenance: Provenance | null;
  /** The state of the discovery of the member's tools. `None` for Guild Hall's own tools. */
  discoveryStatus: DiscoveryStatus | null;
  /** When the member's tools were last discovered. */
  lastDiscoveredMs: number | null;
}

/** The kind of a catalog entry. */
export type ToolKind =
  /** Guild Hall's own tool for agents. */
  | "native"
  /** A member's tool. */
  | "mcp"
  /** A member's prompt. */
  | "prompt"
  /** A member's resource. */
  | "resource"
  /** A member's resource template. */
  | "template"
  /** A member's skill. */
  | "skill";

/** Whether agents may call a tool. Stricter policies are greater. */
export type Policy =
  /** The call runs without a question. */
  | "allow"
  /** A person has to approve the call. */
  | "ask"
  /** The call is denied. */
  | "deny";

/** The setting or the rule that decided a tool's policy. */
export type PolicyReason =
  /** No setting or rule applied. */
  | { kind: "default" }
  /** The policy in the member's manifest. */
  | { kind: "manifest" }
  /** A global rule for a kind of tools. */
  | {
      kind: "rule";
      /** The kind of the tools. */
      class: ToolClass;
    }
  /** The user's setting for the tool. */
  | { kind: "hand" }
  /** A profile's rule for a kind of tools. */
  | {
      kind: "profile-rule";
      /** The kind of the tools. */
      class: ToolClass;
    }
  /** The user's setting for the tool in the profile. */
  | { kind: "profile-hand" };

/** A kind of tools, by their servers' hints. Hints are never guarantees. */
export type ToolClass =
  /** The tool changes nothing. */
  | "read-only"
  /** The tool changes things, but destroys nothing. */
  | "changing"
  /**
   * The tool may destroy something. By the protocol's defaults, this includes a tool that changes
   * something and does not declare how. It also includes a tool with the contradicting hints that
   * it is read-only and destructive.
   */
  | "destructive"
  /** The tool has neither `readOnlyHint` nor `destructiveHint`. */
  | "unsaid"
  /**
   * The tool reaches things outside its server. A tool may be of this kind in addition to another
   * one.
   */
  | "open-world";

/**
 * The treatment of a server's claim that a tool only reads, if the tool's name or description
 * contradicts it.
 */
export type ReadOnlyClaim =
  /** The claim is ignored: the tool counts as one that changes something. */
  | "doubted"
  /** The user confirmed that the tool only reads. */
  | "confirmed";

/**
 * The source of the information about a tool. Tools that are neither `live` nor `cached` can't be
 * called until their server has confirmed them.
 */
export type Provenance =
  /** The running server listed the tool. */
  | "live"
  /** The cache file contains the tool. */
  | "cached"
  /** The tool was found in the server's output, not in a response to a request for its list. */
  | "parsed"
  /** The manifest's `auto_approve` names the tool. */
  | "auto-approved"
  /** A model predicted the tool. */
  | "predicted";

/** The state of the discovery of a member's tools. */
export type DiscoveryStatus =
  /** Discovery has not been tried yet. */
  | "never"
  /** Discovery is running. */
  | "discovering"
  /** The tools are known. */
  | "success"
  /** The last attempt failed. The earlier tools are still known. */
  | "failed";

export interface CatalogMember {
  member: MemberName;
  /** The state of the discovery of the member's tools. */
  discoveryStatus: DiscoveryStatus;
  /** When the member's tools were last discovered. */
  lastDiscoveredMs: number | null;
  /** Why the last discovery failed. */
  discoveryError: Report | null;
  /**
   * How Guild Hall found the member's tools. `None` if the server listed them by the MCP protocol.
   */
  found: FoundBy | null;
  /** The number of the member's tools. */
  tools: number;
  /**
   * Why agents get none of the member's tools, regardless of the policies. `None` if agents get
   * tools.
   */
  withheld: Report | null;
}

/** A request about one tool. */
export interface ToolRef {
  member: MemberName;
  tool: ToolName;
}

/** The details of one tool, as a form needs them. */
export interface ToolDetail {
  /** The tool as a list shows it. */
  summary: ToolSummary;
  /** The whole description. */
  description: string;
  /** The source of this description. */
  provenance: Provenance;
  /** How Guild Hall found the member's list. `None` if the server sent it by the MCP protocol. */
  found: FoundBy | null;
  /** How current the member's list is. */
  freshness: Freshness;
  /** The input schema, limited in size, as JSON text. */
  inputSchema: string;
  /** The output schema, limited in size, as JSON text. */
  outputSchema: string | null;
  /**
   * The schema parts that were removed because of the size limit, with reasons. Empty for nearly
   * all tools.
   */
  schemaNotes: string[];
  /** The tool exactly as the server sent it, as JSON text. */
  raw: string;
  /** The time limit of a call, in milliseconds. */
  callTimeoutMs: number;
  /** Passages that may be meant to deceive a person or a model. */
  suspicions: Suspicion[];
  /** The URI of the resource that shows the tool's results (MCP Apps). `None` without an app. */
  app?: string | null;
}

/** A passage in a tool that may be meant to deceive a person or a model. */
export interface Suspicion {
  /** The position of the passage, as a JSON Pointer into the tool. */
  place: string;
  kind: SuspicionKind;
  /** A description of the suspicion. */
  what: string;
  /** The passage with its surroundings. Invisible characters are written as `⟨U+200B⟩`. */
  quote: string;
}

export type SuspicionKind =
  /** Characters that are invisible or that change the order of other characters. */
  | "invisible"
  /** Instructions that address a model instead of a person. */
  | "instruction"
  /** A name that can be mistaken for another one. */
  | "look-alike"
  /** A name that a tool of another member also has. */
  | "shadows";

/** The details of one member, as its page shows them. */
export interface MemberDetail {
  /** The member as the roster shows it. */
  view: MemberView;
  folder: string;
  /** The text of the manifest file, at most 256 KiB. */
  manifest: string | null;
  /** The whole command line. Secrets appear as `${secret:NAME}`. */
  command: string | null;
  /** The server's HTTP address. `None` while the server is down or uses stdio. */
  url: string | null;
  /**
   * The names of the manifest's environment variables, or for a remote server of its headers. The
   * values may be secret and are left out.
   */
  envNames: string[];
  /** The server's information about itself. */
  server: ServerInfo | null;
  /** The file that caches the tool list. */
  cacheFile: string;
  /** The last lines on stderr. */
  stderr: LogLine[];
}

/** A server's description of itself, received when the connection was opened. */
export interface ServerInfo {
  /** The server's own name, truncated to 256 bytes. */
  name: string;
  /** The server's own version, truncated to 256 bytes. */
  version: string;
  /** The server's instructions for a model, truncated to 16 KiB. */
  instructions: string | null;
  /** The negotiated version, in the server's spelling. */
  protocolVersion: string;
  /** How the connection was opened. */
  era: Era;
  /** The server's capabilities, unchanged. */
  capabilities: unknown;
}

/**
 * How a connection is opened: with the `initialize` handshake, or without a handshake. Stored in a
 * member's tool cache.
 */
export type Era =
  /** By `initialize`, its result, and `notifications/initialized`. */
  | "legacy"
  /** By `server/discover`, without a handshake (2026-07-28). */
  | "modern";

/** One line of a member's stderr. */
export interface LogLine {
  /**
   * The line's number among all lines that the member ever wrote. A gap means that lines are
   * missing.
   */
  seq: number;
  /** The number of the member's start that wrote the line, from 1. 0 if unknown. */
  start: number;
  /** When Guild Hall read the line. */
  atMs: number;
  /** The line without its line break, at most 8 KiB. Color codes are kept. */
  text: string;
}

/** Arguments to check against a tool's input schema. */
export interface CheckArguments {
  member: MemberName;
  tool: ToolName;
  /** The arguments as JSON text. */
  arguments: string;
}

/** The problems of arguments, or of a result's `structuredContent`. Empty if there are none. */
export interface CheckedArguments {
  /** All errors, at most 100. */
  errors: ArgumentError[];
  /** The parts of the schema that could not be used for checking. */
  notes: string[];
}

/** An error in arguments. */
export interface ArgumentError {
  /**
   * The path of the invalid value, as a JSON Pointer into the arguments. A missing property has its
   * own pointer.
   */
  pointer: string;
  /** The error message. */
  message: string;
  /** The schema keyword that caused the error, e.g. `required`. */
  keyword: string;
}

/** A request to call a tool. */
export interface InvokeTool {
  /** The call's id, chosen by the caller. Events about the call contain it. */
  call: CallId;
  member: MemberName;
  tool: ToolName;
  /** The arguments as JSON text: an object. */
  arguments: string;
  /** Whether arguments that don't match the schema are rejected or sent anyway. */
  check: ArgumentCheck;
  /** A time limit in milliseconds that replaces the manifest's. */
  timeoutMs: number | null;
}

/** Identifies one call from start to end. The caller chooses the id. */
export type CallId = string;

/** The treatment of arguments that don't match the schema. */
export type ArgumentCheck =
  /** Rejected with the error `arguments-invalid`. */
  | "refuse"
  /** Sent unchanged, to test how the server reacts. */
  | "send-anyway";

export interface CallOutcome {
  call: CallId;
  member: MemberName;
  tool: ToolName;
  /** When the call began. */
  startedAtMs: number;
  /** The duration in milliseconds, including a start of the member. */
  durationMs: number;
  /**
   * The exact JSON-RPC message of the call, as JSON text. `None` if nothing was sent. If the server
   * requested further input, this is the last message that was sent.
   */
  request: string | null;
  /**
   * The check of the result against the tool's output schema. `None` without a schema or a result.
   */
  structured: CheckedArguments | null;
  /** The result, or the reason for a missing one. */
  end: CallEnd;
}

/** The end of a call: a result, even if it reports a failure, or the reason for a missing one. */
export type CallEnd =
  /** The tool returned a result. */
  | {
      kind: "result";
      /** The MCP result as the server sent it, as JSON text. */
      result: string;
      /**
       * Whether the tool reports a failure (`isError`). Such a failure never changes the member's
       * status.
       */
      isError: boolean;
    }
  /** The call has no result. */
  | {
      kind: "failed";
      /** The reason for the missing result. */
      report: Report;
      /** The JSON-RPC error, if the server sent one. */
      rpc: RpcError | null;
      /** The errors per field, if the arguments were rejected. */
      arguments: ArgumentError[];
      /** The last lines of the member's stderr, if its process ended. */
      stderr: LogLine[];
    };

/** A JSON-RPC error as the server sent it. */
export interface RpcError {
  code: number;
  /** The message, at most 16 KiB. */
  message: string;
  /** The data as JSON text, at most 64 KiB. */
  data: string | null;
}

/** A request about one call. */
export interface CallRef {
  call: CallId;
}

/** The members that the window currently shows. */
export interface VisibleMembers {
  /**
   * The members whose page or tools are shown, the most important first. Members after the first 64
   * are ignored.
   */
  members: MemberName[];
}

/** The result of refreshing all members. */
export interface Refreshed {
  /** The members whose tool list was read. */
  updated: MemberName[];
  /** The members that failed, each with its reason. */
  failed: Report[];
}

/** A request to enable or disable a member. */
export interface SetMemberEnabled {
  member: MemberName;
  /** Whether the member is enabled from now on. */
  enabled: boolean;
}

/** A member in the trash. */
export interface RemovedMember {
  removal: string;
  /** The member's name. */
  member: MemberName;
  /** The time of the removal. */
  removedAtMs: number;
}

/** The members in the trash. */
export interface RemovedMembers {
  /** The members, the newest first. */
  members: RemovedMember[];
}

/** A request about a member in the trash. */
export interface RemovalRef {
  removal: string;
}

/** A request to rename or duplicate a member. */
export interface RenameMember {
  member: MemberName;
  /** The new name, or the name of the copy. */
  name: string;
}

/** A member's `plugin.json`. */
export interface MemberFile {
  member: MemberName;
  path: string;
  text: string;
  /** A digest of the text. A save uses it to detect changes by other programs. */
  revision: string;
  /**
   * Whether a save also accepts the saved command without a review. True for a third-party member
   * whose current command is accepted.
   */
  accepts: boolean;
}

/** A text for `plugin.json` to check. */
export interface CheckMemberFile {
  member: MemberName;
  text: string;
}

/** The result of a check. */
export interface CheckedMemberFile {
  /** The errors and warnings in file order, at most 200. */
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
  text: string;
  /** The name of the top-level field. */
  field: string;
  /** The new value as JSON. `None` removes the field. */
  value: string | null;
}

/** A text for `plugin.json`. */
export interface ManifestText {
  text: string;
}

/** A request to save a member's `plugin.json`. */
export interface SaveMemberFile {
  member: MemberName;
  /** The new text. */
  text: string;
  /** The revision of the text that was edited. */
  revision: string;
}

/** The elicitations that wait, oldest first. */
export interface Elicitations {
  /** The waiting elicitations, oldest first. */
  elicitations: Elicitation[];
}

/** A server's question that waits for the user's answer (MCP elicitation). */
export interface Elicitation {
  /** The question's id, for the answer. */
  id: ElicitationId;
  /** The member whose server asks. */
  member: MemberName;
  /**
   * The call that caused the question. `None` if several calls run and the server doesn't name one
   * of them.
   */
  call: CallId | null;
  /**
   * The tool of the call that caused the question. `None` if the call is unknown, or if it reads a
   * resource or a prompt.
   */
  tool: ToolName | null;
  /** The server's message to the user: plain text, at most 16 KiB. */
  message: string;
  /** The requested input. */
  mode: ElicitationMode;
  /** When the server asked. */
  askedAtMs: number;
  /** When the server gets a refusal, unless the user answers before. */
  expiresAtMs: number;
}

/** Identifies one question of a server to a person, until the question has ended. */
export type ElicitationId = string;

/** The input that a server requests. */
export type ElicitationMode =
  /** A form to fill in. */
  | {
      kind: "form";
      /** The schema of the requested input, limited in size, as JSON text. */
      schema: string;
      /**
       * The schema parts that were removed because of the size limit, with reasons. Usually empty.
       */
      notes: string[];
    }
  /**
   * A visit to a web address outside of Guild Hall. The window shows the whole address and never
   * opens it automatically. Accepting means that the user visits it.
   */
  | {
      kind: "url";
      /** The address as the server sent it, at most 8 KiB. */
      url: string;
      /** The server's id of the elicitation. */
      elicitationId: string;
    };

/** Values to check against an elicitation's schema. */
export interface CheckElicitation {
  id: ElicitationId;
  /** The values as JSON text. */
  content: string;
}

/** The user's answer to an elicitation. */
export interface AnswerElicitation {
  id: ElicitationId;
  /** The user's decision. */
  action: ElicitationAction;
  /** The values of an accepted form, as JSON text: an object. */
  content: string | null;
}

/** The user's decision about an elicitation. */
export type ElicitationAction =
  /** The user sends the values or visits the address. */
  | "accept"
  /** The user declines. */
  | "decline"
  /** The user closes the question without a decision. */
  | "cancel";

/** A member's resources, prompts and skills in the server's order. */
export interface MemberOffers {
  member: MemberName;
  resources: ResourceView[];
  templates: ResourceTemplateView[];
  prompts: PromptView[];
  skills: SkillView[];
  /** The entries that were left out of the lists, with reasons. */
  problems: OfferProblem[];
}

/** A resource as a list shows it. */
export interface ResourceView {
  uri: string;
  name: string;
  title: string | null;
  description: string | null;
  mimeType: string | null;
  /** The size of the resource's content, in bytes. */
  size: number | null;
}

/** A template for the URIs of resources. */
export interface ResourceTemplateView {
  /** The template (RFC 6570). */
  uriTemplate: string;
  /** The names of the template's variables, in their order. */
  variables: string[];
  name: string;
  title: string | null;
  description: string | null;
  mimeType: string | null;
}

/** A prompt as a list shows it. */
export interface PromptView {
  name: string;
  title: string | null;
  description: string | null;
  arguments: PromptArgument[];
}

/** One argument of a prompt. The argument's value is always a string. */
export interface PromptArgument {
  name: string;
  title: string | null;
  description: string | null;
  /** Whether the prompt requires the argument. */
  required: boolean;
}

/** A skill as a list shows it (SEP-2640). */
export interface SkillView {
  /** The URI of the skill's `SKILL.md`. */
  uri: string;
  /** The name in the frontmatter. */
  name: string;
  /** The description in the frontmatter. */
  description: string | null;
  /**
   * All files of the skill, including `SKILL.md`. `None` if the server generates the skill's
   * content.
   */
  files: SkillFile[] | null;
}

/** A file of a skill. */
export interface SkillFile {
  uri: string;
  /** The size of the file's content, in bytes. */
  size: number;
  /** The SHA-256 digest of the file's content: `sha256:` and 64 hexadecimal digits. */
  digest: string;
}

/** An entry that was left out of a list, or a list that could not be read. */
export interface OfferProblem {
  list: OfferList;
  /** The entry's index, from 0. `None` if the whole list failed. */
  index: number | null;
  /** The entry's name or URI, cut to 80 characters. `None` if it has neither. */
  name: string | null;
  reason: string;
}

/** One of the lists of a member's offers. */
export type OfferList =
  /** The resources. */
  | "resources"
  /** The resource templates. */
  | "templates"
  /** The prompts. */
  | "prompts"
  /** The skills (SEP-2640). */
  | "skills";

export interface ReadResource {
  /** The request's id, chosen by the caller. `cancel_call` cancels the request. */
  call: CallId;
  member: MemberName;
  /** The resource's URI. */
  uri: string;
  /** A time limit in milliseconds that replaces the manifest's. */
  timeoutMs: number | null;
}

/** The outcome of reading a resource or getting a prompt. */
export interface Answered {
  /** The id of the request. */
  call: CallId;
  member: MemberName;
  /** When the request began. */
  startedAtMs: number;
  /** The duration in milliseconds, including a start of the member. */
  durationMs: number;
  /** The exact JSON-RPC message, as JSON text. `None` if nothing was sent. */
  request: string | null;
  /** The result, or the reason for a missing one. */
  end: CallEnd;
}

/** A request for a prompt with its arguments filled in. */
export interface GetPrompt {
  /** The request's id, chosen by the caller. `cancel_call` cancels the request. */
  call: CallId;
  member: MemberName;
  /** The prompt's name. */
  prompt: string;
  /** The values of the arguments, by name. */
  arguments: Record<string, string>;
  /** A time limit in milliseconds that replaces the manifest's. */
  timeoutMs: number | null;
}

/** A request for completions of an argument (MCP completion). */
export interface CompleteArgument {
  member: MemberName;
  /** The prompt or the template with the argument. */
  of: CompletedThing;
  /** The argument's name, or the template's variable. */
  argument: string;
  /** The text typed so far. */
  value: string;
  /** The values of the other arguments that are filled in already. */
  known: Record<string, string>;
}

/** A prompt or a template with arguments. */
export type CompletedThing =
  /** A prompt. */
  | {
      kind: "prompt";
      name: string;
    }
  /** A resource template. */
  | {
      kind: "template";
      uriTemplate: string;
    };

/** Suggested values of an argument. Empty if the server has none or fails. */
export interface Completions {
  /** The suggested values, at most 100. */
  values: string[];
  /** Whether the server has further values. */
  hasMore: boolean;
}

/** A call to copy as text. */
export interface CopyAs {
  member: MemberName;
  tool: ToolName;
  /** The arguments as JSON text: an object. */
  arguments: string;
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

/** A copied call. */
export interface Copied {
  /** The text. Empty if the call can't be written in this form. */
  text: string;
  /** A remark on the text's use, or the reason for a missing text. */
  note: string | null;
}

export interface SearchHistory {
  /** The calls to include. */
  filter: HistoryFilter;
  /** Only calls before this entry, which is the last one of the previous page. */
  before: EntryId | null;
  /** The maximum number of calls, at most 500. */
  limit: number;
}

/** The calls to find. A missing field matches every call. */
export interface HistoryFilter {
  /**
   * Words that must all occur in the call's member, tool, agent, trace id, arguments, error or the
   * first 4 KiB of its result. The last word may be incomplete.
   */
  text: string | null;
  /** Only calls of this member. */
  member: MemberName | null;
  /** Only calls of tools with this name. */
  tool: ToolName | null;
  /** Only calls with this outcome. */
  outcome: OutcomeKind | null;
  /** Only calls by this kind of caller. */
  caller: Caller | null;
  /** Only calls that began at this time or later. */
  sinceMs: number | null;
  /** Only calls that began before this time. */
  untilMs: number | null;
  /** Only this entry. */
  entry: EntryId | null;
  /** Only calls of this session. */
  session: SessionRef | null;
}

/** The kind of a call's outcome. */
export type OutcomeKind =
  /** The tool returned a result. */
  | "ok"
  /** The tool reported a failure (`isError`). */
  | "tool-error"
  /** The call has no result: it was rejected, not sent, or not answered. */
  | "failed"
  /** The caller cancelled the call. */
  | "cancelled";

/** The caller of a tool. */
export type Caller =
  /** The user, through a form in the window. */
  | "window"
  /** `guildhall call`. */
  | "command-line"
  /** A client program, through the gateway. */
  | "agent"
  /** Guild Hall, for an example in a member's manifest. */
  | "example"
  /** An MCP app of the tool's member, in the window. */
  | "app";

/** The id of a history entry. A later entry has a higher id. */
export type EntryId = number;

/** Identifies the calls of a session in the history. */
export interface SessionRef {
  /** The agent's name. */
  client: string | null;
  /** The MCP session, as in [`HistoryEntry::session`](super::HistoryEntry::session). */
  session: string | null;
  /** The first call. */
  first: EntryId;
  /** The last call. */
  last: EntryId;
}

/** One page of the history. */
export interface HistoryPage {
  /** The calls, the last one to end first. */
  entries: HistoryEntry[];
  /** Whether older matching calls exist. */
  more: boolean;
  /** Why the calls could not be read, or another problem with the history. */
  trouble: Report | null;
}

/** One call as a list shows it. */
export interface HistoryEntry {
  id: EntryId;
  /** The id that the call had while it ran. */
  call: CallId;
  /** When the call began. */
  atMs: number;
  caller: Caller;
  /** The agent's name, if an agent made the call. */
  client: string | null;
  member: MemberName;
  tool: ToolName;
  outcome: OutcomeKind;
  /** The error's code, if the call has no result. */
  code: Code | null;
  durationMs: number;
  /** The original size of the result, in bytes of JSON. */
  size: number;
  /** The arguments on one line, cut to 200 characters. */
  summary: string;
  /**
   * The id of the call's trace, in 32 hexadecimal digits. `None` for a call of an earlier version.
   */
  traceId: string | null;
  /**
   * The agent's MCP session, as a digest of its id. `None` without a session, and for a call of an
   * earlier version.
   */
  session: string | null;
}

/** A request about one entry of the history. */
export interface HistoryEntryRef {
  id: EntryId;
}

/** All recorded data of one call. */
export interface RecordedCall {
  /** The call as a list shows it. */
  entry: HistoryEntry;
  /**
   * The arguments as the original JSON text, with masked secrets. Invalid JSON is recorded
   * unchanged.
   */
  arguments: string;
  /** The masked arguments, as JSON Pointers. A replay has to ask for these values again. */
  masked: string[];
  /** The result. A truncated result is not valid JSON. */
  end: CallEnd;
  /** Whether the recorded result was cut to 1 MiB. */
  truncated: boolean;
  /** The change of the tool's input schema since the call. */
  schema: SchemaSince;
}

/** The change of a tool's input schema since a recorded call. */
export type SchemaSince =
  /** The schema is the same. */
  | "same"
  /** The schema has changed. */
  | "changed"
  /** One of the two schemas is unknown: the tool is not listed now, or was not listed then. */
  | "unknown";

/** The result of removing calls from the history. */
export interface Cleared {
  /** The number of removed calls. */
  count: number;
}

/**
 * A request to export the history as JSON Lines: one [`RecordedCall`] per line, the oldest first.
 */
export interface ExportHistory {
  /** The calls to include. */
  filter: HistoryFilter;
  /** The file's absolute path. An existing file is replaced once the new one is complete. */
  path: string;
}

/** The exported file. */
export interface Exported {
  path: string;
  /** The number of calls in the file. */
  count: number;
}

/** A request for the newest sessions. */
export interface ListSessions {
  /** The maximum number of sessions, at most 100. */
  limit: number;
}

/** The newest sessions of agents, the one with the latest call first. */
export interface AgentSessions {
  sessions: AgentSession[];
  /** Whether older sessions exist. */
  more: boolean;
}

/**
 * A session: consecutive calls by one agent, with pauses of at most 30 minutes between the end of a
 * call and the beginning of the next. The calls have the same MCP session, if the client's protocol
 * version has sessions.
 */
export interface AgentSession {
  of: SessionRef;
  /** When the first call began. */
  beganMs: number;
  /** When the last call began. */
  lastCallMs: number;
  /** The number of calls. */
  calls: number;
  /** The number of calls without a successful result. */
  failed: number;
  /** The called members, sorted, at most 20. */
  members: MemberName[];
}

/**
 * A request to create checks from recorded calls. Runs the calls twice, to find the parts of their
 * results that change. `cancel_call` cancels it.
 */
export interface CreateChecks {
  /** The id of this request, chosen by the caller. */
  call: CallId;
  /** The recorded calls, at most 200. The checks run in the order in which the calls ended. */
  calls: EntryId[];
  target: ChecksTarget;
  /** Whether to run tools that are not read-only, too. Without it, their calls are left out. */
  changing: boolean;
}

/** Where checks are saved. */
export type ChecksTarget =
  /** A suite: a file for `guildhall dev --once --suite`. An existing file is replaced. */
  | {
      kind: "suite";
      /** The file's absolute path. */
      path: string;
    }
  /** The examples in the manifests of the members. */
  | { kind: "manifests" };

/** The created checks. */
export interface CreatedChecks {
  /** The changed files. */
  files: string[];
  checks: CreatedCheck[];
  /** The calls for which no check was created. */
  leftOut: UnusedCall[];
  /** The number of calls that the history no longer has. */
  missing: number;
}

/** A check that was created from a recorded call. */
export interface CreatedCheck {
  member: MemberName;
  tool: ToolName;
  /** The check's name, unique in the member. */
  name: string;
  /** The conditions that the result has to meet, in words. */
  expects: string[];
  /**
   * The parts of the result that the check does not compare: JSON Pointers into the structured
   * content, `structuredContent` for all of it, or `text`, of which at most one line is compared.
   * They differed between the recording and the two runs, or the text is too long.
   */
  volatile: string[];
  /**
   * The arguments that the history has masked, as JSON Pointers. A run of the suite asks for their
   * values. Such a call was not run.
   */
  asks: string[];
}

/** A recorded call that can't be used. */
export interface UnusedCall {
  entry: EntryId;
  member: MemberName;
  tool: ToolName;
  /** The reason, such as `it has no result`. */
  why: string;
}

/** A request to run the checks of a suite. `cancel_call` cancels it. */
export interface RunSuite {
  /** The id of the run, chosen by the caller. */
  call: CallId;
  /** The absolute path of the suite. */
  path: string;
  /** The values of masked arguments: a JSON object with the names from the suite. */
  values: string;
}

/** The results of a suite. */
export interface SuiteRun {
  /** The results for each member, sorted by name. */
  members: MemberChecks[];
}

/** The results of a member's checks. */
export interface MemberChecks {
  member: MemberName;
  /** The duration of all checks, in milliseconds. */
  tookMs: number;
  /** The result of each check, in their order. */
  checks: ExampleRun[];
}

/** The result of one example. */
export interface ExampleRun {
  name: string;
  /** The tool that was called. */
  tool: ToolName;
  end: ExampleEnd;
  /** The duration of the call, in milliseconds. */
  tookMs: number;
  /** The differences from the expected result, at most 20. */
  differences: ExampleDifference[];
}

/** The outcome of an example. */
export type ExampleEnd =
  /** The result is as expected. */
  | "passed"
  /** The result differs, or the call has no result. */
  | "failed"
  /** The tool was not called, because the files changed again or the user stopped the round. */
  | "left-out";

/** A part of a result that differs from the expectation. */
export interface ExampleDifference {
  part: ExamplePart;
  /** The position inside the part that differs, as a JSON Pointer. Empty for the whole part. */
  place: string;
  /** The expected value, at most 4,000 characters. */
  expected: string;
  /** The actual value, at most 4,000 characters. */
  got: string;
}

/** A part of a result that an example checks. */
export type ExamplePart =
  /** The existence of a result. */
  | "answer"
  /** The tool's report of a failure (`isError`). */
  | "is-error"
  /** The text of the result. */
  | "text"
  /** The structured content of the result. */
  | "structured"
  /** The example's schema for the structured content. */
  | "schema"
  /** The tool's own output schema. */
  | "output-schema";

/** A request to create a member that answers from recorded calls and contacts no server. */
export interface CreateMock {
  /** The recorded calls, at most 200. Only those of `of` are used. */
  calls: EntryId[];
  /** The member that was called. */
  of: MemberName;
  /** The name of the new member. */
  member: MemberName;
}

/** The created mock. */
export interface CreatedMock {
  member: MemberName;
  /** The folder of the new member. */
  folder: string;
  /** The number of calls that it answers from. */
  calls: number;
  /** The tools that it lists. */
  tools: ToolName[];
  /** The calls that it can't answer from. */
  leftOut: UnusedCall[];
  /** The number of calls that the history no longer has. */
  missing: number;
}

/** A call to save under a name. */
export interface SaveCall {
  member: MemberName;
  tool: ToolName;
  /** The call's name: 1 to 120 characters on one line, unique among the tool's saved calls. */
  name: string;
  /** The arguments as JSON text: an object. Guild Hall masks secrets before it saves them. */
  arguments: string;
  /** Whether to keep or replace an existing saved call with the same name. */
  existing: ExistingName;
}

/** The treatment of an existing saved call with the same name. */
export type ExistingName =
  /** The existing call stays, and the request fails with `saved-name-refused`. */
  | "keep"
  /** The new call replaces the existing call. */
  | "replace";

/** A call saved under a name. */
export interface SavedCall {
  id: SavedId;
  name: string;
  member: MemberName;
  tool: ToolName;
  /** The arguments as JSON text. */
  arguments: string;
  /** The masked arguments, as JSON Pointers. */
  masked: string[];
  /** When the call was saved. */
  savedAtMs: number;
}

/** The id of a saved call. */
export type SavedId = number;

/** A filter for saved calls. */
export interface SavedCallsOf {
  /** Only calls of this member. */
  member: MemberName | null;
  /** Only calls of tools with this name. */
  tool: ToolName | null;
}

/** At most 1,000 saved calls, sorted by member, tool and name. */
export interface SavedCalls {
  calls: SavedCall[];
  /** Whether more saved calls match. */
  more: boolean;
  /** Why the data could not be read. */
  trouble: Report | null;
}

export interface RenameSavedCall {
  id: SavedId;
  /** The new name of the saved call. */
  name: string;
}

/** A request about one saved call. */
export interface SavedCallRef {
  id: SavedId;
}

/** The unsent input in a tool's form, to save for the next start. */
export interface KeepDraft {
  member: MemberName;
  tool: ToolName;
  /**
   * The draft without secrets, at most 1 MiB, in a format that the window chooses. `None` deletes
   * it. Guild Hall keeps the newest 500 drafts.
   */
  draft: string | null;
}

/** The saved draft of a tool's form. */
export interface KeptDraft {
  /** The draft, if one is saved. */
  draft: string | null;
  /** When the draft was saved. */
  keptAtMs: number | null;
  /** Why the data could not be read. */
  trouble: Report | null;
}

/** The settings and the state of the history. */
export interface HistoryState {
  settings: HistorySettings;
  /** The path of the database file. */
  file: string;
  /** The number of recorded calls. */
  calls: number;
  /** The size of the recorded calls, in bytes. */
  size: number;
  /**
   * The number of calls in this run that were not recorded, because they came too fast or because
   * of `trouble`.
   */
  unrecorded: number;
  /** The problem with the history, if any. */
  trouble: Report | null;
}

/** The settings of the history: whether and how long calls are kept. */
export interface HistorySettings {
  /** Whether calls are recorded. Saved calls and drafts are kept in any case. */
  recording: boolean;
  /** Maximum number of calls, 1 to 10,000,000. The oldest calls are removed first. */
  keepCalls: number;
  /** Maximum size of the calls in bytes, 1 MiB to 1 TiB. The oldest calls are removed first. */
  keepBytes: number;
}

/** The gateway as the window shows it. */
export interface GatewayState {
  /** Whether the user has enabled the gateway. */
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
  /** Whether a client must send a token. */
  tokensRequired: boolean;
  /** The listing mode of a client that requests none. */
  listing: Listing;
  /** The policy rules for the kinds of tools. */
  rules: PolicyRules;
  /** The endpoint that ranks tools by meaning; `null` if search compares words only. */
  embeddings: EmbeddingsEndpoint | null;
  /** The profiles, by name. */
  profiles: Profile[];
  /** The clients that have a token, the oldest first. */
  clients: AgentClient[];
  /**
   * Problems of the gateway, such as an invalid settings file. While that file is invalid, its last
   * valid settings stay in force.
   */
  warnings: Report[];
}

/** How the gateway lists tools. */
export type Listing =
  /** Every tool as a stub: its name and the first sentence of its description. */
  | "lazy"
  /** Every tool with its server's full description. */
  | "full"
  /** Four tools that search, describe and call all other tools. */
  | "search";

/** The policies for kinds of tools. `null` sets no policy. */
export interface PolicyRules {
  /** The policy for tools that change nothing. */
  readOnly: Policy | null;
  /** The policy for tools that change things and destroy nothing. */
  changing: Policy | null;
  /** The policy for tools that may destroy something. */
  destructive: Policy | null;
  /** The policy for tools with neither `readOnlyHint` nor `destructiveHint`. */
  unsaid: Policy | null;
  /**
   * The policy for tools that reach things outside their servers, in addition to the policy for
   * their kind. The stricter of the two applies.
   */
  openWorld: Policy | null;
}

/** An OpenAI-compatible endpoint that returns embedding vectors. */
export interface EmbeddingsEndpoint {
  /** The base URL: `https:`, or `http:` for this machine. */
  url: string;
  /** The model's name at the endpoint. */
  model: string;
  /**
   * A reference to the API key: `${secret:NAME}` or `${env:NAME}`. No file contains the key itself.
   */
  key?: string | null;
  /** How long a search waits for the endpoint, in milliseconds; 5,000 by default. */
  timeoutMs?: number | null;
}

/** A profile. */
export interface Profile {
  /** The profile's name. */
  name: ProfileName;
  /** How the profile's tools are listed. `null` uses the gateway's mode. */
  listing: Listing | null;
  /**
   * The limit of a result for agents, in tokens (estimated). 0 removes the limit. `null` uses the
   * setting `gateway.resultTokens`.
   */
  resultTokens: number | null;
  /** The profile's policies for kinds of tools. They never relax the global policies. */
  rules: PolicyRules;
  /** The members of the profile, in the order of its list. */
  members: MountedMember[];
}

/** A member of a profile. */
export interface MountedMember {
  /** The member. */
  member: MemberName;
  /**
   * Whether the tools keep their own names, without the member's name as a prefix. At most one
   * member of a profile can do so.
   */
  withoutPrefix: boolean;
  /** The selected tools. All by default. */
  tools: ToolChoice;
  /**
   * The selected prompts, resources and templates, by the names under which they are reviewed
   * (`prompt:NAME`, `resource:URI`, `template:URI`). All by default. A template's selection applies
   * to the resources that match it.
   */
  offers: ToolChoice;
  /** Replacements for the tools' names, descriptions and policies. */
  changes: Record<string, ToolChange>;
}

/** A selection of a member's tools. */
export type ToolChoice =
  /** All tools, including future ones. */
  | { kind: "all" }
  /** Only these tools. */
  | {
      kind: "only";
      /** The tools' names. */
      tools: ToolName[];
    }
  /** All tools except these. */
  | {
      kind: "except";
      /** The tools' names. */
      tools: ToolName[];
    };

/** Replacements for a tool's name, description and policy in a profile. */
export interface ToolChange {
  /** The tool's new name. The member's name is still added as its prefix. */
  name: string | null;
  /** The tool's new description. */
  description: string | null;
  /**
   * The tool's policy in this profile, which takes precedence over the profile's rules. It never
   * relaxes the global policy.
   */
  policy: Policy | null;
}

/** A client with access to the gateway. */
export interface AgentClient {
  id: ClientId;
  /** The name that the user gave the client. */
  name: string;
  /** The last characters of the token, for recognition. */
  tokenEnd: string;
  /** When the token was created. */
  createdAtMs: number;
  /** When the client last sent the token, to the minute. */
  lastUsedMs: number | null;
  /** The only endpoints at which its token is accepted. `null` for all endpoints. */
  endpoints: Endpoint[] | null;
}

/** Identifies one client of the gateway, until its token is revoked. */
export type ClientId = string;

/** An endpoint of the gateway. */
export type Endpoint =
  /** `/mcp`: all members. */
  | { kind: "all" }
  /** `/members/{name}/mcp`: one member, with its tools' own names. */
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

/** New settings of the gateway. A missing field keeps its value. */
export interface ChangeGateway {
  /** Whether the gateway runs. */
  enabled: boolean | null;
  port: number | null;
  /** The listing mode of a client that requests none. */
  listing: Listing | null;
}

export interface AddAgentClient {
  /** The client's name, at most 80 characters. */
  name: string;
  /** The only endpoints at which its token is accepted, at most 32. `null` for all endpoints. */
  endpoints: Endpoint[] | null;
}

export interface AddedAgentClient {
  client: AgentClient;
  /** The client's token. Guild Hall does not store the token, so only this answer contains it. */
  token: string;
}

/** A request to bind a client's token to endpoints. */
export interface BindAgentClient {
  client: ClientId;
  /** The only endpoints at which its token is accepted, at most 32. `null` for all endpoints. */
  endpoints: Endpoint[] | null;
}

/** A request about one client. */
export interface AgentClientRef {
  client: ClientId;
}

export interface SaveProfile {
  profile: Profile;
  /**
   * The former name of a renamed profile. The profile's former address keeps working. `null` for a
   * new profile, and for a profile that keeps its name.
   */
  insteadOf: ProfileName | null;
}

/** A request about one profile. */
export interface ProfileRef {
  profile: ProfileName;
}

/** A request to set policies on individual tools. If one is invalid, none are set. */
export interface SetToolPolicies {
  /** The profile that the policies apply to. `null` for all endpoints. */
  profile: ProfileName | null;
  /** The policies to set, on at most 10,000 tools. */
  tools: ToolPolicy[];
}

/** A policy that the user set on one tool. */
export interface ToolPolicy {
  member: MemberName;
  tool: ToolName;
  /** The policy. `null` to follow the rules and the manifest. */
  policy: Policy | null;
}

/** The result of setting policies. */
export interface PoliciesSet {
  /** The previous policies of the tools in the request. Setting them again undoes the change. */
  before: ToolPolicy[];
}

/** A request with policy rules for kinds of tools. */
export interface PolicyRulesOf {
  /** The profile that the rules apply to. `null` for all endpoints. */
  profile: ProfileName | null;
  /** The rules that replace the current ones. */
  rules: PolicyRules;
}

/** The changes that policy rules would make. */
export interface PolicyPreview {
  /**
   * The tools for which the policy or its origin would change, sorted by member and then in the
   * server's order. At most 1,000.
   */
  changes: PolicyChange[];
  /** The number of all tools that would change, including those beyond the limit of `changes`. */
  total: number;
  /**
   * The members with tools that the rules apply to, but without withholding of changed tools. The
   * rules use the server's hints, so a server could change its tools' policies unnoticed.
   */
  unheld: MemberName[];
}

/** A tool whose policy would change. */
export interface PolicyChange {
  member: MemberName;
  tool: ToolName;
  /** The current policy. */
  before: PolicyDecision;
  /** The policy under the new rules. */
  after: PolicyDecision;
}

/** A tool's policy, and the reason for it. */
export interface PolicyDecision {
  /** The policy. */
  policy: Policy;
  /** The setting or the rule that decided the policy. */
  reason: PolicyReason;
}

/**
 * A request to confirm a server's claim that a tool only reads, or to withdraw the confirmation.
 */
export interface ConfirmReadOnly {
  member: MemberName;
  tool: ToolName;
  /** Whether to trust the claim although the tool's name or description contradicts it. */
  confirmed: boolean;
}

/** A request to set the embeddings endpoint. */
export interface SetEmbeddings {
  /** The endpoint. `null` to compare words only. */
  endpoint: EmbeddingsEndpoint | null;
}

/** A request to test an endpoint with one query. */
export interface TestEmbeddings {
  /** The endpoint. `null` for the endpoint in the settings. */
  endpoint: EmbeddingsEndpoint | null;
}

/** The result of a successful test. */
export interface EmbeddingsTested {
  /** The number of dimensions of the vectors. */
  dimensions: number;
  /** The time to the answer, in milliseconds. */
  durationMs: number;
}

/** A request to export a profile for a team. It writes no files. */
export interface ExportTeam {
  profile: ProfileName;
  /** The format. */
  target: TeamTarget;
  /**
   * The image with `guildhall` and the programs that start the members. Required if Guild Hall runs
   * the members. In ToolHive, it runs the members that are commands.
   */
  image: string | null;
  /**
   * The image of the team's gateway, the only service with a published port. Required if Guild Hall
   * runs the members.
   */
  gatewayImage: string | null;
  /** The port of the team's gateway; 8080 by default. */
  gatewayPort: number | null;
  /**
   * The URL at which the desktop app reaches the exported profile. By default a URL of this
   * machine, which suits compose and a forwarded port.
   */
  url: string | null;
}

/** The format of an export. It decides which program runs the members. */
export type TeamTarget =
  /** A compose file. Guild Hall runs the members in a container. */
  | "compose"
  /** Kubernetes manifests. Guild Hall runs the members in a pod. */
  | "kubernetes"
  /** The configuration file of agentgateway, which starts the members itself. */
  | "agentgateway"
  /** Resources for agentgateway in Kubernetes, which connects to the members. */
  | "agentgateway-kubernetes"
  /** Resources for ToolHive's operator in Kubernetes. */
  | "toolhive";

/** The files that run a profile's members for a team. */
export interface TeamExport {
  /**
   * The files, by their paths in one folder. The user applies the first file. The last file is the
   * manifest of a member that connects the desktop app to the team's gateway.
   */
  files: TeamFile[];
  /** The exported members. */
  members: string[];
  /** The members that can't be exported. */
  leftOut: LeftOut[];
  /** The variables to set before the members run. No file contains their values. */
  toSet: ToSet[];
  /** Further remarks, one or two sentences each. */
  notes: string[];
}

/** A file of an export. */
export interface TeamFile {
  /** The file's path in the export's folder. */
  path: string;
  text: string;
}

/** A member that can't be exported. */
export interface LeftOut {
  member: string;
  /** The reason, as the end of a sentence. */
  why: string;
}

/** A variable to set before the members run. */
export interface ToSet {
  /** The name of the variable, or of the secret's key. */
  name: string;
  /** The variable's purpose. */
  what: string;
}

/** A request to write an export into a folder. */
export interface WriteTeamExport {
  export: ExportTeam;
  /** The absolute path of the folder. A missing folder is created. */
  folder: string;
}

export interface WrittenTeamExport {
  /** The absolute paths of the files. */
  paths: string[];
}

/** A request for an agent's view of the tools. */
export interface ViewAsAgent {
  /** The agent's endpoint. */
  endpoint: Endpoint;
  /** The listing mode; by default the endpoint's. */
  listing: Listing | null;
}

/** An agent's view of the tools. */
export interface AgentView {
  /** The listing mode of this view. */
  listing: Listing;
  /** The exact result of `tools/list` as JSON text, at most 1 MiB. */
  payload: string;
  /** The size of the whole result, in bytes. */
  payloadBytes: number;
  /** The number of listed tools, including the menu tools. */
  listed: number;
  /** The cost of the list for a model in each listing mode, in tokens (o200k). */
  tokens: ModeTokens;
  /** The cost of each member that offers a tool. */
  members: MemberTokens[];
  /** The callable tools by their names for agents, in the list's order. */
  tools: AgentTool[];
  /** The withheld tools, with the reasons. */
  withheld: WithheldTool[];
}

/** The cost of a list in each listing mode, in tokens. */
export interface ModeTokens {
  /** The cost with full descriptions and schemas. */
  full: number;
  /** The cost as stubs: names and first sentences. */
  lazy: number;
  /**
   * The cost of the menu: a few tools that search and call all other tools. 0 in the costs of a
   * single member.
   */
  search: number;
}

/** The cost of a member's tools. */
export interface MemberTokens {
  member: MemberName;
  /** The number of the member's tools that agents get. */
  tools: number;
  /** The cost of the tools that `tools` counts. */
  tokens: ModeTokens;
}

/** A tool as agents see it. */
export interface AgentTool {
  /** The tool's name for agents. */
  name: string;
  member: MemberName;
  /** The tool's name on its server. */
  tool: ToolName;
  /** The policy of agents' calls. */
  policy: Policy;
  /** The origin of the policy. */
  policyReason: PolicyReason;
  /** The server's hints about the tool. */
  hints: ToolHints;
}

/** A tool that agents do not get. */
export interface WithheldTool {
  member: MemberName;
  /** The tool's name on its server. */
  tool: ToolName;
  /** The policy of agents' calls at an endpoint that includes the tool. */
  policy: Policy;
  /** The origin of the policy. */
  policyReason: PolicyReason;
  /** The server's hints about the tool. */
  hints: ToolHints;
  /** The reason, with a hint. */
  report: Report;
}

/** A task, to test which tools an agent's search finds. */
export interface FindForTask {
  /** The agent's endpoint. */
  endpoint: Endpoint;
  /** The task, in plain language. */
  task: string;
  /** The maximum number of results, at most 50. */
  limit: number;
}

/** The tools that search finds for a task, the best first. */
export interface FoundForTask {
  /** The tools, the best first. */
  found: FoundAgentTool[];
}

/** A tool that search found. */
export interface FoundAgentTool {
  /** The tool's name for agents. */
  name: string;
  /** The first sentence of the tool's description. */
  summary: string;
  /** The rank value. Only the order of the values has a meaning. */
  score: number;
  /** The matching words per field, such as `name: issue, create`. */
  why: string[];
}

/** The waiting calls of agents. */
export interface Approvals {
  /** The waiting calls, the oldest first. */
  approvals: Approval[];
}

/** An agent's call that waits for the user's decision. */
export interface Approval {
  /** The call's id, for the decision. */
  id: ApprovalId;
  /** The calling client. */
  client: string;
  member: MemberName;
  tool: ToolName;
  /** The arguments as JSON text. */
  arguments: string;
  /** When the agent made the call. */
  askedAtMs: number;
  /** When the agent gets a denial, unless the user decides before. */
  expiresAtMs: number;
}

/** Identifies one call of an agent that waits for a person's decision. */
export type ApprovalId = string;

/** A request to decide about an agent's call. */
export interface DecideApproval {
  id: ApprovalId;
  decision: Decision;
  /** The arguments as edited by the user, as JSON text. `null` to send the original arguments. */
  arguments: string | null;
  /** The treatment of edited arguments that don't match the schema. */
  check: ArgumentCheck;
}

/** The user's decision about an agent's call. */
export type Decision =
  /** Allow this call. */
  | "once"
  /** Allow this call and all later calls of the tool. */
  | "always"
  /** Deny this call. */
  | "deny";

/** The newest requests of agents. */
export interface Traffic {
  /** The newest exchanges in chronological order. Guild Hall keeps the last 500. */
  exchanges: Exchange[];
}

/** One request of an agent and its answer. */
export interface Exchange {
  /** The exchange's number. Later requests have higher numbers. */
  seq: number;
  /** When the request arrived. */
  atMs: number;
  /** The client's name in Guild Hall, or else the name that the client reports. */
  client: string;
  endpoint: Endpoint;
  /** The JSON-RPC method. */
  method: string;
  /** The called member, if any. */
  member: MemberName | null;
  /** The called tool, if any. */
  tool: string | null;
  /** The time to the answer, in microseconds. */
  durationUs: number;
  /** The size of the request, in bytes. */
  requestBytes: number;
  /** The size of the answer, in bytes. */
  responseBytes: number;
  /**
   * The protocol error. `null` if there is a result, even one that reports a failure of the tool.
   */
  error: string | null;
  /**
   * The argument fields that this client adds to every call. Guild Hall removes them before it
   * checks the arguments.
   */
  dropped: string[];
  /** The start of the request's parameters, at most 2 KiB. Secrets are masked. */
  request: string;
  /** The start of the answer, at most 2 KiB. Secrets are masked. */
  response: string;
}

/** A request about one endpoint. */
export interface EndpointRef {
  endpoint: Endpoint;
}

/** The known programs. */
export interface ClientConfigs {
  /** The programs. Those with an existing file come first. */
  clients: ClientConfig[];
}

/** A program that can connect to the gateway, and its configuration file. */
export interface ClientConfig {
  /** The program's id, such as `claude-code`. */
  client: string;
  /** The program's name, such as `Claude Code`. */
  title: string;
  /** The path of the program's configuration file. */
  path: string;
  /** Whether the file exists. */
  exists: boolean;
  /** Whether the file connects the program to the gateway at its current port. */
  connected: boolean;
  /** Whether a backup can be restored. */
  canUndo: boolean;
  /** The gateway's entry in the file, ready to copy. */
  snippet: string;
  /** The user's next step after the file has changed. */
  then: string;
  /**
   * For a member's endpoint: the entry that lets the program run the member itself, without Guild
   * Hall.
   */
  direct: Copied | null;
}

/** A request about one program's configuration. */
export interface ClientConfigRef {
  /** The program. */
  client: string;
  /** One of the scanned files. `null` for the program's default file for this user. */
  path: string | null;
  /** The endpoint to connect to. */
  endpoint: Endpoint;
  /** Whether to remove the servers that the endpoint also offers. */
  handOver: boolean;
  /**
   * Whether the program gets all tools of each member, even if the program's file currently enables
   * only some of them.
   */
  allTools: boolean;
}

/** A preview of a change to a file. */
export interface ClientConfigPreview {
  path: string;
  /** The file's current text with masked secrets. `null` if the file doesn't exist. */
  before: string | null;
  /** The file's new text, without the token and with masked secrets. */
  after: string;
  /**
   * A digest of the current file. Guild Hall does not overwrite the file if it has changed since.
   */
  precondition: string;
  /** The names of the removed servers. */
  takenOut: string[];
  /** The number of comments inside the removed entries. An undo restores them. */
  comments: number;
  /** The members of which the program's file currently enables only some tools. */
  choices: ProgramChoice[];
  /**
   * The profile that the program gets connected to. It contains the tools in `choices`. `null` if
   * `choices` is empty, or if the program gets all tools.
   */
  profile: ProfileName | null;
  /** The project's folder, if the file belongs to a project. Other users may share that file. */
  project: string | null;
}

/** The tools of a member that are enabled in a program's file. */
export interface ProgramChoice {
  /** The server's name in the program. */
  server: string;
  /** The member that replaces the server. */
  member: MemberName;
  /** The enabled tools. An empty list if the server is disabled. */
  tools: ToolChoice;
}

/** A previewed change to write. */
export interface WriteClientConfig {
  /** The program. */
  client: string;
  /** The file, which must be the same as in the preview's request. */
  path: string | null;
  /** The endpoint to connect to. */
  endpoint: Endpoint;
  /** Whether to remove the servers that the endpoint also offers, as in the preview's request. */
  handOver: boolean;
  /**
   * Whether the program gets all tools of each member, even if the program's file enabled only some
   * of them before. The same value as in the preview's request.
   */
  allTools: boolean;
  /** The digest from the preview. */
  precondition: string;
}

/** A written file. */
export interface WrittenClientConfig {
  path: string;
  /** The path of the backup. `null` if the file didn't exist before. */
  backup: string | null;
}

/** A request to restore a program's configuration file. */
export interface UndoClientConfig {
  /** The program. */
  client: string;
  /** One of the scanned files. `null` for the program's default file for this user. */
  path: string | null;
}

/** A restored file. */
export interface UndoneClientConfig {
  path: string;
  /**
   * Whether the file has exactly its original bytes. If not, it still contains later changes by
   * other programs or people.
   */
  asBefore: boolean;
  /** The clients whose tokens Guild Hall had written into the file and that still have access. */
  clients: AgentClient[];
}

/** A request for lines of a member's log, from the newest to the oldest. */
export interface ReadMemberLog {
  member: MemberName;
  /** Only lines with a lower number: `before` of the previous page. `None` for the newest lines. */
  before: number | null;
  /** The lines to include. */
  filter: LogFilter;
  /** The maximum number of lines, at most 2,000. */
  limit: number;
}

/** A filter for the lines of a member's log. */
export interface LogFilter {
  /** Only lines that contain this text, ignoring case. Empty for all lines. */
  contains: string;
  /**
   * Only lines that the member wrote after its start with this number and before its next start.
   */
  start: number | null;
}

/**
 * One page of a member's log. A page also ends at a limit of searched bytes, so further lines may
 * follow a page without lines. The last page has no `before`.
 */
export interface LogPage {
  member: MemberName;
  /** The lines in chronological order. Lines from a file have no color codes. */
  lines: LogLine[];
  /** The `before` of the next page's request. `None` if no older lines exist. */
  before: number | null;
  /**
   * The number of bytes, counted from the end of the log files, that this and the previous pages
   * searched.
   */
  searchedBytes: number;
  /** The total size of the files, in bytes. */
  totalBytes: number;
  folder: string;
  /** Why log files could not be read. The page then has only the lines in memory. */
  problem: Report | null;
}

/** A request to write a member's log to a file. */
export interface SaveMemberLog {
  member: MemberName;
  /** The lines to include. */
  filter: LogFilter;
  /** The file's path. An existing file is replaced. */
  path: string;
}

/** The written log. */
export interface SavedMemberLog {
  path: string;
  /** The number of lines in the file. */
  lines: number;
}

/** The crash reports that the user has not dismissed, newest first. */
export interface CrashReports {
  reports: CrashReport[];
}

/** The report of a crash: a text file in the data folder. */
export interface CrashReport {
  /** The name of the file in the data folder. */
  name: string;
  /** The time of the crash, in milliseconds since the epoch. */
  atMs: number;
  /** The program that crashed, such as `guildhall`. */
  program: string;
  version: string;
  /** The place in the source code and the message. */
  message: string;
}

/** The content of a bundle for a bug report. */
export interface Bundled {
  /** The written file. `None` for a preview. */
  path: string | null;
  /** A suggested name for the file. */
  suggestedName: string;
  files: BundledFile[];
  /** The files that were left out, with reasons. */
  leftOut: string[];
}

/** One file of a bundle for a bug report. */
export interface BundledFile {
  /** The file's name in the bundle. */
  name: string;
  /** A description of its content. */
  what: string;
  /** The file's size in bytes. */
  bytes: number;
  /** The number of masked passages. */
  masked: number;
}

/** A request to write a bundle for a bug report. */
export interface WriteBundle {
  /** The file's path. An existing file is replaced. */
  path: string;
}

/** All findings of an examination, sorted by check. */
export interface Examination {
  findings: Finding[];
  /** The most severe verdict. */
  worst: Verdict;
  /** Whether the examination was canceled before the last check. */
  cancelled: boolean;
  tookMs: number;
}

/** One finding, as displayed. */
export interface Finding {
  check: Check;
  /** The kind of finding, as an identifier for programs. */
  kind: FactKind;
  /** The subject: a program's name, a folder, a member. */
  subject: string;
  verdict: Verdict;
  /** The finding as a sentence. */
  found: string;
  /** Further details, one line each: folders, names. */
  details: string[];
  /** The fix. Empty if none is needed. */
  advice: string;
  /** The affected member, if any. */
  member: MemberName | null;
}

/** The subject of a check by the doctor. */
export type Check =
  /** The variables that the login shell adds to the environment. */
  | "login-shell"
  /** A program that servers are often started with, such as a package runner. */
  | "program"
  /** A member's command. */
  | "member"
  /** The keychain, which stores secrets. */
  | "keychain"
  /** The ports of the members, and the gateway's. */
  | "ports"
  /** The members' folder and the data folder. */
  | "folders"
  /** Free disk space. */
  | "disk"
  /** Processes of earlier runs. */
  | "processes";

/** The kind of a finding, as an identifier for programs. */
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
  /** A program was not found in the folders of PATH. */
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
  /** An error of another part of Guild Hall. The finding has the message and hint of its report. */
  | "reported"
  /** A member's command contains a secret, so Guild Hall did not search for the program. */
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
  /** A member's command runs a container that keeps running if the `docker` process is killed. */
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

/** The severity of a finding, in ascending order. */
export type Verdict =
  /** No problem. */
  | "fine"
  /** Information that needs no action. */
  | "note"
  /** Something may fail because of this finding. */
  | "warning"
  /** Something fails because of this finding. */
  | "problem";

/** A member's command and tools, with the accepted versions for comparison. */
export interface MemberReview {
  member: MemberName;
  trust: Trust;
  /** The member's command. `None` if the manifest can't be used. */
  launch: LaunchView | null;
  /** The command that the user accepted last, if any. */
  accepted: AcceptedLaunch | null;
  /**
   * The fields that differ between the two commands: `command`, `args[2]`, `env.TOKEN`,
   * `origin.at`, …
   */
  launchChanges: string[];
  /** A digest of the tool list in this review. A request to accept the tools contains it. */
  list: string;
  /** The current number of the member's tools. */
  count: number;
  /** When the user last accepted tools. `None` if no list was accepted. */
  reviewedAtMs: number | null;
  /**
   * The tools that differ from their accepted versions, and tools with suspicious passages. The
   * withheld tools come first.
   */
  tools: ToolReview[];
  /**
   * The number of further tools that belong in `tools` but were left out, because the list is
   * limited.
   */
  more: number;
  /** The problem with the files that store accepted commands and tools. */
  warning: Report | null;
}

/** A member's command or address as its manifest contains it. Variables are not replaced. */
export interface LaunchView {
  /** A digest of the command and the origin. */
  hash: string;
  /** The member's origin according to its manifest. */
  origin: Origin | null;
  /** The program. */
  command: LaunchText | null;
  /** The program's arguments. */
  args: LaunchText[];
  /** The working directory. `None` for the member's own folder. */
  cwd: LaunchText | null;
  /** The environment variables, sorted by name. */
  env: LaunchField[];
  /** The address of a remote server, instead of a program. */
  url: LaunchText | null;
  /** The headers for the remote server, sorted by name. */
  headers: LaunchField[];
  /** The client and the scopes of the sign-in. */
  auth: LaunchField[];
  /** The container, instead of a program: its image and its permissions. */
  container: LaunchField[];
}

/** A string of a command. */
export interface LaunchText {
  /** The string as the manifest contains it, or `•••` if it may be a secret. */
  text: string;
  /** A digest that distinguishes strings even if they are masked. */
  digest: string;
}

/** A variable or a header. */
export interface LaunchField {
  name: string;
  value: LaunchText;
}

/** A member's accepted command. */
export interface AcceptedLaunch {
  /** When the user accepted the command. */
  atMs: number;
  /** The command. */
  launch: LaunchView;
}

/** A tool, compared with its earlier version. */
export interface ToolReview {
  name: ToolName;
  difference: ToolDifference;
  /** The parts of the tool that differ. All parts for a new tool, none for a removed one. */
  parts: PartDifference[];
  /** Passages that may be meant to deceive a person or a model. */
  suspicions: Suspicion[];
  /** Saved calls, policies and profiles that no longer work with the changed tool. */
  breaks: Breakage[];
}

/** The difference between a tool and the tool with the same name in another list. */
export type ToolDifference =
  /** Unchanged. */
  | "same"
  /** Added: the other list does not have the tool. */
  | "new"
  /** The two versions differ. */
  | "changed"
  /** Removed: only the other list has the tool. */
  | "gone";

/** One part of a tool that differs, such as its description. */
export interface PartDifference {
  /** The part's name in the tool's JSON: `description`, `inputSchema`, … */
  part: string;
  /**
   * The old and the new text of the part as a diff. For a schema, the texts are its JSON, line by
   * line.
   */
  text: TextPiece[];
  /** The effects of a changed schema, the breaking ones first. */
  schema: SchemaChange[];
}

/** A piece of text in a diff. */
export interface TextPiece {
  /** The texts that contain the piece. */
  side: TextSide;
  text: string;
}

/** The side of a comparison: the old text, the new text or both. */
export type TextSide =
  /** In both texts. */
  | "both"
  /** Only in the old text: it was removed. */
  | "old"
  /** Only in the new text: it was added. */
  | "new";

export interface SchemaChange {
  /** The changed position, as a JSON Pointer into the schema. */
  pointer: string;
  /** The change's effect on users of the tool. */
  effect: SchemaEffect;
  /** The change in words. */
  what: string;
}

/** The effect of a changed schema on users of the tool. */
export type SchemaEffect =
  /** Arguments that were valid before may be invalid now. */
  | "breaking"
  /** All arguments that were valid before are still valid, and further arguments are too. */
  | "widened"
  /** Only the wording changed. The same arguments are valid. */
  | "words";

/** A saved call, a policy or a profile that a changed tool breaks. */
export interface Breakage {
  kind: BreakageKind;
  /** The name of the saved call or the profile, or the place where the policy is set. */
  name: string;
  /** The reason. */
  what: string;
  /** The id of the saved call. `None` for a policy or a profile. */
  saved: SavedId | null;
}

/** The kinds of settings and data that a changed tool may break. */
export type BreakageKind =
  /** A saved call. */
  | "saved-call"
  /** A policy in the manifest or in the gateway's settings. */
  | "policy"
  /** A profile. */
  | "profile";

/** A request to accept a member's command. */
export interface AcceptMember {
  member: MemberName;
  /** The hash from the review. The request fails if the command has changed since. */
  hash: string;
}

/** A request to accept a member's tools. */
export interface AcceptTools {
  member: MemberName;
  /** The digest of the list from the review. The request fails if the list has changed since. */
  list: string;
  /** The tools to accept, including removed ones. `None` for all. */
  tools: ToolName[] | null;
}

/** A request to withhold a member's changed tools from agents, or to stop withholding them. */
export interface HoldChanges {
  member: MemberName;
  /** Whether to withhold changed tools. If so, the current list counts as accepted. */
  hold: boolean;
}

/** A request for a member's revisions. */
export interface RevisionsOf {
  member: MemberName;
  /** Only revisions before this revision, which is the last of the previous page. */
  before: RevisionId | null;
  /** The maximum number of revisions, at most 100. */
  limit: number;
}

/** The id of a revision of a member's tool list. A later revision has a higher id. */
export type RevisionId = number;

/** One page of the revisions of a member's tool list. */
export interface Revisions {
  member: MemberName;
  /** The revisions, the newest first. */
  revisions: RevisionView[];
  /** Whether older revisions exist. */
  more: boolean;
  /** Why the revisions could not be read. */
  trouble: Report | null;
}

/** One revision as a list shows it. */
export interface RevisionView {
  id: RevisionId;
  /** When the server sent the list. */
  atMs: number;
  /** The number of tools in the list. */
  count: number;
  /** The added tools, at most 1,000. */
  added: ToolName[];
  /** The removed tools, at most 1,000. */
  removed: ToolName[];
  /** The changed tools, at most 1,000. */
  changed: ToolSpecDiff[];
  /** The number of further added, removed or changed tools. */
  more: number;
  /** Whether the list was too large to be stored in full, so that only the names are known. */
  namesOnly: boolean;
}

/** A tool that differs between the two lists. */
export interface ToolSpecDiff {
  /** The tool. */
  name: ToolName;
  /** The fields of the tool's JSON that differ, e.g. `description`, `inputSchema`. */
  fields: string[];
}

/** A request for one revision. */
export interface RevisionRef {
  member: MemberName;
  id: RevisionId;
}

/** One revision with the differences of its tools. */
export interface Revision {
  member: MemberName;
  /** The revision as a list shows it. */
  view: RevisionView;
  /** The added, changed and removed tools, compared with their earlier versions. */
  tools: ToolReview[];
}

/** The development state of a member. */
export interface DevState {
  member: MemberName;
  /** The watched files. `None` if the manifest has no `dev`, or if this hall watches no files. */
  watch: DevWatch | null;
  /** Why some or all files can't be watched. */
  problem: Report | null;
  /** The calls in the manifest that serve as checks. */
  examples: ExampleView[];
  /** The last rounds, the newest first. */
  rounds: DevRound[];
}

/** The watched files of a member. */
export interface DevWatch {
  /**
   * The patterns, relative to the member's folder. Empty for all files except hidden and generated
   * ones, such as those in `node_modules`.
   */
  patterns: string[];
  /** The build command that runs before each restart, if any. */
  build: string | null;
  /** The number of matching files. */
  files: number;
  /** The number of watched folders. */
  folders: number;
}

/** A call that serves as a check. */
export interface ExampleView {
  /** The example's name, unique in the member. */
  name: string;
  /** The tool that is called. */
  tool: ToolName;
  /** The arguments, as JSON text. */
  arguments: string;
  /** The conditions that the result has to meet, in words. */
  expects: string[];
}

/**
 * One development round: the results of a change of the member's files, or of running its examples.
 */
export interface DevRound {
  member: MemberName;
  /** The round's number, from 1. Starts at 1 again when Guild Hall is restarted. */
  number: number;
  /** When the round began. */
  beganMs: number;
  /** The duration in milliseconds, once the round has ended. */
  tookMs: number | null;
  step: DevStep;
  /** The changed files, relative to the member's folder. Empty if the user requested the round. */
  files: string[];
  /** The number of changed files beyond `files`. */
  moreFiles: number;
  /** The result of the build command, if the member has a build command. */
  build: DevBuild | null;
  /** Why the member did not start. */
  error: Report | null;
  /** The changed tools, each with its former version. */
  tools: ToolReview[];
  /** The number of changed tools beyond `tools`. */
  moreTools: number;
  /** The result of each example, in the manifest's order. */
  examples: ExampleRun[];
}

/** The current step of a round, or its outcome. */
export type DevStep =
  /** The build command runs. */
  | "building"
  /** The member is being restarted and lists its tools. */
  | "restarting"
  /** The examples run. */
  | "checking"
  /** Finished: the member runs, and no example failed. */
  | "passed"
  /** Finished: an example failed. */
  | "examples-failed"
  /** Finished: the build command failed, and the member keeps running unchanged. */
  | "build-failed"
  /** Finished: the member did not start. */
  | "start-failed"
  /** Finished: the member stays stopped, because the user stopped it. */
  | "not-running"
  /** Finished: the round was canceled. */
  | "broken-off";

/** The result of the build command. */
export interface DevBuild {
  /** The duration in milliseconds, once the build has ended. */
  tookMs: number | null;
  /** Why the build failed. */
  error: Report | null;
  /** The last lines of the build's output, if the build failed. The member's log has all lines. */
  output: string[];
}

/** A request to run the examples of a member. `cancel_call` cancels it. */
export interface RunExamples {
  /** The run's id, chosen by the caller. */
  call: CallId;
  member: MemberName;
  /** The names of the examples to run. `None` for all. */
  names: string[] | null;
}

/** A request to save a call as an example in a member's manifest. */
export interface SaveExample {
  /** The member. */
  member: MemberName;
  /** The example's name. */
  name: string;
  /** The tool. */
  tool: ToolName;
  /** The arguments, as JSON text. */
  arguments: string;
  /** The expectation, as JSON text of the object in the manifest. */
  expect: string;
}

/** The sign-in of a member. */
export interface SignInView {
  member: MemberName;
  /**
   * Whether the user can sign in to the member: it is a remote server, and its manifest has no
   * header with credentials.
   */
  possible: boolean;
  /** Whether the member's server requires a sign-in, or more scopes. */
  needed: boolean;
  /** The scopes that the server requires. */
  wanted: string[];
  /** The current step of a sign-in, or the outcome of the last one. */
  stage: SignInStage;
  /** The access that the server has granted. `None` if the user is not signed in. */
  grant: GrantView | null;
}

/** The current step of a sign-in, or the outcome of the last one. */
export type SignInStage =
  /** No sign-in is running. */
  | { kind: "idle" }
  /** Guild Hall is looking for the authorization server. */
  | { kind: "looking" }
  /** Guild Hall waits for the user to sign in with a browser. */
  | {
      kind: "waiting";
      /** The host of the sign-in address, with its port. */
      host: string;
      /** The issuer that the authorization server names. */
      issuer: string | null;
      /** The requested scopes. */
      scopes: string[];
      /** When Guild Hall stops waiting for the answer. */
      untilMs: number;
      /** The number of ignored answers, which belonged to other sign-ins. */
      strays: number;
      /**
       * The code that the user enters at the address, on any device. `None` if the browser returns
       * to this computer.
       */
      code: string | null;
      /** Whether the authorization server supports such a code. */
      offersCode: boolean;
    }
  /** Guild Hall has received the answer and is exchanging it for a token. */
  | { kind: "taking" }
  /** The sign-in succeeded. */
  | { kind: "done" }
  /** The user cancelled the sign-in. */
  | { kind: "cancelled" }
  /** The sign-in failed. */
  | {
      kind: "failed";
      /** The cause, and the fix. */
      report: Report;
    };

/** The access that a member's server grants to Guild Hall. */
export interface GrantView {
  /** The issuer that the authorization server names. */
  issuer: string | null;
  /** The granted scopes. */
  scopes: string[];
  /** The time of the sign-in, or of the last renewal of the token. */
  receivedAtMs: number;
  /** When the token expires. `None` if the server did not say. */
  expiresAtMs: number | null;
  /** Whether Guild Hall renews the token automatically. */
  renews: boolean;
  /** The source of Guild Hall's client id. */
  client: SignInClient;
}

/** The source of Guild Hall's client id at an authorization server. */
export type SignInClient =
  /** The manifest contains the client id. */
  | "manifest"
  /** The client id is the URL of a document that the manifest names. */
  | "document"
  /** The authorization server assigned the client id during the sign-in. */
  | "registration";

/** A sign-in that waits for the user. */
export interface SignInAddress {
  /** The address where the user signs in. Guild Hall has not opened it. */
  address: string;
  signIn: SignInView;
}

/** The address of the browser's redirect, which the user pasted. */
export interface PasteSignIn {
  member: MemberName;
  /** The address, at most 16 KiB. Its query alone suffices. */
  answer: string;
}

/** All known secrets, by name. */
export interface Secrets {
  /** The secrets, sorted by name. */
  secrets: SecretView[];
  keychain: KeychainState;
  /**
   * A warning about the place where the secrets are stored: no keychain is available, or others may
   * read the file.
   */
  warning: Report | null;
}

/** A secret's name and state, without its value. */
export interface SecretView {
  /** The secret's name, as in `${secret:NAME}`. */
  name: string;
  /**
   * Where the value is stored, as far as Guild Hall knows without querying the keychain. `None`
   * without a value.
   */
  kept: SecretPlace | null;
  /** The members whose manifests use the secret. */
  members: MemberName[];
}

/** The place where a secret is stored. */
export type SecretPlace =
  /** The system's keychain. */
  | "keychain"
  /** `secrets.json` in the data folder, readable only by the user. */
  | "file";

/** The state of the keychain. */
export type KeychainState =
  /** The keychain answers. */
  | "ready"
  /** No keychain exists, or it can't be reached. */
  | "absent"
  /** The keychain does not answer. It may be asking the user for a password. */
  | "unanswered";

export interface SetSecret {
  name: string;
  value: string;
  /**
   * Where to store the secret. By default in the keychain, or in the file if no keychain is
   * available.
   */
  place: SecretPlace | null;
}

/** The result of setting a secret. */
export interface KeptSecret {
  name: string;
  /** Where the secret is stored now. */
  place: SecretPlace;
  /** A warning about the storage place. */
  warning: Report | null;
}

/** A request about one secret. */
export interface SecretRef {
  name: string;
}

/** The result of a scan. */
export interface FoundServers {
  /** The servers, sorted by name. A server in several files appears once. */
  servers: FoundServer[];
  /** The scanned files, including missing ones. */
  files: FoundFile[];
  /** The project folders and workspace files that the user added, unchanged. */
  folders: string[];
  /** The number of servers in the state `new`. */
  new: number;
}

/** A server in one or more files. */
export interface FoundServer {
  /**
   * A digest of the whole command, including secrets. Servers with different commands have
   * different digests.
   */
  id: FoundId;
  /** The server's name in the first of the `places`, at most 200 characters. */
  name: string;
  /** A valid and unused name for the member. */
  suggested: MemberName;
  /** The command that a member would run. `None` if it can't be determined. */
  launch: FoundLaunch | null;
  /** The command as one line for display, with masked secrets. Empty if it can't be determined. */
  commandLine: string;
  /** The container that the command runs, if there is one. */
  container: FoundContainer | null;
  /** The file entries that define the server, the user's own files first. Never empty. */
  places: FoundPlace[];
  /** The ids of servers with the same name and another command. */
  differs: FoundId[];
  state: FoundState;
  /** The inputs that the server needs and the file does not contain. */
  inputs: FoundInput[];
  /** The tools that the file allows agents to call without approval. */
  autoApprove: string[];
  /** Whether every file entry disables the server. */
  disabled: boolean;
  /** Parts that a member would lack, and other remarks, one sentence each. */
  notes: string[];
}

/** Identifies one server in other programs' configurations, by a hash of its whole launch. */
export type FoundId = string;

/** The command or address of a found server. */
export type FoundLaunch =
  /** A command that starts a process. */
  | {
      kind: "command";
      /** The program, as a manifest would name it. */
      command: string;
      /** The program's arguments, with masked secrets. */
      args: string[];
      /** The environment variables, sorted by name. */
      env: FoundValue[];
      /** The working directory. `None` for the member's own folder. */
      cwd: string | null;
    }
  /** A remote server. */
  | {
      kind: "url";
      /** The server's URL, with masked secrets. */
      url: string;
      /** The headers of each request, sorted by name. */
      headers: FoundValue[];
    };

/** A variable of the environment or a header. */
export interface FoundValue {
  name: string;
  /** The value, with [`MASK`](super::MASK) instead of a secret. */
  value: string;
  /** Whether the value contains a secret. The import saves that secret in the secret store. */
  secret: boolean;
}

/**
 * How a member would run a found command that starts a container, such as `docker run …`. If the
 * member runs the command itself, the container keeps running when the `docker` process is killed.
 * If the member's manifest has a `container` instead, Guild Hall removes the container.
 */
export type FoundContainer =
  /** The import creates a member with this container, unless the user keeps the command. */
  | {
      kind: "container";
      /**
       * The image and the permissions, one per entry: `image`, `network`, `mount /data` and so on.
       */
      parts: FoundValue[];
      /** The arguments after the image, with masked secrets. */
      args: string[];
      /** The environment variables, sorted by name. */
      env: FoundValue[];
      /**
       * Variables that the file entry sets only for the container engine, not in the container. The
       * member has none of them.
       */
      keptOutside: string[];
    }
  /** The values of the inputs decide whether the member becomes a container. */
  | {
      kind: "open";
      /** The options whose values decide it, each as the end of a sentence. */
      reasons: string[];
    }
  /** The member runs the command. */
  | {
      kind: "command";
      /** The options that `container` can't express, each as the end of a sentence. */
      reasons: string[];
    };

/** One file entry that defines a server. */
export interface FoundPlace {
  /** The identifier of the program that owns the file, such as `claude-code`. */
  program: string;
  /** The program's name. */
  title: string;
  path: string;
  /** The line in the file, from 1. */
  line: number;
  /** The users and folders that the entry applies to. */
  scope: FoundScope;
  /** The project's folder, for an entry of a project. */
  folder: string | null;
  /** The server's name in the file, at most 200 characters. */
  name: string;
  /** Whether the entry disables the server. */
  disabled: boolean;
}

/** The users and folders that a server in a file applies to. */
export type FoundScope =
  /** The user, in all folders. */
  | "user"
  /** The user, in one project. The file is the user's own. */
  | "local"
  /** The users of one project. The file is in the project's folder. */
  | "project"
  /** The users of one multi-folder workspace. */
  | "workspace";

/** The state of a found server. */
export type FoundState =
  /** No member runs this server. */
  | { kind: "new" }
  /** A member already runs this server. */
  | {
      kind: "adopted";
      member: MemberName;
    }
  /** The server is Guild Hall's own gateway. */
  | { kind: "gateway" }
  /** The server can't be imported. */
  | {
      kind: "unusable";
      /** The reason. */
      report: Report;
    };

/** A value that a server needs and its file does not contain. */
export interface FoundInput {
  /** The id of the file's input, or `env:NAME`. */
  id: string;
  /** The description in the file. May be empty. */
  description: string;
  /** Whether Guild Hall saves the value in the secret store. */
  secret: boolean;
  /**
   * Whether the import requires a value. A variable that is not required can get its value after
   * the import.
   */
  required: boolean;
  /** The default value. */
  default: string | null;
  /** The allowed values. Empty if every value is allowed. */
  choices: string[];
}

/** A scanned file. */
export interface FoundFile {
  /** The identifier of the program that owns the file. */
  program: string;
  /** The program's name. */
  title: string;
  path: string;
  /** The users and folders that the file applies to. */
  scope: FoundScope;
  /** The project's folder, for a project's file. */
  folder: string | null;
  /** Whether the file exists. */
  exists: boolean;
  /** The number of servers in the file, without Guild Hall's gateway. */
  servers: number;
  /** Why the file was not read, or only in part. Contains the line of a syntax error. */
  error: Report | null;
  /**
   * The state of the program's switch to Guild Hall's gateway. `null` if Guild Hall doesn't write
   * such files.
   */
  handing: HandingOver | null;
}

/** The state of a program's switch from the servers in one of its files to Guild Hall's gateway. */
export interface HandingOver {
  /** The names of the file's servers that members already run. */
  adopted: string[];
  /** Whether the file connects the program to the gateway. */
  connected: boolean;
  /** Whether a backup of the file can be restored. */
  canUndo: boolean;
  /** The user's next step after the file has changed. */
  then: string;
}

/** A request about a project folder or a `.code-workspace` file. */
export interface ScanFolderRef {
  /** The absolute path of the folder or file. */
  folder: string;
}

/** Servers to import. The sender has already shown the user the command of each server. */
export interface AdoptServers {
  /** The servers, at most 1,000. */
  servers: AdoptServer[];
}

/** A server to import as a member. */
export interface AdoptServer {
  id: FoundId;
  /** The name of the new member. */
  name: MemberName;
  /** Values for inputs that the file does not contain. */
  inputs: GivenInput[];
  /** Whether the member runs the command instead of the equivalent `container`. */
  keepCommand: boolean;
}

/** The value of an input. */
export interface GivenInput {
  id: string;
  value: string;
}

/** The results of an import. */
export interface Adopted {
  /** One result per server, in the order of the request. */
  each: AdoptedServer[];
}

/** The result of importing one server. */
export interface AdoptedServer {
  id: FoundId;
  end: AdoptionEnd;
}

/** How the import of one server ended. */
export type AdoptionEnd =
  /** The server is a member now. */
  | {
      kind: "member";
      member: MemberName;
      folder: string;
      /** The names of the secrets that were saved for the member. */
      secrets: string[];
      /** A warning about the place where the secrets are saved. */
      warning: Report | null;
    }
  /** The import failed, and nothing was written. */
  | {
      kind: "refused";
      /** The reason. */
      report: Report;
    };

/** The text, file or command with servers to import. */
export type Brought =
  /** A pasted text: the server list of any program, a command or an address. */
  | {
      kind: "text";
      /** The text, at most 1 MiB. */
      text: string;
    }
  /** A file whose content is such a text. */
  | {
      kind: "file";
      /** The file's absolute path. */
      path: string;
    }
  /** The words of a command. Guild Hall replaces no variables in them. */
  | {
      kind: "words";
      /** The words, at most 1,000. */
      words: string[];
    };

/** The servers in the text, file or command. */
export interface BroughtServers {
  /** The servers in their order, without duplicates. Never empty. */
  servers: FoundServer[];
  /**
   * Members that have the same name as one of these servers but another command, for comparison.
   * The field `differs` of such a server contains the ids of these members.
   */
  members: FoundServer[];
  /** The parts of the input that can't be imported, one sentence each. */
  leftOut: string[];
}

/**
 * Servers to import from a text, file or command. The sender has already shown the user the command
 * of each server.
 */
export interface AdoptBrought {
  /** The text, file or command, unchanged since the request that read the servers. */
  brought: Brought;
  /** The servers to import, at most 1,000. */
  servers: AdoptServer[];
}

/** The templates of new members. */
export interface MemberTemplates {
  /** One template per language. */
  beginnings: MemberTemplate[];
}

/** The template of a new member. */
export interface MemberTemplate {
  /** The template's language. */
  from: TemplateLanguage;
  /** The files that the template adds, by their paths in the member's folder. */
  files: string[];
  /** The command that starts the member, for display. It runs in the member's folder. */
  command: string;
  /** The command to run once in the member's folder before the first start. */
  setUp: string[];
  /**
   * The build command that Guild Hall runs after each change of the sources, for display. `None` if
   * Guild Hall only restarts the member.
   */
  build: string | null;
}

/** The language of a new member. */
export type TemplateLanguage =
  /** Python, with the official SDK. */
  | "python"
  /** TypeScript on Node.js, with the official SDK. */
  | "typescript"
  /** Rust, with the official SDK. */
  | "rust"
  /** Bash and jq. */
  | "shell";

/** A member to create from a template. */
export interface CreateMember {
  /** The member's name, which is also the name of the folder. */
  member: MemberName;
  /** The template. */
  from: TemplateLanguage;
}

/** A member created from a template. */
export interface CreatedMember {
  member: MemberName;
  folder: string;
  /** The command to run once in the member's folder before the first start. */
  setUp: string[];
}

export interface SearchRegistry {
  /** The registry. `None` for the registry in the settings. */
  source: string | null;
  /**
   * Words that must all occur in the name, the title or the description. May be empty. The official
   * registry searches for only one word, and only in names.
   */
  query: string;
  /** The start of the page: `next` of the previous page. `None` for the first page. */
  cursor: string | null;
  /** The search's id, chosen by the caller. `cancel_call` cancels it. */
  call: CallId;
}

/** One page of search results. */
export interface RegistryPage {
  /** The registry that answered. */
  source: RegistrySource;
  /** The servers on this page, sorted by name. A page may be empty although more pages follow. */
  rows: RegistryRow[];
  /** The start of the next page. `None` on the last page. */
  next: string | null;
  /** Invalid entries in the answer, at most 100. */
  leftOut: RegistryLeftOut[];
  /** The number of invalid entries. */
  leftOutCount: number;
}

/** The registry that answered. */
export interface RegistrySource {
  /** The registry's URL, or the absolute path of a file. */
  source: string;
  /** When the registry answered. For a file: when it was last changed. */
  asOfMs: number;
  /**
   * Why the registry could not be queried, so that this is an earlier answer. `None` if the query
   * succeeded.
   */
  unread: Report | null;
}

/** A server as a list shows it. */
export interface RegistryRow {
  /** The server's name in the registry. */
  server: string;
  /** The display name. May be empty. */
  title: string;
  /** The description. May be empty. */
  description: string;
  /** The newest version. May be empty. */
  version: string;
  /** The publication status. */
  standing: RegistryStanding;
  /** The package types of the server (`npm`, `oci`, …), and `remote` for a remote server. */
  kinds: string[];
  /** The members that were installed from this entry. */
  members: RegistryMember[];
}

/** The publication status of a server in a registry. */
export type RegistryStanding =
  /** Available. */
  | "active"
  /** The publisher advises against using the server. */
  | "deprecated"
  /** The server was removed from the registry. */
  | "deleted";

/** A member that was installed from a registry. */
export interface RegistryMember {
  member: MemberName;
  /** The installed version. May be empty. */
  version: string;
  /** Whether the registry has a newer version. */
  newer: boolean;
}

/** An invalid entry. */
export interface RegistryLeftOut {
  /** The entry's position in the answer, from 1. */
  at: number;
  /** The entry's name. May be empty. */
  name: string;
  /** The problem with the entry. */
  why: string;
}

/** A request about one server. */
export interface RegistryServerRef {
  /** The registry. `None` for the registry in the settings. */
  source: string | null;
  /** The server's name in the registry. */
  server: string;
  /** The version. `None` for the newest. */
  version: string | null;
}

/** Everything about one version of a server. */
export interface RegistryServer {
  /** The registry that answered. */
  source: RegistrySource;
  /** The server's name in the registry. */
  server: string;
  /** The display name. May be empty. */
  title: string;
  /** The description. May be empty. */
  description: string;
  /** The version that this record describes. May be empty. */
  version: string;
  /** All listed versions, the newest first. */
  versions: string[];
  /** The publication status. */
  standing: RegistryStanding;
  /** The publisher's explanation of the status. May be empty. */
  standingMessage: string;
  /** When this version was published, in the registry's format. */
  publishedAt: string | null;
  /** The URL of the source code. */
  repository: string | null;
  /** The URL of the website. */
  website: string | null;
  /** A valid and unused name for the member. */
  suggested: MemberName;
  /** The ways to run the server. */
  ways: RegistryWay[];
  /** The members that were installed from this entry. */
  members: RegistryMember[];
}

/** One way to run a server. */
export interface RegistryWay {
  /** The kind of this way: a package type, or `remote`. */
  kind: string;
  /** The package's name, or the server's URL. May be empty. */
  name: string;
  /** The package's version, if it has one. */
  version: string | null;
  /** The package registry, if the entry names one. */
  packageRegistry: string | null;
  /** The command and its inputs. `None` if the server can't be installed in this way. */
  install: RegistryInstall | null;
  /** Why the server can't be installed in this way, as a sentence. `None` if it can. */
  unusable: string | null;
}

/** The command and the inputs of one way to run a server. */
export interface RegistryInstall {
  /** A digest of the whole command. Different commands have different digests. */
  id: FoundId;
  /** The launch command, with `${input:KEY}` for each input. */
  launch: FoundLaunch;
  /** The launch command as one line for display. */
  commandLine: string;
  /** The container that the command runs, if there is one. */
  container: FoundContainer | null;
  /** The inputs that the server needs. */
  asks: McpbAsks;
  /** Further remarks, one sentence each. */
  notes: string[];
}

/** The inputs to ask for before an install. */
export interface McpbAsks {
  /**
   * A JSON Schema of one object, as text. `writeOnly` marks secrets. The defaults are the initial
   * answers.
   */
  schema: string;
  /** The keys of the answers that are saved in the secret store. */
  secrets: string[];
}

/** A server to install as a member, which needs a review before it starts. */
export interface InstallRegistryServer {
  /** The registry. `None` for the registry in the settings. */
  source: string | null;
  /** The server's name in the registry. */
  server: string;
  version: string;
  /**
   * The id of the chosen way to run the server. The request fails if the registry's command has
   * changed since the user saw it.
   */
  way: FoundId;
  /** The name of the new member. */
  member: MemberName;
  /** The answers, as the text of one JSON object. A missing key means no answer. */
  answers: string;
}

/**
 * The result of installing a server. The member starts only after the user has accepted its
 * command.
 */
export interface InstalledRegistryServer {
  member: MemberName;
  folder: string;
  /** The names of the secrets that were saved for the member. */
  secrets: string[];
  /**
   * A warning about the place where the secrets are saved, or the reason why an earlier answer of
   * the registry was used.
   */
  warning: Report | null;
  /**
   * The options in the answers that `container` can't express, each as the end of a sentence. The
   * member then runs a command although the preview showed a container.
   */
  staysCommand: string[];
}

/** A request about a bundle's file. */
export interface BundleFileRef {
  /** The file's absolute path. */
  path: string;
}

/** The content of a bundle. */
export interface McpbLook {
  path: string;
  /** SHA-256 of the file, in lower-case hexadecimal. */
  digest: string;
  /** The size of the file, in bytes. */
  bytes: number;
  /** The number of files in the bundle. */
  files: number;
  /** The unpacked size, in bytes. */
  unpacked: number;
  /** The bundle's description of itself. */
  about: McpbAbout;
  /**
   * The launch command, with `${input:KEY}` for each answer and `${PLUGIN_DIR}` for the member's
   * folder.
   */
  launch: FoundLaunch;
  /** The launch command as one line for display. */
  commandLine: string;
  /** The container that the command runs, if there is one. */
  container: FoundContainer | null;
  /** The inputs that the bundle needs. */
  asks: McpbAsks;
  /** Why the bundle doesn't fit this machine. `None` if it does. */
  unfit: string | null;
  /** Passages that may be meant to deceive a person or a model. */
  suspicions: McpbSuspicion[];
  /**
   * Whether the file ends with a signature block. Guild Hall does not verify the signature, because
   * no trusted authority could vouch for a signer.
   */
  signed: boolean;
  /** Remarks that don't prevent an install, one sentence each. */
  notes: string[];
  /** A valid and unused name for the member. */
  suggested: MemberName;
  /** The members that were installed from a bundle with this name, at most 20. */
  installed: McpbInstalled[];
}

/** A bundle's description of itself, unverified. */
export interface McpbAbout {
  /** The bundle's identifier. */
  name: string;
  /** The display name, or the identifier if the bundle has none. */
  title: string;
  version: string;
  /** The short description. */
  description: string;
  /** The long description. May be empty. */
  longDescription: string;
  /** The author. May be empty. */
  author: string;
  /** The license. May be empty. */
  license: string;
  /** Links to further information. */
  links: string[];
  privacyPolicies: string[];
  /** The server's runtime: `node`, `python`, `binary` or `uv`. */
  runsOn: string;
  /** The required runtimes, each with its versions. */
  runtimes: string[];
  /** The tools that the bundle declares. */
  tools: McpbDeclared[];
  /** Whether the running server may have further tools. */
  moreTools: boolean;
  /** The prompts that the bundle declares. */
  prompts: McpbDeclared[];
  /** Whether the running server may have further prompts. */
  morePrompts: boolean;
}

/** A tool or a prompt that a bundle declares. */
export interface McpbDeclared {
  name: string;
  /** The description. May be empty. */
  description: string;
}

/** A suspicious passage in a bundle. */
export interface McpbSuspicion {
  /** The tool with the passage. `None` if the passage is in the bundle's own texts. */
  tool: string | null;
  /** The finding. */
  suspicion: Suspicion;
}

/** A member that was installed from a bundle. */
export interface McpbInstalled {
  member: MemberName;
  version: string;
  /** How the inspected version compares with the installed one. */
  change: McpbChange;
  /**
   * The inputs for an update of this member. Earlier answers are the defaults, and a stored secret
   * need not be entered again.
   */
  asks: McpbAsks;
}

/** How a bundle's version compares with the installed one. */
export type McpbChange =
  /** The bundle is the same file. */
  | "same"
  /** A newer version. */
  | "newer"
  /** An older version. */
  | "older"
  /** A different file with the same version, or with a version that can't be compared. */
  | "other";

/** A bundle to install as a new member, or as an update of an installed bundle. */
export interface InstallMcpb {
  /**
   * The install's id, chosen by the caller. Progress events contain the id, and `cancel_call`
   * cancels the install until the new files are in place.
   */
  call: CallId;
  path: string;
  /** The file's digest from the preview. */
  digest: string;
  /** The name of the new member. */
  member: MemberName;
  /** Whether the bundle replaces the member's installed bundle. If not, the name must be unused. */
  update: boolean;
  /** The answers, as the text of one JSON object. A missing key means no answer. */
  answers: string;
}

/**
 * The result of installing a bundle. The member starts only after the user has accepted its
 * command.
 */
export interface InstalledMcpb {
  member: MemberName;
  folder: string;
  /** The replaced version, if the install was an update. */
  replaced: string | null;
  /** The names of the secrets that were saved for the member. */
  secrets: string[];
  /** A warning about the place where the secrets are saved. */
  warning: Report | null;
  /**
   * The options in the answers that `container` can't express, each as the end of a sentence. The
   * member then runs a command although the preview showed a container.
   */
  staysCommand: string[];
}

/** Answers to check against the inputs. */
export interface CheckAnswers {
  /** The inputs: a JSON Schema as text. */
  schema: string;
  /** The answers, as the text of one JSON object. */
  answers: string;
}

/** The content of `config.yml`. */
export interface DiscoveryState {
  /** The path of the file. */
  file: string;
  /** The settings in the file, or the defaults if the file can't be used. */
  settings: DiscoverySettings;
  /** Why the file can't be used. */
  trouble: Report | null;
}

/**
 * Fallback discovery: other ways to find the tools of servers that don't list them as the protocol
 * requires.
 */
export interface DiscoverySettings {
  /** Whether fallback discovery is enabled. */
  enabled: boolean;
  /** Time limit of a whole discovery, in milliseconds, for manifests without `discovery_ms`. */
  timeoutMs: number | null;
  /** Whether the found tools are cached for the next start. */
  cache: boolean;
  /** The model that predicts the tools if all other ways found none. */
  prediction: PredictionSettings;
}

/** The model that predicts a server's tools if all other ways found none. */
export interface PredictionSettings {
  /** Whether the model may be asked. Off by default. */
  enabled: boolean;
  /**
   * The base address of an OpenAI-compatible endpoint: `https:`, or `http:` for this machine. Empty
   * if not set.
   */
  url: string;
  /** The model's name at the endpoint. Empty if not set. */
  model: string;
  /**
   * The reference to the API key, as `${secret:NAME}` or `${env:NAME}`. No file contains the key
   * itself.
   */
  key: string | null;
  /** Time limit for the model's response, in milliseconds. */
  timeoutMs: number;
}

/** A request to change `config.yml`. */
export interface ChangeDiscovery {
  /** The settings before the change. If the file has other settings by now, the request fails. */
  seen: DiscoverySettings;
  /** The new settings. */
  settings: DiscoverySettings;
}

/** The complete request to a model for one member. */
export interface PredictionRequest {
  member: MemberName;
  /** The URL that the request is sent to. */
  url: string;
  /** The headers of the request. The API key appears as a reference. */
  headers: string[];
  /** The exact body of the request. */
  body: string;
  /** A digest of the request. A consent covers only the request with this digest. */
  hash: string;
  /** Whether this exact request may be sent without asking. */
  remembered: boolean;
  /** Why the request can't be sent now. `None` if it can. */
  whyNot: Report | null;
}

/** The user's consent to send a request. */
export interface PredictTools {
  /** The call's id, chosen by the caller. `cancel_call` cancels it. */
  call: CallId;
  member: MemberName;
  /** The digest of the request that the user saw. */
  hash: string;
  /** Whether this exact request may be sent for the member from now on without asking. */
  remember: boolean;
}

/** The content of `settings.json`, and the settings in force. */
export interface SettingsState {
  /** The path of the file. */
  file: string;
  /** The settings in force. */
  settings: Settings;
  defaults: Settings;
  /** The problems of the file. */
  problems: SettingsProblem[];
}

/** The user's settings, as JSON with comments. Unknown fields are kept and have no effect. */
export interface Settings {
  /**
   * The folder with your members. A relative path starts at the data folder. Needs a restart of
   * Guild Hall.
   */
  membersDir: string | null;
  /**
   * The MCP registry to search: an address, or the absolute path of a file in the registry's
   * format. Default: the official registry.
   */
  registry: string | null;
  /** The start of the program and its window. */
  window: WindowSettings;
  /** Keys that work while another program has the keyboard focus. */
  shortcut: Shortcut;
  /** Desktop notifications. */
  notifications: Notifications;
  /** Colors and size of the window. */
  appearance: Appearance;
  /** Custom keys of actions, by the action's id. An empty text removes an action's keys. */
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
  /** Quits Guild Hall with its members, or keeps both running in the tray. */
  onClose: OnClose;
  /** Shows the state of your members in the system tray. */
  tray: boolean;
  /** Starts Guild Hall when you log in. */
  startAtLogin: boolean;
  /** Keeps the window closed when Guild Hall starts at login, if the tray has its icon. */
  startHidden: boolean;
}

/** The effect of closing the window. */
export type OnClose =
  /** Quit */
  | "quit"
  /** Keep running in the tray */
  | "tray";

/** Keys that work while another program has the keyboard focus. */
export interface Shortcut {
  /** Opens the palette from any other app. */
  palette: string | null;
}

/** Desktop notifications. */
export interface Notifications {
  /** Notifies you of a member that crashes again and again. */
  crashLoop: boolean;
  /** Notifies you of an agent's call that waits for your approval. */
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
   * The port for agents: 1024 to 19999 or 30001 to 65535. Members use the ports between. After a
   * change, reconnect your apps. If another program has the new port, the gateway keeps the old
   * one.
   */
  port: number;
  /** The tool list of clients and profiles that don't request another mode. */
  listing: Listing;
  /**
   * The largest result that agents get in one answer, in tokens (estimated): 1,000 to 1,000,000, or
   * 0 for no limit. A larger result is cut, and agents read the rest with `result_read`. Profiles
   * can have another limit.
   */
  resultTokens: number;
}

/** Time limits of members whose manifest has none, in milliseconds. */
export interface Limits {
  /**
   * Time limit for the start of a member, in milliseconds. Takes effect at each member's next
   * start.
   */
  startMs: number;
  /**
   * Time limit for the handshake after a member's port answers, in milliseconds. Takes effect at
   * each member's next start.
   */
  handshakeMs: number;
  /** Time limit for a call, in milliseconds. Takes effect at the next call. */
  callMs: number;
  /**
   * Time limit for listing a member's tools, in milliseconds. Takes effect when tools are listed
   * next.
   */
  discoveryMs: number;
}

/** Connections to other machines. */
export interface NetworkSettings {
  /**
   * Connects to members on other machines through the proxies that the environment (`HTTPS_PROXY`,
   * `HTTP_PROXY`, `ALL_PROXY`, `NO_PROXY`) and the system define. Takes effect at each member's
   * next start.
   */
  proxies: boolean;
}

/** Checks for newer versions. */
export interface UpdateSettings {
  /**
   * Asks the address below once a day for a newer version of an AppImage. Other packages are
   * updated by the program that installed them. Guild Hall never downloads or installs a version on
   * its own.
   */
  check: boolean;
  /** The address that lists newer versions of an AppImage. Default: the AppImage's own. */
  address: string | null;
  /**
   * The public key for the signatures of newer versions of an AppImage. Default: the AppImage's
   * own.
   */
  key: string | null;
}

/** A mistake in the settings file. */
export interface SettingsProblem {
  /** The effect of the mistake. */
  effect: ProblemEffect;
  /** The line, from 1; `None` for the file as a whole. */
  line: number | null;
  /** The column, from 1, in characters. */
  column: number | null;
  /** The field. */
  field: string | null;
  /** The mistake, and how to correct it. */
  report: Report;
}

/** The effect of a mistake in the settings file. */
export type ProblemEffect =
  /** The whole file has no effect. The previous settings stay. */
  | "unread"
  /** The setting has its default value. */
  | "default"
  /** The field stays in the file and has no effect. */
  | "kept";

export interface ChangeSettings {
  /** The changes, at most 1,000. If one is invalid, none are made. */
  changes: SettingChange[];
}

/** A change of one setting. */
export interface SettingChange {
  /** The setting's key, such as `appearance.theme`, or `keys.` and an action's id. */
  key: string;
  /** The new value. `null` restores the default. */
  value: unknown;
}

/** A file that settings are exported to, or imported from. */
export interface SettingsFileRef {
  /** The file's absolute path. */
  path: string;
}

/** The changes of an import. */
export interface SettingsImport {
  path: string;
  /** A digest of the file's text and of the current settings' text. */
  hash: string;
  /** The settings whose value changes. */
  changes: ImportChange[];
  /** The errors in the file. Unknown fields are allowed; any other error prevents the import. */
  problems: SettingsProblem[];
}

/** One setting that an import changes. */
export interface ImportChange {
  /** The setting's key. */
  key: string;
  /** The current value, as JSON. `None` if there is none. */
  before: string | null;
  /** The value after the import, as JSON. `None` if there is none. */
  after: string | null;
}

/** A request to import a previewed file. */
export interface ImportSettings {
  path: string;
  /** The hash from the preview. */
  hash: string;
}

/** The state of updates. */
export interface UpdateState {
  /** The running version. */
  version: string;
  /** How this program gets newer versions. */
  way: UpdateWay;
  /** The address of the updates. `None` if the settings have none. */
  address: string | null;
  /** When Guild Hall last checked the address. */
  lookedAtMs: number | null;
  /** The current step of an update. */
  stage: UpdateStage;
  /** Why the last check or download failed. */
  problem: Report | null;
  /** The outcome of the last update, until the user has seen it. */
  last: LastUpdate | null;
}

/** How this program gets newer versions of itself. */
export type UpdateWay =
  /** The program is a single file and replaces itself when the user asks. */
  | "itself"
  /** The program does not replace itself. The user or a package manager does. */
  | "elsewhere";

/** The current step of an update. */
export type UpdateStage =
  /** No update is running, and no newer version is known. */
  | { kind: "idle" }
  /** Guild Hall is checking the update address. */
  | { kind: "looking" }
  /** A newer version is available. */
  | {
      kind: "offered";
      new: NewVersion;
    }
  /** Guild Hall is downloading the new version. */
  | {
      kind: "fetching";
      new: NewVersion;
      /** The number of downloaded bytes. */
      done: number;
      /** The total size in bytes, if the server sent it. */
      of: number | null;
    }
  /** The new version was downloaded and its signature is valid. It can be installed. */
  | {
      kind: "ready";
      new: NewVersion;
    }
  /** The new version is installed. This program exits, so that the new version can start. */
  | {
      kind: "changing";
      /** The version number. */
      version: string;
    };

/** A newer version. */
export interface NewVersion {
  version: string;
  /** The publisher's notes on the version. */
  notes: string | null;
  /** The URL of the download. */
  address: string;
}

/** The outcome of the last update. */
export interface LastUpdate {
  /** The version before the update. */
  from: string;
  /** The version to update to. */
  to: string;
  /**
   * Why the update failed and the earlier version was restored. `None` if the new version started.
   */
  takenBack: string | null;
  /** When the update ended. */
  atMs: number;
}

/** An event with its revision. */
export interface Envelope {
  /**
   * Grows by one with each event. A roster has the revision of the newest event that it includes.
   */
  revision: number;
  event: HallEvent;
}

/** An event of the hall. */
export type HallEvent =
  /**
   * The whole roster. A listener gets it first, and again after missed events. All listeners get it
   * when the members' folder becomes readable or unreadable.
   */
  | {
      kind: "roster";
      /** The current state of all members. */
      roster: RosterView;
    }
  /** A member was added to the roster. */
  | {
      kind: "member_added";
      member: MemberView;
    }
  /** The state of a member changed. */
  | {
      kind: "member_changed";
      member: MemberView;
    }
  /** A member was removed from the roster. */
  | {
      kind: "member_removed";
      member: MemberName;
    }
  /**
   * A member's tool list was read from its server (REQ-MCP-TOOL-16). The difference may be empty.
   */
  | {
      kind: "tools_updated";
      member: MemberName;
      /** The current number of tools. */
      count: number;
      /** The changes since the previous list. */
      diff: ToolListDiff;
    }
  /** A member's resources or prompts changed. Guild Hall reads them when the user opens them. */
  | {
      kind: "offers_changed";
      member: MemberName;
      /** Whether the resources changed. */
      resources: boolean;
      /** Whether the prompts changed. */
      prompts: boolean;
    }
  /** A call began. */
  | {
      kind: "call_started";
      call: CallId;
      member: MemberName;
      tool: ToolName;
    }
  /** A call's server reported progress, or its member is starting. */
  | {
      kind: "call_progress";
      call: CallId;
      progress: Progress;
    }
  /** A call ended, with or without a result. */
  | {
      kind: "call_finished";
      call: CallId;
      member: MemberName;
      tool: ToolName;
      durationMs: number;
      /** Whether the tool itself reported a failure (`isError`). */
      isError: boolean;
      /** The reason for a missing result. `None` if the call has a result. */
      error: Report | null;
    }
  /** A running examination of this machine (`doctor`) has a new finding. */
  | {
      kind: "examined";
      /** The id of the examination. */
      call: CallId;
      finding: Finding;
      /** The number of finished checks. */
      done: number;
      /** The total number of checks. */
      of: number;
    }
  /** A bundle is being unpacked. */
  | {
      kind: "unpacking";
      /** The id of the install. */
      call: CallId;
      /** The number of unpacked bytes. */
      done: number;
      /** The total number of bytes. */
      of: number;
    }
  /** The history has recorded a call. Its secrets are masked. */
  | {
      kind: "call_recorded";
      /** The call as the history's list shows it. */
      entry: HistoryEntry;
    }
  /** A member's server asks the user a question. */
  | {
      kind: "elicitation_asked";
      elicitation: Elicitation;
    }
  /**
   * A question has ended: the user answered or cancelled it, it timed out, or the server withdrew
   * it.
   */
  | {
      kind: "elicitation_ended";
      id: ElicitationId;
    }
  /** The gateway, its clients or its profiles changed. */
  | {
      kind: "gateway_changed";
      gateway: GatewayState;
    }
  /** An agent's call waits for the user's decision. */
  | {
      kind: "approval_asked";
      approval: Approval;
    }
  /**
   * A call no longer waits: the user decided, the wait timed out, or the agent cancelled the call.
   */
  | {
      kind: "approval_ended";
      id: ApprovalId;
    }
  /**
   * Requests of agents, sent in batches. At high rates some requests are left out, which leaves
   * gaps in the numbers of the exchanges.
   */
  | {
      kind: "traffic_seen";
      /** The exchanges in chronological order. */
      exchanges: Exchange[];
    }
  /**
   * The files of other programs changed. The event does not list the servers in these files, so a
   * listener has to request them.
   */
  | {
      kind: "found_changed";
      /** The number of found servers that no member runs. */
      new: number;
    }
  /** A development round of a member began a step or ended. */
  | {
      kind: "dev_round";
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
      signIn: SignInView;
    }
  /** The state of updates changed. */
  | {
      kind: "updates_changed";
      updates: UpdateState;
    }
  /** New lines on a member's stderr, sent in batches. */
  | {
      kind: "stderr";
      member: MemberName;
      /** The lines in chronological order. */
      lines: LogLine[];
      /**
       * The number of lines before the first of `lines` that were dropped because they came too
       * fast.
       */
      skipped: number;
    }
  /**
   * A problem that does not stop the hall, such as a cache that can't be written or a noisy stdout.
   */
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
  /** Tools that are in both lists and differ, in the new list's order. */
  changed: ToolSpecDiff[];
}

/** The progress of a call. */
export interface Progress {
  /** The finished amount, in the server's own unit. */
  progress: number;
  /** The total amount, if the server knows it. */
  total: number | null;
  /** The current step, at most 1,000 characters. */
  message: string | null;
}

/** Every command with what it takes and what it answers. Each fails with a `Report`. */
export interface Commands {
  /** Returns the version and the folders of the program. */
  app_info: { request: Nothing; response: AppInfo };
  /** Returns the current state of all members. */
  roster: { request: Nothing; response: RosterView };
  /** Returns one member's tools. */
  member_tools: { request: MemberRef; response: MemberTools };
  /** Searches the tools of all members. */
  search_tools: { request: SearchTools; response: FoundTools };
  /** Returns all tools with their policies and their sources. Starts no member. */
  catalog: { request: CatalogRequest; response: Catalog };
  /** Returns all data of one tool. */
  tool_detail: { request: ToolRef; response: ToolDetail };
  /** Returns all data of one member. */
  member_detail: { request: MemberRef; response: MemberDetail };
  /** Checks arguments against a tool's schema. */
  check_arguments: { request: CheckArguments; response: CheckedArguments };
  /** Calls a tool and waits for the end of the call. */
  invoke_tool: { request: InvokeTool; response: CallOutcome };
  /**
   * Calls a tool for an MCP app of the tool's member. The policies for agents apply, and the
   * arguments must match the schema.
   */
  invoke_tool_for_app: { request: InvokeTool; response: CallOutcome };
  /** Cancels a running call. */
  cancel_call: { request: CallRef; response: Nothing };
  /** Sets the members that the window shows. They start before other members that wait to start. */
  report_visible_members: { request: VisibleMembers; response: Nothing };
  /** Starts a member and waits until it is ready or has failed. */
  start_member: { request: MemberRef; response: MemberView };
  /** Stops a member and waits until its processes have ended. */
  stop_member: { request: MemberRef; response: MemberView };
  /** Restarts a member, or starts it if it does not run. */
  restart_member: { request: MemberRef; response: MemberView };
  /** Reads one member's tool list again, and starts the member if needed. */
  refresh_member: { request: MemberRef; response: MemberTools };
  /** Reads all members' tool lists again (REQ-MCP-TOOL-14). */
  refresh_tool_caches: { request: Nothing; response: Refreshed };
  /** Enables or disables a member in its `plugin.json`. */
  set_member_enabled: { request: SetMemberEnabled; response: MemberView };
  /**
   * Stops a member and moves its folder to the trash. Its secrets, permissions and history are
   * kept.
   */
  remove_member: { request: MemberRef; response: RemovedMember };
  /** Returns the members in the trash, the newest first. */
  removed_members: { request: Nothing; response: RemovedMembers };
  /** Moves a member's folder from the trash back to the members' folder. */
  restore_member: { request: RemovalRef; response: MemberView };
  /** Renames a member, with its permissions, profiles, saved calls and reviews. */
  rename_member: { request: RenameMember; response: MemberView };
  /** Copies a member's folder under a new name, with its permissions and reviews. */
  duplicate_member: { request: RenameMember; response: MemberView };
  /** Returns the text of a member's `plugin.json`. */
  member_file: { request: MemberRef; response: MemberFile };
  /** Checks a text for `plugin.json`. Nothing is saved. */
  check_member_file: { request: CheckMemberFile; response: CheckedMemberFile };
  /** Sets or removes one field in a text for `plugin.json`. Nothing is saved. */
  edit_manifest_text: { request: EditManifestText; response: ManifestText };
  /**
   * Saves a member's `plugin.json`, unless another program has changed the file. An accepted member
   * stays accepted.
   */
  save_member_file: { request: SaveMemberFile; response: MemberFile };
  /** Returns the servers' questions that wait for the user. */
  elicitations: { request: Nothing; response: Elicitations };
  /** Checks values against an elicitation's schema. */
  check_elicitation: { request: CheckElicitation; response: CheckedArguments };
  /** Answers an elicitation. Invalid values are rejected, and the elicitation keeps waiting. */
  answer_elicitation: { request: AnswerElicitation; response: Nothing };
  /** Reads a member's resources, templates and prompts from its server. */
  member_offers: { request: MemberRef; response: MemberOffers };
  /** Reads a resource. */
  read_resource: { request: ReadResource; response: Answered };
  /** Gets a prompt with its arguments filled in. */
  get_prompt: { request: GetPrompt; response: Answered };
  /** Returns suggested values for an argument of a prompt or a template. */
  complete_argument: { request: CompleteArgument; response: Completions };
  /** Returns a call as text for another program. */
  copy_as: { request: CopyAs; response: Copied };
  /** Returns the recorded calls that match a filter, the newest first. */
  search_history: { request: SearchHistory; response: HistoryPage };
  /** Returns all recorded data of one call. */
  history_entry: { request: HistoryEntryRef; response: RecordedCall };
  /** Removes the calls that match a filter from the history. */
  clear_history: { request: HistoryFilter; response: Cleared };
  /** Writes recorded calls to a file as JSON Lines. */
  export_history: { request: ExportHistory; response: Exported };
  /** Returns the newest sessions of agents. */
  agent_sessions: { request: ListSessions; response: AgentSessions };
  /** Returns the session of an agent's call. */
  agent_session: { request: HistoryEntryRef; response: AgentSession };
  /** Creates checks from recorded calls. */
  create_checks: { request: CreateChecks; response: CreatedChecks };
  /** Runs the checks of a suite. */
  run_suite: { request: RunSuite; response: SuiteRun };
  /** Creates a member that answers from recorded calls. */
  create_mock: { request: CreateMock; response: CreatedMock };
  /** Saves a call under a name. */
  save_call: { request: SaveCall; response: SavedCall };
  /** Returns the saved calls. */
  saved_calls: { request: SavedCallsOf; response: SavedCalls };
  /** Renames a saved call. */
  rename_saved_call: { request: RenameSavedCall; response: SavedCall };
  /** Removes a saved call. */
  delete_saved_call: { request: SavedCallRef; response: Nothing };
  /** Saves the draft of a tool's form. */
  keep_draft: { request: KeepDraft; response: Nothing };
  /** Returns the saved draft of a tool's form. */
  kept_draft: { request: ToolRef; response: KeptDraft };
  /** Returns the settings and the state of the history. */
  history_settings: { request: Nothing; response: HistoryState };
  /** Changes the settings of the history. */
  change_history_settings: { request: HistorySettings; response: HistoryState };
  /** Returns the state of the gateway, its clients and its profiles. */
  gateway: { request: Nothing; response: GatewayState };
  /**
   * Changes the gateway's settings, and waits until the gateway listens with the new settings, or
   * has failed to.
   */
  change_gateway: { request: ChangeGateway; response: GatewayState };
  /** Adds a client and returns its token, which no later answer contains. */
  add_agent_client: { request: AddAgentClient; response: AddedAgentClient };
  /** Binds a client's token to endpoints. Ends its requests and streams at all other endpoints. */
  bind_agent_client: { request: BindAgentClient; response: GatewayState };
  /** Revokes a client's access and cancels its running requests. */
  revoke_agent_client: { request: AgentClientRef; response: GatewayState };
  /** Saves a profile. It replaces the profile with the same name or with the given former name. */
  save_profile: { request: SaveProfile; response: GatewayState };
  /** Removes a profile. */
  delete_profile: { request: ProfileRef; response: GatewayState };
  /**
   * Sets policies on individual tools, for all endpoints or in a profile. Returns the previous
   * policies.
   */
  set_tool_policies: { request: SetToolPolicies; response: PoliciesSet };
  /** Returns the changes that policy rules would make. Nothing is saved. */
  preview_policy_rules: { request: PolicyRulesOf; response: PolicyPreview };
  /** Saves policy rules, for all endpoints or for a profile. Returns the previous rules. */
  save_policy_rules: { request: PolicyRulesOf; response: PolicyRules };
  /** Confirms a server's claim that a tool only reads, or withdraws the confirmation. */
  confirm_read_only: { request: ConfirmReadOnly; response: GatewayState };
  /** Sets or removes the endpoint that ranks tools by meaning. */
  set_embeddings: { request: SetEmbeddings; response: GatewayState };
  /** Tests an endpoint with one query. Nothing is saved. */
  test_embeddings: { request: TestEmbeddings; response: EmbeddingsTested };
  /**
   * Returns a profile as files that run its members for a team, behind a shared gateway. Writes no
   * files.
   */
  export_team: { request: ExportTeam; response: TeamExport };
  /** Writes the files of a profile's export into a folder. Fails if one of the files exists. */
  write_team_export: { request: WriteTeamExport; response: WrittenTeamExport };
  /** Returns an agent's view of the tools at an endpoint, and the view's cost in tokens. */
  view_as_agent: { request: ViewAsAgent; response: AgentView };
  /** Returns the tools that an agent's search would find for a task. */
  find_for_task: { request: FindForTask; response: FoundForTask };
  /** Returns the agents' calls that wait for the user. */
  approvals: { request: Nothing; response: Approvals };
  /** Allows or denies a waiting call of an agent. */
  decide_approval: { request: DecideApproval; response: Nothing };
  /** Returns the newest requests of agents. */
  gateway_traffic: { request: Nothing; response: Traffic };
  /** Returns the programs that can connect to the gateway. */
  client_configs: { request: EndpointRef; response: ClientConfigs };
  /** Returns the changes to a program's configuration. Nothing is written. */
  preview_client_config: { request: ClientConfigRef; response: ClientConfigPreview };
  /** Writes the previewed changes, with a separate token for the program. */
  write_client_config: { request: WriteClientConfig; response: WrittenClientConfig };
  /** Restores a program's earlier configuration. */
  undo_client_config: { request: UndoClientConfig; response: UndoneClientConfig };
  /** Returns a member's stderr lines in memory and in log files, page by page from the newest. */
  read_member_log: { request: ReadMemberLog; response: LogPage };
  /** Writes a member's whole log to a file. */
  save_member_log: { request: SaveMemberLog; response: SavedMemberLog };
  /** Returns the reports of crashes of this and earlier runs. */
  crash_reports: { request: Nothing; response: CrashReports };
  /** Hides the current crash reports. Their files stay. */
  dismiss_crash_reports: { request: Nothing; response: Nothing };
  /** Returns the content of a bundle for a bug report. Nothing is written. */
  preview_bundle: { request: Nothing; response: Bundled };
  /** Writes a bundle for a bug report, without secrets. */
  write_bundle: { request: WriteBundle; response: Bundled };
  /**
   * Checks this machine: programs, ports, folders, secrets, members' commands. Sends each finding
   * as an event. `cancel_call` cancels the checks.
   */
  doctor: { request: CallRef; response: Examination };
  /** Returns a member's command and tools, with the accepted versions. Nothing is changed. */
  member_review: { request: MemberRef; response: MemberReview };
  /** Accepts a member's command, by the hash from the review, and starts the member. */
  accept_member: { request: AcceptMember; response: MemberView };
  /** Accepts a member's tools as the review showed them. Agents get them from now on. */
  accept_tools: { request: AcceptTools; response: MemberReview };
  /**
   * Withholds a member's changed tools from agents until the user accepts the changes, or stops
   * withholding them.
   */
  hold_changes: { request: HoldChanges; response: MemberView };
  /** Returns the changes of a member's tool list over time, the newest first. */
  revisions: { request: RevisionsOf; response: Revisions };
  /** Returns one change of a member's tool list in detail. */
  revision: { request: RevisionRef; response: Revision };
  /** Returns the watched files of a member in development, its examples, and the last rounds. */
  dev_state: { request: MemberRef; response: DevState };
  /** Runs a member's examples, and starts the member if needed. `cancel_call` cancels the run. */
  run_examples: { request: RunExamples; response: DevRound };
  /** Adds a call to a member's manifest as an example. The rest of the file is unchanged. */
  save_example: { request: SaveExample; response: DevState };
  /** Returns the state of a member's sign-in. */
  sign_in_state: { request: MemberRef; response: SignInView };
  /**
   * Finds the address where the user signs in to a member, and returns it without opening it.
   * Events report the result.
   */
  sign_in: { request: MemberRef; response: SignInAddress };
  /**
   * As `sign_in`, but the user enters a code at the address, on any device. Replaces a running
   * sign-in.
   */
  sign_in_with_code: { request: MemberRef; response: SignInAddress };
  /**
   * Passes the address of the browser's redirect to the running sign-in. Needed if the browser runs
   * on another computer.
   */
  paste_sign_in: { request: PasteSignIn; response: Nothing };
  /** Opens the address of the running sign-in in the system's browser. */
  open_sign_in: { request: MemberRef; response: Nothing };
  /** Waits until the current sign-in has ended, with or without success. */
  sign_in_ended: { request: MemberRef; response: SignInView };
  /** Cancels a sign-in. */
  cancel_sign_in: { request: MemberRef; response: SignInView };
  /** Signs out of a member: revokes its tokens if the server supports that, and deletes them. */
  sign_out: { request: MemberRef; response: SignInView };
  /** Returns the names of all secrets and the members that use them, but no values. */
  secrets: { request: Nothing; response: Secrets };
  /** Saves a secret. An existing secret with the same name is replaced. */
  set_secret: { request: SetSecret; response: KeptSecret };
  /** Removes a secret from the keychain and from `secrets.json`. */
  remove_secret: { request: SecretRef; response: Secrets };
  /** Returns the servers in other programs' configuration files. Starts no server. */
  found_servers: { request: Nothing; response: FoundServers };
  /** Adds a project folder or a workspace file to the scan for servers. */
  look_for_servers: { request: ScanFolderRef; response: FoundServers };
  /** Removes a project folder or a workspace file from the scan. */
  forget_found_folder: { request: ScanFolderRef; response: FoundServers };
  /** Imports servers as members. The user must have seen their commands. */
  adopt_servers: { request: AdoptServers; response: Adopted };
  /** Returns the servers in a pasted text, a file or a command. Starts no server. */
  read_brought: { request: Brought; response: BroughtServers };
  /** Imports servers from a text, a file or a command. The user must have seen their commands. */
  adopt_brought: { request: AdoptBrought; response: Adopted };
  /** Returns the templates of new members. */
  beginnings: { request: Nothing; response: MemberTemplates };
  /**
   * Creates a member from a template for the user to develop, and waits until it is in the roster.
   */
  begin_member: { request: CreateMember; response: CreatedMember };
  /**
   * Searches a registry or a file in its format. An answer is cached for a few minutes. For an
   * unreachable registry, returns an earlier answer. `cancel_call` cancels the search.
   */
  search_registry: { request: SearchRegistry; response: RegistryPage };
  /** Returns one server of a registry, and the command of each way to run it. */
  registry_server: { request: RegistryServerRef; response: RegistryServer };
  /**
   * Installs a registry's server as a member, in the way that the user chose. The member starts
   * only after the user has accepted its command.
   */
  install_registry_server: { request: InstallRegistryServer; response: InstalledRegistryServer };
  /** Returns the content and the command of an MCPB bundle. Writes and starts nothing. */
  look_into_mcpb: { request: BundleFileRef; response: McpbLook };
  /**
   * Installs a bundle as a new member or as an update. The member starts only after the user has
   * accepted its command. `cancel_call` cancels the install until the new files are in place.
   */
  install_mcpb: { request: InstallMcpb; response: InstalledMcpb };
  /** Checks answers against the inputs of an install. */
  check_answers: { request: CheckAnswers; response: CheckedArguments };
  /**
   * Returns the settings in `config.yml`: how Guild Hall finds the tools of servers that don't
   * follow the MCP protocol.
   */
  discovery_settings: { request: Nothing; response: DiscoveryState };
  /**
   * Changes `config.yml`, and keeps its other lines. Fails if its settings have changed since they
   * were read.
   */
  change_discovery_settings: { request: ChangeDiscovery; response: DiscoveryState };
  /** Returns the prediction request to a model for a member. Nothing is sent. */
  prediction_request: { request: MemberRef; response: PredictionRequest };
  /**
   * Sends the shown request, and lists the tools in the model's answer. `cancel_call` cancels the
   * request.
   */
  predict_tools: { request: PredictTools; response: MemberTools };
  /** Withdraws the user's stored consent to send a prediction request. */
  forget_prediction: { request: MemberRef; response: PredictionRequest };
  /**
   * Returns the content of `settings.json`, the settings in force, and the problems of the file.
   */
  settings: { request: Nothing; response: SettingsState };
  /** Changes settings, all of them or none. The rest of the file is unchanged. */
  change_settings: { request: ChangeSettings; response: SettingsState };
  /** Copies `settings.json` to another file. */
  export_settings: { request: SettingsFileRef; response: SettingsFileRef };
  /** Returns the settings that an import of a settings file would change. Nothing is written. */
  preview_settings_import: { request: SettingsFileRef; response: SettingsImport };
  /** Replaces `settings.json` with the previewed file, and keeps a backup. */
  import_settings: { request: ImportSettings; response: SettingsImport };
  /** Returns the state of updates. */
  updates: { request: Nothing; response: UpdateState };
  /** Checks for a newer version at the address in the settings. Downloads nothing. */
  look_for_update: { request: Nothing; response: UpdateState };
  /** Downloads the newer version that was shown, and checks its signature. */
  fetch_update: { request: Nothing; response: UpdateState };
  /** Cancels the current step, or discards the downloaded version. */
  cancel_update: { request: Nothing; response: UpdateState };
  /**
   * Replaces this program with the downloaded version and restarts it. If the new version does not
   * start, this version is restored.
   */
  change_to_update: { request: Nothing; response: UpdateState };
  /** Clears the outcome of the last update once the user has seen it. */
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
  "invoke_tool_for_app",
  "cancel_call",
  "report_visible_members",
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
  "agent_sessions",
  "agent_session",
  "create_checks",
  "run_suite",
  "create_mock",
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
  "bind_agent_client",
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
  "crash_reports",
  "dismiss_crash_reports",
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
  "sign_in_with_code",
  "paste_sign_in",
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
