import { describe, expect, it, vi } from "vitest";

import themeScript from "../public/theme.js?raw";
import { lookOf } from "./lib/theme/theme";
import sheet from "./theme.css?raw";
import { keepTheme, THEMES } from "./lib/theme/themes";

type Palette = ReadonlyMap<string, string>;

/** The colors of each `:root` block of theme.css, by the attribute selector after `:root`. */
function palettes(): ReadonlyMap<string, Palette> {
  const blocks = [...sheet.matchAll(/^:root(\S*) \{\n([^}]*)\}/gm)];
  return new Map(
    blocks.map(([, selector = "", body = ""]) => [
      selector,
      new Map([...body.matchAll(/--([a-z-]+): (#[0-9a-f]{6});/g)].map(([, name = "", value = ""]) => [name, value])),
    ]),
  );
}

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** The contrast ratio of two colors as defined by WCAG 2, from 1 to 21. */
function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

const TEXTS = ["text", "dim", "faint", "accent", "ok", "warn", "bad", "info"];
const GROUNDS = ["bg", "sidebar", "raised", "hover", "selected", "bad-fill", "warn-fill", "ok-fill", "info-fill"];
const DRAWN = [
  { selector: "", name: "dark", least: 4.5 },
  { selector: '[data-theme="light"]', name: "light", least: 4.5 },
  { selector: '[data-contrast="more"]', name: "high contrast, dark", least: 7 },
  { selector: '[data-theme="light"][data-contrast="more"]', name: "high contrast, light", least: 7 },
];

describe("the colours", () => {
  it.each(DRAWN)("of $name can be read: each text on each ground has at least $least to 1", ({ selector, least }) => {
    const palette = palettes().get(selector);
    const colour = (name: string) => {
      const value = palette?.get(name);
      if (value === undefined) throw new Error(`theme.css has no --${name} for "${selector}"`);
      return value;
    };
    const pairs = [...TEXTS.flatMap((text) => GROUNDS.map((ground) => [text, ground] as const)), ["solid-text", "solid"] as const];
    const weak = pairs
      .map(([text, ground]) => ({ text, ground, ratio: contrast(colour(text), colour(ground)) }))
      .filter(({ ratio }) => ratio < least);
    expect(weak).toEqual([]);
  });

  it.each(DRAWN)("of $name show where a control is, and which has the focus", ({ selector }) => {
    const palette = palettes().get(selector);
    for (const line of ["control", "accent"]) {
      for (const ground of ["bg", "sidebar", "raised"]) {
        expect(contrast(palette?.get(line) ?? "", palette?.get(ground) ?? "")).toBeGreaterThanOrEqual(3);
      }
    }
  });

  it("have the same names in each theme", () => {
    const names = [...palettes().values()].map((palette) => [...palette.keys()]);
    expect(names).toHaveLength(DRAWN.length);
    for (const each of names) expect(each).toEqual(names[0]);
  });
});

describe("the script before the first paint", () => {
  const systems = ["light", "dark"].flatMap((scheme) => ["more", "no-preference"].map((more) => ({ scheme, more })));
  const cases = systems.flatMap((system) => THEMES.map((choice) => ({ ...system, choice })));

  it.each(cases)("draws what the app draws: $choice where the system is $scheme, contrast $more", ({ scheme, more, choice }) => {
    vi.spyOn(window, "matchMedia").mockImplementation(
      (media) => ({ media, matches: media.endsWith(`: ${scheme})`) || media.endsWith(`: ${more})`) }) as MediaQueryList,
    );
    keepTheme(choice);
    runThemeScript();
    const { theme, contrast } = document.documentElement.dataset;
    expect({ theme, contrast }).toEqual(lookOf(choice));
  });

  it("takes no garbage from what is kept", () => {
    localStorage.setItem("guild-hall.theme", "light; --bg: red");
    localStorage.setItem("guild-hall.roster-width", "1e9");
    runThemeScript();
    expect(document.documentElement.dataset["theme"]).toBe("dark");
    expect(document.documentElement.style.getPropertyValue("--roster")).toBe("");
  });

  it.each([["90", "220px"], ["300", "300px"], ["900", "400px"]])("roster width %s is drawn as %s", (kept, drawn) => {
    localStorage.setItem("guild-hall.roster-width", kept);
    runThemeScript();
    expect(document.documentElement.style.getPropertyValue("--roster")).toBe(drawn);
    document.documentElement.style.removeProperty("--roster");
  });
});

/** Runs public/theme.js as a classic script, as the page does. */
function runThemeScript(): void {
  // oxlint-disable-next-line typescript/no-implied-eval, typescript/no-unsafe-call -- the file is our own
  new Function(themeScript)();
}
