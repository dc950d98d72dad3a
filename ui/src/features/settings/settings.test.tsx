import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";

import type { MockOptions } from "../../ipc/mock";
import type { SectionName } from "../../lib/navigation/places";
import { openWindow } from "../../testing/open";
import { textOf } from "../../testing/text";
import { choose } from "../../testing/choose";
import { choicesOf, FIELDS, valueOf } from "./fields";
import { DEFAULTS } from "../../lib/settingsSchema";
import { GROUPS } from "./groups";
import { BROKEN, WRONG } from "./states";

const CONFLICTS = "Shortcuts of two actions";

async function openSettings(at: SectionName = "general", options: MockOptions = {}) {
  const window = openWindow(options);
  act(() => window.stores.navigation.openSettings(at));
  await screen.findByRole("heading", { name: "Settings" });
  await waitFor(() => expect(document.querySelector("[data-section]")).not.toBeNull());
  return window;
}

function choiceText(key: string, value: string): string {
  const field = FIELDS.find((one) => one.key === key)!;
  return choicesOf(field).find(([word]) => word === value)![1];
}

function changesOf(window: Awaited<ReturnType<typeof openSettings>>) {
  return window.bridge.asked.flatMap(({ name, request }) => (name === "change_settings" ? [request] : []));
}

describe("the settings", () => {
  it("have a row for each that the hall knows, with what it does", async () => {
    const { stores } = await openSettings();
    expect(FIELDS.map(({ key }) => key)).toEqual([
      "window.onClose", "membersDir", "shortcut.palette", "registry", "window.tray", "window.startAtLogin",
      "window.startHidden", "notifications.crashLoop", "notifications.approval", "notifications.changedTools",
      "appearance.theme", "appearance.zoom", "gateway.port", "gateway.listing", "gateway.resultTokens", "limits.startMs",
      "limits.handshakeMs", "limits.callMs", "limits.discoveryMs", "network.proxies",
      "updates.check", "updates.address", "updates.key",
    ]);
    for (const { key, section, title, description } of FIELDS) {
      act(() => stores.navigation.openSettings(section));
      const row = document.querySelector<HTMLElement>(`[data-setting="${key}"]`);
      expect(row).toHaveTextContent(title);
      expect(row).toHaveTextContent(description);
    }
  });

  it("open each group and page from the list", async () => {
    const { user } = await openSettings();
    const list = screen.getByRole("navigation", { name: "Sections" });
    for (const { title, sections } of GROUPS) {
      await user.click(within(list).getByRole("button", { name: title }));
      expect([...document.querySelectorAll("[data-section]")].map((one) => one.getAttribute("data-section"))).toEqual(sections);
    }
    const isOpen = async (entry: string, page: string) => {
      expect(await screen.findByRole("heading", { level: 1 })).toHaveTextContent(page);
      expect(within(screen.getByRole("navigation", { name: "Sections" })).getByRole("button", { name: entry })).toHaveAttribute("aria-current", "page");
    };
    for (const page of ["Secrets", "System check"]) {
      await user.click(within(list).getByRole("button", { name: page }));
      await isOpen(page, page);
    }
    await user.click(within(list).getByRole("button", { name: "Advanced" }));
    await user.click(screen.getByRole("button", { name: "Tool detection…" }));
    await isOpen("Advanced", "Tool detection");
  });

  it("say when each takes effect: the start without the window with the entry that a login reads", async () => {
    await openSettings();
    expect(screen.getByText("Changes are saved automatically.")).toBeVisible();
    const said = ["startAtLogin", "startHidden"].map((key) => textOf(document.querySelector(`[data-setting="window.${key}"] p`)));
    expect(said).toMatchInlineSnapshot(`
      [
        "Starts Guild Hall when you log in.",
        "Keeps the window closed when Guild Hall starts at login, if the tray has its icon.",
      ]
    `);
  });

  it("set the gateway's port and mode, and refuse the members' ports", async () => {
    const window = await openSettings("gateway");
    const port = screen.getByRole("textbox", { name: "Gateway port" });
    for (const wrong of ["80", "20000", "30000", "65536", "port"]) {
      await window.user.clear(port);
      await window.user.type(port, `${wrong}{Enter}`);
      expect(port).toBeInvalid();
      expect(textOf(screen.getByTestId("setting-wrong"))).toMatchInlineSnapshot(`"A whole number from 1,024 to 19,999 or from 30,001 to 65,535."`);
    }
    expect(changesOf(window)).toEqual([]);
    await window.user.clear(port);
    await window.user.type(port, "18999{Enter}");
    await waitFor(() => expect(window.bridge.settings.settings.gateway.port).toBe(18_999));
    await choose(window.user, screen.getByRole("combobox", { name: "Tool list" }), choiceText("gateway.listing", "search"));
    await waitFor(() => expect(window.bridge.settings.settings.gateway.listing).toBe("search"));
  });

  it("say that a run has another port than is set, and why a port can't be had", async () => {
    const window = await openSettings("gateway");
    await waitFor(() => expect(window.stores.agents.gateway.get()).not.toBeNull());
    act(() => void window.bridge.gateway.change({ port: 4_000, address: "http://127.0.0.1:4000/mcp", error: null }));
    expect(textOf(await screen.findByTestId("port-of-run"))).toMatchInlineSnapshot(`"Guild Hall was started with \`--gateway-port 4000\`, which overrides the setting."`);
    const error = { code: "gateway-port-taken" as const, message: "Another app is using port 19999.", hint: "", member: null };
    act(() => void window.bridge.gateway.change({ error }));
    expect(textOf(await screen.findByTestId("trouble"))).toMatchInlineSnapshot(`"Another app is using port 19999. gateway-port-taken"`);
    expect(screen.queryByTestId("port-of-run")).toBeNull();
  });

  it("show a key of no action as an unknown field, which is no mistake, with its line", async () => {
    const window = await openSettings("file");
    const report = { code: "settings-unusable" as const, message: "settings.json:7:5: `keys.palete` is no action.", hint: "Did you mean `keys.palette`?", member: null };
    act(() => window.bridge.settings.write(DEFAULTS, [{ effect: "kept", line: 7, column: 5, field: "keys.palete", report }]));
    const list = await screen.findByRole("list", { name: "1 unknown field" });
    expect(textOf(list)).toMatchInlineSnapshot(`"line 7, column 5 – unknown, kept in the file settings-unusablesettings.json:7:5: \`keys.palete\` is no action. Did you mean \`keys.palette\`?"`);
  });

  it("say which folder of members is in use, also where that is told later", async () => {
    const { stores } = await openSettings("general", { withOpening: false, silent: ["app_info"] });
    const row = await waitFor(() => {
      const found = document.querySelector<HTMLElement>('[data-setting="membersDir"]');
      if (!found) throw new Error("the row is not there yet");
      return found;
    });
    expect(row).not.toHaveTextContent("In use");
    act(() => stores.hall.info.set({ version: "0.1.0", membersDir: "/srv/members", dataDir: "/srv/data", licences: null }));
    expect(row).toHaveTextContent("In use: /srv/members");
  });

  it("are saved at once, and set back to their default", async () => {
    const window = await openSettings();
    await choose(window.user, screen.getByRole("combobox", { name: "When you close the window" }), choiceText("window.onClose", "tray"));
    await waitFor(() => expect(window.bridge.settings.settings.window.onClose).toBe("tray"));
    const row = document.querySelector<HTMLElement>('[data-setting="window.onClose"]');
    if (!row) throw new Error("the row is gone");
    expect(await within(row).findByText("Saved")).toBeVisible();
    await window.user.click(within(row).getByRole("button", { name: "Reset When you close the window" }));
    await waitFor(() => expect(window.bridge.settings.settings.window.onClose).toBe("quit"));
    await waitFor(() => expect(screen.getByRole("combobox", { name: "When you close the window" })).toHaveFocus());
    await window.user.click(screen.getByRole("switch", { name: "Start at login" }));
    await waitFor(() => expect(window.bridge.settings.settings.window.startAtLogin).toBe(true));
    expect(window.stores.spoken.get()).toMatchInlineSnapshot(`"Start at login: saved."`);
  });

  it.each([
    ["Call", "limits", 60_000, "Default: 30,000 ms"],
    ["Zoom", "appearance", 150, "Default: 100%"],
    ["Members folder", "general", "/srv/members", "Default: guild-members in the data folder"],
  ] as const)("name the default of %s with its unit", async (title, at, value, usual) => {
    const window = await openSettings(at);
    const field = screen.getByRole("textbox", { name: title });
    await window.user.clear(field);
    await window.user.type(field, `${value}{Enter}`);
    expect(await screen.findByRole("button", { name: `Reset ${title}` })).toHaveAttribute("aria-description", usual);
  });

  it("take a number when its field is left, and none that is out of bounds", async () => {
    const window = await openSettings("limits");
    const field = screen.getByRole("textbox", { name: "Call" });
    await window.user.clear(field);
    await window.user.type(field, "0");
    expect(textOf(await screen.findByTestId("setting-wrong"))).toMatchInlineSnapshot(`"A whole number from 1 to 86,400,000."`);
    await window.user.tab();
    expect(changesOf(window)).toEqual([]);
    await window.user.clear(field);
    await window.user.type(field, "60000{Enter}");
    await waitFor(() => expect(window.bridge.settings.settings.limits.callMs).toBe(60_000));
  });

  it("leave the focus in the field that was saved by Enter, and follow the file there", async () => {
    const window = await openSettings("limits");
    const field = screen.getByRole("textbox", { name: "Call" });
    await window.user.clear(field);
    await window.user.type(field, "60000{Enter}");
    await waitFor(() => expect(window.stores.settings.known.get()?.settings.limits.callMs).toBe(60_000));
    expect(field).toHaveFocus();
    act(() => window.bridge.settings.write({ ...DEFAULTS, limits: { ...DEFAULTS.limits, callMs: 90_000 } }));
    await waitFor(() => expect(field).toHaveValue("90000"));
    expect(field).toHaveFocus();
  });

  it("say why something was not saved, and show what holds", async () => {
    const window = await openSettings();
    window.bridge.settings.refusing = { code: "data-unwritable", message: "settings.json can't be written: no space.", hint: "", member: null };
    await window.user.click(screen.getByRole("switch", { name: "Tray icon" }));
    expect(textOf(await screen.findByTestId("trouble"))).toMatchInlineSnapshot(`"settings.json can't be written: no space. data-unwritable"`);
    expect(screen.getByRole("switch", { name: "Tray icon" })).toBeChecked();
  });

  it("are found by their words", async () => {
    const window = await openSettings();
    await window.user.type(screen.getByRole("searchbox", { name: "Search settings" }), "tray");
    await waitFor(() => expect(document.querySelectorAll("[data-setting]")).toHaveLength(3));
    await window.user.type(screen.getByRole("searchbox", { name: "Search settings" }), " nothing has this");
    expect(textOf(await screen.findByTestId("settings-none"))).toMatchInlineSnapshot(`"No matching settings"`);
  });

  it("show the mistakes in the file though a search hid it", async () => {
    const window = await openSettings();
    act(() => window.bridge.settings.write(DEFAULTS, [...WRONG]));
    await window.user.type(screen.getByRole("searchbox", { name: "Search settings" }), "tray");
    await window.user.click(within(await screen.findByTestId("settings-mistakes")).getByRole("button"));
    expect(screen.getByRole("heading", { name: "settings.json" })).toHaveFocus();
  });

  it("name the line of a file that can't be read, and hold on to what held before", async () => {
    const window = await openSettings();
    act(() => window.bridge.settings.write(DEFAULTS, [BROKEN]));
    const banner = await screen.findByTestId("settings-mistakes");
    expect(textOf(banner)).toMatchInlineSnapshot(`"settings.json can't be read (line 4, column 3)settings.json:4:3: Expected a comma.Using your last valid settings. Fix the file to save changes.Show"`);
    act(() => window.bridge.settings.write(DEFAULTS));
    await waitFor(() => expect(screen.queryByTestId("settings-mistakes")).toBeNull());
  });

  it("show a mistake at its setting, and all of them at the file", async () => {
    const window = await openSettings("appearance");
    act(() => window.bridge.settings.write(DEFAULTS, [...WRONG]));
    const row = document.querySelector<HTMLElement>('[data-setting="appearance.zoom"]');
    if (!row) throw new Error("the row is gone");
    expect(textOf(await within(row).findByRole("alert"))).toMatchInlineSnapshot(`"settings.json:6:13: \`appearance.zoom\` can't be used: 20 is less than the minimum of 50. settings-unusableIts default holds."`);
    act(() => window.stores.navigation.openSettings("file"));
    const list = screen.getByRole("list", { name: "1 mistake. Also 1 unknown field, kept in the file." });
    expect(textOf(screen.getByTestId("unknown-fields"))).toMatchInlineSnapshot(`"Also 1 unknown field, kept in the file."`);
    expect(within(list).getAllByRole("listitem").map((item) => item.textContent)).toMatchInlineSnapshot(`
      [
        "line 6, column 13 – the default is used settings-unusablesettings.json:6:13: \`appearance.zoom\` can't be used: 20 is less than the minimum of 50. Its default holds.",
        "line 9, column 3 – unknown, kept in the file settings-unusablesettings.json:9:3: \`memberDir\` is not a known setting; it has no effect. Did you mean \`membersDir\`?",
      ]
    `);
  });

  it("follow the file as it is edited by hand", async () => {
    const window = await openSettings("appearance");
    act(() => window.bridge.settings.write({ ...DEFAULTS, appearance: { theme: "light", zoom: 150 } }));
    await waitFor(() => expect(document.documentElement.dataset["theme"]).toBe("light"));
    expect(window.bridge.zoomed).toBe(1.5);
    expect(screen.getByRole("combobox", { name: "Theme" })).toHaveTextContent(/light/i);
    expect(changesOf(window)).toEqual([]);
  });
});

