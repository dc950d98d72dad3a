import { describe, expect, it, vi } from "vitest";

import { MockBridge } from "../../ipc/mock";
import { mockMember, mockTool, mockView } from "../../ipc/mock/members";
import { Hall } from "./hall";

/** Runs the handlers of settled promises. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
}

function forge(...names: string[]) {
  return mockMember(
    mockView("forge"),
    names.map((name) => mockTool("forge", { name, description: "" })),
  );
}

function hallOn(bridge: MockBridge) {
  const frames: (() => void)[] = [];
  const hall = new Hall(bridge, (work) => frames.push(work));
  const frame = async () => {
    for (const work of frames.splice(0)) work();
    await settled();
  };
  return { hall, frame, frames };
}

describe("the hall in the window", () => {
  it("has the roster that came with the page before any question was asked", () => {
    const bridge = new MockBridge({ members: [forge("hammer")] });
    const { hall } = hallOn(bridge);
    expect(hall.state.get().members.map((member) => member.name)).toEqual(["forge"]);
    expect(bridge.asked).toEqual([]);
  });

  it("gets the roster as the first event where none came with the page", async () => {
    const { hall, frame } = hallOn(new MockBridge({ members: [forge()], withOpening: false }));
    expect(hall.state.get().opened).toBe(false);
    hall.open();
    await settled();
    await frame();
    expect(hall.state.get().opened).toBe(true);
  });

  it("takes a burst of events in with one change", async () => {
    const bridge = new MockBridge({ members: [forge()] });
    const { hall, frame, frames } = hallOn(bridge);
    hall.open();
    await settled();
    await frame();
    let changes = 0;
    hall.state.subscribe(() => {
      changes += 1;
    });
    for (let attempt = 0; attempt < 100; attempt += 1) bridge.change("forge", { attempt });
    expect(changes).toBe(0);
    expect(frames).toHaveLength(1);
    await frame();
    expect(changes).toBe(1);
    expect(hall.state.get().byName.get("forge")?.attempt).toBe(99);
  });

  it("asks for the open elicitations when it begins to listen, and puts later ones on top", async () => {
    const bridge = new MockBridge({ members: [forge()] });
    const question = { member: "forge", message: "Which steel?", mode: { kind: "form" as const, schema: "{}", notes: [] } };
    void bridge.elicit(question);
    const first = bridge.call("elicitations", {});
    const { hall, frame } = hallOn(bridge);
    hall.open();
    await settled();
    await frame();
    expect([...hall.state.get().elicitations.values()]).toEqual((await first).elicitations);

    // A full roster, sent when events were lost, keeps the open elicitations.
    bridge.emit({ kind: "roster", roster: bridge.roster() });
    await frame();
    void bridge.elicit({ ...question, message: "How hot?" });
    await frame();
    expect([...hall.state.get().elicitations.values()].map(({ message }) => message)).toEqual(["Which steel?", "How hot?"]);
  });

  it("reads the open elicitations again after missed events", async () => {
    const bridge = new MockBridge({ members: [forge()] });
    const { hall, frame } = hallOn(bridge);
    hall.open();
    await settled();
    await frame();
    const answered = bridge.elicit({ member: "forge", message: "Sure?", mode: { kind: "form", schema: "{}", notes: [] } });
    await frame();
    expect(hall.state.get().elicitations.size).toBe(1);
    const [id] = hall.state.get().elicitations.keys();
    const told = vi.spyOn(bridge, "emit").mockReturnValue(undefined);
    await bridge.call("answer_elicitation", { id: id ?? "", action: "decline", content: null });
    await answered;
    told.mockRestore();
    bridge.emit({ kind: "roster", roster: bridge.roster() });
    await frame();
    await frame();
    expect(hall.state.get().elicitations.size).toBe(0);
  });

  it("reads a list anew upon tools_updated while it is shown, and only then", async () => {
    const bridge = new MockBridge({ members: [forge("hammer")] });
    const { hall, frame } = hallOn(bridge);
    hall.open();
    await settled();
    await frame();
    const asked = () => bridge.asked.filter(({ name }) => name === "member_tools").length;
    const end = hall.watch("forge");
    await settled();
    expect(asked()).toBe(1);

    bridge.relist("forge", forge("hammer", "tongs").tools);
    await frame();
    expect(asked()).toBe(2);
    expect(hall.lists.get().get("forge")?.tools?.tools).toHaveLength(2);

    end();
    bridge.relist("forge", forge().tools);
    await frame();
    expect(asked()).toBe(2);
  });

  it("passes new lines of stderr to the log that is open, and to no other", async () => {
    const bridge = new MockBridge({ members: [forge()] });
    const { hall, frame } = hallOn(bridge);
    hall.open();
    const heard: string[] = [];
    const end = hall.onLines("forge", (lines) => heard.push(...lines.map((line) => line.text)));
    hall.onLines("anvil", () => heard.push("wrong"));
    bridge.write("forge", ["one", "two"]);
    await frame();
    end();
    bridge.write("forge", ["three"]);
    await frame();
    expect(heard).toEqual(["one", "two"]);
  });

  it("tells of a request that was refused", async () => {
    const { hall } = hallOn(new MockBridge({ members: [] }));
    await hall.tend("start_member", "nobody");
    expect(hall.notices.get()[0]?.report.code).toBe("member-unknown");
    expect(hall.pending.get().size).toBe(0);
  });
});
