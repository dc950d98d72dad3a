import { describe, expect, it } from "vitest";

import type { GatewayState, MountedMember } from "../../../ipc/bindings";
import { NO_RULES } from "../policies/policyWords";
import { changed, choiceOf, isChosen, mounted, moved, toggled, withoutPrefix, wrongName } from "./edited";

const mount: MountedMember = mounted("forge");

describe("an edited profile", () => {
  it("needs a valid, unused name", () => {
    const gateway = { profiles: [{ name: "home", listing: null, members: [] }] } as unknown as GatewayState;
    const named = (name: string, original: string | null = null) => wrongName({ original, profile: { name, listing: null, resultTokens: null, rules: NO_RULES, members: [] } }, gateway);
    expect(named("")).toMatch(/name first/);
    expect(named("-x")).toMatch(/first character/);
    expect(named("a b")).toMatch(/first character/);
    expect(named("home")).toMatch(/already/);
    expect(named("home", "home")).toBeNull();
    expect(named("writing-2.0")).toBeNull();
  });

  it("restores the prefix of the other member", () => {
    const both = [{ ...mounted("a"), withoutPrefix: true }, mounted("b")];
    expect(withoutPrefix(both, "b", true).map((one) => one.withoutPrefix)).toEqual([false, true]);
    expect(withoutPrefix(both, "a", false).map((one) => one.withoutPrefix)).toEqual([false, false]);
  });

  it("keeps all members after a move", () => {
    const members = ["a", "b", "c"].map(mounted);
    expect(moved(members, 2, -1).map(({ member }) => member)).toEqual(["a", "c", "b"]);
    expect(moved(members, 0, 1).map(({ member }) => member)).toEqual(["b", "a", "c"]);
  });

  it("keeps the selection when its kind changes", () => {
    const all = ["x", "y", "z"];
    const only = toggled(choiceOf("only", mount.tools, all), "y");
    expect(only).toEqual({ kind: "only", tools: ["x", "z"] });
    const except = choiceOf("except", only, all);
    expect(all.filter((tool) => isChosen(except, tool))).toEqual(["x", "z"]);
    expect(choiceOf("all", except, all)).toEqual({ kind: "all" });
  });

  it("excludes one tool by name", () => {
    expect(toggled({ kind: "all" }, "x")).toEqual({ kind: "except", tools: ["x"] });
  });

  it("drops empty overrides", () => {
    const said = changed(mount, "x", { name: "y" });
    expect(said.changes).toEqual({ x: { name: "y", description: null, policy: null } });
    expect(changed(said, "x", { name: null }).changes).toEqual({});
  });

  it("accepts a tool named like an Object method", () => {
    expect(changed(mount, "constructor", { policy: "deny" }).changes).toEqual({ constructor: { name: null, description: null, policy: "deny" } });
    expect(changed(mount, "constructor", { policy: null }).changes).toEqual({});
  });
});
