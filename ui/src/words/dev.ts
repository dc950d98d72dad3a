import type { DevStep, ExampleEnd, ExamplePart } from "../bridge/bindings";
import { counted } from "./format";

const steps: Record<DevStep, string> = {
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

const ends: Record<ExampleEnd, string> = { passed: "passed", failed: "failed", "left-out": "not run" };

const PARTS: Record<ExamplePart, string> = {
  answer: "No result",
  "is-error": "Whether it failed",
  text: "Its text",
  structured: "Its structured content",
  schema: "The example's schema",
  "output-schema": "The tool's output schema",
};

const changed = (tools: number) => `${counted(tools, { one: "tool", other: "tools" })} changed`;
const failed = (examples: number) => `${counted(examples, { one: "example", other: "examples" })} failed`;

export const words = {
  steps,
  ends,
  parts: PARTS,
  partAt: (part: ExamplePart, place: string) => `${PARTS[part]} at ${place}`,
  /** `{place}` is where in the result. */
  partIn: (part: ExamplePart) => `${PARTS[part]} at {place}`,
  changed,
  failed,
  /** How a round ended, to be spoken. */
  ended: (member: string, step: string, tools: number, examples: number) =>
    [`${member}: ${step}`, tools > 0 ? changed(tools) : "", examples > 0 ? failed(examples) : ""].filter(Boolean).join(", "),
};
