import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";

import { finish } from "../json/steps";
import { readTape, sourceOf } from "../json/tape";
import { textOf } from "../../testing/text";
import { Compare } from "./Compare";
import { foldedRows, lineSteps, type LineDifference } from "./lines";
import { matchSteps } from "./matching";
import { compareSteps } from "./structure";

function dice(seed: number) {
  let state = seed;
  return (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

function tapeOf(text: string) {
  const read = finish(readTape(text));
  if ("problem" in read) throw new Error(read.problem.message);
  return read.ok;
}

function differences(left: unknown, right: unknown) {
  return finish(compareSteps(tapeOf(JSON.stringify(left)), tapeOf(JSON.stringify(right)))).list.map(({ kind, path, left: a, right: b }) => [
    kind,
    path,
    a && sourceOf(a.tape, a.node),
    b && sourceOf(b.tape, b.node),
  ]);
}

function linesOf(left: string, right: string): LineDifference {
  const found = finish(lineSteps(left, right));
  if (found === null) throw new Error("too many lines");
  return found;
}

/** The length of the longest common part, worked out the slow and sure way. */
function longestCommon(a: readonly number[], b: readonly number[]): number {
  let above = new Array<number>(b.length + 1).fill(0);
  for (const one of a) {
    const here = [0];
    for (const [index, other] of b.entries()) here.push(one === other ? (above[index] ?? 0) + 1 : Math.max(here[index] ?? 0, above[index + 1] ?? 0));
    above = here;
  }
  return above[b.length] ?? 0;
}

describe("what two lists have in common", () => {
  it("is as long as it can be, in order and equal, for 500 pairs", () => {
    for (let seed = 1; seed <= 500; seed += 1) {
      const roll = dice(seed);
      const list = () => Array.from({ length: roll(30) }, () => roll(5));
      const [a, b] = [list(), list()];
      const matches = finish(matchSteps(Int32Array.from(a), Int32Array.from(b), 1_000));
      expect(matches).toHaveLength(longestCommon(a, b));
      let [x, y] = [-1, -1];
      for (const [i, j] of matches ?? []) {
        expect(a[i]).toBe(b[j]);
        expect(i > x && j > y).toBe(true);
        [x, y] = [i, j];
      }
    }
  });
  it("is given up on where they differ too much", () => {
    const left = Int32Array.from({ length: 5_000 }, (_, index) => index);
    expect(finish(matchSteps(left, left.map((one) => one + 10_000), 100))).toBeNull();
  });
});

describe("two texts line by line", () => {
  it("either text can be read off the difference, for 200 pairs", () => {
    for (let seed = 1; seed <= 200; seed += 1) {
      const roll = dice(seed);
      const text = () => Array.from({ length: roll(20) }, () => `line ${roll(6)}`).join("\n");
      const [a, b] = [text(), text()];
      const { lines } = linesOf(a, b);
      expect(lines.filter(({ kind }) => kind !== "added").map((line) => line.text).join("\n")).toBe(a);
      expect(lines.filter(({ kind }) => kind !== "removed").map((line) => line.text).join("\n")).toBe(b);
    }
  });
  it("long equal stretches are folded, and can be opened", () => {
    const many = Array.from({ length: 50 }, (_, index) => String(index));
    const { lines } = linesOf(many.join("\n"), many.with(25, "changed").join("\n"));
    const rows = foldedRows(lines, new Set());
    expect(rows.filter(({ kind }) => kind === "folded")).toHaveLength(2);
    expect(foldedRows(lines, new Set([0])).filter(({ kind }) => kind === "folded")).toHaveLength(1);
    expect(foldedRows(lines, new Set([0, 30]))).toHaveLength(51);
  });
  it("texts that have nothing in common are still told apart, as one block", () => {
    const lines = (word: string) => Array.from({ length: 6_000 }, (_, index) => `${word} ${index}`).join("\n");
    const found = linesOf(`head\n${lines("a")}\ntail`, `head\n${lines("b")}\ntail`);
    expect(found).toMatchObject({ blunt: true, added: 6_000, removed: 6_000 });
    expect(found.lines[0]?.kind).toBe("same");
    expect(found.lines.at(-1)?.kind).toBe("same");
  });
});

describe("two values by path", () => {
  it("what came, went and changed", () => {
    expect(differences({ a: 1, b: [1, 2, 3], c: { d: null } }, { b: [1, 3], c: { d: "x" }, e: true })).toEqual([
      ["removed", "/a", "1", null],
      ["removed", "/b/1", "2", null],
      ["changed", "/c/d", "null", '"x"'],
      ["added", "/e", null, "true"],
    ]);
  });
  it("an item that was put in moves no other", () => {
    const items = Array.from({ length: 200 }, (_, id) => ({ id, name: `item ${id}` }));
    expect(differences(items, [{ id: -1 }, ...items])).toEqual([["added", "/0", null, '{"id":-1}']]);
    const changed = items.map((item) => (item.id === 7 ? { ...item, name: "other" } : item));
    expect(differences(items, changed)).toEqual([["changed", "/7/name", '"item 7"', '"other"']]);
  });
  it("the order of keys is no difference, the order of items is", () => {
    expect(differences({ a: 1, b: 2 }, { b: 2, a: 1 })).toEqual([]);
    expect(differences([1, 2], [2, 1])).not.toEqual([]);
  });
  it("digits are compared as they were sent", () => {
    const list = finish(compareSteps(tapeOf("[9007199254740993]"), tapeOf("[9007199254740992]"))).list;
    expect(list).toHaveLength(1);
  });
  it("JSON in a text is looked into", () => {
    const result = (value: unknown) => ({ content: [{ type: "text", text: JSON.stringify(value) }] });
    expect(differences(result({ a: 1, b: 2 }), result({ a: 1, b: 3 }))).toEqual([["changed", "/content/0/text → /b", "2", "3"]]);
  });
  it("equal values have no differences and others have some, for 300 pairs", () => {
    for (let seed = 1; seed <= 300; seed += 1) {
      const roll = dice(seed);
      const value = (depth: number): unknown => {
        const kind = roll(depth > 3 ? 2 : 4);
        if (kind === 0) return roll(3);
        if (kind === 1) return ["a", "b"][roll(2)];
        if (kind === 2) return Array.from({ length: roll(4) }, () => value(depth + 1));
        return Object.fromEntries(Array.from({ length: roll(4) }, () => [["x", "y", "z"][roll(3)], value(depth + 1)]));
      };
      const [a, b] = [value(0), value(0)];
      const sorted = (one: unknown) =>
        JSON.stringify(one, (_, held: unknown) =>
          held !== null && typeof held === "object" && !Array.isArray(held) ? Object.fromEntries(Object.entries(held).sort()) : held,
        );
      expect(differences(a, b).length === 0, `${JSON.stringify(a)} ${JSON.stringify(b)}`).toBe(sorted(a) === sorted(b));
      expect(differences(a, structuredClone(a))).toEqual([]);
    }
  });
});

describe("the view of two results", () => {
  const side = (title: string, texts: string) => ({ title, text: JSON.stringify({ content: [{ type: "text", text: texts }] }) });
  it("shows a changed text line by line, and says which is which", async () => {
    render(<Compare left={side("#1", "one\ntwo\nthree")} right={side("#2", "one\n2\nthree")} />);
    expect(screen.getByText("1 changed, 0 added, 0 removed")).toBeVisible();
    expect(screen.getByText("removed:").parentElement).toHaveTextContent("two");
    expect(screen.getByText("added:").parentElement).toHaveTextContent("2");
    await userEvent.setup().click(screen.getByRole("radio", { name: "By line" }));
    expect(textOf(await screen.findByTestId("comparison-summary"))).toMatchInlineSnapshot(`"1 line added, 1 line removed"`);
  });
  it("equal results are said to be so; what is no JSON is compared by line", async () => {
    const { rerender } = render(<Compare left={side("#1", "same")} right={side("#2", "same")} />);
    expect(textOf(screen.getByTestId("comparison-summary"))).toMatchInlineSnapshot(`"The two results are the same."`);
    rerender(<Compare left={{ title: "#1", text: "{broken" }} right={side("#2", "same")} />);
    expect(textOf(screen.getByTestId("comparison-why"))).toMatchInlineSnapshot(`"They can't be compared by path: A key in double quotes is needed here. Compare them by line."`);
    await userEvent.setup().click(screen.getByRole("radio", { name: "By line" }));
    expect(textOf(await screen.findByTestId("comparison-summary"))).toMatchInlineSnapshot(`"1 line added, 1 line removed"`);
  });
});
