import { act, screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";

import { BEGINNINGS } from "../../../ipc/mock/adding";
import { mockMember, mockView } from "../../../ipc/mock/members";
import { openWindow } from "../../../testing/open";
import { textOf } from "../../../testing/text";
import { MEMBER_NAME } from "../../../testing/labels";
import { beginCommand, folderOf, LANGUAGES, nameTrouble } from "./beginnings";

const MADE = "Files";
const READMES = import.meta.glob<string>("../../../../../docs/samples/*/README.md", { query: "?raw", import: "default", eager: true });

describe("templates", () => {
  it("match the samples of the docs", () => {
    const samples = Object.entries(READMES).map(([path, text]) => {
      const commands = text.split("\n").filter((line) => line.startsWith("    ")).map((line) => line.trim());
      return [path.split("/").at(-2), commands];
    });
    expect(Object.fromEntries(samples)).toEqual(Object.fromEntries(BEGINNINGS.map(({ from, setUp }) => [from, setUp])));
    expect(Object.keys(LANGUAGES).sort()).toEqual(BEGINNINGS.map(({ from }) => from as string).sort());
  });

  it.each([
    ["/home/me/members", "guildhall add new notes --from rust --members /home/me/members"],
    ["/home/me/my members", "guildhall add new notes --from rust --members '/home/me/my members'"],
    ["/home/o'me", "guildhall add new notes --from rust --members '/home/o'\\''me'"],
  ])("quote the folder %s for a shell", (folder, command) => {
    expect(beginCommand("notes", "rust", folder)).toBe(command);
  });

  it.each(["", "..", ".hidden", "-x", "a b", "x; rm", "$(x)", "a".repeat(65), "é"])("reject the name %j", (name) => {
    expect(nameTrouble(name, new Map())).not.toBeNull();
  });

  it("reject a name that differs only in case", () => {
    expect(nameTrouble("Forge", new Map([["forge", {}]]))).toMatchInlineSnapshot(`"A member named forge already exists."`);
    expect(nameTrouble("forge2", new Map([["forge", {}]]))).toBeNull();
  });

  it("write the folder with the system's separator", () => {
    expect(folderOf("notes", "/home/me/members/")).toBe("/home/me/members/notes");
    expect(folderOf("notes", "C:\\Users\\me\\members")).toBe("C:\\Users\\me\\members\\notes");
  });
});

async function openWriting() {
  const window = openWindow({ members: [mockMember(mockView("forge"), [])] });
  act(() => window.stores.navigation.openAdding("write"));
  const name = await screen.findByRole("textbox", { name: MEMBER_NAME });
  const rename = async (text: string) => {
    await window.user.clear(name);
    if (text !== "") await window.user.type(name, text);
  };
  return { ...window, rename };
}

const create = () => screen.getByRole("button", { name: "Create member" });

describe("the New server panel", () => {
  it("shows folder, files and command first", async () => {
    const { user, bridge, rename } = await openWriting();
    const made = () => within(screen.getByRole("region", { name: MADE }));
    expect(made().getByText("./.venv/bin/python server.py")).toBeVisible();
    await user.click(screen.getByRole("radio", { name: "Bash" }));
    await rename("notes");
    expect(made().getByText(/guild-members\/notes$/)).toBeVisible();
    expect(within(made().getByRole("list", { name: "Files" })).getAllByRole("listitem").map((file) => file.textContent)).toEqual(["plugin.json", "README.md", "server.sh"]);
    expect(made().getByText("bash server.sh")).toBeVisible();
    expect(textOf(made().getByTestId("writing-setup"))).toMatchInlineSnapshot(`"No setup needed."`);
    expect(screen.getByText(/^guildhall add new notes --from shell --members /)).toBeInTheDocument();
    expect(bridge.asked.map(({ name }) => name)).not.toContain("begin_member");
  });

  it("shows the build command of a template", async () => {
    const { user } = await openWriting();
    const made = () => within(screen.getByRole("region", { name: MADE }));
    const builds = "When a source file changes, this runs and the member restarts:";
    expect(made().queryByText(builds)).toBeNull();
    await user.click(screen.getByRole("radio", { name: "TypeScript" }));
    expect(made().getByText(builds)).toBeVisible();
    expect(made().getByText("npm run --silent build")).toBeVisible();
  });

  it("does not reject the name that it creates", async () => {
    const { user, bridge, rename } = await openWriting();
    await rename("notes");
    const real = bridge.adding.begin;
    let answer: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    bridge.adding.begin = async (request) => {
      const begun = await real(request);
      await held;
      return begun;
    };
    await user.click(create());
    expect(await screen.findByTestId("member-notes")).toBeVisible();
    expect(screen.getByTestId("writing-wrong")).toBeEmptyDOMElement();
    expect(create().getAttribute("aria-description")).toMatchInlineSnapshot(`"Creating…"`);
    act(answer);
    expect(await screen.findByTestId("writing-done")).toBeVisible();
    expect(screen.queryByTestId("writing-wrong")).toBeNull();
  });

  it("creates the member and lists the setup", async () => {
    const { user, bridge, stores, rename } = await openWriting();
    await user.click(screen.getByRole("radio", { name: "TypeScript" }));
    await rename("notes");
    await user.keyboard("{Enter}");
    const begun = within(await screen.findByRole("region", { name: "notes was created" }));
    expect(bridge.asked.findLast(({ name }) => name === "begin_member")?.request).toEqual({ member: "notes", from: "typescript" });
    expect(begun.getByText(/guild-members\/notes$/)).toBeVisible();
    const steps = within(begun.getByRole("group", { name: "Setup" }));
    expect([steps.getByText("npm install"), steps.getByText("npm run build")]).toHaveLength(2);
    expect(stores.spoken.get()).toMatchInlineSnapshot(`"notes was created"`);
    expect(await screen.findByTestId("member-notes")).toBeVisible();
    const open = screen.getByRole("button", { name: "Open notes" });
    expect(open).toHaveFocus();
    await user.click(open);
    expect(stores.navigation.place.get()).toMatchObject({ kind: "member", member: "notes" });
  });

  it("rejects invalid and taken names", async () => {
    const { user, bridge, rename } = await openWriting();
    await rename("forge");
    expect(textOf(screen.getByTestId("writing-wrong"))).toMatchInlineSnapshot(`"A member named forge already exists."`);
    expect(screen.queryByRole("region", { name: MADE })).toBeNull();
    expect(create().getAttribute("aria-description")).toMatchInlineSnapshot(`"A member named forge already exists."`);
    await user.click(create());
    await user.type(screen.getByRole("textbox", { name: MEMBER_NAME }), "{Enter}");
    expect(bridge.asked.map(({ name }) => name)).not.toContain("begin_member");
  });

  it("shows an error and tries again", async () => {
    const { user, bridge, rename } = await openWriting();
    await rename("notes");
    const real = bridge.adding.begin;
    bridge.adding.begin = () => Promise.reject(new Error("the disk is full"));
    await user.click(create());
    expect(await screen.findByText(/the disk is full/)).toBeVisible();
    bridge.adding.begin = real;
    await user.click(create());
    expect(await screen.findByTestId("writing-done")).toBeVisible();
    await user.click(screen.getByRole("button", { name: "Create another" }));
    expect(await screen.findByRole("textbox", { name: MEMBER_NAME })).toHaveFocus();
  });

  it("error_after_leaving_is_a_notice", async () => {
    const { user, bridge, stores, rename } = await openWriting();
    await rename("notes");
    let fail: () => void = () => undefined;
    bridge.adding.begin = () => new Promise((_, reject) => { fail = () => reject(new Error("the disk is full")); });
    await user.click(create());
    act(() => stores.navigation.openFound());
    await waitFor(() => expect(screen.queryByRole("textbox", { name: MEMBER_NAME })).toBeNull());
    expect(stores.hall.notices.get()).toEqual([]);
    act(() => fail());
    expect(await screen.findByText(/the disk is full/)).toBeVisible();
  });

  it("opens the guide", async () => {
    const { user, stores } = await openWriting();
    await user.click(screen.getByRole("button", { name: "Writing a member, in the guide" }));
    expect(stores.navigation.place.get()).toEqual({ kind: "help", at: "user-guide#writing-a-member" });
  });
});
