import { emit } from "@tauri-apps/api/event";
import { clearMocks, mockIPC } from "@tauri-apps/api/mocks";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { PUSHED_EVENTS, type Envelope } from "./bindings";
import { AGAIN_MS, HIDDEN_PAUSE_MS, listen, PAUSE_MS } from "./listening";

const event = (revision: number): Envelope => ({ revision, event: { kind: "member_removed", member: "forge" } });

/** A mock shell that answers requests when the test calls `answer`. */
class Shell {
  readonly heard: number[] = [];
  readonly failures: string[] = [];
  /** The subscription ids of the received requests. */
  readonly asked: number[] = [];
  subscriptions = 0;
  /** Whether subscriptions fail. */
  refuses = false;
  stop: () => void = () => undefined;
  #answer: (batch: Envelope[]) => void = () => undefined;
  #refuse: (reason: Error) => void = () => undefined;

  open(): void {
    mockIPC((name, args) => {
      if (name === "subscribe") {
        if (this.refuses) throw new Error("no such page");
        this.subscriptions += 1;
        return this.subscriptions;
      }
      const { listening } = args as { listening: number };
      this.asked.push(listening);
      return new Promise<Envelope[]>((resolve, reject) => {
        this.#answer = resolve;
        this.#refuse = reject;
      });
    }, { shouldMockEvents: true });
    this.stop = listen(
      ({ revision }) => this.heard.push(revision),
      (refusal) => this.failures.push(refusal.message),
    );
  }

  async answer(...revisions: number[]): Promise<void> {
    this.#answer(revisions.map(event));
    await settled();
  }

  async push(name: string, ...revisions: number[]): Promise<void> {
    await emit(name, revisions.map(event));
    await settled();
  }

  async lose(): Promise<void> {
    this.#refuse(new Error("went astray"));
    await settled();
  }
}

/** Runs all pending work that does not wait for a timer. */
const settled = () => vi.advanceTimersByTimeAsync(0);

function see(visible: boolean): void {
  Object.defineProperty(document, "visibilityState", { configurable: true, value: visible ? "visible" : "hidden" });
  document.dispatchEvent(new Event("visibilitychange"));
}

describe("a page that listens", () => {
  let shell: Shell;

  beforeEach(async () => {
    vi.useFakeTimers();
    shell = new Shell();
    shell.open();
    await settled();
  });

  afterEach(() => {
    shell.stop();
    vi.useRealTimers();
    clearMocks();
    Reflect.deleteProperty(document, "visibilityState");
  });

  it("takes in all of a batch in its order, and asks again after a moment", async () => {
    expect(shell.asked).toEqual([1]);
    await shell.answer(1, 2, 3);
    expect(shell.heard).toEqual([1, 2, 3]);
    await vi.advanceTimersByTimeAsync(PAUSE_MS - 1);
    expect(shell.asked).toEqual([1]);
    await vi.advanceTimersByTimeAsync(1);
    expect(shell.asked).toEqual([1, 1]);
    await shell.answer(4);
    expect(shell.heard).toEqual([1, 2, 3, 4]);
  });

  it("hears each pushed event until it stops", async () => {
    await shell.answer(1);
    for (const [at, name] of PUSHED_EVENTS.entries()) await shell.push(name, 10 + at, 20 + at);
    expect(shell.heard).toEqual([1, 10, 20, 11, 21, 12, 22, 13, 23, 14, 24]);
    shell.stop();
    await shell.push("member_changed", 30);
    expect(shell.heard).toHaveLength(11);
  });

  it("asks less often while nobody sees it, and at once when it is shown", async () => {
    see(false);
    await shell.answer(1);
    await vi.advanceTimersByTimeAsync(HIDDEN_PAUSE_MS - 1);
    expect(shell.asked).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(shell.asked).toHaveLength(2);
    await shell.answer(2);
    see(true);
    await settled();
    expect(shell.asked).toHaveLength(3);
    expect(shell.heard).toEqual([1, 2]);
  });

  it("hears nothing once it has stopped, and asks for nothing", async () => {
    await shell.answer(1);
    await vi.advanceTimersByTimeAsync(PAUSE_MS);
    shell.stop();
    await shell.answer(2);
    await vi.advanceTimersByTimeAsync(HIDDEN_PAUSE_MS);
    expect(shell.heard).toEqual([1]);
    expect(shell.asked).toHaveLength(2);
  });

  it("is done when nothing comes any more", async () => {
    await shell.answer();
    await vi.advanceTimersByTimeAsync(HIDDEN_PAUSE_MS);
    expect(shell.asked).toHaveLength(1);
    expect(shell.failures).toEqual([]);
  });

  it("begins anew when an answer went astray", async () => {
    await shell.answer(1);
    await vi.advanceTimersByTimeAsync(PAUSE_MS);
    await shell.lose();
    expect(shell.failures).toEqual([]);
    await vi.advanceTimersByTimeAsync(AGAIN_MS);
    expect(shell.asked).toEqual([1, 1, 2]);
    await shell.answer(7);
    expect(shell.heard).toEqual([1, 7]);
  });

  it("says so when it fails twice without anything between", async () => {
    await shell.answer(1);
    await vi.advanceTimersByTimeAsync(PAUSE_MS);
    await shell.lose();
    shell.refuses = true;
    await vi.advanceTimersByTimeAsync(AGAIN_MS);
    expect(shell.failures).toMatchInlineSnapshot(`
      [
        "The window got no answer from Guild Hall: no such page",
      ]
    `);
    await vi.advanceTimersByTimeAsync(AGAIN_MS * 10);
    expect(shell.failures).toHaveLength(1);
  });
});

describe("a page that is not heard", () => {
  afterEach(() => clearMocks());

  it("says so at once", async () => {
    const shell = new Shell();
    shell.refuses = true;
    shell.open();
    await vi.waitFor(() => expect(shell.failures).toEqual([expect.stringContaining("no such page")]));
  });
});
