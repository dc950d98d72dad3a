import type { Run } from "./workbench";
import { faceOf } from "../results/face";
import type { Face } from "../../components/status";

const RUNNING: Face = { shape: "dashes", colour: "text-warn", word: "Running" };

/** The icon and label of a call's state: running, or one of the outcomes. */
export function runFace({ outcome }: Run): Face {
  return outcome ? faceOf(outcome.end) : RUNNING;
}
