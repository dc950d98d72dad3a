/** Measures how many rows a key press rerenders, and how long it takes, in the largest form. */

import { fireEvent } from "@testing-library/react";
import { afterAll, beforeAll, expect, inject, it, vi } from "vitest";

import { record } from "../../../../scripts/formRecords.mjs";
import { normalize } from "../model/normalize";
import { sampleOf } from "../testing/sample";
import { TOOLS } from "../testing/corpus";
import type * as Notes from "../view/Notes";

// Each row calls the mocked function once per render. Test files in one worker share their modules, so the form's
// modules are loaded again with the mock.
beforeAll(() => {
  vi.resetModules();
  vi.doMock("../view/Notes", async (original: () => Promise<typeof Notes>) => {
    const all = await original();
    return { ...all, notesOf: vi.fn(all.notesOf) };
  });
});

afterAll(() => {
  vi.doUnmock("../view/Notes");
  vi.resetModules();
});

it("draws again only the row that was typed into and those around it", async () => {
  const { showForm } = await import("../testing/harness");
  const { notesOf } = await import("../view/Notes");
  const [largest] = TOOLS.toSorted((a, b) => JSON.stringify(b.schema).length - JSON.stringify(a.schema).length);
  expect(JSON.stringify(largest?.schema).length).toBeGreaterThan(80_000);
  const form = showForm(largest?.schema, { json: JSON.stringify(sampleOf(normalize(largest?.schema))) });
  const rows = form.container.querySelectorAll("[data-place]").length;
  expect(rows).toBeGreaterThan(100);
  const fields = [...form.container.querySelectorAll<HTMLInputElement>("input[type=text]")];
  const deepest = fields.toSorted((a, b) => depthOf(b) - depthOf(a))[0];
  if (deepest === undefined) throw new Error("There is no text to type into.");
  const times: number[] = [];
  for (let turn = 0; turn < 40; turn += 1) {
    vi.mocked(notesOf).mockClear();
    const start = performance.now();
    fireEvent.change(deepest, { target: { value: `typed ${turn}` } });
    times.push(performance.now() - start);
    expect(vi.mocked(notesOf).mock.calls.length).toBeLessThanOrEqual(depthOf(deepest));
  }
  expect(form.text()).toContain("typed 39");
  const median = times.toSorted((a, b) => a - b)[times.length / 2] ?? 0;
  record(inject("records"), "speed", [{ kind: "speed", rows, median }]);
});

function depthOf(element: Element): number {
  return (element.closest("[data-place]")?.getAttribute("data-place") ?? "").split("/").length - 1;
}
