import type { Run } from "./workbench";
import { faceOf } from "../results/face";
import type { Face } from "../../components/status";

const RUNNING: Face = { shape: "dashes", colour: "text-warn", word: "Running" };

/** The state of a call of this window: it runs, or it ended in one of the ways that results have. */
export function runFace({ outcome }: Run): Face {
  return outcome ? faceOf(outcome.end) : RUNNING;
}
