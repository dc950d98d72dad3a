import { act, screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";

import type { WriteClientConfig } from "../bridge/bindings";
import { fakeFile, fakePlace, fakeServer } from "../bridge/fake/found";
import { fakeMember, fakeView } from "../bridge/fake/members";
import { openWindow } from "../testing/open";
import { textOf } from "../testing/text";
import { WRITE_FILE } from "../testing/labels";

const HAND_OVERS = "Apps that can use Guild Hall instead";
const FILE = "/home/me/.cursor/mcp.json";
const CURSOR = { program: "cursor", title: "Cursor", path: FILE };
const TEXT = '{\n  "mcpServers": {\n    "memory": {\n      "command": "npx"\n    },\n    "other": {}\n  }\n}\n';
const HANDING = { adopted: ["memory"], connected: false, canUndo: false, then: "Switch the server on." };
const LET = "Let Cursor use Guild Hall instead…";

/** The found page with one server in one file, which may be a project's. */
async function openFound(folder: string | null = null, adopted = true) {
  const window = openWindow({ members: adopted ? [fakeMember(fakeView("memory"), [])] : [] });
  const { bridge } = window;
  const file = { ...CURSOR, folder, scope: folder === null ? ("user" as const) : ("project" as const) };
  bridge.gateway.configs.files.set(FILE, TEXT);
  const server = fakeServer("memory", { places: [fakePlace({ ...file, name: "memory" })], state: adopted ? { kind: "adopted", member: "memory" } : { kind: "new" } });
  act(() => bridge.found.change([server], [fakeFile({ ...file, handing: { ...HANDING, adopted: adopted ? ["memory"] : [] } })]));
  act(() => window.house.openFound());
  await screen.findByRole("heading", { name: "Import servers" });
  return { ...window, text: () => bridge.gateway.configs.files.get(FILE) };
}

const section = () => screen.findByRole("region", { name: HAND_OVERS });

describe("handing a program's file over", () => {
  it("is offered once a server of the file is adopted, shows what goes and comes, writes it, and gives it back", async () => {
    const { user, text, bridge } = await openFound(null, false);
    expect(screen.queryByRole("region", { name: HAND_OVERS })).toBeNull();
    await user.click(await screen.findByRole("checkbox", { name: /Import memory/ }));
    await user.click(screen.getByRole("button", { name: /^Import 1 server/ }));
    const handing = within(await section());
    expect(textOf(handing.getByTestId("hand-over-state"))).toMatchInlineSnapshot(`"has 1 server that is a member: memory"`);
    await user.click(handing.getByRole("button", { name: LET }));
    const preview = await handing.findByRole("group", { name: "Preview for Cursor" });
    await waitFor(() => expect(preview).toHaveFocus());
    expect(textOf(within(preview).getByTestId("preview-leaving"))).toMatchInlineSnapshot(`"Removes memory. Cursor uses it through Guild Hall instead, while Guild Hall is running."`);
    expect(preview).not.toHaveTextContent("belongs to");
    expect(text()).toBe(TEXT);
    await user.click(within(preview).getByRole("button", { name: WRITE_FILE }));
    expect(textOf(await handing.findByRole("status"))).toMatchInlineSnapshot(`"Saved. Backup: /home/me/.cursor/mcp.json.guild-hall-backupNext steps: Switch the server on."`);
    expect(await handing.findByText("uses Guild Hall")).toBeVisible();
    expect(text()).not.toContain("npx");
    expect(text()).toContain('"other"');
    expect(text()).toContain("guild-hall");
    const request = bridge.asked.findLast(({ name }) => name === "write_client_config")?.request as WriteClientConfig;
    expect(request).toMatchObject({ client: "cursor", path: FILE, endpoint: { kind: "all" }, handOver: true });
    await user.click(handing.getByRole("button", { name: "Give Cursor its file back" }));
    expect(await handing.findByRole("button", { name: LET })).toBeVisible();
    expect(text()).toBe(TEXT);
  });

  it("keeps the choice of tools in a profile, unless all are wanted", async () => {
    const { user, bridge, text } = await openFound();
    bridge.found.choices = [{ server: "memory", member: "memory", tools: { kind: "only", tools: ["read_graph"] } }];
    const handing = within(await section());
    await user.click(handing.getByRole("button", { name: LET }));
    const preview = await handing.findByRole("group", { name: "Preview for Cursor" });
    const choice = () => textOf(within(preview).getByTestId("preview-choice"));
    const kept = choice();
    expect(kept).toMatchInlineSnapshot(`"Cursor offered only some tools: read_graph of memory. The profile cursor keeps this choice, without members that come later."`);
    await user.click(within(preview).getByRole("checkbox", { name: "Give Cursor all tools of all members" }));
    await waitFor(() => expect(choice()).not.toBe(kept));
    expect(choice()).toMatchInlineSnapshot(`"Cursor offered only some tools: read_graph of memory. Cursor gets all tools now."`);
    await user.click(within(preview).getByRole("checkbox", { name: "Give Cursor all tools of all members" }));
    await waitFor(() => expect(choice()).toBe(kept));
    await user.click(within(preview).getByRole("button", { name: WRITE_FILE }));
    await handing.findByRole("status");
    expect(text()).toContain("/profiles/cursor/");
  });

  it("says that a file is as it was only where it is, and revokes its token when asked to", async () => {
    const { user, bridge } = await openFound();
    const handing = within(await section());
    await user.click(handing.getByRole("button", { name: LET }));
    await user.click(await handing.findByRole("button", { name: WRITE_FILE }));
    await handing.findByText("uses Guild Hall");
    bridge.gateway.configs.files.set(FILE, `${bridge.gateway.configs.files.get(FILE)} `);
    await user.click(handing.getByRole("button", { name: "Give Cursor its file back" }));
    expect(textOf(await handing.findByRole("status"))).toMatchInlineSnapshot(`"Entries restored. Later changes to the file are kept. Next steps: Switch the server on."`);
    expect(textOf(handing.getByTestId("token-left"))).toMatchInlineSnapshot(`"Still valid: the token of Cursor (…b4e5).Revoke token"`);
    const clients = bridge.gateway.state.clients.length;
    await user.click(handing.getByRole("button", { name: "Revoke token" }));
    await waitFor(() => expect(handing.queryByText(/Still valid/)).toBeNull());
    expect(bridge.gateway.state.clients).toHaveLength(clients - 1);
  });

  it("says that a project's file may be shared with others", async () => {
    const { user } = await openFound("/home/me/work/tower");
    const handing = within(await section());
    await user.click(handing.getByRole("button", { name: "Let Cursor in /home/me/work/tower use Guild Hall instead…" }));
    const preview = await handing.findByRole("group", { name: "Preview for Cursor in /home/me/work/tower" });
    expect(textOf(within(preview).getByTestId("preview-shared"))).toMatchInlineSnapshot(`"This file is part of /home/me/work/tower. Anyone you share the project with gets this change and the token."`);
  });

  it("writes nothing over a file that has changed since it was looked at", async () => {
    const { user, bridge, text } = await openFound();
    const handing = within(await section());
    await user.click(handing.getByRole("button", { name: LET }));
    const write = await handing.findByRole("button", { name: WRITE_FILE });
    bridge.gateway.configs.files.set(FILE, '{"mine": true}\n');
    await user.click(write);
    expect(textOf(await handing.findByRole("alert"))).toMatchInlineSnapshot(`"/home/me/.cursor/mcp.json has changed since the preview was made. client-config-changedLook at the new preview, then write it."`);
    expect(write).not.toBeInTheDocument();
    expect(text()).toBe('{"mine": true}\n');
  });

  it("leaves the file as it is where a person looks and does not want it", async () => {
    const { user, text } = await openFound();
    const handing = within(await section());
    await user.click(handing.getByRole("button", { name: LET }));
    await user.click(await handing.findByRole("button", { name: "Cancel" }));
    expect(handing.queryByRole("group")).toBeNull();
    expect(text()).toBe(TEXT);
  });

  it("warns where the gateway does not listen", async () => {
    const { bridge } = await openFound();
    expect(within(await section()).queryByText(/does not listen now/)).toBeNull();
    act(() => void bridge.gateway.change({ address: null }));
    expect(await within(await section()).findByText(/does not listen now/)).toBeVisible();
  });
});
