import { act, screen, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";

import { fakeMember, fakeView } from "../../bridge/fake/members";
import { openWindow } from "../../testing/open";
import { beginCommand, BEGINNINGS, nameTrouble, type Beginning } from "./beginnings";

const READMES = import.meta.glob<string>("../../../../docs/samples/*/README.md", { query: "?raw", import: "default", eager: true });

describe("what a member begins as", () => {
  it("is each sample of the docs, with the set-up that its README has", () => {
    const samples = Object.entries(READMES).map(([path, text]) => {
      const commands = text.split("\n").filter((line) => line.startsWith("    ")).map((line) => line.trim());
      return [path.split("/").at(-2), commands];
    });
    const told = (Object.keys(BEGINNINGS) as Beginning[]).map((one) => [one, [...BEGINNINGS[one].setUp]]);
    expect(Object.fromEntries(samples)).toEqual(Object.fromEntries(told));
  });

  it.each([
    ["/home/me/members", "guildhall new notes --from rust --members /home/me/members"],
    ["/home/me/my members", "guildhall new notes --from rust --members '/home/me/my members'"],
    ["/home/o'me", "guildhall new notes --from rust --members '/home/o'\\''me'"],
  ])("is begun in %s by a command that a shell takes whole", (folder, command) => {
    expect(beginCommand("notes", "rust", folder)).toBe(command);
  });

  it.each(["", "..", "a b", "x; rm", "$(x)", "a".repeat(65), "é"])("is not begun as %j", (name) => {
    expect(nameTrouble(name, new Map())).not.toBeNull();
  });
});

describe("the tab", () => {
  it("shows the command for a language and a name, and says when the name is taken", async () => {
    const { user, house } = openWindow({ members: [fakeMember(fakeView("forge"), [])] });
    act(() => house.openAdding("write"));
    const field = await screen.findByRole("textbox", { name: "Name of the member" });
    const steps = () => within(screen.getByRole("list", { name: "What to run" }));
    expect(steps().getByText(/^guildhall new words --from python --members /)).toBeVisible();
    expect(steps().getByText("python3 -m venv .venv")).toBeVisible();
    await user.click(screen.getByRole("radio", { name: "Bash" }));
    await user.clear(field);
    await user.type(field, "notes");
    expect(steps().getByText(/^guildhall new notes --from shell --members /)).toBeVisible();
    expect(steps().getAllByRole("listitem")).toHaveLength(2);
    await user.clear(field);
    await user.type(field, "forge");
    expect(screen.getByText("There is a member called forge already.")).toBeVisible();
    expect(screen.queryByRole("list", { name: "What to run" })).toBeNull();
  });

  it("leads to the guide", async () => {
    const { user, house } = openWindow({ members: [] });
    act(() => house.openAdding("write"));
    await user.click(await screen.findByRole("button", { name: "Writing a member, in the guide" }));
    expect(house.place.get()).toEqual({ kind: "help", at: "user-guide#writing-a-member" });
  });
});
