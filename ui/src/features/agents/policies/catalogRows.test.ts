import { describe, expect, it } from "vitest";

import type { Catalog, CatalogTool } from "../../../ipc/bindings";
import { EVERYTHING, filtered, isGoverned, ordered, rowsOf } from "./catalogRows";

const tool = (name: string, changes: Partial<CatalogTool> = {}): CatalogTool => ({
  name,
  description: "",
  kind: "mcp",
  policy: "allow",
  policyReason: { kind: "default" },
  hints: { readOnly: null, destructive: null, idempotent: null, openWorld: null },
  class: "unsaid",
  readOnlyClaim: null,
  mark: null,
  withheld: null,
  provenance: "live",
  discoveryStatus: "success",
  lastDiscoveredMs: 1,
  ...changes,
});

const native = tool("tools_search", { kind: "native", policy: null, policyReason: null, class: null, discoveryStatus: null });

const member = (name: string): Catalog["members"][number] => ({
  member: name,
  discoveryStatus: "success",
  lastDiscoveredMs: 1,
  discoveryError: null,
  found: null,
  tools: 1,
  withheld: null,
});

describe("catalog rows", () => {
  it("list Guild Hall's own tools last", () => {
    const rows = rowsOf({ tools: [native, tool("mill/b"), tool("mill/a"), tool("forge/z")], offers: [], members: [member("forge"), member("mill")] });
    expect(rows.map(({ key }) => key)).toEqual(["forge/z", "mill/a", "mill/b", "tools_search"]);
    expect(rows.map(isGoverned)).toEqual([true, true, true, false]);
    expect(rows.at(-1)).toMatchObject({ member: null, tool: "tools_search" });
  });

  it("keep a slash in a tool's name", () => {
    expect(rowsOf({ tools: [tool("forge/a/b")], offers: [], members: [member("forge")] })[0]).toMatchObject({ member: "forge", tool: "a/b" });
  });

  it("have the reason of a duplicate name", () => {
    const withheld = { code: "tool-name-taken" as const, message: "The name is taken.", hint: "", member: "mill" };
    const rows = rowsOf({ tools: [tool("mill/a", { withheld }), tool("mill/b")], offers: [], members: [member("mill")] });
    expect(rows.map((row) => row.withheld)).toEqual(["The name is taken.", null]);
    expect(filtered(rows, { ...EVERYTHING, status: "withheld" }).map(({ key }) => key)).toEqual(["mill/a"]);
  });

  it("are sorted with a stable order", () => {
    const tools = [tool("m/a"), tool("m/b", { policy: "deny" }), tool("m/c", { policy: "ask" }), tool("m/d", { class: "destructive" }), native];
    const rows = rowsOf({ tools, offers: [], members: [member("m")] });
    const keys = (order: "policy" | "kind") => ordered(rows, order).map(({ key }) => key);
    expect(keys("policy")).toEqual(["m/b", "m/c", "m/a", "m/d", "tools_search"]);
    expect(keys("kind")[0]).toBe("m/d");
  });

  it("are filtered by external access", () => {
    const open = { readOnly: true, destructive: null, idempotent: null, openWorld: true };
    const rows = rowsOf({ tools: [tool("m/a", { hints: open, class: "read-only" }), tool("m/b")], offers: [], members: [member("m")] });
    const keys = (toolClass: "open-world" | "read-only") => filtered(rows, { ...EVERYTHING, toolClass }).map(({ key }) => key);
    expect(keys("open-world")).toEqual(["m/a"]);
    expect(keys("read-only")).toEqual(["m/a"]);
  });
});
