import { act } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";

import { mockMember, mockView } from "../ipc/mock/members";
import { openWindow } from "../testing/open";
import { inView } from "./useReportVisible";

const lookedAt = ({ asked }: ReturnType<typeof openWindow>["bridge"]) => asked.findLast(({ name }) => name === "report_visible_members")?.request;

describe("what is looked at", () => {
  it("is the page's member first, then those expanded last", () => {
    expect(inView("anvil", new Set(["forge", "anvil", "tongs"]))).toEqual(["anvil", "tongs", "forge"]);
    expect(inView(null, new Set())).toEqual([]);
  });

  it("is no longer a list than the engine keeps", () => {
    const many = new Set(Array.from({ length: 200 }, (_, number) => `m${number}`));
    expect(inView("anvil", many)).toHaveLength(64);
  });

  it("is told to the engine as it changes", async () => {
    const members = ["anvil", "forge"].map((name) => mockMember(mockView(name), []));
    const { bridge, stores } = openWindow({ members });
    expect(lookedAt(bridge)).toBeUndefined();
    act(() => stores.roster.setExpanded("forge", true));
    await vi.waitFor(() => expect(lookedAt(bridge)).toEqual({ members: ["forge"] }));
    act(() => stores.navigation.openMember("anvil"));
    await vi.waitFor(() => expect(lookedAt(bridge)).toEqual({ members: ["anvil", "forge"] }));
    act(() => stores.roster.setExpanded("forge", false));
    await vi.waitFor(() => expect(lookedAt(bridge)).toEqual({ members: ["anvil"] }));
  });
});
