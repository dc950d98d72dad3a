/** The commands that start, stop, restart and refresh a member, and the reasons why a command is unavailable. */
import type { MemberView } from "../../ipc/bindings";

export type MemberVerb = "start" | "stop" | "restart" | "refresh";

/** The reason why a command is unavailable for a member now; `undefined` if it is available. */
export function whyNot(verb: MemberVerb, view: MemberView, pending: ReadonlySet<string>): string | undefined {
  if (pending.has(`${verb}_member:${view.name}`)) return "In progress";
  if (view.status === "disabled") return "Disabled in plugin.json";
  if (view.status === "unreviewed") return "Needs your review first";
  switch (verb) {
    case "start":
      if (view.status === "ready") return "Already running";
      return view.status === "starting" ? "Starting…" : undefined;
    case "stop":
      if (view.status === "stopping") return "Stopping…";
      return view.status === "ready" || view.status === "starting" || view.status === "backoff"
        ? undefined
        : "Not running";
    case "restart":
    case "refresh":
      return view.status === "stopping" ? "Stopping…" : undefined;
  }
}
