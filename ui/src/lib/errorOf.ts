import { asRefusal } from "../ipc/bridge";
import type { Report } from "../ipc/bindings";

/** Runs requests to the engine. Returns the report of the first failure, or `null` if all succeeded. */
export async function errorOf(work: () => Promise<unknown>): Promise<Report | null> {
  try {
    await work();
    return null;
  } catch (reason) {
    return asRefusal(reason).report;
  }
}
