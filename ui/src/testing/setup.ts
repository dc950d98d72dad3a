import "@testing-library/jest-dom/vitest";

import { cleanup, configure } from "@testing-library/react";
import { afterEach, vi } from "vitest";

import "./page";

configure({
  // How long something may take to show up; generous, because other builds may run beside.
  asyncUtilTimeout: 20_000,
  // Only visible text counts. Announcements stay in the announcer for some seconds.
  defaultIgnore: "script, style, .sr-only > [role] *",
});

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  localStorage.clear();
  document.documentElement.removeAttribute("style");
  for (const name of ["theme", "contrast", "ready", "settled"]) document.documentElement.removeAttribute(`data-${name}`);
});
