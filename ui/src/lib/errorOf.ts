import { asRefusal } from "../ipc/bridge";
import type { Report } from "../ipc/bindings";

/** Runs requests to the engine. Returns the error that ended them, or `null`. */
export async function errorOf(work: () => Promise<unknown>): Promise<Report | null> {
  try {
    await work();
    return null;
  } catch (reason) {
    return asRefusal(reason).report;
  }
}
