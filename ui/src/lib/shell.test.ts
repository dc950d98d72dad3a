import { describe, expect, it } from "vitest";

import { quoted } from "./shell";

describe("a quoted path", () => {
  it.each([
    ["/home/me/a.suite.json", "/home/me/a.suite.json"],
    ["/home/me/it's", "'/home/me/it'\\''s'"],
    ["/home/me/$HOME", "'/home/me/$HOME'"],
    ["C:\\Users\\me\\a.json", "C:\\Users\\me\\a.json"],
    ["C:\\Users\\me\\it's $a", "'C:\\Users\\me\\it''s $a'"],
    ["C:\\it’s; calc", "'C:\\it’’s; calc'"],
    ["\\\\server\\my files", "'\\\\server\\my files'"],
  ])("of %s is %s", (path, text) => {
    expect(quoted(path)).toBe(text);
  });
});
