/**
 * No text stands in a component: with each word of the catalogue between brackets (`en-XA`), what is
 * outside of them comes from the hall, or is nobody's word.
 */
import { act, waitFor } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";

import { FakeBridge } from "../bridge/fake";
import { Refusal } from "../bridge/bridge";
import { readable } from "../member/lines";
import { CLOSES, OPENS, unmarked } from "./acting";
import { openWindow } from "./open";
import { STATES, type State } from "./states";

// Before any module of the window asks for its language.
vi.hoisted(() => {
  document.documentElement.lang = "en-XA";
});

/** What is called the same in each language. */
const NAMES: ReadonlySet<string> = new Set([
  // Protocols and formats.
  "HTTP", "JSON", "stdio", "true", "false",
  // Units.
  "KB", "MB", "µs",
  // Languages that a member is written in.
  "Python", "TypeScript", "Rust", "Bash",
  // How much an endpoint says of its tools, as gateway.json has it.
  "full", "search",
]);

/** What has no word in it: signs, a single letter, a key, an address that was put together, a sample of a configuration. */
const NOBODYS = /^(?![^]*\p{L}{2})|^((Ctrl|Alt|Shift)\+)*([^+\s]|Enter|Esc|Delete|Space|F\d+)$|^[a-z]+:\/\/\S+$|^\{"mcpServers"/u;

/** Everything that the hall said, as one text. */
class Heard {
  readonly #texts = new Set<string>();

  take(value: unknown): void {
    if (typeof value === "string") this.#takeText(value);
    else if (typeof value === "number") this.#texts.add(String(value));
    else if (value instanceof Map) for (const [name, inner] of value) this.#takeAll(name, inner);
    else if (value instanceof Set || Array.isArray(value)) for (const inner of value) this.take(inner);
    else if (value instanceof Refusal) this.take(value.report);
    else if (typeof value === "object" && value !== null) for (const [name, inner] of Object.entries(value)) this.#takeAll(name, inner);
  }

  #takeAll(...values: unknown[]): void {
    for (const value of values) this.take(value);
  }

  #takeText(text: string): void {
    if (this.#texts.has(text)) return;
    this.#texts.add(text);
    // Logs are shown without what terminals take for colours.
    this.#texts.add(readable(text));
    if (!/^\s*[[{"]/.test(text)) return;
    try {
      this.take(JSON.parse(text));
    } catch {
      // It only begins as JSON does.
    }
  }

  /** A text, or what it is made of, was said. */
  has(text: string): boolean {
    const all = [...this.#texts].join("\n");
    const plain = (one: string) => one.replace(/\s+/g, " ").trim();
    // What is too long is cut, and says so.
    if (plain(all).includes(plain(text).replace(/^…|…$/g, ""))) return true;
    const words = new Set(all.match(WORD));
    return (text.match(WORD) ?? []).every((word) => words.has(word) || NAMES.has(word));
  }
}

const WORD = /\p{L}{2,}/gu;

/** Records what the hall answers and tells. */
function listen(): Heard {
  const heard = new Heard();
  const call = Reflect.get(FakeBridge.prototype, "call");
  vi.spyOn(FakeBridge.prototype, "call").mockImplementation(async function (this: FakeBridge, ...given) {
    heard.take(given[1]);
    try {
      const answer = await Reflect.apply(call, this, given);
      heard.take(answer);
      return answer;
    } catch (refusal) {
      heard.take(refusal);
      throw refusal;
    }
  });
  const emit = Reflect.get(FakeBridge.prototype, "emit");
  vi.spyOn(FakeBridge.prototype, "emit").mockImplementation(function (this: FakeBridge, ...given) {
    heard.take(given[0]);
    Reflect.apply(emit, this, given);
  });
  return heard;
}

/** Elements that are part of a sentence; another one has sentences of its own. */
const INLINE = "span, bdi, b, strong, em, i, a, code, kbd, mark, sup, sub, label, abbr, time, small, br";
/** Attributes that are read. */
const READ = ["aria-label", "aria-description", "aria-roledescription", "aria-valuetext", "title", "alt", "placeholder"];

interface Scan {
  depth: number;
  readonly outside: string[];
}

function scanText(text: string, scan: Scan): void {
  let piece = "";
  for (const character of text) {
    if (character === OPENS) scan.depth += 1;
    else if (character === CLOSES) scan.depth -= 1;
    else if (scan.depth === 0) piece += character;
    else continue;
    if (character === OPENS || character === CLOSES) {
      scan.outside.push(piece);
      piece = "";
    }
  }
  scan.outside.push(piece);
}

/** What stands outside of the brackets in an element and below it. */
function scanElement(element: Element, scan: Scan): void {
  // Keys are called as they are on the keyboard, and code is in no language; nobody reads styles. What
  // is English in every language, such as the guide, says so.
  if (element.matches('kbd, pre, code, style, script, [lang="en"]')) return;
  for (const name of READ) {
    const own: Scan = { depth: 0, outside: scan.outside };
    scanText(element.getAttribute(name) ?? "", own);
    expect(own.depth, `${name} of ${element.outerHTML.slice(0, 200)}`).toBe(0);
  }
  for (const node of element.childNodes) {
    if (node instanceof Text) scanText(node.data, scan);
    else if (node instanceof Element) {
      const inner: Scan = node.matches(INLINE) ? scan : { depth: 0, outside: scan.outside };
      scanElement(node, inner);
      if (inner !== scan) expect(inner.depth, node.outerHTML.slice(0, 300)).toBe(0);
    }
  }
}

async function openState({ options, arrive, shows }: State): Promise<Heard> {
  const heard = listen();
  const given = options();
  heard.take(given);
  const { house, bridge } = openWindow(given);
  heard.take(bridge.roster());
  act(() => arrive?.(house, bridge));
  await waitFor(() => expect(unmarked(document.body.textContent)).toMatch(shows));
  return heard;
}

describe.each(STATES)("the state $name", (state) => {
  it("says nothing that is not in the words, or comes from the hall", async () => {
    const heard = await openState(state);
    const scan: Scan = { depth: 0, outside: [] };
    scanElement(document.body, scan);
    const strange = scan.outside.map((text) => text.trim()).filter((text) => !NOBODYS.test(text) && !heard.has(text));
    expect([...new Set(strange)]).toEqual([]);
  });
});
