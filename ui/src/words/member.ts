import type { Freshness } from "../bridge/bindings";
import { number } from "./format";

const FRESHNESS: Record<Exclude<Freshness, "unknown">, string> = {
  live: "live",
  cached: "cached",
  outdated: "outdated",
  refreshing: "refreshing",
};

export const words = {
  list: (tools: number, fresh: Exclude<Freshness, "unknown">) => `${number(tools)}, ${FRESHNESS[fresh]}`,
  listSaid: (tools: number, fresh: Exclude<Freshness, "unknown">, ago: string) => `${number(tools)}, ${FRESHNESS[fresh]}, said by the server ${ago}`,
  listFound: (tools: number, fresh: Exclude<Freshness, "unknown">, ago: string) => `${number(tools)}, ${FRESHNESS[fresh]}, found ${ago}`,
};
