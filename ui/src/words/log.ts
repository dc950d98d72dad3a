import { counted } from "./format";

const LINES = { one: "line", other: "LINES" };

export const words = {
  found: (count: number) => `${counted(count, LINES)} found`,
};
