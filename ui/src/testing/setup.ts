import "@testing-library/jest-dom/vitest";

import { cleanup, configure } from "@testing-library/react";
import { afterEach, vi } from "vitest";

import "./page";

configure({
  // The timeout of `waitFor` and `findBy` queries. It is long because builds may run at the same time.
  asyncUtilTimeout: 20_000,
  // Text queries ignore the announcer's live regions, which repeat texts of the page.
  defaultIgnore: "script, style, .sr-only > [role] *",
});

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  localStorage.clear();
  document.documentElement.removeAttribute("style");
  for (const name of ["theme", "contrast", "ready", "settled"]) document.documentElement.removeAttribute(`data-${name}`);
});
