import { describe, expect, it } from "vitest";

import { mockServer } from "../../../ipc/mock/found";
import { differencesOf } from "./differences";
import { exact } from "../../../lib/exact";

const running = (args: string[]) => mockServer("forge", { launch: { kind: "command", command: "npx", args, env: [], cwd: null } });

describe("differences of servers", () => {
  it("equal_servers_have_none", () => {
    expect(differencesOf([running(["a"]), running(["a"])])).toEqual([]);
    expect(differencesOf([running(["a"]), running(["a"]), running(["a"])])).toEqual([]);
  });

  it("split_arguments_differ_from_joined_ones", () => {
    const [aspect] = differencesOf([running(["a b"]), running(["a", "b"])]);
    expect(aspect).toEqual({ title: "Arguments", values: ["a b", "a\nb"], hidden: false });
    expect(differencesOf([running(["a\nb"]), running(["a", "b"])])[0]?.values).toEqual(["a↵\nb", "a\nb"]);
    expect(differencesOf([running([""]), running([])])[0]?.values).toEqual(['""', null]);
  });

  it("masked_values_are_marked", () => {
    const withToken = (value: string) => mockServer("forge", { launch: { kind: "url", url: "https://x", headers: [{ name: "Authorization", value, secret: true }] } });
    expect(differencesOf([withToken("Bearer •••"), withToken("Bearer •••")])).toEqual([{ title: "Header Authorization", values: ["Bearer •••", "Bearer •••"], hidden: true }]);
    expect(differencesOf([withToken("Bearer •••"), withToken("•••")])[0]?.hidden).toBe(false);
  });

  it("process_and_address_are_compared", () => {
    const far = mockServer("forge", { launch: { kind: "url", url: "https://x", headers: [] } });
    expect(differencesOf([running([]), far, mockServer("forge", { launch: null })])).toEqual([
      { title: "Command", values: ["npx", null, null], hidden: false },
      { title: "Address", values: [null, "https://x", null], hidden: false },
    ]);
  });
});

describe("a text of a file", () => {
  it.each([
    ["rm\u200b -rf", "rm⟨200B⟩ -rf"],
    ["gpj\u202egnp.exe", "gpj⟨202E⟩gnp.exe"],
    ["a\u3164b\u00a0c", "a⟨3164⟩b⟨00A0⟩c"],
    ["\u001b[2J", "⟨001B⟩[2J"],
    ["\u{e0041}", "⟨E0041⟩"],
    ["one\ntwo", "one↵\ntwo"],
    ["größe 🦊 שרת", "größe 🦊 שרת"],
  ])("hides nothing: %j", (text, shown) => expect(exact(text)).toBe(shown));
});
