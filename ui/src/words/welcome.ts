import type { Forms } from "./format";

const members: Forms = { one: "member", other: "members" };
const tools: Forms = { one: "tool", other: "tools" };

export const words = {
  members,
  tools,

  moreMembers: { one: "more", other: "more" },

  tryComing: "It opens as soon as the first tools are known…",
  filled: (keys: string | undefined) => `Filled with the tool's own example${keys === undefined ? "" : `: ${keys} runs it`}.`,

  foundServers: { one: "server stands", other: "servers stand" } satisfies Forms,
  moreServers: { one: "more", other: "more" },
};
