import { counted, number } from "./format";

/** How many servers other programs have that no member runs. */
export const words = {
  found: (count: number) => `${number(count)} found`,
  noMemberRuns: (count: number) => `${counted(count, { one: "server", other: "servers" })} in files of other programs that no member runs`,
  lookAt: (count: number) => `Look at ${counted(count, { one: "found server", other: "found servers" })}`,
  foundServers: "Found servers",
};
