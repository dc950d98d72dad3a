import { act, screen } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";

import { mockMember, mockTool, mockView } from "../ipc/mock/members";
import { DEFAULTS } from "../lib/settingsSchema";
import { openWindow } from "../testing/open";
import { drawFirstPaint } from "./firstPaint";

function guild() {
  return [
    mockMember(mockView("anvil", { calls: 2 }), [mockTool("anvil", { name: "flatten", description: "Flattens." })]),
    mockMember(mockView("bellows", { status: "stopped", freshness: "cached" }), []),
    mockMember(mockView("chisel", { status: "disabled", freshness: "unknown" }), []),
    mockMember(mockView("forge", { status: "error", freshness: "outdated" }), []),
    mockMember(mockView("tongs", { status: "starting" }), []),
  ];
}

/** A copy without the attributes that only the first paint or only the app sets, such as `aria-busy`. */
function bare(node: Element): Element {
  const copy = node.cloneNode(true) as Element;
  for (const one of [copy, ...copy.querySelectorAll("*")]) {
    if (one.hasAttribute("aria-haspopup")) one.removeAttribute("id");
    for (const name of ["aria-busy", "value", "title", "aria-description", "data-state"]) one.removeAttribute(name);
    if (one.id === "roster-rows") one.removeAttribute("aria-activedescendant");
  }
  // React creates several adjacent text nodes where the first paint creates one. Both look the same.
  copy.normalize();
  return copy;
}

const REGIONS = ["header[data-region]", "section[data-region]", "nav[aria-label=Sidebar]", "nav[aria-label=Program]", "footer[data-region]"];

function expectSame(drawn: Element, app: Element, region: string): void {
  const [early, late] = [drawn, app].map((root) => root.querySelector(region));
  if (!early || !late) throw new Error(`${region} is missing`);
  if (!bare(early).isEqualNode(bare(late))) expect(bare(early).outerHTML).toBe(bare(late).outerHTML);
}

describe("the first paint", () => {
  it.each(REGIONS)(
    "draws what the app draws in its place: %s",
    (region) => {
      const { bridge, container } = openWindow({ members: guild() });
      const opening = bridge.opening;
      if (!opening) throw new Error("the mock hall has a roster");
      const drawn = document.createElement("div");
      drawn.append(...drawFirstPaint(opening, {}, () => undefined));
      expectSame(drawn, container, region);
    },
  );

  it.each([
    ["other keys", { palette: "Alt+F", help: "F2", search: "Ctrl+Alt+S", dock: "F9", agents: "F10" }],
    ["none", { palette: "", help: "", search: "", dock: "", agents: "" }],
  ])("names the keys that a person gave actions: %s", (_, keys) => {
    const { bridge, container } = openWindow({ members: guild() });
    act(() => bridge.settings.write({ ...DEFAULTS, keys }));
    const drawn = document.createElement("div");
    drawn.append(...drawFirstPaint(bridge.opening!, keys, () => undefined));
    for (const region of REGIONS) expectSame(drawn, container, region);
  });

  it("says in the app's words that there are no members", () => {
    const { bridge, container } = openWindow({ members: [] });
    const drawn = document.createElement("div");
    drawn.append(...drawFirstPaint(bridge.opening!, {}, () => undefined));
    const [early, late] = [drawn, container].map((root) => root.querySelector("section[data-region]")!);
    expect(bare(early!).isEqualNode(bare(late!))).toBe(true);
  });

  it("tells which member was pressed", () => {
    const { bridge, unmount } = openWindow({ members: guild() });
    const opening = bridge.opening;
    if (!opening) throw new Error("the mock hall has a roster");
    unmount();
    const press = vi.fn();
    document.body.replaceChildren(...drawFirstPaint(opening, {}, press));
    screen.getByText("forge").click();
    expect(press).toHaveBeenCalledExactlyOnceWith("forge");
    document.body.replaceChildren();
  });
});
