/** Maps the window's pages and error codes to sections of the user guide and of the list of error codes. */
import type { Code } from "../../ipc/bindings";
import type { Anchor } from "./books";
import type { AddingTab, AgentTab, HistoryTab, MemberTab, Place } from "./places";

const OF_MEMBER: Readonly<Record<MemberTab, Anchor>> = {
  tools: "user-guide#a-members-page",
  log: "user-guide#a-members-page",
  resources: "user-guide#resources-and-prompts",
  prompts: "user-guide#resources-and-prompts",
  skills: "user-guide#skills",
  configuration: "user-guide#manage-members",
  review: "user-guide#members-from-elsewhere",
  dev: "user-guide#writing-a-member",
};

const OF_AGENTS: Readonly<Record<AgentTab, Anchor>> = {
  gateway: "user-guide#agents",
  policies: "user-guide#policies",
  profiles: "user-guide#the-agents-page",
  approvals: "user-guide#the-agents-page",
  traffic: "user-guide#the-agents-page",
  connect: "user-guide#connecting-a-program",
};

/** The sections about the tabs of the Add member dialog. */
export const ADDING_ANCHORS: Readonly<Record<AddingTab, Anchor>> = {
  paste: "user-guide#adding-what-a-servers-page-shows",
  found: "user-guide#found-servers",
  bundle: "user-guide#bundles",
  registry: "user-guide#registries",
  write: "user-guide#writing-a-member",
};

const OF_HISTORY: Readonly<Record<HistoryTab, Anchor>> = {
  calls: "user-guide#history",
  saved: "user-guide#saved-calls",
};

/** The section about a page. For a member's page, the section about the tab `tab`. */
export function anchorOf(place: Place, tab: MemberTab): Anchor {
  switch (place.kind) {
    case "welcome":
      return "user-guide#the-first-minute";
    case "member":
      return OF_MEMBER[tab];
    case "tool":
      return "user-guide#forms";
    case "offer":
      return place.offer.kind === "skill" ? "user-guide#skills" : "user-guide#resources-and-prompts";
    case "question":
      return "user-guide#questions-of-servers";
    case "agents":
      return OF_AGENTS[place.tab];
    case "history":
      return OF_HISTORY[place.tab];
    case "discovery":
      return "user-guide#servers-that-speak-the-protocol-badly";
    case "doctor":
      return "user-guide#when-something-is-missing";
    case "secrets":
      return "user-guide#secrets";
    case "settings":
      return "user-guide#settings";
    case "help":
      return place.at;
  }
}

/** The section about an error code. */
export function anchorOfCode(code: Code): Anchor {
  return `errors#${code}`;
}
