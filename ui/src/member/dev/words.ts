/** Rounds and examples in words, each with a shape and a colour. */
import type { DevRound, DevStep, ExampleEnd, ExamplePart } from "../../bridge/bindings";
import { counted } from "../../words/count";

interface Face {
  shape: string;
  colour: string;
  word: string;
}

const STEP: Readonly<Record<DevStep, Face>> = {
  building: { shape: "◐", colour: "text-accent", word: "building" },
  restarting: { shape: "◐", colour: "text-accent", word: "restarting" },
  checking: { shape: "◐", colour: "text-accent", word: "running examples" },
  passed: { shape: "●", colour: "text-ok", word: "passed" },
  "examples-failed": { shape: "✕", colour: "text-bad", word: "examples failed" },
  "build-failed": { shape: "✕", colour: "text-bad", word: "build failed" },
  "start-failed": { shape: "✕", colour: "text-bad", word: "did not come up" },
  "not-running": { shape: "○", colour: "text-dim", word: "stopped, and stays so" },
  "broken-off": { shape: "○", colour: "text-dim", word: "broken off" },
};

export function stepFace({ step, examples }: Pick<DevRound, "step" | "examples">): Face {
  const face = STEP[step];
  // Without an example nothing was checked.
  return step === "passed" && examples.length === 0 ? { ...face, word: "up" } : face;
}

export function isOver(step: DevStep): boolean {
  return step !== "building" && step !== "restarting" && step !== "checking";
}

export const END: Readonly<Record<ExampleEnd, Face>> = {
  passed: { shape: "●", colour: "text-ok", word: "passed" },
  failed: { shape: "✕", colour: "text-bad", word: "failed" },
  "left-out": { shape: "○", colour: "text-dim", word: "not run" },
};

export const PART: Readonly<Record<ExamplePart, string>> = {
  answer: "No result",
  "is-error": "Whether it failed",
  text: "Its text",
  structured: "Its structured content",
  schema: "The example's schema",
  "output-schema": "The tool's output schema",
};

/** What a round is about. */
export function aboutRound({ files, moreFiles }: Pick<DevRound, "files" | "moreFiles">): string {
  if (files.length === 0) return "The examples, as asked for";
  return moreFiles === 0 ? files.join(", ") : `${files.join(", ")} and ${counted(moreFiles, "more file", "more files")}`;
}

/** How a round ended, to be spoken. */
export function roundWords(round: DevRound): string {
  const { tools, moreTools, examples } = round;
  const failed = examples.filter(({ end }) => end === "failed").length;
  const changes = tools.length + moreTools;
  return [
    `${round.member}: ${stepFace(round).word}`,
    changes > 0 ? `${counted(changes, "tool")} changed` : "",
    failed > 0 ? `${counted(failed, "example")} failed` : "",
  ]
    .filter(Boolean)
    .join(", ");
}
