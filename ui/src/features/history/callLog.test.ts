import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import type { HistoryFilter, HistoryPage } from "../../ipc/bindings";
import { MockBridge } from "../../ipc/mock";
import { Hall } from "../../lib/hall/hall";
import { cancelledEnd } from "../../testing/callEnds";
import { CallLog, PAGE, placeOf } from "./callLog";
import { NO_FILTER } from "./filter";
import { forge, record } from "./testing";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const settle = () => vi.advanceTimersByTimeAsync(1_000);

async function open(count: number) {
  const bridge = new MockBridge({ members: [forge()] });
  const hall = new Hall(bridge, (work) => work());
  hall.open();
  for (let index = 0; index < count; index += 1) record(bridge);
  const log = new CallLog(hall);
  const end = log.watch();
  await settle();
  const ids = () => log.pages.get().entries.map(({ id }) => id);
  const asked = () => bridge.asked.filter(({ name }) => name === "search_history").length;
  return { bridge, hall, log, end, ids, asked };
}

/** Delays the responses to searches. The returned functions deliver them, in the order of the requests. */
function held(bridge: MockBridge) {
  const waiting: (() => void)[] = [];
  const call = bridge.call.bind(bridge);
  vi.spyOn(bridge, "call").mockImplementation(async (name, request) => {
    const answer = await call(name, request);
    if (name === "search_history") await new Promise<void>((resolve) => waiting.push(resolve));
    return answer;
  });
  return waiting;
}

const falling = (from: number, to: number) => Array.from({ length: from - to + 1 }, (_, index) => from - index);

describe("the list of calls", () => {
  it("is read a page at a time, each call once, to the oldest", async () => {
    const { log, ids } = await open(2 * PAGE + 5);
    expect(ids()).toHaveLength(PAGE);
    await log.older();
    await log.older();
    expect(ids()).toEqual(falling(2 * PAGE + 5, 1));
    expect(log.pages.get().more).toBe(false);
  });

  it("does not ask twice for one page", async () => {
    const { log, ids, asked } = await open(2 * PAGE);
    const before = asked();
    await Promise.all([log.older(), log.older()]);
    expect(asked()).toBe(before + 1);
    expect(ids()).toEqual(falling(2 * PAGE, 1));
  });

  it("has a call that ended while the newest were read, and one that ended while older ones were", async () => {
    const { bridge, log, ids } = await open(2 * PAGE);
    const waiting = held(bridge);
    log.renew();
    await settle();
    record(bridge);
    waiting.shift()?.();
    await settle();
    expect(ids()[0]).toBe(2 * PAGE + 1);
    void log.older();
    await settle();
    record(bridge);
    waiting.shift()?.();
    await settle();
    expect(ids()).toEqual(falling(2 * PAGE + 2, 1));
  });

  it("shows the answer to the last question, also when the one before comes later", async () => {
    const { bridge, log } = await open(3);
    record(bridge, { end: cancelledEnd() });
    const waiting = held(bridge);
    const only = (outcome: HistoryFilter["outcome"]): HistoryFilter => ({ ...NO_FILTER, outcome });
    log.setFilter(only("ok"));
    await settle();
    log.setFilter(only("cancelled"));
    await settle();
    waiting[1]?.();
    await settle();
    waiting[0]?.();
    await settle();
    expect(log.pages.get().entries.map(({ outcome }) => outcome)).toEqual(["cancelled"]);
  });

  it("leaves out what does not fit the filter when it ends", async () => {
    const { bridge, log, ids } = await open(0);
    log.setFilter({ ...NO_FILTER, outcome: "cancelled" });
    await settle();
    record(bridge);
    record(bridge, { end: cancelledEnd() });
    await settle();
    expect(ids()).toEqual([2]);
  });

  it("begins anew where so many were missed that there would be a gap", async () => {
    const { bridge, ids } = await open(3);
    // The events of these calls are lost, and then the window receives the whole roster.
    const emit = vi.spyOn(bridge, "emit").mockImplementation(() => undefined);
    for (let index = 0; index < PAGE + 50; index += 1) record(bridge);
    emit.mockRestore();
    bridge.emit({ kind: "roster", roster: bridge.roster() });
    await settle();
    expect(ids()).toEqual(falling(PAGE + 53, 54));
  });

  it("has those that were missed or were too many to be held while the newest were read", async () => {
    const { bridge, log, ids } = await open(3);
    const waiting = held(bridge);
    log.renew();
    await settle();
    const emit = vi.spyOn(bridge, "emit").mockImplementation(() => undefined);
    record(bridge);
    emit.mockRestore();
    bridge.emit({ kind: "roster", roster: bridge.roster() });
    record(bridge);
    waiting.shift()?.();
    await settle();
    waiting.shift()?.();
    await settle();
    expect(ids()).toEqual([5, 4, 3, 2, 1]);

    log.renew();
    await settle();
    for (let index = 0; index < PAGE + 1; index += 1) record(bridge);
    waiting.shift()?.();
    await settle();
    waiting.shift()?.();
    await settle();
    void log.older();
    await settle();
    waiting.shift()?.();
    await settle();
    expect(ids()).toEqual(falling(PAGE + 6, 1));
  });

  it("has those that were missed when another ends before they are asked for", async () => {
    const { bridge, ids } = await open(3);
    const emit = vi.spyOn(bridge, "emit").mockImplementation(() => undefined);
    record(bridge);
    emit.mockRestore();
    bridge.emit({ kind: "roster", roster: bridge.roster() });
    record(bridge);
    await settle();
    expect(ids()).toEqual([5, 4, 3, 2, 1]);
  });

  it("finds what another program called, once one comes back to the window", async () => {
    const { bridge, log, ids } = await open(3);
    const emit = vi.spyOn(bridge, "emit").mockImplementation(() => undefined);
    record(bridge);
    emit.mockRestore();
    await settle();
    expect(ids()).toEqual([3, 2, 1]);
    record(bridge);
    await settle();
    expect(ids()).toEqual([5, 3, 2, 1]);
    log.lookAgain();
    await settle();
    expect(ids()).toEqual([5, 4, 3, 2, 1]);
  });

  it("asks for nothing while nobody looks", async () => {
    const { bridge, log, end, asked } = await open(1);
    end();
    const before = asked();
    record(bridge);
    log.setFilter({ ...NO_FILTER, text: "sword" });
    await settle();
    expect(asked()).toBe(before);
  });

  it("keeps what it had when the hall refuses, and says why", async () => {
    const { bridge, log, ids } = await open(PAGE + 1);
    const broken: HistoryPage = { entries: [], more: false, trouble: { code: "history-busy", message: "Held.", hint: "", member: null } };
    vi.spyOn(bridge, "call").mockResolvedValueOnce(broken);
    await log.older();
    expect(ids()).toHaveLength(PAGE);
    expect(log.pages.get()).toMatchObject({ more: true, trouble: { code: "history-busy" } });
    await log.older();
    expect(ids()).toHaveLength(PAGE + 1);
    expect(log.pages.get().trouble).toBeNull();
  });
});

it("finds the place of an entry by its id", async () => {
  const { log } = await open(5);
  const { entries } = log.pages.get();
  expect([5, 3, 1, 0, 9].map((id) => placeOf(entries, id))).toEqual([0, 2, 4, -1, -1]);
});
