import { act, screen, waitFor } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";

import type { KeepDraft } from "../../ipc/bindings";
import { mockMember, mockTool, mockView } from "../../ipc/mock/members";
import { draftFromJson } from "../form/model/json";
import { draftToText } from "../form/model/draftText";
import { openWindow } from "../../testing/open";
import { textOf } from "../../testing/text";
import { handOver } from "./handOver";

const PUT_BACK = "Restore them";
const input = {
  type: "object",
  properties: { path: { type: "string" }, count: { type: "integer" }, key: { type: "string", format: "password" } },
};

function open() {
  const heat = mockTool("forge", { name: "heat", description: "Heats a piece.", input });
  const quench = mockTool("forge", { name: "quench", description: "Cools it.", input });
  const opened = openWindow({ members: [mockMember(mockView("forge"), [heat, quench])] });
  act(() => opened.stores.navigation.openTool("forge", "heat"));
  return opened;
}

const path = () => screen.findByRole("textbox", { name: /path/ });

describe("what was typed into a form", () => {
  it("is there after a restart, unfinished as it was, and without its secrets", async () => {
    const first = open();
    await first.user.type(await path(), "sword");
    await first.user.type(screen.getByLabelText("count"), "1.");
    await first.user.type(screen.getByLabelText("key"), "hidden");
    act(() => first.stores.navigation.openTool("forge", "quench"));
    await waitFor(() => expect(first.bridge.asked.some(({ name }) => name === "keep_draft")).toBe(true));
    const kept = first.bridge.asked.filter(({ name }) => name === "keep_draft").map(({ request }) => request as KeepDraft);
    expect(kept.map(({ draft }) => draft).join()).not.toContain("hidden");
    const last = kept.at(-1);
    first.unmount();

    const second = open();
    act(() => second.stores.navigation.openTool("forge", "quench"));
    await second.bridge.call("keep_draft", last ?? { member: "", tool: "", draft: null });
    act(() => second.stores.navigation.openTool("forge", "heat"));
    await waitFor(async () => expect(await path()).toHaveValue("sword"));
    expect(screen.getByLabelText("count")).toHaveValue("1.");
    expect(screen.getByLabelText("key")).toHaveValue("");
  });

  it("is forgotten when the form is started again", async () => {
    const { user, stores, bridge } = open();
    await user.type(await path(), "sword");
    // Waits until the draft is stored. Otherwise Reset would have nothing to delete.
    await waitFor(() => expect(bridge.asked.some(({ name }) => name === "keep_draft")).toBe(true));
    await user.click(screen.getByRole("button", { name: "More actions for the form" }));
    await user.click(await screen.findByRole("menuitem", { name: "Reset" }));
    act(() => stores.navigation.openTool("forge", "quench"));
    await waitFor(() => expect(bridge.asked.findLast(({ name }) => name === "keep_draft")?.request).toMatchObject({ draft: null }));
  });

  it("is offered where it arrives after somebody began to type anew", async () => {
    const { user, bridge, stores } = open();
    act(() => stores.navigation.openTool("forge", "quench"));
    const call = bridge.call.bind(bridge);
    let answer: () => void = () => undefined;
    const late = new Promise<void>((resolve) => (answer = resolve));
    const draft = draftToText(draftFromJson('{"path":"shield"}'));
    vi.spyOn(bridge, "call").mockImplementation((name, request) =>
      name === "kept_draft" ? late.then(() => ({ draft, keptAtMs: 1, trouble: null })) : call(name, request),
    );
    await screen.findByText("Cools it.");
    await user.type(await path(), "new");
    await act(async () => {
      answer();
      await late;
    });
    expect(await path()).toHaveValue("new");
    expect(textOf(await screen.findByTestId("handed-draft"))).toMatchInlineSnapshot(`"There is an earlier draft."`);
    await user.click(screen.getByRole("button", { name: "Restore it" }));
    expect(await path()).toHaveValue("shield");
    await user.click(screen.getByRole("button", { name: PUT_BACK }));
    expect(await path()).toHaveValue("new");
  });

  it("can be put back after another call's arguments took its place", async () => {
    const { user, stores } = open();
    await user.type(await path(), "sword");
    act(() => handOver(stores, "forge", "heat", draftFromJson('{"path":"a"}'), []));
    act(() => handOver(stores, "forge", "heat", draftFromJson('{"path":"b"}'), []));
    await waitFor(async () => expect(await path()).toHaveValue("b"));
    await user.click(screen.getByRole("button", { name: PUT_BACK }));
    expect(await path()).toHaveValue("sword");
    expect(screen.queryByRole("button", { name: PUT_BACK })).toBeNull();
  });
});
