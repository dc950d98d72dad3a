/** Rounds and examples in words, each with a shape and a colour. */
import type { DevRound, DevStep, ExampleEnd } from "../../bridge/bindings";
import { counted } from "../../words/format";
import type { Face } from "../../words/status";

const STEP_WORDS: Record<DevStep, string> = {
  building: "building",
  restarting: "restarting",
  checking: "running examples",
  passed: "passed",
  "examples-failed": "examples failed",
  "build-failed": "build failed",
  "start-failed": "did not come up",
  "not-running": "stopped, and stays so",
  "broken-off": "broken off",
};

const END_WORDS: Record<ExampleEnd, string> = { passed: "passed", failed: "failed", "left-out": "not run" };

type Look = Omit<Face, "word">;

const STEPS: Readonly<Record<DevStep, Look>> = {
  building: { shape: "◐", colour: "text-accent" },
  restarting: { shape: "◐", colour: "text-accent" },
  checking: { shape: "◐", colour: "text-accent" },
  passed: { shape: "●", colour: "text-ok" },
  "examples-failed": { shape: "✕", colour: "text-bad" },
  "build-failed": { shape: "✕", colour: "text-bad" },
  "start-failed": { shape: "✕", colour: "text-bad" },
  "not-running": { shape: "○", colour: "text-dim" },
  "broken-off": { shape: "○", colour: "text-dim" },
};

export function stepFace({ step, examples }: Pick<DevRound, "step" | "examples">): Face {
  // Without an example nothing was checked.
  return { ...STEPS[step], word: step === "passed" && examples.length === 0 ? "up" : STEP_WORDS[step] };
}

export function isOver(step: DevStep): boolean {
  return step !== "building" && step !== "restarting" && step !== "checking";
}

const ENDS: Readonly<Record<ExampleEnd, Look>> = {
  passed: { shape: "●", colour: "text-ok" },
  failed: { shape: "✕", colour: "text-bad" },
  "left-out": { shape: "○", colour: "text-dim" },
};

export function endFace(end: ExampleEnd): Face {
  return { ...ENDS[end], word: END_WORDS[end] };
}

/** What a round is about. */
export function aboutRound({ files, moreFiles }: Pick<DevRound, "files" | "moreFiles">): string {
  return files.length === 0 ? "The examples, as asked for" : moreFiles === 0 ? files.join(", ") : `${files.join(", ")} and ${counted(moreFiles, { one: "more file", other: "more files" })}`;
}

/** How a round ended, to be spoken. */
export function roundWords(round: DevRound): string {
  const { tools, moreTools, examples } = round;
  const changed = tools.length + moreTools;
  const failed = examples.filter(({ end }) => end === "failed").length;
  return [
    `${round.member}: ${stepFace(round).word}`,
    changed > 0 ? `${counted(changed, { one: "tool", other: "tools" })} changed` : "",
    failed > 0 ? `${counted(failed, { one: "example", other: "examples" })} failed` : "",
  ].filter(Boolean).join(", ");
}
