import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";

export default defineConfig({
  // Tauri loads the page through a custom protocol, so paths to assets must be relative.
  base: "./",
  plugins: [react(), tailwindcss()],
  clearScreen: false,
  server: {
    port: 5173,
    strictPort: true,
    host: "127.0.0.1",
    // `tests/data` contains data shared with the Rust tests. `docs` contains the user guide, which tests check.
    fs: { allow: [".", "../tests/data", "../docs"] },
  },
  build: {
    // The oldest supported web views are WKWebView of macOS 13 and WebKitGTK 2.40 of Debian 12.
    target: ["es2022", "safari16.4"],
    sourcemap: false,
    // The content security policy forbids `data:` fonts and scripts, so small files must not be inlined.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  test: {
    // Test files that need jsdom select it with `@vitest-environment` in their first comment.
    environment: "happy-dom",
    // All test files of a worker share one page and its modules. That works because modules have almost no state, and
    // setup.ts resets the page after each test.
    isolate: false,
    pool: "threads",
    include: ["src/**/*.test.{ts,tsx}"],
    setupFiles: ["src/testing/setup.ts"],
    globalSetup: ["scripts/formRecords.mjs"],
    restoreMocks: true,
    // theme.test.ts reads theme.css as text to compute color contrasts.
    css: { include: [/theme\.css/] },
    // In the full test run, no other step runs at the same time. Vitest's default leaves one processor unused, which
    // is half of a machine with two.
    maxWorkers: "100%",
    // Timeouts in milliseconds. They are long because builds may run at the same time.
    testTimeout: 300_000,
    hookTimeout: 90_000,
  },
});
