/** How a call ended, as one of the faces that are told apart everywhere. */

import type { CallEnd, Code } from "../bridge/bindings";
import type { SignName } from "../parts/signs";

export type FaceName = "ok" | "tool" | "protocol" | "transport" | "limit" | "cancelled" | "unsent";

export interface CallFace {
  readonly name: FaceName;
  readonly shape: SignName;
  readonly word: string;
  /** A class for the colour of the shape and the word. */
  readonly colour: string;
  /** A class for the line that frames what is shown. */
  readonly frame: string;
  /** A class for what the status stands on. */
  readonly fill: string;
}

const FACES: Readonly<Record<FaceName, Omit<CallFace, "name">>> = {
  ok: { shape: "dot", word: "ok", colour: "text-ok", frame: "border-line", fill: "" },
  tool: { shape: "warning", word: "tool error", colour: "text-warn", frame: "border-warn", fill: "bg-warn-fill" },
  protocol: { shape: "cross", word: "protocol error", colour: "text-bad", frame: "border-bad", fill: "" },
  transport: { shape: "cross", word: "no connection", colour: "text-bad", frame: "border-bad", fill: "bg-bad-fill" },
  limit: { shape: "clock", word: "time limit", colour: "text-dim", frame: "border-line", fill: "bg-surface" },
  cancelled: { shape: "pause", word: "cancelled", colour: "text-dim", frame: "border-line", fill: "bg-surface" },
  unsent: { shape: "cross", word: "not sent", colour: "text-bad", frame: "border-bad", fill: "" },
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
    return { name, ...face, word: "process ended" };
  }
  return { name, ...face };
}

function nameOf(end: CallEnd): FaceName {
  if (end.kind === "result") return end.isError ? "tool" : "ok";
  if (end.rpc !== null) return "protocol";
  return BY_CODE.get(end.report.code) ?? "transport";
}
