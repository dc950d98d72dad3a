import type { Run } from "../hall/workbench";
import { faceOf } from "../results/face";
import { words } from "../words/tool";

export interface RunFace {
  readonly shape: string;
  readonly word: string;
  /** A class for the colour of the shape. */
  readonly colour: string;
}

const RUNNING: RunFace = { shape: "◐", colour: "text-warn", word: words.running };

/** How a call of this window stands: it runs, or it ended in one of the ways that results have. */
export function runFace({ outcome }: Run): RunFace {
  return outcome ? faceOf(outcome.end) : RUNNING;
}
