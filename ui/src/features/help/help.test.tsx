import { act, screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";

import { AGENT_TABS, type Place, type MemberTab } from "../../lib/navigation/places";
import { ADDING_WAYS } from "../add/tabs";
import type { Code } from "../../ipc/bindings";
import { mockMember, mockTool, mockView } from "../../ipc/mock/members";
import { openWindow } from "../../testing/open";
import { textOf } from "../../testing/text";
import errors from "../../../../docs/errors.md?raw";
import guide from "../../../../docs/user-guide.md?raw";
import bindings from "../../ipc/bindings.ts?raw";
import { ADDING_ANCHORS, anchorOf, anchorOfCode } from "../../lib/navigation/anchors";
import { readBook, slugOf } from "./book";
import { ALL, followed, SECTIONS, sectionAt } from "./books";
import { findSections } from "./search";

const MEMBER_TABS: Record<MemberTab, true> = {
  tools: true, log: true, resources: true, prompts: true, skills: true, configuration: true, review: true, dev: true,
};
const memberTabs = Object.keys(MEMBER_TABS) as MemberTab[];

/** Example pages of each kind. Pages with tabs have one example for each tab. */
const PLACES: Record<Place["kind"], readonly Place[]> = {
  welcome: [{ kind: "welcome" }],
  member: [{ kind: "member", member: "forge", first: null }],
  tool: [{ kind: "tool", member: "forge", tool: "heat" }],
  offer: [{ kind: "offer", member: "forge", offer: { kind: "resource", uri: "file:///a" } }],
  question: [{ kind: "question", member: "forge", id: "1" }],
  agents: AGENT_TABS.map((tab) => ({ kind: "agents", tab })),
  history: [{ kind: "history", tab: "calls" }, { kind: "history", tab: "saved" }],
  doctor: [{ kind: "doctor" }],
  discovery: [{ kind: "discovery" }],
  secrets: [{ kind: "secrets", wanted: null }],
  settings: [{ kind: "settings" }],
  help: [{ kind: "help", at: "user-guide#members" }],
};

/** The error codes in the generated bindings. */
function codes(): Code[] {
  const [, union = ""] = /export type Code =\n([^]*?)\n\n/.exec(bindings) ?? [];
  return [...union.matchAll(/\| "([a-z-]+)"/g)].map(([, code]) => code as Code);
}

function forge() {
  return mockMember(mockView("forge"), [mockTool("forge", { name: "heat", description: "Heats." })]);
}

const heading = () => screen.findByTestId("help-section");

describe("the books", () => {
  it.each(Object.values(PLACES).flat().map((place) => [JSON.stringify(place), place] as const))("have a section about %s", (_, place) => {
    for (const tab of memberTabs) expect(sectionAt(anchorOf(place, tab)), tab).toBeDefined();
  });

  it("have a section about each way to add a member", () => {
    for (const { id } of ADDING_WAYS) expect(sectionAt(ADDING_ANCHORS[id])).toBeDefined();
  });

  it("have a section with cause and fix for each code", () => {
    const all = codes();
    expect(all.length).toBeGreaterThan(60);
    for (const code of all) expect(sectionAt(anchorOfCode(code))?.text, code).toMatch(/\*\*Cause\.\*\*[^]*\*\*Fix\.\*\*/);
  });

  it("name each section once", () => {
    expect(new Set(ALL.map(({ at }) => at)).size).toBe(ALL.length);
  });

  it("leave out nothing but headings and pictures", () => {
    for (const [book, text] of [["user-guide", guide], ["errors", errors]] as const) {
      const kept = SECTIONS[book].map((section) => section.text).join("\n").replace(/\s/g, "");
      const whole = text.replace(/^#{1,3} .*$/gm, "").replace(/^!\[.*\)$/gm, "").replace(/\s/g, "");
      expect(kept, book).toBe(whole);
    }
  });

  it("have no link of their own that leads nowhere", () => {
    for (const { at, text } of ALL) {
      for (const [, address = ""] of text.matchAll(/\]\((#[^)]*|user-guide\.md[^)]*|errors\.md[^)]*)\)/g)) {
        expect(followed(address, at), `${at} → ${address}`).not.toBeNull();
      }
    }
  });

  it("have cause and fix of an error in two paragraphs", () => {
    const [error] = readBook("errors", "# T\n**Cause.** One\ntwo.\n**Fix.** Three\nfour.\n", 1);
    expect(error?.text).toBe("**Cause.** One\ntwo.\n\n**Fix.** Three\nfour.");
  });

  it("take no heading out of a block of code", () => {
    const sections = readBook("user-guide", "# T\n## One\n```\n## not one\n```\n### Two `x`, it's\ntext\n", 2);
    expect(sections.map(({ title, chapter }) => [title, chapter])).toEqual([["One", "One"], ["Two `x`, it's", "One"]]);
    expect(sections[1]?.at).toBe("user-guide#two-x-its");
    expect(slugOf("A member's page")).toBe("a-members-page");
  });
});

describe("the search", () => {
  it("finds sections that have all words, headings first, and shows where", () => {
    const [first] = findSections(ALL, "call-timeout");
    expect(first?.section.at).toBe("errors#call-timeout");
    const hits = findSections(ALL, "keychain locked");
    expect(hits.length).toBeGreaterThan(0);
    expect(hits[0]?.excerpt.toLowerCase()).toMatch(/keychain|locked/);
    expect(findSections(ALL, "zeppelin")).toEqual([]);
    expect(findSections(ALL, " ")).toEqual([]);
  });
});

describe("the help", () => {
  it("opens by F1 at the section of the page, and leads back by F1 and by Esc", async () => {
    const { user, stores } = openWindow({ members: [forge()] });
    act(() => stores.navigation.openTool("forge", "heat"));
    await user.keyboard("{F1}");
    expect(await heading()).toHaveTextContent("Forms");
    await waitFor(() => expect(screen.getByTestId("help-section")).toHaveFocus());
    await user.keyboard("{F1}");
    expect(stores.navigation.place.get()).toEqual({ kind: "tool", member: "forge", tool: "heat" });
    await user.keyboard("{F1}");
    await heading();
    await user.keyboard("{Escape}");
    expect(stores.navigation.place.get()).toEqual({ kind: "tool", member: "forge", tool: "heat" });
  });

  it("opens at the tab of a member's page, and from the button in the bar, which has the focus again after", async () => {
    const { user, stores } = openWindow({ members: [forge()] });
    act(() => stores.navigation.openMember("forge"));
    await user.click(await screen.findByRole("tab", { name: "Configuration" }));
    const button = screen.getByRole("button", { name: "Help" });
    await user.click(button);
    const item = await screen.findByRole("menuitem", { name: /^Help on this page/ });
    // A frame can be drawn before the closed menu returns the focus.
    const frames = vi.spyOn(window, "requestAnimationFrame").mockImplementation((draw) => {
      queueMicrotask(() => draw(0));
      return 0;
    });
    await user.click(item);
    expect(textOf(await heading())).toMatchInlineSnapshot(`"Manage members"`);
    frames.mockRestore();
    await user.click(screen.getByRole("button", { name: /^Back/ }));
    await waitFor(() => expect(button).toHaveFocus());
  });

  it("opens at the history from its page", async () => {
    const { user, stores } = openWindow({ members: [forge()] });
    await user.keyboard("{Control>}j{/Control}");
    await user.keyboard("{F1}");
    expect(await heading()).toHaveTextContent("History");
    expect(stores.navigation.place.get()).toEqual({ kind: "help", at: "user-guide#history" });
  });

  it("follows the code of an error, and links between sections", async () => {
    const report = { code: "call-timeout", message: "No answer.", hint: "", member: null } as const;
    const { user, stores } = openWindow({ members: [forge()], refusing: { member_detail: report } });
    act(() => stores.navigation.openMember("forge"));
    await user.click(await screen.findByRole("link", { name: /^call-timeout/ }));
    expect(await heading()).toHaveTextContent("call-timeout");
    act(() => stores.navigation.openHelp("user-guide#the-agents-page"));
    await user.click(await screen.findByRole("link", { name: "Policies" }));
    expect(await heading()).toHaveTextContent("Policies");
  });

  it("searches, opens what was found, and Esc clears the words before it leaves", async () => {
    const { user, stores } = openWindow({ members: [forge()] });
    await user.keyboard("{F1}");
    await heading();
    const field = screen.getByRole("searchbox", { name: "Search help" });
    await user.type(field, "zeppelin");
    expect(textOf(screen.getByTestId("help-hits"))).toMatchInlineSnapshot(`"No results"`);
    await user.keyboard("{Escape}");
    expect(field).toHaveValue("");
    await user.type(field, "call-timeout");
    await user.click(screen.getAllByRole("listitem").map((item) => within(item).getByRole("button"))[0]!);
    expect(stores.navigation.place.get()).toEqual({ kind: "help", at: "errors#call-timeout" });
  });

  it("leaves the focus in the search, and the search in sight, when the last of its letters is taken away", async () => {
    const { user } = openWindow({ members: [forge()] });
    const scrolled = vi.spyOn(Element.prototype, "scrollIntoView");
    await user.keyboard("{F1}");
    await heading();
    expect(scrolled).toHaveBeenCalledWith({ block: "start" });
    scrolled.mockClear();
    const field = screen.getByRole("searchbox", { name: "Search help" });
    await user.type(field, "x{Backspace}");
    expect(await heading()).toBeVisible();
    expect(field).toHaveFocus();
    expect(scrolled).not.toHaveBeenCalledWith({ block: "start" });
  });

  it("closes what lies above the page", async () => {
    const { stores } = openWindow({ members: [forge()] });
    act(() => stores.layers.open("about"));
    await screen.findByTestId("about");
    act(() => stores.navigation.openHelp("errors#errors"));
    await heading();
    expect(screen.queryByTestId("about")).toBeNull();
  });

  it("leads to the welcome page where it was opened from nowhere", () => {
    const { stores } = openWindow({ members: [] });
    act(() => stores.navigation.leaveHelp());
    expect(stores.navigation.place.get()).toEqual({ kind: "welcome" });
  });

  it("is found from the palette by ?, and opens at what was chosen", async () => {
    const { user, stores } = openWindow({ members: [forge()] });
    await user.keyboard("{Control>}k{/Control}");
    const field = await screen.findByTestId("palette-input");
    await waitFor(() => expect(field).toHaveFocus());
    await user.type(field, "?call-timeout{Enter}");
    expect(await heading()).toHaveTextContent("call-timeout");
    expect(stores.navigation.place.get()).toEqual({ kind: "help", at: "errors#call-timeout" });
  });
});
