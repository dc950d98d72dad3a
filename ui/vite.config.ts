import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";

export default defineConfig({
  // The page is loaded from the app's own protocol, never from a server's root.
  base: "./",
  plugins: [react(), tailwindcss()],
  clearScreen: false,
  server: {
    port: 5173,
    strictPort: true,
    host: "127.0.0.1",
    // Test data that Rust's tests read too, and the guide, which is held against the keys.
    fs: { allow: [".", "../tests/data", "../docs"] },
  },
  build: {
    // WKWebView of macOS 13 and WebKitGTK 2.40, the oldest that Tauri 2 meets on Debian 12.
    target: ["es2022", "safari16.4"],
    sourcemap: false,
    // The policy of the page forbids data: fonts and scripts; small files stay files.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  test: {
    // A file that needs "jsdom" names it in its first comment.
    environment: "happy-dom",
    // The modules of the window keep no state, and setup.ts clears the page after each test, so all
    // files of one worker share one page and its modules.
    isolate: false,
    pool: "threads",
    include: ["src/**/*.test.{ts,tsx}"],
    setupFiles: ["src/testing/setup.ts"],
    globalSetup: ["scripts/formRecords.mjs"],
    restoreMocks: true,
    // Read as text, to reckon its contrasts.
    css: { include: [/theme\.css/] },
    // As a step of all tests it has the machine for itself: one processor fewer, as is usual, is
    // one of two.
    maxWorkers: "100%",
    // A machine may be busy with a build beside the tests.
    testTimeout: 300_000,
    hookTimeout: 90_000,
  },
});
