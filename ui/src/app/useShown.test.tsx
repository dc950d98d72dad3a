import { act, screen } from "@testing-library/react";
import { describe, expect, it } from "vitest";

import type { LinkedPage } from "../bridge/outside";
import { openWindow } from "../testing/open";

const report = {
  code: "link-invalid" as const,
  message: "The link \"guildhall://x\" leads nowhere in Guild Hall: it names no member, tool or page.",
  hint: "Links are guildhall://member/NAME.",
  member: null,
};

describe("what is shown from outside the page", () => {
  it("goes to a member, to its review and to a tool, and calls nothing", () => {
    const { bridge, house } = openWindow();
    act(() => bridge.outside.show({ kind: "place", place: { kind: "member", member: "mongodb" } }));
    expect(house.place.get()).toMatchObject({ kind: "member", member: "mongodb" });
    act(() => bridge.outside.show({ kind: "place", place: { kind: "review", member: "mongodb" } }));
    expect(house.place.get()).toEqual({ kind: "member", member: "mongodb", first: "review" });
    act(() => bridge.outside.show({ kind: "place", place: { kind: "tool", member: "filesystem", tool: "edit_file" } }));
    expect(house.place.get()).toEqual({ kind: "tool", member: "filesystem", tool: "edit_file" });
    const acted = bridge.asked.map(({ name }) => name).filter((name) => /invoke|start_|stop_|restart|set_|change_/.test(name));
    expect(acted).toEqual([]);
  });

  it.each<[LinkedPage, object]>([
    ["adding", { kind: "adding" }],
    ["agents", { kind: "agents", tab: "gateway" }],
    ["approvals", { kind: "agents", tab: "approvals" }],
    ["discovery", { kind: "discovery" }],
    ["doctor", { kind: "doctor" }],
    ["found", { kind: "found" }],
    ["secrets", { kind: "secrets" }],
    ["settings", { kind: "settings" }],
  ])("opens the page %s", (page, place) => {
    const { bridge, house } = openWindow();
    act(() => bridge.outside.show({ kind: "place", place: { kind: "page", page } }));
    expect(house.place.get()).toMatchObject(place);
  });

  it("opens the palette and the history over whatever page there is", async () => {
    const { bridge, house } = openWindow();
    act(() => bridge.outside.show({ kind: "place", place: { kind: "page", page: "palette" } }));
    await screen.findByTestId("palette-input");
    act(() => bridge.outside.show({ kind: "place", place: { kind: "page", page: "history" } }));
    expect(house.layers.has("palette")).toBe(false);
    expect(house.dock.shown.get()).toBe(true);
  });

  it("goes to what a member asks, the oldest first, and to the member once that is answered", () => {
    const { bridge, house } = openWindow();
    const mode = { kind: "form" as const, schema: '{"type":"object","properties":{}}', notes: [] };
    const ask = (member: string, message: string) => bridge.elicit({ member, tool: null, call: null, message, mode });
    act(() => {
      void ask("filesystem", "Which folder?");
      void ask("mongodb", "Which database?");
      void ask("mongodb", "Which collection?");
    });
    const show = () => act(() => bridge.outside.show({ kind: "place", place: { kind: "question", member: "mongodb" } }));
    show();
    const [, oldest, other] = [...house.hall.state.get().elicitations.keys()];
    expect(house.place.get()).toEqual({ kind: "question", member: "mongodb", id: oldest });
    for (const id of [oldest!, other!]) act(() => bridge.emit({ kind: "elicitation_ended", id }));
    show();
    expect(house.place.get()).toMatchObject({ kind: "member", member: "mongodb" });
  });

  it("says of a link that leads nowhere why", async () => {
    const { bridge, house } = openWindow();
    const before = house.place.get();
    act(() => bridge.outside.show({ kind: "refused", report }));
    expect(await screen.findByText(/leads nowhere in Guild Hall/)).toBeVisible();
    expect(house.place.get()).toBe(before);
  });

  it("says of a member that is gone that it is", async () => {
    const { bridge } = openWindow();
    act(() => bridge.outside.show({ kind: "place", place: { kind: "member", member: "long-gone" } }));
    expect(await screen.findByRole("heading", { name: /long-gone/ })).toBeVisible();
  });
});
