import { act } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { mockMember, mockView } from "../ipc/mock/members";
import { openWindow } from "../testing/open";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] }));
afterEach(() => void vi.useRealTimers());

const spoken = (role: string) => document.querySelector(`.sr-only > [role="${role}"]`)?.textContent ?? "";
const pass = (ms: number) => act(() => void vi.advanceTimersByTime(ms));

function openForge() {
  const { bridge } = openWindow({ members: [mockMember(mockView("forge", { status: "starting" }), [])] });
  pass(5_000);
  return bridge;
}

/** The interval between two checks of the announcements, in milliseconds. */
const LOOK_MS = 100;

/** Starts to record the changes of the live regions. The returned function returns the recorded texts. */
function listen(): () => string[] {
  const said: string[] = [];
  const take = (records: MutationRecord[]) => said.push(...records.flatMap(({ type, target, addedNodes }) => (type === "childList" ? [...addedNodes] : [target]).map((node) => node.textContent ?? "")));
  const observer = new MutationObserver(take);
  for (const region of document.querySelectorAll(".sr-only > [role]")) observer.observe(region, { childList: true, characterData: true, subtree: true });
  return () => {
    take(observer.takeRecords());
    return said;
  };
}

describe("what is said aloud", () => {
  it("changes at most once in two seconds, whatever happens meanwhile", () => {
    const bridge = openForge();
    const at: number[] = [];
    let before = spoken("status");
    for (let step = 0; step < 100; step += 1) {
      act(() => void bridge.change("forge", { status: step % 7 < 3 ? "ready" : "starting" }));
      pass(LOOK_MS);
      if (spoken("status") !== before) at.push(Date.now());
      before = spoken("status");
    }
    expect(at.length).toBeGreaterThan(1);
    at.slice(1).forEach((time, index) => expect(time - at[index]!).toBeGreaterThanOrEqual(2_000 - LOOK_MS));
  });

  it("comes at once after a rest", () => {
    const bridge = openForge();
    act(() => void bridge.change("forge", { status: "ready" }));
    pass(1);
    expect(spoken("status")).toBe("1 ready, 0 starting, 0 failed");
  });

  it("is an alert for a failure, with its reason, and once", () => {
    const bridge = openForge();
    const error = { code: "member-exited" as const, message: "It ended with exit code 1.", hint: "", member: "forge" };
    act(() => void bridge.change("forge", { status: "error", error }));
    pass(1);
    expect(spoken("alert")).toMatchInlineSnapshot(`"forge has failed. It ended with exit code 1."`);
    act(() => void bridge.change("forge", { attempt: 2 }));
    pass(5_000);
    expect(spoken("alert")).toMatchInlineSnapshot(`"forge has failed. It ended with exit code 1."`);
  });

  it("is said again when the same is to be said once more, and when the same fails once more", () => {
    const { bridge, stores } = openWindow({ members: [mockMember(mockView("forge", { status: "ready" }), [])] });
    pass(5_000);
    const heard = listen();
    for (let copies = 0; copies < 2; copies += 1) {
      act(() => stores.spoken.set("Copied"));
      pass(2_000);
    }
    expect(heard()).toEqual(["Copied", "Copied"]);
    const error = { code: "member-exited" as const, message: "It ended.", hint: "", member: "forge" };
    for (const status of ["error", "starting", "error"] as const) {
      act(() => void bridge.change("forge", { status, error: status === "error" ? error : null }));
      pass(2_000);
    }
    expect(heard().filter((said) => said.startsWith("forge has failed"))).toHaveLength(2);
  });

  it("is not the number of members once more where it stayed the same", () => {
    const bridge = openForge();
    act(() => void bridge.change("forge", { status: "ready" }));
    pass(2_000);
    const heard = listen();
    act(() => void bridge.change("forge", { tools: 3 }));
    pass(2_000);
    expect(heard()).toEqual([]);
  });

  it("is not the number of members once more after something else was said", () => {
    const { bridge, stores } = openWindow({ members: [mockMember(mockView("forge", { status: "ready" }), [])] });
    pass(5_000);
    const heard = listen();
    act(() => void bridge.change("forge", { tools: 2 }));
    pass(2_000);
    act(() => stores.spoken.set("Copied"));
    pass(2_000);
    act(() => void bridge.change("forge", { tools: 3 }));
    pass(2_000);
    expect(heard()).toEqual(["Copied"]);
  });

  it("is the number of members after what is said in the same moment", () => {
    const { bridge, stores } = openWindow({ members: [mockMember(mockView("forge", { status: "starting" }), [])] });
    pass(5_000);
    const heard = listen();
    act(() => {
      stores.spoken.set("Copied");
      void bridge.change("forge", { status: "ready" });
    });
    pass(1);
    expect(heard()).toEqual(["Copied"]);
    pass(2_000);
    expect(heard()).toEqual(["Copied", "1 ready, 0 starting, 0 failed"]);
    pass(5_000);
    expect(heard()).toHaveLength(2);
  });
});
