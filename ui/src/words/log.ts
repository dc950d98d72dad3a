import { counted } from "./format";

const lines = { one: "line", other: "lines" };

export const words = {
  search: "Search the log",
  found: (count: number) => `${counted(count, lines)} found`,
};
