import { act, screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";

import { openWindow } from "../../testing/open";
import { textOf } from "../../testing/text";
import { WRITE_FILE } from "../../testing/labels";
import { smithy } from "../testing";

const COPY_MEMBER = "Copy the member itself for Claude Code";
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
    expect(card.getByText("not connected")).toBeVisible();
    expect(card.getByText(FILE)).toBeVisible();
    expect(textOf(within(screen.getByTestId("program-zed")).getByTestId("program-file"))).toMatchInlineSnapshot(`"no file yet"`);
    await user.selectOptions(screen.getByLabelText("Endpoint"), "smithy");
    await user.click(card.getByRole("button", { name: "What to write" }));
    await waitFor(() => expect(card.getByLabelText("What to write for Claude Code")).toHaveTextContent("http://127.0.0.1:19999/members/smithy/mcp"));
    await user.click(card.getByRole("button", { name: "Copy what to write for Claude Code" }));
    expect(await navigator.clipboard.readText()).toContain("/members/smithy/mcp");
  });

  it("has the member itself to copy where one is chosen, for a program that is to run it without Guild Hall", async () => {
    const { user, card } = await openConnect();
    await user.click(card.getByRole("button", { name: "What to write" }));
    expect(card.queryByRole("button", { name: COPY_MEMBER })).toBeNull();
    await user.selectOptions(screen.getByLabelText("Endpoint"), "smithy");
    await user.click(await card.findByRole("button", { name: COPY_MEMBER }));
    expect(JSON.parse(await navigator.clipboard.readText())).toEqual({ mcpServers: { smithy: { command: "smithy" } } });
    expect(card.getByLabelText("The member itself for Claude Code")).toBeVisible();
  });

  it("writes what was shown, says where the backup is and what to do, and takes it back", async () => {
    const { user, card, bridge } = await openConnect();
    const before = bridge.gateway.configs.files.get(FILE);
    card.getByRole("button", { name: "Write it…" }).focus();
    await user.keyboard("{Enter}");
    const preview = await card.findByRole("group", { name: "Preview for Claude Code" });
    await waitFor(() => expect(preview).toHaveFocus());
    expect(within(preview).getByText("9 lines", { exact: false })).toBeVisible();
    expect(bridge.gateway.configs.files.get(FILE)).toBe(before);
    await user.click(within(preview).getByRole("button", { name: WRITE_FILE }));
    const done = await card.findByRole("status");
    expect(textOf(done)).toMatchInlineSnapshot(`"Written. As it was, it is kept at /home/me/.claude.json.guild-hall-backup.What to do now: Start Claude Code anew, or type /mcp in it."`);
    expect(bridge.gateway.configs.files.get(FILE)).toContain("19999/mcp");
    expect(await card.findByText("connected")).toBeVisible();
    await user.click(await card.findByRole("button", { name: "Undo" }));
    await waitFor(() => expect(card.getByText("not connected")).toBeVisible());
    expect(bridge.gateway.configs.files.get(FILE)).toBe(before);
  });

  it("writes nothing over a file that has changed since the preview", async () => {
    const { user, card, bridge } = await openConnect();
    await user.click(card.getByRole("button", { name: "Write it…" }));
    const write = await card.findByRole("button", { name: WRITE_FILE });
    bridge.gateway.configs.files.set(FILE, '{"mine": true}\n');
    await user.click(write);
    expect(textOf(await card.findByRole("alert"))).toMatchInlineSnapshot(`"/home/me/.claude.json has changed since the preview was made. client-config-changedLook at the new preview, then write it."`);
    expect(bridge.gateway.configs.files.get(FILE)).toBe('{"mine": true}\n');
    // What was shown is not what would be written now: it has to be looked at again.
    expect(write).not.toBeInTheDocument();
    await user.click(card.getByRole("button", { name: "Write it…" }));
    expect(await card.findAllByText(/"mine": true/)).not.toEqual([]);
  });

  it("makes a file where there is none", async () => {
    const { user, bridge } = await openConnect();
    const zed = within(screen.getByTestId("program-zed"));
    await user.click(zed.getByRole("button", { name: "Write it…" }));
    await user.click(await zed.findByRole("button", { name: "Make the file" }));
    await zed.findByText("connected");
    expect(bridge.gateway.configs.files.has("/home/me/.config/zed/settings.json")).toBe(true);
    await user.click(await zed.findByRole("button", { name: "Undo" }));
    await waitFor(() => expect(bridge.gateway.configs.files.has("/home/me/.config/zed/settings.json")).toBe(false));
  });

  it("forgets a preview of another endpoint", async () => {
    const { user, card } = await openConnect();
    await user.click(card.getByRole("button", { name: "Write it…" }));
    await card.findByRole("button", { name: WRITE_FILE });
    await user.selectOptions(screen.getByLabelText("Endpoint"), "smithy");
    await waitFor(() => expect(card.queryByRole("button", { name: WRITE_FILE })).not.toBeInTheDocument());
  });
});
