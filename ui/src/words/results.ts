import type { FaceName } from "../results/face";
import { counted, number } from "./format";

/** What each kind of failure is, in a few words that no other kind has. */
const kinds: Partial<Record<FaceName, string>> = {
  protocol: "The server is there and refused the request itself; the tool may never have run.",
  transport: "There was no answer: the connection or the process is gone. What the tool had done by then is unknown.",
  limit: "No answer came in time. The server was told to stop; it may not have.",
  cancelled: "You stopped waiting. The server was told to stop; it may not have.",
  unsent: "Nothing was sent to the server.",
};

const mediaNotBase64: Record<"image" | "audio", string> = {
  image: "content image whose data is no base64",
  audio: "content audio whose data is no base64",
};

export const words = {
  rawResult: "raw result",

  kinds,

  findIn: (what: string) => `Find in ${what}`,

  mediaNotBase64,

  viewOf: (what: string) => `View of ${what}`,
  moreBlocks: (next: number, left: number) => `Show ${number(next)} more of ${number(left)} blocks`,

  copied: { path: "Path copied", value: "Value copied" },
  notCopied: { path: "Path could not be copied", value: "Value could not be copied" },

  rows: (count: number) => counted(count, { one: "row", other: "rows" }),

  kindsOfDifference: { added: "added", removed: "removed", changed: "changed" },
};
