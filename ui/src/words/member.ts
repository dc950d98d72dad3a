import type { Freshness } from "../bridge/bindings";
import { number } from "./format";

const freshness: Record<Exclude<Freshness, "unknown">, string> = {
  live: "live",
  cached: "cached",
  outdated: "outdated",
  refreshing: "refreshing",
};

export const words = {
  list: (tools: number, fresh: Exclude<Freshness, "unknown">) => `${number(tools)}, ${freshness[fresh]}`,
  listSaid: (tools: number, fresh: Exclude<Freshness, "unknown">, ago: string) => `${number(tools)}, ${freshness[fresh]}, said by the server ${ago}`,
  listFound: (tools: number, fresh: Exclude<Freshness, "unknown">, ago: string) => `${number(tools)}, ${freshness[fresh]}, found ${ago}`,
};
