/** The icon, label and color of development rounds and of example runs. */
import type { DevRound, DevStep, ExampleEnd } from "../../../ipc/bindings";
import { counted } from "../../../lib/format";
import type { Face } from "../../../components/status";

const STEPS: Readonly<Record<DevStep, Face>> = {
  building: { shape: "dashes", word: "Building", colour: "text-accent" },
  restarting: { shape: "dashes", word: "Restarting", colour: "text-accent" },
  checking: { shape: "dashes", word: "Running examples", colour: "text-accent" },
  passed: { shape: "done", word: "Passed", colour: "text-ok" },
  "examples-failed": { shape: "cross", word: "Examples failed", colour: "text-bad" },
  "build-failed": { shape: "cross", word: "Build failed", colour: "text-bad" },
  "start-failed": { shape: "cross", word: "Failed to start", colour: "text-bad" },
  "not-running": { shape: "ring", word: "Stopped", colour: "text-dim" },
  "broken-off": { shape: "ring", word: "Interrupted", colour: "text-dim" },
};

export function stepFace({ step, examples }: Pick<DevRound, "step" | "examples">): Face {
  // A round without examples checked nothing, so it did not pass.
  return step === "passed" && examples.length === 0 ? { ...STEPS[step], word: "Restarted" } : STEPS[step];
}

export function isOver(step: DevStep): boolean {
  return step !== "building" && step !== "restarting" && step !== "checking";
}

export const END_FACES: Readonly<Record<ExampleEnd, Face>> = {
  passed: { shape: "done", word: "Passed", colour: "text-ok" },
  failed: { shape: "cross", word: "Failed", colour: "text-bad" },
  "left-out": { shape: "ring", word: "Not run", colour: "text-dim" },
};

/** The cause of a round as text: the changed files, or the user's run of examples. */
export function aboutRound({ files, moreFiles }: Pick<DevRound, "files" | "moreFiles">): string {
  return files.length === 0 ? "Examples run by you" : moreFiles === 0 ? files.join(", ") : `${files.join(", ")} and ${counted(moreFiles, { one: "more file", other: "more files" })}`;
}

/** The outcome of a round as an announcement for screen readers. */
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
