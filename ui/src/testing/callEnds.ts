/** The ends of calls, for mock calls of tests. */
import type { ArgumentError, CallEnd, Code } from "../ipc/bindings";

/** A result with one text. */
export function textEnd(text: string, isError = false): CallEnd {
  return { kind: "result", result: JSON.stringify({ content: [{ type: "text", text }] }), isError };
}

export function failedEnd(code: Code, message: string, changes: Partial<Extract<CallEnd, { kind: "failed" }>> = {}, member = "forge"): CallEnd {
  return { kind: "failed", report: { code, message, hint: "", member }, rpc: null, arguments: [], stderr: [], ...changes };
}

export function cancelledEnd(member = "forge"): CallEnd {
  return failedEnd("call-cancelled", "You cancelled the call.", {}, member);
}

/** The end of a call whose arguments failed validation. */
export function refusedEnd(errors: ArgumentError[]): CallEnd {
  return failedEnd("arguments-invalid", "The arguments do not fit.", { arguments: errors });
}
