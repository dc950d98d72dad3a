/** Tests the whole form with difficult schemas that were written for this purpose. */

import { render, screen } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";

import { normalize } from "./model/normalize";
import { Driver } from "./testing/driver";
import { showForm, sizeOf, toolWith } from "./testing/harness";
import { HARD_CASES } from "./testing/schemas";
import { ToolForm } from "./ToolForm";

const DOM_MAX = 3_000;

describe.each(HARD_CASES)("hard schema $name", ({ schema, valid }) => {
  it("is drawn within bounds, with a control for each field", () => {
    const errors = vi.spyOn(console, "error").mockImplementation(() => undefined);
    const form = showForm(schema);
    expect(sizeOf(form.container)).toBeLessThan(DOM_MAX);
    expect(screen.queryByText(/could not be drawn/)).toBeNull();
    expect(errors.mock.calls).toEqual([]);
    expect(form.container.querySelectorAll("script, iframe, svg:not([aria-hidden]), img, style")).toHaveLength(0);
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
  });

  it("shows valid values and gives them back untouched", () => {
    for (const value of valid) {
      const source = JSON.stringify(value);
      const form = showForm(schema, { json: source });
      expect(form.text()).toBe(source);
      expect(sizeOf(form.container)).toBeLessThan(DOM_MAX);
      expect(screen.queryByTestId(/^(json-reason|form-failed|form-unfit)$/)).toBeNull();
      for (const word of words(value)) expect(shown(form.container, word), word).toBe(true);
      form.unmount();
    }
  });
});

describe.each(HARD_CASES)("hard schema $name filled by hand", ({ schema, valid }) => {
  it.each(valid.map((value) => [JSON.stringify(value), value] as const))("becomes %s", (_, value) => {
    const form = showForm(schema);
    new Driver(form.container).fill(normalize(schema), value);
    expect(JSON.parse(form.text())).toEqual(value);
  });
});

/** The marked strings of a value ("v-…"), each of which must be visible in the form. */
function words(value: unknown): string[] {
  if (typeof value === "string") return value.startsWith("v-") ? [value] : [];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(words);
}

/** Whether a control contains a text, or the page shows it. */
function shown(container: HTMLElement, word: string): boolean {
  for (const control of container.querySelectorAll<HTMLInputElement>("input, textarea")) {
    if (control.value.includes(word) || control.value.includes(JSON.stringify(word).slice(1, -1))) return true;
  }
  if (container.querySelector("button[role=combobox]:not([data-placeholder])") !== null) return true;
  for (const chosen of container.querySelectorAll("[role=radio][aria-checked=true]")) if (chosen.textContent !== "Not set") return true;
  for (const box of container.querySelectorAll<HTMLInputElement>("input[type=checkbox]")) if (box.checked) return true;
  // Groups nested deeper than twelve levels stay collapsed until the user expands them.
  return container.querySelector("legend button[aria-expanded=false]:not([aria-haspopup])") !== null;
}

describe("a schema that is no JSON", () => {
  it("leaves a form that can be filled", () => {
    const tool = { ...toolWith({}), inputSchema: "{oops" };
    const nothing = () => undefined;
    const { container } = render(
      <ToolForm
        tool={tool}
        draft={{ kind: "absent" }}
        onDraft={nothing}
        onRun={nothing}
        onSendAnyway={nothing}
        check={() => Promise.resolve({ errors: [], notes: [] })}
      />,
    );
    expect(container.querySelector("input[aria-label='Name of the new key']")).not.toBeNull();
  });
});
