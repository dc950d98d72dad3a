import { describe, expect, it, vi } from "vitest";

import type { Commands } from "../../ipc/bindings";
import { MockBridge } from "../../ipc/mock";
import { Hall } from "../../lib/hall/hall";
import { Agents } from "./agents";

/** Opens a `Hall` whose responses to one command are delayed. Each function in `held` delivers one response. */
function holding(name: keyof Commands) {
  const bridge = new MockBridge({ members: [] });
  const call = bridge.call.bind(bridge);
  const held: (() => void)[] = [];
  bridge.call = ((asked: keyof Commands, request: never) => {
    const answer = call(asked, request);
    return asked === name ? new Promise((give, refuse) => held.push(() => void answer.then(give, refuse))) : answer;
  });
  const hall = new Hall(bridge, (work) => work());
  const agents = new Agents(hall);
  hall.open();
  return { bridge, agents, held };
}

describe("the gateway's state", () => {
  it("follows the events", async () => {
    const { bridge, agents, held } = holding("gateway");
    await vi.waitFor(() => expect(held).toHaveLength(1));
    held[0]?.();
    await vi.waitFor(() => expect(agents.gateway.get()?.port).toBe(19_999));
    bridge.gateway.change({ port: 20_500 });
    expect(agents.gateway.get()?.port).toBe(20_500);
  });

  it("ignores an answer older than an event", async () => {
    const { bridge, agents, held } = holding("gateway");
    await vi.waitFor(() => expect(held).toHaveLength(1));
    bridge.gateway.change({ port: 20_500 });
    const before = agents.gateway.get();
    held[0]?.();
    await new Promise((done) => setTimeout(done, 0));
    expect(agents.gateway.get()).toBe(before);
  });

  it("keeps the error until a read succeeds", async () => {
    const report = { code: "gateway-settings" as const, message: "It can't be read.", hint: "", member: null };
    const bridge = new MockBridge({ members: [], refusing: { gateway: report } });
    const hall = new Hall(bridge, (work) => work());
    const agents = new Agents(hall);
    hall.open();
    await vi.waitFor(() => expect(agents.trouble.get()).toEqual(report));
    bridge.gateway.change({ port: 20_500 });
    expect(agents.trouble.get()).toBeNull();
  });

  it("keeps an approval that arrives during a read", async () => {
    const { bridge, agents, held } = holding("approvals");
    await vi.waitFor(() => expect(held).toHaveLength(1));
    void bridge.gateway.askFor({ member: "forge", tool: "heat" });
    void bridge.gateway.askFor({ member: "forge", tool: "melt" });
    bridge.gateway.giveUp("approval-1");
    held[0]?.();
    await new Promise((done) => setTimeout(done, 0));
    expect([...agents.approvals.open.get().keys()]).toEqual(["approval-2"]);
  });
});