describe("the theme and the zoom", () => {
  it("are written when they are chosen by a key or a button", async () => {
    const window = openWindow();
    await window.user.keyboard("{Control>}+{/Control}{Control>}+{/Control}");
    await waitFor(() => expect(window.bridge.settings.settings.appearance.zoom).toBe(125));
    await window.user.click(screen.getByRole("button", { name: /^Theme/ }));
    await window.user.click(await screen.findByRole("menuitemradio", { name: "Dark" }));
    await waitFor(() => expect(window.bridge.settings.settings.appearance.theme).toBe("dark"));
    await window.user.keyboard("{Control>}0{/Control}");
    await waitFor(() => expect(window.bridge.settings.settings.appearance.zoom).toBe(100));
  });

  it("are taken over once from what the window kept by itself", async () => {
    localStorage.setItem("guild-hall.zoom", "125");
    const window = openWindow();
    await waitFor(() => expect(window.bridge.settings.settings.appearance.zoom).toBe(125));
    window.unmount();
    const next = openWindow();
    await waitFor(() => expect(next.bridge.zoomed).toBe(1));
    expect(next.bridge.settings.settings.appearance.zoom).toBe(100);
  });
});

describe("keys of one's own", () => {
  function rowOf(action: string): HTMLElement {
    const row = document.querySelector<HTMLElement>(`[data-action="${action}"]`);
    if (!row) throw new Error(`${action} has no row`);
    return row;
  }

  it("are taken by being pressed, count at once, stand in the sheet, and go back", async () => {
    const window = await openSettings("keys");
    await window.user.click(within(rowOf("dock")).getByRole("button", { name: /^Change the shortcut for/ }));
    await window.user.keyboard("{Control>}{Alt>}d{/Alt}{/Control}");
    await waitFor(() => expect(window.bridge.settings.settings.keys).toEqual({ dock: "Ctrl+Alt+D" }));
    expect(window.stores.navigation.place.get().kind).toBe("settings");
    await window.user.keyboard("{Control>}j{/Control}");
    expect(window.stores.navigation.place.get().kind).toBe("settings");
    await window.user.keyboard("{Control>}{Alt>}d{/Alt}{/Control}");
    await waitFor(() => expect(window.stores.navigation.place.get().kind).toBe("history"));
    act(() => window.stores.layers.open("keys"));
    const sheet = await screen.findByTestId("key-sheet");
    expect(within(sheet).getByText("Ctrl+Alt+D")).toBeVisible();
    act(() => window.stores.layers.close("keys"));
    act(() => window.stores.navigation.openSettings("keys"));
    await window.user.click(await screen.findByRole("button", { name: "Reset all shortcuts" }));
    await waitFor(() => expect(window.bridge.settings.settings.keys).toEqual({}));
  });

  it("are heard where a click alone gives a button no focus", async () => {
    await openSettings("keys");
    const button = within(rowOf("dock")).getByRole("button", { name: /^Change the shortcut for/ });
    fireEvent.click(button);
    expect(button).toHaveFocus();
  });

  it("are told by both names where two actions have the same", async () => {
    const window = await openSettings("keys");
    await window.user.click(within(rowOf("roster")).getByRole("button", { name: /^Change the shortcut for/ }));
    await window.user.keyboard("{Control>}j{/Control}");
    const conflicts = await screen.findByRole("alert", { name: CONFLICTS });
    expect(textOf(conflicts)).toMatchInlineSnapshot(`"Ctrl+J is set for “History” and “Show or hide the roster”. It runs “History”."`);
    await window.user.click(within(rowOf("roster")).getByRole("button", { name: /^Reset/ }));
    await waitFor(() => expect(screen.queryByRole("alert", { name: CONFLICTS })).toBeNull());
  });

  it("are not given to what is there for one moment", async () => {
    const window = await openSettings("keys");
    act(() => {
      for (const tool of ["heat", "cool"]) void window.bridge.gateway.askFor({ member: "forge", tool });
    });
    await waitFor(() => expect(window.actions().map(({ id }) => id)).toContain("decide-approval approval-2"));
    await window.user.type(screen.getByRole("searchbox", { name: "Search shortcuts" }), "decide-approval");
    expect([...document.querySelectorAll("[data-action]")].map((row) => row.getAttribute("data-action"))).toEqual(["decide-approval"]);
  });

  it("are left as they are by Esc, and taken away by a button", async () => {
    const window = await openSettings("keys");
    await window.user.click(within(rowOf("dock")).getByRole("button", { name: /^Change the shortcut for/ }));
    await window.user.keyboard("{Escape}");
    expect(changesOf(window)).toEqual([]);
    await window.user.click(within(rowOf("dock")).getByRole("button", { name: /^Remove the shortcut for/ }));
    await waitFor(() => expect(window.bridge.settings.settings.keys).toEqual({ dock: "" }));
    await window.user.keyboard("{Control>}j{/Control}");
    expect(window.stores.navigation.place.get().kind).toBe("settings");
  });
});

