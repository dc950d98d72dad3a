/** Rounds and examples in words, each with a shape and a colour. */
import type { DevRound, DevStep, ExampleEnd } from "../../../ipc/bindings";
import { counted } from "../../../lib/format";
import type { Face } from "../../../components/status";

const STEPS: Readonly<Record<DevStep, Face>> = {
  building: { shape: "dashes", word: "building", colour: "text-accent" },
  restarting: { shape: "dashes", word: "restarting", colour: "text-accent" },
  checking: { shape: "dashes", word: "running examples", colour: "text-accent" },
  passed: { shape: "dot", word: "passed", colour: "text-ok" },
  "examples-failed": { shape: "cross", word: "examples failed", colour: "text-bad" },
  "build-failed": { shape: "cross", word: "build failed", colour: "text-bad" },
  "start-failed": { shape: "cross", word: "did not come up", colour: "text-bad" },
  "not-running": { shape: "ring", word: "stopped, and stays so", colour: "text-dim" },
  "broken-off": { shape: "ring", word: "broken off", colour: "text-dim" },
};

export function stepFace({ step, examples }: Pick<DevRound, "step" | "examples">): Face {
  // Without an example nothing was checked.
  return step === "passed" && examples.length === 0 ? { ...STEPS[step], word: "up" } : STEPS[step];
}

export function isOver(step: DevStep): boolean {
  return step !== "building" && step !== "restarting" && step !== "checking";
}

const ENDS: Readonly<Record<ExampleEnd, Face>> = {
  passed: { shape: "dot", word: "passed", colour: "text-ok" },
  failed: { shape: "cross", word: "failed", colour: "text-bad" },
  "left-out": { shape: "ring", word: "not run", colour: "text-dim" },
};

export function endFace(end: ExampleEnd): Face {
  return ENDS[end];
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
