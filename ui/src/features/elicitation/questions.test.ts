import { describe, expect, it } from "vitest";

import type { Code, Elicitation, ElicitationAction, ElicitationMode } from "../../ipc/bindings";
import { type Asker, type Ended, endedOf, endingOf, questionsOf } from "./questions";

const FORM: ElicitationMode = { kind: "form", schema: "{}", notes: [] };

function question(id: string, changes: Partial<Elicitation> = {}): Elicitation {
  return { id, member: "forge", call: "c1", tool: "heat", message: "?", mode: FORM, askedAtMs: 1_000, expiresAtMs: 601_000, ...changes };
}

const ended = (answered: ElicitationAction | null, changes: Partial<Elicitation> = {}, endedAtMs = 5_000): Ended => ({
  elicitation: question("q", changes),
  answered,
  endedAtMs,
});

const running: Asker = { member: "forge", call: "c1", startedAtMs: 500, outcome: null };

function failed(code: Code, durationMs = 4_500): Asker {
  const report = { code, message: "", hint: "", member: "forge" };
  return { ...running, outcome: { durationMs, end: { kind: "failed", report, rpc: null, arguments: [], stderr: [] } } };
}

const answeredCall: Asker = { ...running, outcome: { durationMs: 4_500, end: { kind: "result", result: "{}", isError: false } } };

describe("the call of a question", () => {
  const open = new Map(
    [question("mine"), question("other", { call: "c2" }), question("unsure", { call: null }), question("far", { call: null, member: "anvil" })].map(
      (one) => [one.id, one],
    ),
  );
  const ids = (asker: Asker) => questionsOf(open, asker).map(({ id }) => id);

  it("is the named call, or any running one", () => {
    expect(ids(running)).toEqual(["mine", "unsure"]);
    expect(ids(answeredCall)).toEqual(["mine"]);
  });

  it("is a call that ran while it was open", () => {
    const unsure = ended(null, { call: null });
    expect(endedOf([ended("accept"), unsure], running)).toHaveLength(2);
    expect(endedOf([unsure], answeredCall)).toEqual([unsure]);
    expect(endedOf([unsure], { ...answeredCall, startedAtMs: 2_000 })).toEqual([]);
    expect(endedOf([unsure], failed("call-timeout", 1_000))).toEqual([]);
  });
});

describe("the ending of a question", () => {
  it.each([
    [ended("accept"), running, "you answered"],
    [ended("accept", { mode: { kind: "url", url: "https://a.example/x", elicitationId: "v" } }), running, "you confirmed opening a.example"],
    [ended("decline"), running, "you declined"],
    [ended("cancel"), answeredCall, "you dismissed it"],
    [ended(null, { expiresAtMs: 4_000 }), running, "timed out"],
    [ended(null), running, "no longer needed"],
    [ended(null), null, "no longer needed"],
    [ended(null), answeredCall, "the call continued without an answer"],
    [ended(null), failed("call-cancelled"), "the call was cancelled"],
    [ended(null), failed("call-timeout"), "the call timed out"],
    [ended(null), failed("call-interrupted"), "forge ended"],
    [ended(null), failed("rpc-error"), "the call ended without an answer"],
    // The call ended long after the question, so the end of the call did not end the question.
    [ended(null), failed("call-cancelled", 60_000), "no longer needed"],
  ])("%#: %o", (one, asker, words) => expect(endingOf(one, asker)).toBe(words));
});