describe("settings that are taken along", () => {
  it("are exported to a file that a person chooses", async () => {
    const window = await openSettings("file", { picks: "/home/me/all.json" });
    await window.user.click(screen.getByRole("button", { name: "Export…" }));
    expect(await screen.findByText("Exported to /home/me/all.json.")).toBeVisible();
  });

  it("are not offered from the file before, where another one can't be looked at", async () => {
    const window = await openSettings("file", { picks: "/home/me/all.json" });
    window.bridge.settings.changes = [{ key: "appearance.theme", before: '"system"', after: '"dark"' }];
    await window.user.click(screen.getByRole("button", { name: "Import…" }));
    await screen.findByTestId("settings-import");
    window.bridge.settings.refusing = { code: "settings-changed", message: "It is no export.", hint: "Choose another file.", member: null };
    await window.user.click(screen.getByRole("button", { name: "Import…" }));
    expect(await screen.findByText(/It is no export/)).toBeVisible();
    expect(screen.queryByTestId("settings-import")).toBeNull();
  });

  it("are imported once it was seen what changes, and not when something refuses that", async () => {
    const window = await openSettings("file", { picks: "/home/me/all.json" });
    window.bridge.settings.changes = [
      { key: "appearance.theme", before: '"system"', after: '"dark"' },
      { key: "membersDir", before: null, after: '"/srv/members"' },
    ];
    await window.user.click(screen.getByRole("button", { name: "Import…" }));
    const shown = await screen.findByTestId("settings-import");
    expect(textOf(shown)).toMatchInlineSnapshot(`"Changesappearance.theme: "system" → "dark"membersDir: nothing → "/srv/members"Import settingsCancel"`);
    expect(shown).toHaveTextContent('membersDir: nothing → "/srv/members"');
    expect(window.bridge.asked.map(({ name }) => name)).not.toContain("import_settings");
    window.bridge.settings.refusing = { code: "settings-changed", message: "What is set is not what was shown.", hint: "Look at the import again.", member: null };
    await window.user.click(within(shown).getByRole("button", { name: "Import settings" }));
    expect(textOf(await screen.findByTestId("trouble"))).toMatchInlineSnapshot(`"What is set is not what was shown. settings-changedLook at the import again."`);
    window.bridge.settings.refusing = null;
    await window.user.click(within(shown).getByRole("button", { name: "Import settings" }));
    expect(await screen.findByText("Imported.")).toBeVisible();
    expect(window.bridge.asked.findLast(({ name }) => name === "import_settings")?.request).toEqual({ path: "/home/me/all.json", hash: "shown" });
    expect(screen.queryByTestId("settings-import")).toBeNull();
  });
});

describe("a setting's value", () => {
  it("is found by its name", () => {
    expect(valueOf(DEFAULTS, "membersDir")).toBeNull();
    expect(valueOf(DEFAULTS, "limits.callMs")).toBe(30_000);
  });
});
