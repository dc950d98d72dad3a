import { counted, keyed, number } from "./format";

/** The agents' calls that wait for a person. */
export const words = {
  wantsToCall: (client: string, member: string, tool: string) => `${client} wants to call ${tool} of ${member}`,
  /** The same, of elements. */
  asks: "{client} wants to call {tool} of {member}",
  anAgentAsks: "An agent asks",
  andMore: (count: number) => `and ${number(count)} more`,
  decide: "Decide",
  later: "Later",
  putAway: "Put this notice away; the status bar keeps the call",
  decideOldest: (keys: string | undefined) => keyed("Decide about the oldest", keys),
  wait: (count: number) => counted(count, { one: "call waits", other: "calls wait" }),
  waitOldestFirst: (count: number) => `${counted(count, { one: "call waits", other: "calls wait" })}, the oldest first`,
  waiting: "Calls that wait",
  /** `{ask}` is the policy. */
  noneWaits: "No agent's call waits. A call of a tool whose policy is {ask} waits here until you allow or deny it.",
  ended: "Decided or ended",
  endings: {
    once: "you allowed it once",
    always: "you allowed it, now and from now on",
    deny: "you denied it",
    overdue: "nobody decided in time",
    gone: "it waits for no decision any more",
  },

  tool: "the tool",
  saysNothing: "The server does not say whether it changes or destroys anything.",
  serverSays: "The server says:",
  arguments: "Arguments",
  asJson: "Arguments as JSON",
  backToFields: "Back to the fields",
  editAsJson: "Edit as JSON",
  changedByYou: "changed by you",
  asAgentWrote: "As the agent wrote them",
  allowOnce: "Allow once",
  alwaysAllow: "Always allow",
  deny: "Deny",
  allowAnyway: "Allow anyway",
  allowUnchecked: (keys: string | undefined) => keyed("Allow this call once, without the check", keys),
  /** `{key}` is a key. */
  keyAllows: "{key} allows once",
  always: "Always",
  /** `{always}` is `always`. */
  whatAlwaysMeans: "{always} lets every client call {tool} of {member} with any arguments from now on, without a question. Policies takes it back.",
  onItsWay: "The decision is on its way",
  justCame: "It has just come up",
  beingChecked: "The arguments are being checked",
};
