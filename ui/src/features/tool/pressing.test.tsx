/** Tests that key presses neither repeat a call by accident nor reach elements behind a dialog. */
import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";

import type { MockCall } from "../../ipc/mock";
import { mockMember, mockTool, mockView } from "../../ipc/mock/members";
import type { Answers } from "../../ipc/answers";
import { refusedEnd } from "../../testing/callEnds";
import { openWindow } from "../../testing/open";

const zones = Array.from({ length: 30 }, (_, index) => `zone/${index}`);
const input = { type: "object", properties: { path: { type: "string" }, other: { type: "string" }, zone: { enum: zones } } };

async function openTool(tool: string, onCall?: MockCall, answers: Answers = {}) {
  const tools = [
    mockTool("forge", { name: "heat", description: "Heats.", hints: { destructive: true }, input }),
    mockTool("forge", { name: "look", description: "Looks.", hints: { readOnly: true }, input }),
  ];
  const opened = openWindow({ members: [mockMember(mockView("forge"), tools)], answers, ...(onCall && { onCall }) });
  act(() => opened.stores.navigation.openTool("forge", tool));
  const field = await screen.findByRole("textbox", { name: "path" });
  const sent = () => opened.bridge.asked.filter(({ name }) => name === "invoke_tool");
  return { ...opened, field, sent };
}

describe("a press", () => {
  it("of a key that is held runs the tool once", async () => {
    const { field, sent } = await openTool("look");
    fireEvent.keyDown(field, { key: "Enter", repeat: true });
    fireEvent.keyDown(field, { key: "Enter", ctrlKey: true, repeat: true });
    fireEvent.keyDown(document.body, { key: "Enter", ctrlKey: true, repeat: true });
    fireEvent.keyDown(document.body, { key: "Enter", ctrlKey: true, shiftKey: true, repeat: true });
    await act(() => Promise.resolve());
    expect(sent()).toEqual([]);
    expect(fireEvent.keyDown(screen.getByTestId("run"), { key: "Enter", repeat: true })).toBe(false);
    fireEvent.keyDown(field, { key: "Enter" });
    await waitFor(() => expect(sent()).toHaveLength(1));
  });

  it("twice at once is one call, also where the first has ended already, and by whatever way", async () => {
    const { stores, sent } = await openTool("look");
    // Stops the clock, so that both presses count as repeated even on a slow machine.
    vi.spyOn(Date, "now").mockReturnValue(Date.now());
    await act(() => stores.bench.run("forge", "look", "{}", "refuse"));
    await act(() => stores.bench.run("forge", "look", "{}", "refuse"));
    expect(sent()).toHaveLength(1);
    await act(() => stores.bench.run("forge", "look", '{"path":"a"}', "refuse"));
    expect(sent()).toHaveLength(2);
  });

  it("of Enter that is still held chooses nothing in the palette", async () => {
    const { user, stores } = await openTool("look");
    await user.keyboard("{Control>}k{/Control}");
    const palette = await screen.findByTestId("palette-input");
    await user.type(palette, "heat");
    await screen.findByRole("option", { name: /heat/ });
    fireEvent.keyDown(palette, { key: "Enter", repeat: true });
    expect(stores.navigation.place.get()).toMatchObject({ tool: "look" });
    fireEvent.keyDown(palette, { key: "Enter" });
    expect(stores.navigation.place.get()).toMatchObject({ tool: "heat" });
  });

  it("does nothing behind an open dialog", async () => {
    const { user, stores, bridge } = await openTool("look");
    await user.keyboard("{Control>}k{/Control}");
    await waitFor(async () => expect(await screen.findByTestId("palette-input")).toHaveFocus());
    await user.keyboard("{Control>}{Enter}{/Control}{Control>}{Shift>}{Enter}{/Shift}{/Control}{Control>}s{/Control}{Control>}j{/Control}");
    expect(bridge.asked.map(({ name }) => name)).not.toContain("check_arguments");
    expect(bridge.asked.map(({ name }) => name)).not.toContain("invoke_tool");
    expect(stores.history.naming.get()).toBeNull();
    expect(stores.navigation.place.get()).toMatchObject({ tool: "look" });
  });
});

describe("the question before a destructive call", () => {
  it("is not confirmed by keys that ran the form", async () => {
    const { user, field, sent } = await openTool("heat");
    await user.type(field, "a{Enter}");
    const cancel = within(await screen.findByRole("alertdialog")).getByRole("button", { name: "Cancel" });
    await waitFor(() => expect(cancel).toHaveFocus());
    expect(fireEvent.keyDown(cancel, { key: "Enter", repeat: true })).toBe(false);
    await user.keyboard("{Control>}{Enter}{/Control}{Control>}{Shift>}{Enter}{/Shift}{/Control}");
    expect(screen.getByRole("alertdialog")).toBeVisible();
    await user.keyboard("{Enter}");
    expect(screen.queryByRole("alertdialog")).toBeNull();
    expect(sent()).toEqual([]);
    await waitFor(() => expect(field).toHaveFocus());
  });
});

describe("copy as", () => {
  it("takes what a control keeps until it is left", async () => {
    const { user, bridge } = await openTool("look");
    await user.type(screen.getByRole("combobox", { name: "zone" }), "zone/7");
    await user.keyboard("{Control>}{Shift>}c{/Shift}{/Control}");
    await screen.findByRole("menuitem", { name: /curl/ });
    const asked = bridge.asked.find(({ name }) => name === "copy_as");
    expect(asked?.request).toMatchObject({ arguments: '{"zone":"zone/7"}' });
  });
});

describe("what a call was refused for", () => {
  const errors = [{ pointer: "/path", message: "“path” is required.", keyword: "required" }];

  it("is at the field and leaves no run, also after a second press", async () => {
    const { field, stores } = await openTool("look", () => Promise.resolve(refusedEnd(errors)));
    fireEvent.keyDown(field, { key: "Enter" });
    fireEvent.keyDown(field, { key: "Enter" });
    await waitFor(() => expect(field).toHaveAccessibleDescription(/required/));
    fireEvent.keyDown(field, { key: "Enter" });
    await act(() => Promise.resolve());
    expect(field).toHaveAccessibleDescription(/required/);
    expect(stores.bench.sheet("forge/look").runs).toEqual([]);
  });

  it("is shown before a person is asked about a destructive call", async () => {
    const { field, sent } = await openTool("heat", undefined, { check_arguments: () => ({ errors, notes: [] }) });
    fireEvent.keyDown(field, { key: "Enter" });
    await waitFor(() => expect(field).toHaveAccessibleDescription(/required/));
    expect(screen.queryByRole("alertdialog")).toBeNull();
    expect(sent()).toEqual([]);
  });

  it("stands at the fields only while they hold what was refused, and each time", async () => {
    const refused = refusedEnd([{ pointer: "/path", message: "No such path.", keyword: "enum" }]);
    const { user, field, stores } = await openTool("look", () => Promise.resolve(refused));
    await act(() => stores.bench.run("forge", "look", '{"path":"a"}', "refuse"));
    expect(field).not.toHaveAttribute("aria-invalid", "true");
    await user.type(field, "a");
    expect(field).toHaveAttribute("aria-invalid", "true");
    await user.type(field, "b");
    expect(field).not.toHaveAttribute("aria-invalid", "true");
    await user.keyboard("{Enter}");
    await waitFor(() => expect(field).toHaveAttribute("aria-invalid", "true"));
  });
});
