import { clearMocks, mockIPC } from "@tauri-apps/api/mocks";
import { afterEach, describe, expect, it, vi } from "vitest";

import type { Report, RosterView } from "./bindings";
import { Refusal } from "./bridge";
import { MockSettings } from "./mock/settings";
import { insideShell, tauriBridge } from "./tauri";

const roster: RosterView = { revision: 1, membersDir: "/m", members: [], error: null };
const report: Report = { code: "member-unknown", message: "There is no member called x.", hint: "", member: "x" };

afterEach(() => {
  clearMocks();
  delete window.__GUILD_HALL__;
});

describe("the bridge to the shell", () => {
  it("knows whether there is a shell", () => {
    mockIPC(() => null);
    expect(insideShell()).toBe(true);
  });

  it("asks by the command's name, with the request under its name", async () => {
    const asked: unknown[] = [];
    mockIPC((name, args) => {
      asked.push([name, args]);
      return roster;
    });
    await expect(tauriBridge().call("member_tools", { member: "forge" })).resolves.toEqual(roster);
    expect(asked).toEqual([["member_tools", { request: { member: "forge" } }]]);
  });

  it("gives a report on as it is, and makes one of whatever else the shell says", async () => {
    mockIPC((name) => {
      // oxlint-disable-next-line typescript/only-throw-error -- the shell does not reject with an Error
      throw name === "start_member" ? report : "command not allowed";
    });
    const bridge = tauriBridge();
    await expect(bridge.call("start_member", { member: "x" })).rejects.toEqual(new Refusal(report));
    await expect(bridge.call("roster", {})).rejects.toThrowErrorMatchingInlineSnapshot(`[Refusal: The window got no answer from Guild Hall: command not allowed]`);
  });

  it("has the page keep what it has to when the program ends, then says so", async () => {
    const said: string[] = [];
    mockIPC((name) => {
      said.push(name);
      return null;
    });
    const end = () => window.dispatchEvent(new Event("guild-hall-ends"));
    let kept: () => void = () => undefined;
    const over = tauriBridge().ending(() => new Promise((resolve) => (kept = resolve)));
    end();
    expect(said).toEqual([]);
    kept();
    await vi.waitFor(() => expect(said).toEqual(["drafts_flushed"]));
    over();
    end();
    expect(said).toEqual(["drafts_flushed"]);
  });

  it("hears what the shell tells of files over the window, as long as anybody listens", () => {
    mockIPC(() => null);
    const heard: unknown[] = [];
    const over = tauriBridge().drops?.((drop) => heard.push(drop));
    const drop = { kind: "dropped", paths: ["/home/me/.mcp.json"] };
    const tell = () => window.dispatchEvent(new CustomEvent("guild-hall-drop", { detail: drop }));
    tell();
    window.dispatchEvent(new Event("guild-hall-drop"));
    expect(heard).toEqual([drop]);
    over?.();
    tell();
    expect(heard).toEqual([drop]);
  });

  it("hears what is to be shown from outside the page, as long as anybody listens", () => {
    mockIPC(() => null);
    const heard: unknown[] = [];
    const over = tauriBridge().shows?.((shown) => heard.push(shown));
    const shown = { kind: "place", place: { kind: "member", member: "forge" } };
    const show = () => window.dispatchEvent(new CustomEvent("guild-hall-show", { detail: shown }));
    show();
    window.dispatchEvent(new Event("guild-hall-show"));
    expect(heard).toEqual([shown]);
    over?.();
    show();
    expect(heard).toEqual([shown]);
  });

  it("tells of the first paint, and apart from it that the page listens", () => {
    const asked: unknown[] = [];
    mockIPC((name, args) => asked.push([name, args]));
    for (const listens of [false, true]) tauriBridge().ready(listens);
    expect(asked).toEqual([
      ["window_ready", { listens: false }],
      ["window_ready", { listens: true }],
    ]);
  });

  it("asks how it stands with what is outside the page", async () => {
    const presence = { tray: { kind: "on" }, shortcut: { kind: "off" }, login: { kind: "off" }, notifications: { kind: "waiting" } };
    mockIPC((name) => (name === "presence" ? presence : null));
    await expect(tauriBridge().presence?.()).resolves.toEqual(presence);
  });

  it("asks for the system's dialogs, and says why a file was not saved", async () => {
    const asked: unknown[] = [];
    mockIPC((name, args) => {
      asked.push([name, args]);
      // oxlint-disable-next-line typescript/only-throw-error -- the shell does not reject with an Error
      if (name === "save_file") throw report;
      return "/home/me/notes.md";
    });
    const bridge = tauriBridge();
    await expect(bridge.pickPath?.({ kind: "file" })).resolves.toBe("/home/me/notes.md");
    const file = { suggestedName: "a.txt", content: { text: "x" } };
    await expect(bridge.saveFile?.(file)).rejects.toEqual(new Refusal(report));
    expect(asked).toEqual([
      ["pick_path", { request: { kind: "file" } }],
      ["save_file", { request: file }],
    ]);
  });

  it("takes the roster that the shell put into the page", () => {
    const settings = new MockSettings(() => undefined).state();
    const opening = { roster, info: { version: "1", membersDir: "/m", dataDir: "/d", licences: null }, settings };
    window.__GUILD_HALL__ = opening;
    expect(tauriBridge().opening).toBe(opening);
  });
});
