import { act, screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";

import { choose } from "../../testing/choose";
import { openWindow } from "../../testing/open";
import { textOf } from "../../testing/text";
import { WRITE_FILE } from "../../testing/labels";
import { smithy } from "../testing";

const COPY_MEMBER = "Copy the direct config entry for Claude Code";
const FILE = "/home/me/.claude.json";

async function openConnect() {
  const window = openWindow({ members: [smithy()] });
  act(() => window.house.openAgents("connect"));
  const card = await screen.findByTestId("program-claude-code");
  return { ...window, card: within(card) };
}

describe("connecting a program", () => {
  it("shows each program's file and what to write there for the chosen endpoint", async () => {
    const { user, card } = await openConnect();
    expect(card.getByText("Not connected")).toBeVisible();
    expect(card.getByText(FILE)).toBeVisible();
    await user.click(screen.getByText(/^Not installed/));
    expect(textOf(within(screen.getByTestId("program-zed")).getByTestId("program-file"))).toMatchInlineSnapshot(`"No config file"`);
    await choose(user, screen.getByLabelText("Endpoint"), "smithy");
    await user.click(card.getByRole("button", { name: "Show config" }));
    await waitFor(() => expect(card.getByLabelText("Config entry for Claude Code")).toHaveTextContent("http://127.0.0.1:19999/members/smithy/mcp"));
    await user.click(card.getByRole("button", { name: "Copy the config entry for Claude Code" }));
    expect(await navigator.clipboard.readText()).toContain("/members/smithy/mcp");
  });

  it("has the member itself to copy where one is chosen, for a program that is to run it without Guild Hall", async () => {
    const { user, card } = await openConnect();
    await user.click(card.getByRole("button", { name: "Show config" }));
    expect(card.queryByRole("button", { name: COPY_MEMBER })).toBeNull();
    await choose(user, screen.getByLabelText("Endpoint"), "smithy");
    await user.click(await card.findByRole("button", { name: COPY_MEMBER }));
    expect(JSON.parse(await navigator.clipboard.readText())).toEqual({ mcpServers: { smithy: { command: "smithy" } } });
    expect(card.getByLabelText("Direct config entry for Claude Code")).toBeVisible();
  });

  it("writes what was shown, says where the backup is and what to do, and takes it back", async () => {
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
    await user.click(await card.findByRole("button", { name: "Undo" }));
    await waitFor(() => expect(card.getByText("Not connected")).toBeVisible());
    expect(bridge.gateway.configs.files.get(FILE)).toBe(before);
  });

  it("writes nothing over a file that has changed since the preview", async () => {
    const { user, card, bridge } = await openConnect();
    await user.click(card.getByRole("button", { name: "Connect…" }));
    const write = await card.findByRole("button", { name: WRITE_FILE });
    bridge.gateway.configs.files.set(FILE, '{"mine": true}\n');
    await user.click(write);
    expect(textOf(await card.findByRole("alert"))).toMatchInlineSnapshot(`"/home/me/.claude.json has changed since the preview was made. client-config-changedLook at the new preview, then write it."`);
    expect(bridge.gateway.configs.files.get(FILE)).toBe('{"mine": true}\n');
    // The preview is out of date, so the user has to review the new one.
    expect(write).not.toBeInTheDocument();
    await user.click(card.getByRole("button", { name: "Connect…" }));
    expect(await card.findAllByText(/"mine": true/)).not.toEqual([]);
  });

  it("makes a file where there is none", async () => {
    const { user, bridge } = await openConnect();
    await user.click(screen.getByText(/^Not installed/));
    const zed = within(screen.getByTestId("program-zed"));
    await user.click(zed.getByRole("button", { name: "Connect…" }));
    await user.click(await zed.findByRole("button", { name: "Create file" }));
    await zed.findByText("Connected");
    expect(bridge.gateway.configs.files.has("/home/me/.config/zed/settings.json")).toBe(true);
    await user.click(await zed.findByRole("button", { name: "Undo" }));
    await waitFor(() => expect(bridge.gateway.configs.files.has("/home/me/.config/zed/settings.json")).toBe(false));
  });

  it("forgets a preview of another endpoint", async () => {
    const { user, card } = await openConnect();
    await user.click(card.getByRole("button", { name: "Connect…" }));
    await card.findByRole("button", { name: WRITE_FILE });
    await choose(user, screen.getByLabelText("Endpoint"), "smithy");
    await waitFor(() => expect(card.queryByRole("button", { name: WRITE_FILE })).not.toBeInTheDocument());
  });
});
