import type { Freshness } from "../bridge/bindings";
import { counted, number } from "./format";

const freshness: Record<Exclude<Freshness, "unknown">, string> = {
  live: "live",
  cached: "cached",
  outdated: "outdated",
  refreshing: "refreshing",
};

export const words = {
  more: "More of the member",
  readingDetail: "its command, server and manifest",
  wrong: "What is wrong",
  warnings: "Warnings",
  foundSo: (how: string) => `Its tools were ${how}.`,
  foundUnconfirmed: (how: string) => `Its tools were ${how}. They can be called, and agents get them, once the server has confirmed them.`,

  start: "Start",
  startNow: "Start now",
  restart: "Restart",
  refresh: "Refresh tools",
  /** What a button says while it is being done. */
  underWay: (what: string) => `${what}…`,

  log: "Log",
  resources: "Resources",
  resourcesCounted: (count: number) => `Resources (${number(count)})`,
  prompts: "Prompts",
  promptsCounted: (count: number) => `Prompts (${number(count)})`,
  server: "Server",
  manifest: "Manifest",
  savedCalls: "Saved calls",
  review: "Review",
  reviewHeld: (tools: number) => `Review (${counted(tools, { one: "tool", other: "tools" })} held back)`,
  dev: "Dev",
  leftOut: (entries: number) => `Left out (${number(entries)})`,

  command: "Command",
  theCommand: "the command",
  address: "Address",
  process: "Process",
  noProcess: "none",
  pid: (pid: number) => `pid ${pid}`,
  port: (port: number) => `port ${port}`,
  up: (since: string) => `up ${since}`,
  onDemand: "started on demand",
  withRoster: "started with the roster",
  protocol: "Protocol",
  noProtocol: "not agreed upon yet",
  tools: "Tools",
  noList: "no list is known",
  list: (tools: number, fresh: Exclude<Freshness, "unknown">) => `${number(tools)}, ${freshness[fresh]}`,
  listSaid: (tools: number, fresh: Exclude<Freshness, "unknown">, ago: string) => `${number(tools)}, ${freshness[fresh]}, said by the server ${ago}`,
  listFound: (tools: number, fresh: Exclude<Freshness, "unknown">, ago: string) => `${number(tools)}, ${freshness[fresh]}, found ${ago}`,
  environment: "Environment",
  folder: "Folder",

  serverSilent: "The server has not said anything of itself yet. It does when it is ready.",
  serverInfo: (server: string, protocol: string) => `${server} · protocol ${protocol} · with a handshake`,
  serverInfoBare: (server: string, protocol: string) => `${server} · protocol ${protocol} · without a handshake`,
  instructions: "Instructions for a model",
  capabilities: "Capabilities",

  noManifest: "There is no plugin.json that could be read.",
  manifestFile: (folder: string) => `${folder}/plugin.json, read-only here`,
  theManifest: "the manifest",
  noName: "(no name)",
  andMore: (count: number) => `and ${number(count)} more`,
};
