/** The commands that start, stop, restart and refresh a member, and when each is unavailable. */
import type { MemberView } from "../../ipc/bindings";

export type MemberVerb = "start" | "stop" | "restart" | "refresh";

/** Why something can't be done with a member now; `undefined` when it can. */
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
