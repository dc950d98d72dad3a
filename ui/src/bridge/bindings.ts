// Written by `cargo xtask codegen` from guild_core. Do not edit.

/** The table of commands. Each fails with a `Report`. */
export interface Commands {
  /** What the window says of the program. */
  app_info: { request: Nothing; response: AppInfo };
  /** All members as they are now. */
  roster: { request: Nothing; response: Roster };
  /** One member's tools. */
  member_tools: { request: OfMember; response: MemberTools };
  /** The tools of all members that match some words. */
  search_tools: { request: SearchTools; response: FoundTools };
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
  /** Starts a member; answers when it is ready or has failed. */
  start_member: { request: OfMember; response: MemberView };
  /** Stops a member; answers when its processes are gone. */
  stop_member: { request: OfMember; response: MemberView };
  /** Stops a member if it runs, and starts it. */
  restart_member: { request: OfMember; response: MemberView };
  /** Reads one member's tool list anew, starting it if need be. */
  refresh_member: { request: OfMember; response: MemberTools };
  /** Reads all members' tool lists anew (REQ-MCP-TOOL-14). */
  refresh_tool_caches: { request: Nothing; response: Refreshed };
}
