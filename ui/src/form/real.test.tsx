/** The form over the tools of real servers: bounded, faithful, and filled through its controls. */

import { screen } from "@testing-library/react";
import { describe, expect, it } from "vitest";

import { normalize } from "./model/normalize";
import { Driver } from "./testing/driver";
import { showForm, sizeOf } from "./testing/harness";
import { sampleOf } from "./testing/sample";
import { REAL_TOOLS } from "./testing/schemas";

const DOM_MAX = 3_000;

describe("real tools", () => {
  it("are drawn within bounds, empty and filled, and change nothing", () => {
    for (const { server, name, inputSchema } of REAL_TOOLS) {
      const empty = showForm(inputSchema);
      const source = JSON.stringify(sampleOf(normalize(inputSchema)));
      expect(sizeOf(empty.container), `${server}/${name}`).toBeLessThan(DOM_MAX);
      empty.unmount();
      const filled = showForm(inputSchema, { json: source });
      expect(sizeOf(filled.container), `${server}/${name} filled`).toBeLessThan(DOM_MAX);
      expect(filled.text()).toBe(source);
      expect(screen.queryByText(/Shown as JSON|edit them as JSON|could not be drawn/), `${server}/${name}`).toBeNull();
      filled.unmount();
    }
  }, 60_000);
});

describe("real tools filled by hand", () => {
  const servers = [...new Set(REAL_TOOLS.map((tool) => tool.server))];
  // The largest schemas have hundreds of fields each; a few fields more prove nothing more.
  const small = REAL_TOOLS.filter((tool) => JSON.stringify(tool.inputSchema).length < 2_500);
  it.each(servers)("%s", (server) => {
    for (const { name, inputSchema } of small.filter((tool) => tool.server === server)) {
      const node = normalize(inputSchema);
      const value = sampleOf(node);
      const form = showForm(inputSchema);
      new Driver(form.container).fill(node, value);
      expect(JSON.parse(form.text()), name).toEqual(value);
      form.unmount();
    }
  }, 60_000);
});
