import { act, screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";

import { choose } from "../../../testing/choose";
import { openWindow } from "../../../testing/open";
import { textOf } from "../../../testing/text";
import { WRITE_FILE } from "../../../testing/labels";
import { smithy } from "../testing";

const COPY_MEMBER = "Copy the direct config entry for Claude Code";
const FILE = "/home/me/.claude.json";

async function openConnect() {
  const window = openWindow({ members: [smithy()] });
  act(() => window.stores.navigation.openAgents("connect"));
  const card = await screen.findByTestId("program-claude-code");
  return { ...window, card: within(card) };
}

async function showConfig(user: Awaited<ReturnType<typeof openConnect>>["user"]) {
  await user.click(screen.getByRole("button", { name: "More for Claude Code" }));
  await user.click(await screen.findByRole("menuitem", { name: "Show config" }));
}

describe("connecting an app", () => {
  it("shows the config entry of an endpoint", async () => {
    const { user, card } = await openConnect();
    expect(card.getByText("Not connected")).toBeVisible();
    expect(card.getByText(FILE)).toBeVisible();
    await user.click(screen.getByText(/^Not installed/));
    expect(textOf(within(screen.getByTestId("program-zed")).getByTestId("program-file"))).toMatchInlineSnapshot(`"No config file"`);
    await choose(user, screen.getByLabelText("Endpoint"), "smithy");
    await showConfig(user);
    await waitFor(() => expect(card.getByLabelText("Config entry for Claude Code")).toHaveTextContent("http://127.0.0.1:19999/members/smithy/mcp"));
    await user.click(card.getByRole("button", { name: "Copy the config entry for Claude Code" }));
    expect(await navigator.clipboard.readText()).toContain("/members/smithy/mcp");
  });

  it("offers a member's direct entry", async () => {
    const { user, card } = await openConnect();
    await showConfig(user);
    expect(card.queryByRole("button", { name: COPY_MEMBER })).toBeNull();
    await choose(user, screen.getByLabelText("Endpoint"), "smithy");
    await user.click(await card.findByRole("button", { name: COPY_MEMBER }));
    expect(JSON.parse(await navigator.clipboard.readText())).toEqual({ mcpServers: { smithy: { command: "smithy" } } });
    expect(card.getByLabelText("Direct config entry for Claude Code")).toBeVisible();
  });

  it("connects and disconnects an app", async () => {
    const { user, card, bridge } = await openConnect();
    const before = bridge.gateway.configs.files.get(FILE);
    card.getByRole("button", { name: "Connect…" }).focus();
    await user.keyboard("{Enter}");
    const preview = await card.findByRole("group", { name: "Preview for Claude Code" });
    await waitFor(() => expect(preview).toHaveFocus());
    expect(textOf(await within(preview).findByTestId("comparison-summary"))).toMatchInlineSnapshot(`"+ 9 lines added, − 1 line removed"`);
    expect(bridge.gateway.configs.files.get(FILE)).toBe(before);
    await user.click(within(preview).getByRole("button", { name: WRITE_FILE }));
    const done = await card.findByRole("status");
    expect(textOf(done)).toMatchInlineSnapshot(`"Saved. Backup: /home/me/.claude.json.guild-hall-backupNext steps: Start Claude Code anew, or type /mcp in it."`);
    expect(bridge.gateway.configs.files.get(FILE)).toContain("19999/mcp");
    expect(await card.findByText("Connected")).toBeVisible();
    const clients = bridge.gateway.state.clients.length;
    await user.click(await card.findByRole("button", { name: "Disconnect" }));
    await waitFor(() => expect(card.getByText("Not connected")).toBeVisible());
    expect(bridge.gateway.configs.files.get(FILE)).toBe(before);
    await waitFor(() => expect(bridge.gateway.state.clients).toHaveLength(clients - 1));
  });

  it("offers to reconnect an app with an old address", async () => {
    const { user, card, bridge, stores } = await openConnect();
    await user.click(card.getByRole("button", { name: "Connect…" }));
    await user.click(await card.findByRole("button", { name: WRITE_FILE }));
    expect(await card.findByText("Connected")).toBeVisible();
    bridge.gateway.configs.files.set(FILE, "{}");
    act(() => stores.navigation.openAgents("gateway"));
    act(() => stores.navigation.openAgents("connect"));
    const again = within(await screen.findByTestId("program-claude-code"));
    expect(await again.findByText("Has an old address")).toBeVisible();
    expect(again.getByRole("button", { name: "Reconnect…" })).toBeVisible();
  });

  it("rejects a file that changed since the preview", async () => {
    const { user, card, bridge } = await openConnect();
    await user.click(card.getByRole("button", { name: "Connect…" }));
    const write = await card.findByRole("button", { name: WRITE_FILE });
    bridge.gateway.configs.files.set(FILE, '{"mine": true}\n');
    await user.click(write);
    expect(textOf(await card.findByRole("alert"))).toMatchInlineSnapshot(`"/home/me/.claude.json has changed since the preview was made. client-config-changedLook at the new preview, then write it."`);
    expect(bridge.gateway.configs.files.get(FILE)).toBe('{"mine": true}\n');
    // The file changed after the preview, so the user has to request and review a new preview.
    expect(write).not.toBeInTheDocument();
    await user.click(card.getByRole("button", { name: "Connect…" }));
    expect(await card.findAllByText(/"mine": true/)).not.toEqual([]);
  });

  it("creates a missing file", async () => {
    const { user, bridge } = await openConnect();
    await user.click(screen.getByText(/^Not installed/));
    const zed = within(screen.getByTestId("program-zed"));
    await user.click(zed.getByRole("button", { name: "Connect…" }));
    await user.click(await zed.findByRole("button", { name: "Create file" }));
    await zed.findByText("Connected");
    expect(bridge.gateway.configs.files.has("/home/me/.config/zed/settings.json")).toBe(true);
    await user.click(await zed.findByRole("button", { name: "Disconnect" }));
    await waitFor(() => expect(bridge.gateway.configs.files.has("/home/me/.config/zed/settings.json")).toBe(false));
  });

  it("discards the preview of another endpoint", async () => {
    const { user, card } = await openConnect();
    await user.click(card.getByRole("button", { name: "Connect…" }));
    await card.findByRole("button", { name: WRITE_FILE });
    await choose(user, screen.getByLabelText("Endpoint"), "smithy");
    await waitFor(() => expect(card.queryByRole("button", { name: WRITE_FILE })).not.toBeInTheDocument());
  });

  it("says why a foreign entry can't be disconnected", async () => {
    const { card, bridge } = await openConnect();
    bridge.gateway.configs.files.set(FILE, '{"mcpServers":{"guild-hall":{}}}');
    act(() => void window.dispatchEvent(new Event("focus")));
    const disconnect = await card.findByRole("button", { name: "Disconnect" });
    expect(disconnect).toHaveAccessibleDescription("Guild Hall didn't add this entry. Remove it from the file.");
  });

  it("gives any other client a token and an entry", async () => {
    const { user } = await openConnect();
    const other = within(screen.getByTestId("any-client"));
    const entry = other.getByLabelText("Config entry for any client");
    expect(JSON.parse(entry.textContent)).toEqual({
      mcpServers: { "guild-hall": { type: "http", url: "http://127.0.0.1:19999/mcp", headers: { Authorization: "Bearer TOKEN" } } },
    });
    await user.type(other.getByLabelText("Client name"), "my app{Enter}");
    const token = (await other.findByTestId("new-token")).textContent;
    expect(entry).toHaveTextContent(`Bearer ${token}`);
    await user.click(other.getByRole("radio", { name: "TOML" }));
    expect(entry).toHaveTextContent(`[mcp_servers.guild-hall] url = "http://127.0.0.1:19999/mcp" http_headers = { Authorization = "Bearer ${token}" }`);
  });
});
