import { act, screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";

import type { WriteClientConfig } from "../../../ipc/bindings";
import { mockFile, mockPlace, mockServer } from "../../../ipc/mock/found";
import { mockMember, mockView } from "../../../ipc/mock/members";
import { WRITE_FILE } from "../../../testing/labels";
import { openWindow } from "../../../testing/open";
import { textOf } from "../../../testing/text";

const FILE = "/home/me/.cursor/mcp.json";
const CURSOR = { program: "cursor", title: "Cursor", path: FILE };
const TEXT = '{\n  "mcpServers": {\n    "memory": {\n      "command": "npx"\n    },\n    "other": {}\n  }\n}\n';
const HANDING = { adopted: ["memory"], connected: false, canUndo: false, then: "Switch the server on." };
const MOVE = "Move 1 server from Cursor to Guild Hall";
const BACK = "Move servers back to Cursor";

/** Opens the Connect tab with one server in one config file: the user's file, or a project's file for a `folder`. */
async function openConnect(folder: string | null = null) {
  const window = openWindow({ members: [mockMember(mockView("memory"), [])] });
  const { bridge } = window;
  const file = { ...CURSOR, folder, scope: folder === null ? ("user" as const) : ("project" as const) };
  bridge.gateway.configs.files.set(FILE, TEXT);
  const server = mockServer("memory", { places: [mockPlace({ ...file, name: "memory" })], state: { kind: "adopted", member: "memory" } });
  act(() => bridge.found.change([server], [mockFile({ ...file, handing: HANDING })]));
  act(() => window.stores.navigation.openAgents("connect"));
  const section = within(await screen.findByTestId("move-servers"));
  return { ...window, section, text: () => bridge.gateway.configs.files.get(FILE) };
}

describe("moving an app's servers", () => {
  it("previews, writes and restores the file", async () => {
    const { user, section, text, bridge } = await openConnect();
    expect(textOf(section.getByTestId("move-state"))).toMatchInlineSnapshot(`"1 server: memory"`);
    await user.click(section.getByRole("button", { name: MOVE }));
    const preview = await section.findByRole("group", { name: "Preview for Cursor" });
    await waitFor(() => expect(preview).toHaveFocus());
    expect(textOf(within(preview).getByTestId("preview-leaving"))).toMatchInlineSnapshot(`"Removes memory. Cursor uses it through Guild Hall instead, while Guild Hall is running."`);
    expect(text()).toBe(TEXT);
    await user.click(within(preview).getByRole("button", { name: WRITE_FILE }));
    expect(textOf(await section.findByRole("status"))).toMatchInlineSnapshot(`"Saved. Backup: /home/me/.cursor/mcp.json.guild-hall-backupNext steps: Switch the server on."`);
    expect(await section.findByText("Uses Guild Hall")).toBeVisible();
    expect(text()).not.toContain("npx");
    expect(text()).toContain('"other"');
    expect(text()).toContain("guild-hall");
    const request = bridge.asked.findLast(({ name }) => name === "write_client_config")?.request as WriteClientConfig;
    expect(request).toMatchObject({ client: "cursor", path: FILE, endpoint: { kind: "all" }, handOver: true });
    const clients = bridge.gateway.state.clients.length;
    await user.click(section.getByRole("button", { name: BACK }));
    expect(await section.findByRole("button", { name: MOVE })).toBeVisible();
    expect(textOf(section.getByRole("status"))).toMatchInlineSnapshot(`"Config file restored. Its token is revoked.Next steps: Switch the server on."`);
    expect(text()).toBe(TEXT);
    await waitFor(() => expect(bridge.gateway.state.clients).toHaveLength(clients - 1));
  });

  it("keeps the choice of tools in a profile", async () => {
    const { user, section, bridge, text } = await openConnect();
    bridge.found.choices = [{ server: "memory", member: "memory", tools: { kind: "only", tools: ["read_graph"] } }];
    await user.click(section.getByRole("button", { name: MOVE }));
    const preview = await section.findByRole("group", { name: "Preview for Cursor" });
    const choice = () => textOf(within(preview).getByTestId("preview-choice"));
    const kept = choice();
    expect(kept).toMatchInlineSnapshot(`"Cursor offered only some tools: read_graph of memory. The profile cursor keeps this choice, without members that come later."`);
    await user.click(within(preview).getByRole("checkbox", { name: "Give Cursor all tools of all members" }));
    await waitFor(() => expect(choice()).not.toBe(kept));
    expect(choice()).toMatchInlineSnapshot(`"Cursor offered only some tools: read_graph of memory. Cursor gets all tools now."`);
    await user.click(within(preview).getByRole("checkbox", { name: "Give Cursor all tools of all members" }));
    await waitFor(() => expect(choice()).toBe(kept));
    await user.click(within(preview).getByRole("button", { name: WRITE_FILE }));
    await section.findByRole("status");
    expect(text()).toContain("/profiles/cursor/");
  });

  it("reports later changes that a restore keeps", async () => {
    const { user, section, bridge } = await openConnect();
    await user.click(section.getByRole("button", { name: MOVE }));
    await user.click(await section.findByRole("button", { name: WRITE_FILE }));
    await section.findByText("Uses Guild Hall");
    bridge.gateway.configs.files.set(FILE, `${bridge.gateway.configs.files.get(FILE)} `);
    await user.click(section.getByRole("button", { name: BACK }));
    await waitFor(() => expect(section.getByRole("status")).toHaveTextContent("Entries restored. Later changes to the file are kept. Its token is revoked."));
  });

  it("offers no way back for an app that was only connected", async () => {
    const { bridge, section } = await openConnect();
    const handing = { ...HANDING, connected: true, canUndo: true };
    act(() => bridge.found.change(bridge.found.servers, [mockFile({ ...CURSOR, handing })]));
    expect(section.queryByRole("button", { name: BACK })).toBeNull();
    act(() => bridge.found.change([], [mockFile({ ...CURSOR, handing: { ...handing, adopted: [] } })]));
    await waitFor(() => expect(screen.queryByTestId("move-servers")).toBeNull());
  });

  it("offers a way back for an imported server that left the file", async () => {
    const { bridge, section } = await openConnect();
    const origin = { from: "cursor", path: FILE, url: null, at: null, server: null };
    const { trust } = mockView("memory");
    act(() => {
      bridge.change("memory", { trust: { ...trust, launch: "accepted", origin } });
      bridge.found.change([], [mockFile({ ...CURSOR, handing: { ...HANDING, adopted: [], connected: true, canUndo: true } })]);
    });
    expect(await section.findByRole("button", { name: BACK })).toBeVisible();
  });

  it("warns about a project's shared file", async () => {
    const { user, section } = await openConnect("/home/me/work/tower");
    await user.click(section.getByRole("button", { name: "Move 1 server from Cursor in /home/me/work/tower to Guild Hall" }));
    const preview = await section.findByRole("group", { name: "Preview for Cursor in /home/me/work/tower" });
    expect(textOf(within(preview).getByTestId("preview-shared"))).toMatchInlineSnapshot(`"This file is part of /home/me/work/tower. Anyone you share the project with gets this change and the token."`);
  });

  it("rejects a file that changed since the preview", async () => {
    const { user, section, bridge, text } = await openConnect();
    await user.click(section.getByRole("button", { name: MOVE }));
    const write = await section.findByRole("button", { name: WRITE_FILE });
    bridge.gateway.configs.files.set(FILE, '{"mine": true}\n');
    await user.click(write);
    expect(textOf(await section.findByRole("alert"))).toMatchInlineSnapshot(`"/home/me/.cursor/mcp.json has changed since the preview was made. client-config-changedLook at the new preview, then write it."`);
    expect(write).not.toBeInTheDocument();
    expect(text()).toBe('{"mine": true}\n');
  });

  it("leaves the file unchanged on Cancel", async () => {
    const { user, section, text } = await openConnect();
    await user.click(section.getByRole("button", { name: MOVE }));
    await user.click(await section.findByRole("button", { name: "Cancel" }));
    expect(section.queryByRole("group")).toBeNull();
    expect(text()).toBe(TEXT);
  });
});
