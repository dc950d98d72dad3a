/** The possible outcomes of a call, with the icon, label and color of each. */

import type { CallEnd, Code } from "../../ipc/bindings";
import type { SignName } from "../../components/signs";

export type FaceName = "ok" | "tool" | "protocol" | "transport" | "limit" | "cancelled" | "unsent";

export interface CallFace {
  readonly name: FaceName;
  readonly shape: SignName;
  readonly word: string;
  /** A Tailwind class for the color of the icon and the label. */
  readonly colour: string;
  /** A Tailwind class for the border around the result. */
  readonly frame: string;
  /** A Tailwind class for the background of a failure. */
  readonly fill: string;
}

const FACES: Readonly<Record<FaceName, Omit<CallFace, "name">>> = {
  ok: { shape: "done", word: "Done", colour: "text-ok", frame: "border-line", fill: "" },
  tool: { shape: "warning", word: "Tool error", colour: "text-warn", frame: "border-warn", fill: "bg-warn-fill" },
  protocol: { shape: "cross", word: "Server error", colour: "text-bad", frame: "border-bad", fill: "" },
  transport: { shape: "cross", word: "Connection lost", colour: "text-bad", frame: "border-bad", fill: "bg-bad-fill" },
  limit: { shape: "clock", word: "Timed out", colour: "text-dim", frame: "border-line", fill: "bg-sidebar" },
  cancelled: { shape: "ban", word: "Cancelled", colour: "text-dim", frame: "border-line", fill: "bg-sidebar" },
  unsent: { shape: "cross", word: "Not sent", colour: "text-bad", frame: "border-bad", fill: "" },
};

const BY_CODE: ReadonlyMap<Code, FaceName> = new Map<Code, FaceName>([
  ["rpc-error", "protocol"],
  ["answer-malformed", "protocol"],
  ["answer-too-large", "protocol"],
  ["http-status", "protocol"],
  ["handshake-failed", "protocol"],
  ["call-timeout", "limit"],
  ["call-cancelled", "cancelled"],
  ["arguments-not-json", "unsent"],
  ["arguments-invalid", "unsent"],
  ["too-many-calls", "unsent"],
  ["member-disabled", "unsent"],
  ["sign-in-needed", "unsent"],
  ["member-unknown", "unsent"],
  ["tool-unknown", "unsent"],
  ["variable-missing", "unsent"],
  ["shutting-down", "unsent"],
]);

export function faceOf(end: CallEnd): CallFace {
  const name = nameOf(end);
  const face = FACES[name];
  if (end.kind === "failed" && name === "transport" && /exited|interrupted|crash/.test(end.report.code)) {
    return { name, ...face, word: "Process ended" };
  }
  return { name, ...face };
}

function nameOf(end: CallEnd): FaceName {
  if (end.kind === "result") return end.isError ? "tool" : "ok";
  if (end.rpc !== null) return "protocol";
  return BY_CODE.get(end.report.code) ?? "transport";
}
