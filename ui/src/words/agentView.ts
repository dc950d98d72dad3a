import { counted } from "./format";

const tools = (count: number) => counted(count, { one: "tool", other: "tools" });

/** What an agent sees at an endpoint. */
export const words = {
  toolCount: tools,
};
