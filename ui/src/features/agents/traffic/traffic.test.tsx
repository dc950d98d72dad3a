import { act, screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";

import { MockBridge } from "../../../ipc/mock";
import { Hall } from "../../../lib/hall/hall";
import { choose } from "../../../testing/choose";
import { openWindow } from "../../../testing/open";
import { textOf } from "../../../testing/text";
import { smithy } from "../testing";
import { EXCHANGES_MAX, TrafficLog } from "./trafficLog";


function openTraffic() {
  const window = openWindow({ members: [smithy()] });
  act(() => window.stores.navigation.openAgents("traffic"));
  return window;
}

const call = (tool: string, more = {}) => ({ method: "tools/call", member: "smithy", tool, ...more });

function rows(): string[] {
  const table = screen.queryByTestId("traffic-table");
  return table ? within(table).getAllByRole("row").slice(1).map(({ textContent }) => textContent) : [];
}

describe("the activity", () => {
  it("lists earlier and new requests, newest first", async () => {
    const { bridge } = openTraffic();
    expect(textOf(await screen.findByTestId("traffic-empty"))).toMatchInlineSnapshot(`"No requests yetConnect an app to see its requests here. Secrets are masked."`);
    act(() => bridge.gateway.see([{ method: "tools/list" }, call("melt", { error: "It ended." })]));
    await waitFor(() => expect(rows()).toHaveLength(2));
    expect(rows()[0]).toMatch(/Failed.*claude-codetools\/callmeltIt ended\.smithy\/mcp84 µs2\.0 KB/);
    act(() => bridge.gateway.see([call("look")]));
    await waitFor(() => expect(rows()[0]).toMatch(/look/));
  });

  it("filters by member and client", async () => {
    const { bridge, user } = openTraffic();
    await screen.findByTestId("traffic-empty");
    act(() => bridge.gateway.see([{ method: "tools/list", client: "cursor" }, call("melt"), call("look", { client: "cursor" })]));
    await waitFor(() => expect(rows()).toHaveLength(3));
    await choose(user, screen.getByLabelText("Client"), "cursor");
    expect(rows()).toHaveLength(2);
    await choose(user, screen.getByLabelText("Member"), "smithy");
    expect(rows()).toHaveLength(1);
    expect(rows()[0]).toMatch(/look/);
    expect(screen.getByTestId("traffic-count")).toHaveTextContent("1 request");
  });

  it("counts new requests during a pause", async () => {
    const { bridge, user } = openTraffic();
    await screen.findByTestId("traffic-empty");
    act(() => bridge.gateway.see([call("melt")]));
    await waitFor(() => expect(rows()).toHaveLength(1));
    await user.click(screen.getByRole("button", { name: /Pause/ }));
    act(() => bridge.gateway.see([call("look"), call("look")]));
    await waitFor(() => expect(screen.getByTestId("traffic-count")).toHaveTextContent("2 new"));
    expect(rows()).toHaveLength(1);
    await user.click(screen.getByRole("button", { name: /Resume/ }));
    await waitFor(() => expect(rows()).toHaveLength(3));
  });

  it("returns the focus when the sheet closes", async () => {
    const { bridge, user } = openTraffic();
    await screen.findByTestId("traffic-empty");
    act(() => bridge.gateway.see([call("melt", { request: '{"path":"•••"}', response: '{"content":[]}', requestBytes: 9_000 })]));
    const table = await screen.findByTestId("traffic-table");
    table.focus();
    await user.keyboard("{Enter}");
    const view = await screen.findByRole("dialog", { name: "tools/call melt" });
    expect(view).toHaveTextContent(/Request 9\.0 KB, the first \d+ B recorded, secrets masked/);
    await waitFor(() => expect(view).toHaveFocus());
    await user.keyboard("{Escape}");
    await waitFor(() => expect(screen.queryByRole("dialog")).not.toBeInTheDocument());
    await waitFor(() => expect(table).toHaveFocus());
  });

  it("lists the fields that were removed before a call", async () => {
    const { bridge, user } = openTraffic();
    await screen.findByTestId("traffic-empty");
    act(() => bridge.gateway.see([call("melt", { dropped: ["wait_for_previous"] })]));
    (await screen.findByTestId("traffic-table")).focus();
    await user.keyboard("{Enter}");
    const view = await screen.findByTestId("exchange");
    expect(textOf(within(view).getByTestId("exchange-dropped"))).toMatchInlineSnapshot(`"Removed before the call, because the client adds it to every tool: wait_for_previous"`);
  });

  it("keeps rows in place when others join", async () => {
    const { bridge } = openTraffic();
    await screen.findByTestId("traffic-empty");
    act(() => bridge.gateway.see(Array.from({ length: 100 }, () => call("melt"))));
    const table = await screen.findByTestId("traffic-table");
    table.scrollTop = 280;
    act(() => bridge.gateway.see([call("look"), call("look")]));
    await waitFor(() => expect(screen.getByTestId("traffic-count")).toHaveTextContent("102 requests"));
    expect(table.scrollTop).toBe(280 + 2 * 40);
    // While the pointer is over the table, rows keep their position even if the table is scrolled to the top.
    table.scrollTop = 0;
    const matches = vi.spyOn(table, "matches").mockReturnValue(true);
    act(() => bridge.gateway.see([call("look")]));
    await waitFor(() => expect(screen.getByTestId("traffic-count")).toHaveTextContent("103 requests"));
    expect(table.scrollTop).toBe(40);
    matches.mockRestore();
    // Without the pointer over the table, the top shows new requests.
    table.scrollTop = 0;
    act(() => bridge.gateway.see([call("look")]));
    await waitFor(() => expect(screen.getByTestId("traffic-count")).toHaveTextContent("104 requests"));
    expect(table.scrollTop).toBe(0);
  });

  it("renders only the rows in sight", async () => {
    const { bridge } = openTraffic();
    await screen.findByTestId("traffic-empty");
    act(() => bridge.gateway.see(Array.from({ length: 1_500 }, () => call("melt"))));
    await waitFor(() => expect(screen.getByTestId("traffic-count")).toHaveTextContent(/^1,000 /));
    expect(rows().length).toBeLessThan(60);
  });
});

describe("the activity log", () => {
  function listening() {
    const bridge = new MockBridge({ members: [] });
    const frames: (() => void)[] = [];
    const hall = new Hall(bridge, (work) => void frames.push(work));
    const log = new TrafficLog(hall);
    hall.onEvents((events, missed) => log.take(events, missed));
    hall.open();
    const frame = () => {
      for (const work of frames.splice(0)) work();
    };
    return { bridge, log, frame };
  }

  it("changes once a frame", async () => {
    const { bridge, log, frame } = listening();
    log.watch();
    await vi.waitFor(() => expect(log.seen.get().read).toBe(true));
    frame();
    const changed = vi.fn();
    log.seen.subscribe(changed);
    for (let batch = 0; batch < 50; batch += 1) bridge.gateway.see([call("melt"), call("look")]);
    expect(changed).not.toHaveBeenCalled();
    frame();
    expect(changed).toHaveBeenCalledTimes(1);
    expect(log.seen.get().exchanges).toHaveLength(100);
  });

  it("records nothing while it is not shown", async () => {
    const { bridge, log, frame } = listening();
    bridge.gateway.see([call("melt")]);
    frame();
    expect(log.seen.get().exchanges).toEqual([]);
    const end = log.watch();
    await vi.waitFor(() => expect(log.seen.get().exchanges).toHaveLength(1));
    for (let batch = 0; batch < 30; batch += 1) bridge.gateway.see(Array.from({ length: 50 }, () => call("melt")));
    frame();
    const { exchanges } = log.seen.get();
    expect(exchanges).toHaveLength(EXCHANGES_MAX);
    expect(new Set(exchanges.map(({ seq }) => seq)).size).toBe(EXCHANGES_MAX);
    end();
    bridge.gateway.see([call("look")]);
    frame();
    expect(log.seen.get().exchanges).toBe(exchanges);
  });

  it("shows earlier requests despite a pause", async () => {
    const { bridge, log } = listening();
    bridge.gateway.see([call("melt")]);
    log.setPaused(true);
    log.watch();
    await vi.waitFor(() => expect(log.seen.get().exchanges).toHaveLength(1));
    expect(log.seen.get().held).toBe(0);
  });
});
