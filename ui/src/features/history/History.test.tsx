import { act, screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";

import { cancelledEnd, textEnd } from "../../testing/callEnds";
import { openWindow } from "../../testing/open";
import { textOf } from "../../testing/text";
import { PAGE } from "./callLog";
import { forge, narrow, record, widen } from "./testing";

function open(options: Parameters<typeof openWindow>[0] = {}) {
  return openWindow({ members: [forge()], ...options });
}

const list = () => screen.findByTestId("history-list");
const rows = () => within(screen.getByTestId("history-list")).getAllByRole("option");
const texts = () => rows().map((row) => row.textContent);

/** Opens the History page by its keyboard shortcut, with calls that `fill` records, the newest last. */
async function openPage(fill: (bridge: ReturnType<typeof open>["bridge"]) => void = (bridge) => void record(bridge)) {
  const opened = open();
  act(() => fill(opened.bridge));
  await opened.user.keyboard("{Control>}j{/Control}");
  return opened;
}

describe("the page", () => {
  it("opens by its key with the focus in the list", async () => {
    const { stores } = await openPage();
    await waitFor(async () => expect(await list()).toHaveFocus());
    expect(stores.navigation.place.get()).toEqual({ kind: "history", tab: "calls" });
    expect(screen.getByRole("tab", { name: "Calls 1" })).toHaveAttribute("aria-selected", "true");
  });
});

describe("the list", () => {
  it("shows result, tool, arguments, caller and times", async () => {
    await openPage((bridge) => {
      record(bridge, { end: textEnd("broke", true) });
      record(bridge, { tool: "melt", end: cancelledEnd() });
    });
    await list();
    const [melt, heat] = texts();
    expect(heat).toMatch(/Tool error.*heat.*forge.*\{"path":"sword"\}.*You.*\d\d:\d\d.*84 ms/);
    expect(melt).toMatch(/Cancelled.*melt.*forge/);
  });

  it("new call joins the list without a request", async () => {
    const { bridge } = await openPage();
    await list();
    // At the start, the app searches the history to find out whether this is the first use. Wait until this is done.
    await waitFor(() => expect(bridge.readied).toEqual([true]));
    const asked = () => bridge.asked.filter(({ name }) => name === "search_history").length;
    const before = asked();
    act(() => void record(bridge, { tool: "melt" }));
    await waitFor(() => expect(rows()).toHaveLength(2));
    expect(rows()[0]).toHaveTextContent("melt");
    expect(asked()).toBe(before);
  });

  it("new call repeats a search by words", async () => {
    const { user, bridge } = await openPage();
    await list();
    await user.type(screen.getByTestId("history-search"), "molten");
    expect(await screen.findByTestId("history-unfit")).toBeVisible();
    act(() => void record(bridge, { end: textEnd("molten iron") }));
    await waitFor(() => expect(rows()).toHaveLength(1));
  });

  it("cursor near the end reads older pages", async () => {
    const { user, bridge } = await openPage((fake) => {
      for (let index = 0; index < 450; index += 1) record(fake, { args: `{"path":"piece ${index}"}` });
    });
    (await list()).focus();
    // Ignore the requests of other components, which have another limit.
    const before = () =>
      bridge.asked
        .filter(({ name }) => name === "search_history")
        .map(({ request }) => request as { before: number | null; limit: number })
        .flatMap((asked) => (asked.limit === PAGE ? [asked.before] : []));
    expect(before()).toEqual([null]);
    await waitFor(async () => {
      await user.keyboard("{End}");
      expect(screen.getByText(/piece 0"/)).toBeInTheDocument();
    });
    expect(before().filter((id) => id !== null)).toHaveLength(2);
  });

  it("is one Tab stop with a cursor", async () => {
    const { user } = await openPage((bridge) => {
      for (const tool of ["heat", "melt", "heat"]) record(bridge, { tool });
    });
    const box = await list();
    await waitFor(() => expect(box).toHaveFocus());
    const active = () => document.getElementById(box.getAttribute("aria-activedescendant") ?? "");
    expect(active()).toHaveAttribute("aria-posinset", "1");
    await user.keyboard("{ArrowDown}");
    expect(active()).toHaveAttribute("aria-posinset", "2");
    await user.keyboard("{End}");
    expect(active()).toHaveAttribute("aria-posinset", "3");
    await user.keyboard("{Home}");
    expect(active()).toHaveAttribute("aria-posinset", "1");
  });
});

describe("the filter", () => {
  it("filters by words, member, tool and caller", async () => {
    const { user } = await openPage((bridge) => {
      record(bridge, { args: '{"path":"sword"}' });
      record(bridge, { tool: "melt", args: '{"path":"shield"}', end: textEnd("no", true) });
      record(bridge, { args: '{"path":"nail"}', end: cancelledEnd() });
    });
    await list();
    await user.type(screen.getByTestId("history-search"), "shi");
    await waitFor(() => expect(texts()).toEqual([expect.stringContaining("shield")]));
    expect(screen.getByTestId("history-count")).toHaveTextContent("1 found");
    await user.click(screen.getByRole("button", { name: "Clear filters" }));
    await waitFor(() => expect(rows()).toHaveLength(3));
    expect(screen.getByTestId("history-search")).toHaveValue("");

    await narrow(user, "Result", "Cancelled");
    await waitFor(() => expect(texts()).toEqual([expect.stringContaining("nail")]));
    await widen(user, "Cancelled");
    await narrow(user, "Member", "forge");
    await narrow(user, "Tool", "melt");
    await waitFor(() => expect(texts()).toEqual([expect.stringContaining("shield")]));
    await widen(user, "melt");
    await narrow(user, "By", "Command line");
    expect(await screen.findByTestId("history-unfit")).toBeVisible();
  });

  it("filters by time and reports a reversed range", async () => {
    const day = 86_400_000;
    const { user } = await openPage((bridge) => {
      record(bridge, { args: '{"path":"ancient"}', atMs: Date.now() - 30 * day });
      record(bridge, { args: '{"path":"older"}', atMs: Date.now() - 3 * day });
      record(bridge, { args: '{"path":"fresh"}', atMs: Date.now() });
    });
    await list();
    await narrow(user, "Time", "Today");
    await waitFor(() => expect(texts()).toEqual([expect.stringContaining("fresh")]));
    await narrow(user, "Time", "Last 7 days");
    await waitFor(() => expect(rows()).toHaveLength(2));
    await narrow(user, "Time", "Dates…");
    await user.type(screen.getByLabelText("From"), "2020-01-02");
    await user.type(screen.getByLabelText("To (inclusive)"), "2020-01-01");
    expect(await screen.findByText(/ends before it starts/)).toBeVisible();
  });

  it("changed filter starts at the newest call", async () => {
    const { user } = await openPage((bridge) => {
      for (let index = 0; index < 40; index += 1) record(bridge, { args: `{"path":"old ${index}"}` });
      for (let index = 0; index < 37; index += 1) record(bridge, { end: cancelledEnd() });
    });
    await narrow(user, "Result", "Done");
    await waitFor(() => expect(screen.getByTestId("history-count")).toHaveTextContent("40 found"));
    const box = await list();
    box.scrollTop = 500;
    await widen(user, "Done");
    await waitFor(() => expect(screen.getByTestId("history-count")).toHaveTextContent(/^$/));
    await waitFor(() => expect(rows()[0]).toHaveTextContent("Cancelled"));
    expect(screen.queryByRole("button", { name: /new call/ })).toBeNull();
    expect(box.scrollTop).toBe(0);
  });

  it("old matches stay during a new search", async () => {
    const { user, bridge } = await openPage();
    await list();
    let answer: () => void = () => undefined;
    const call = bridge.call.bind(bridge);
    vi.spyOn(bridge, "call").mockImplementation(async (name, request) => {
      if (name === "search_history") await new Promise<void>((resolve) => (answer = resolve));
      return call(name, request);
    });
    await user.type(screen.getByTestId("history-search"), "nothing of the kind");
    expect(await screen.findByText(/Loading/)).toBeVisible();
    expect(rows()).toHaveLength(1);
    act(() => answer());
    expect(await screen.findByTestId("history-unfit")).toBeVisible();
  });
});

describe("states", () => {
  it("band offers to record calls again", async () => {
    const { user, bridge } = open();
    await bridge.call("change_history_settings", { recording: false, keepCalls: 10, keepBytes: 1 << 20 });
    await user.keyboard("{Control>}j{/Control}");
    expect(textOf(await screen.findByTestId("history-off"))).toMatchInlineSnapshot(`"Guild Hall doesn't record calls."`);
    await user.click(screen.getByRole("button", { name: "Record calls" }));
    await waitFor(() => expect(screen.queryByTestId("history-off")).toBeNull());
    expect((await bridge.call("history_settings", {})).settings).toEqual({ recording: true, keepCalls: 10, keepBytes: 1 << 20 });
  });

  it("database trouble leaves tools usable", async () => {
    const { user, bridge, stores } = open();
    bridge.history.trouble = { code: "history-newer", message: "The history is from a newer version.", hint: "Update Guild Hall.", member: null };
    await user.keyboard("{Control>}j{/Control}");
    const trouble = await screen.findByTestId("history-trouble");
    expect(textOf(trouble)).toMatchInlineSnapshot(`"The history is from a newer version. history-newerUpdate Guild Hall."`);
    expect(trouble).toHaveTextContent("Update Guild Hall.");
    act(() => stores.navigation.openTool("forge", "heat"));
    await user.type(await screen.findByRole("textbox", { name: /path/ }), "x{Enter}");
    expect(await within(screen.getByTestId("result")).findByText(/"path":"x"|path/)).toBeVisible();
  });

  it("list recovers when the database answers", async () => {
    const { user, bridge } = open();
    act(() => void record(bridge));
    bridge.history.trouble = { code: "history-busy", message: "Held by another.", hint: "", member: null };
    await user.keyboard("{Control>}j{/Control}");
    await screen.findByTestId("history-trouble");
    bridge.history.trouble = null;
    act(() => void record(bridge));
    await waitFor(() => expect(rows()).toHaveLength(2));
    expect(screen.queryByTestId("history-trouble")).toBeNull();
  });
});
