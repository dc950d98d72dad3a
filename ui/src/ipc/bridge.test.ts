import { describe, expect, it } from "vitest";

const sources = import.meta.glob<string>("../**/*.{ts,tsx}", { query: "?raw", import: "default", eager: true });

describe("the bridge between page and program", () => {
  it("is src/ipc: nothing else imports @tauri-apps", () => {
    const outside = Object.entries(sources).filter(
      ([path, text]) => path.startsWith("../") && /from\s+["']@tauri-apps\/|import\(["']@tauri-apps\//.test(text),
    );
    expect(Object.keys(sources).length).toBeGreaterThan(20);
    expect(outside.map(([path]) => path)).toEqual([]);
  });

  it("finds the import that there is", () => {
    expect(sources["./tauri.ts"]).toMatch(/from "@tauri-apps\/api\/core"/);
  });
});
