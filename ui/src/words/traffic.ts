import { counted, number } from "./format";

export const words = {
  traffic: "Traffic",
  theTraffic: "the traffic",
  width: "Width of the traffic",
  member: "Member",
  anyMember: "any member",
  client: "Client",
  anyClient: "any client",
  goOn: "Go on",
  pause: "Pause",
  exchanges: (count: number) => counted(count, { one: "exchange", other: "exchanges" }),
  newestExchanges: (count: number) => `${counted(count, { one: "exchange", other: "exchanges" })}, the newest`,
  heldBack: (count: number) => `${number(count)} more since it was paused`,
  paused: "paused",
  nothingYet:
    "No agent has asked anything yet. What one asks shows up here with its answer, secrets masked. Connect says how a program is told of the gateway.",
  nothingFits: "Nothing of what was asked fits.",
  newestFirst: "What agents asked, the newest first",
  keys: "Enter shows the request and the answer.",
  columns: {
    time: "Time",
    client: "Client",
    endpoint: "Endpoint",
    method: "Method",
    tool: "Member › tool",
    took: "Took",
    asked: "Asked",
    answered: "Answered",
  },

  requestAndAnswer: "Request and answer",
  ofMember: (member: string) => `of ${member}`,
  close: "Close",
  dropped: (fields: string) => `Removed before the call, as the client adds it to every tool: ${fields}`,
  request: { title: "Request", text: "request" },
  answer: { title: "Answer", text: "answer" },
  /** `kept` is how much of a longer one is there. */
  size: (whole: string, kept: string | null) => `${whole}${kept === null ? "" : `, its first ${kept} are kept`}, secrets masked`,
};
