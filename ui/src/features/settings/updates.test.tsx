import { act, screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";

import type { UpdateState } from "../../ipc/bindings";
import { NEW } from "../../ipc/mock/updates";
import { openWindow } from "../../testing/open";
import { textOf } from "../../testing/text";

async function openUpdates(state: Partial<UpdateState> = {}) {
  const window = openWindow();
  window.bridge.updates.published = NEW;
  act(() => {
    window.bridge.updates.at(state);
    window.stores.navigation.openSettings("updates");
  });
  const part = within(await screen.findByTestId("updates"));
  return { ...window, part };
}

const press = async ({ user, part }: Awaited<ReturnType<typeof openUpdates>>, name: string) =>
  user.click(await part.findByRole("button", { name }));

describe("a newer version", () => {
  it("is looked for, fetched and put in place, each only when a person says so", async () => {
    const window = await openUpdates();
    const { part, bridge } = window;
    expect(document.activeElement).toHaveTextContent("Updates");
    const asked = () => bridge.asked.map(({ name }) => name).filter((name) => name.includes("update") && name !== "updates");
    expect(asked()).toEqual([]);
    await press(window, "Check now");
    expect(await part.findByRole("heading", { name: "Guild Hall 0.2.0 is available" })).toBeVisible();
    expect(textOf(part.getByRole("region", { name: "Release notes" }))).toMatchInlineSnapshot(`"Members start faster. The history can be searched by member."`);
    expect(asked()).toEqual(["look_for_update"]);
    await press(window, "Download 0.2.0");
    expect(await part.findByText(/downloaded and verified/)).toBeVisible();
    expect(asked()).toEqual(["look_for_update", "fetch_update"]);
    await press(window, "Restart to update");
    expect(await part.findByText("Restarting into 0.2.0…")).toBeVisible();
  });

  it("keeps the keyboard where its next step is, and is told aloud", async () => {
    const window = await openUpdates();
    const { stores, part } = window;
    const group = screen.getByTestId("updates");
    await press(window, "Check now");
    await part.findByRole("button", { name: "Download 0.2.0" });
    expect(group).toContainElement(document.activeElement as HTMLElement);
    expect(stores.spoken.get()).toMatchInlineSnapshot(`"Guild Hall 0.2.0 is available"`);
    await press(window, "Download 0.2.0");
    await part.findByRole("button", { name: "Restart to update" });
    expect(group).toContainElement(document.activeElement as HTMLElement);
    expect(stores.spoken.get()).toMatch(/downloaded and verified/);
  });

  it("takes the keyboard from nobody who has gone elsewhere meanwhile", async () => {
    const window = await openUpdates({ stage: { kind: "offered", new: NEW } });
    const { bridge, part, user } = window;
    await press(window, "Download 0.2.0");
    const field = document.querySelector<HTMLInputElement>('[data-setting="updates.address"] input')!;
    await user.clear(field);
    await user.type(field, "3");
    act(() => void bridge.updates.at({ stage: { kind: "fetching", new: NEW, done: 1, of: null } }));
    act(() => void bridge.updates.at({ stage: { kind: "ready", new: NEW } }));
    await part.findByRole("button", { name: "Restart to update" });
    expect(field).toHaveFocus();
    expect(field).toHaveValue("3");
  });

  it("is looked for as soon as an address is set", async () => {
    const { part, bridge } = await openUpdates({ address: null });
    expect(part.getByRole("button", { name: "Check now" })).toHaveAttribute("aria-disabled", "true");
    act(() => void bridge.updates.at({ address: "https://updates.example/latest.json" }));
    expect(part.getByRole("button", { name: "Check now" })).toHaveAttribute("aria-disabled", "false");
  });

  it("says how far it is while it is fetched, and can be left", async () => {
    const window = await openUpdates({ stage: { kind: "fetching", new: NEW, done: 30_000_000, of: 90_000_000 } });
    const { part, bridge } = window;
    const bar = await part.findByRole("progressbar", { name: "Downloading 0.2.0…" });
    expect(bar).toHaveAttribute("value", "30000000");
    expect(textOf(part.getByTestId("update-progress"))).toMatchInlineSnapshot(`"30.0 MB of 90.0 MB"`);
    act(() => void bridge.updates.at({ stage: { kind: "fetching", new: NEW, done: 1_000, of: null } }));
    expect(part.getByRole("progressbar")).not.toHaveAttribute("value");
    await press(window, "Cancel");
    expect(await part.findByRole("button", { name: "Check now" })).toBeVisible();
  });

  it("is not used where it was refused, and why is said", async () => {
    const window = await openUpdates();
    const { part, bridge } = window;
    bridge.updates.refusing = { code: "update-refused", message: "The newer version is not used: the signature is wrong.", hint: "Look.", member: null };
    await press(window, "Check now");
    await press(window, "Download 0.2.0");
    expect(textOf(await part.findByRole("alert"))).toMatchInlineSnapshot(`"The newer version is not used: the signature is wrong. update-refusedLook."`);
    expect(part.getByRole("button", { name: "Download 0.2.0" })).toBeVisible();
  });

  it("has nothing to press where others update the program", async () => {
    const { part } = await openUpdates({ way: "elsewhere" });
    expect(textOf(part.getByTestId("update-by-hand"))).toMatchInlineSnapshot(`"Installed by your package manager or built from source. Update it there."`);
    expect(part.queryByRole("button")).toBeNull();
  });

  it("is not looked for where nobody said where", async () => {
    const window = await openUpdates({ address: null });
    const look = window.part.getByRole("button", { name: "Check now" });
    expect(look).toHaveAttribute("aria-disabled", "true");
    await window.user.click(look);
    expect(window.bridge.asked.map(({ name }) => name)).not.toContain("look_for_update");
  });

  it("that did not start is told in the status bar, which leads to why, until it was seen", async () => {
    const window = openWindow();
    act(() => void window.bridge.updates.at({ last: { from: "0.1.0", to: "0.2.0", takenBack: "it ended (exit status: 3)", atMs: 1 } }));
    await window.user.click(await screen.findByTestId("update-mark"));
    const note = await screen.findByTestId("last-update");
    expect(note).toHaveRole("alert");
    expect(textOf(note)).toMatchInlineSnapshot(`"The update to 0.2.0 didn't start, so 0.1.0 was restored.DismissDetailsit ended (exit status: 3)"`);
    await window.user.click(within(note).getByText("Details"));
    expect(within(note).getByText("it ended (exit status: 3)")).toBeVisible();
    await window.user.click(within(note).getByRole("button", { name: "Dismiss" }));
    expect(screen.queryByTestId("last-update")).toBeNull();
    expect(screen.queryByTestId("update-mark")).toBeNull();
  });

  it("is led to once more by its mark in the status bar where it is shown already, also when a search hid it", async () => {
    const { user } = await openUpdates({ stage: { kind: "offered", new: NEW } });
    const heading = () => screen.getByRole("heading", { name: "Updates" });
    await waitFor(() => expect(heading()).toHaveFocus());
    await user.click(screen.getByTestId("update-mark"));
    expect(heading()).toHaveFocus();
    await user.type(screen.getByRole("searchbox", { name: "Search settings" }), "zoom");
    expect(screen.queryByRole("heading", { name: "Updates" })).toBeNull();
    await user.click(screen.getByTestId("update-mark"));
    expect(heading()).toHaveFocus();
  });
});
