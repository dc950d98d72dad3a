/** Tests that a server's schema can't make the window do anything harmful. */

import { fireEvent, screen } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";

import { showForm } from "./testing/harness";

const SOURCES = import.meta.glob<string>(["./**/*.{ts,tsx}", "!./**/*.test.{ts,tsx}", "!./testing/**"], {
  query: "?raw",
  import: "default",
  eager: true,
});

describe("a form", () => {
  it("has no code that evaluates, fetches, writes markup or makes a pattern of a text", () => {
    expect(Object.keys(SOURCES).length).toBeGreaterThan(40);
    for (const [file, source] of Object.entries(SOURCES)) {
      expect(source, file).not.toMatch(
        /\beval\(|\bFunction\(|\bfetch\(|XMLHttpRequest|WebSocket|RegExp\(|innerHTML|dangerouslySet/,
      );
    }
  });

  it("never runs a server's pattern, however the value looks", () => {
    const run: string[] = [];
    const exec = vi.spyOn(RegExp.prototype, "exec").mockImplementation(function (this: RegExp, text) {
      run.push(this.source);
      exec.mockRestore();
      try {
        return this.exec(text);
      } finally {
        watch();
      }
    });
    const original = exec.getMockImplementation();
    function watch() {
      if (original !== undefined) vi.spyOn(RegExp.prototype, "exec").mockImplementation(original);
    }
    const pattern = "^(zq+)+$";
    showForm({
      type: "object",
      properties: { s: { type: "string", pattern } },
      patternProperties: { "^(zq+)+x": { type: "string", pattern } },
      propertyNames: { pattern },
    });
    fireEvent.change(screen.getByLabelText("s"), { target: { value: `${"zq".repeat(40)}!` } });
    vi.restoreAllMocks();
    expect(run.length).toBeGreaterThan(0);
    expect(run.filter((source) => source.includes("zq"))).toEqual([]);
  });

  it("asks nobody for a reference that leads outside", () => {
    const asked = vi.fn();
    vi.stubGlobal("fetch", asked);
    vi.spyOn(XMLHttpRequest.prototype, "open").mockImplementation(asked);
    const form = showForm({
      $schema: "https://evil.example/dialect",
      type: "object",
      properties: { a: { $ref: "https://evil.example/x.json" }, b: { $ref: "file:///etc/passwd" }, c: { type: "string", description: "![x](https://evil.example/x.png)" } },
    });
    expect(asked).not.toHaveBeenCalled();
    expect(form.container.querySelectorAll("img, link, iframe, script, a[href]")).toHaveLength(0);
    expect(form.container.textContent).toMatchInlineSnapshot(`"FormJSONOptional 3aJSONThe reference https://evil.example/x.json leads outside this schema and is not followed.bJSONThe reference file:///etc/passwd leads outside this schema and is not followed.ctext![x](https://evil.example/x.png) RunCtrl+EnterPreview request"`);
  });
});
