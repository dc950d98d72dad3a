/** Where two JSON values differ, by path. */

import { mayBeJson } from "../content";
import type { Steps } from "../json/steps";
import { childrenOf, countOf, isContainer, keyAt, kindOf, pointerOf, readTape, sourceOf, stringAt, type Tape } from "../json/tape";
import { childList } from "../tree/rows";
import { matchSteps } from "./matching";

export interface Place {
  readonly tape: Tape;
  readonly node: number;
}

export interface Difference {
  readonly kind: "added" | "removed" | "changed";
  /** Where, on the right; on the left where it is only there. */
  readonly path: string;
  readonly left: Place | null;
  readonly right: Place | null;
}

export interface Differences {
  readonly list: readonly Difference[];
  /** Whether there are more than were looked for. */
  readonly more: boolean;
}

export const DIFFERENCES_MAX = 2_000;
/** Items of two lists are matched while they differ at no more places than this; else number by number. */
const ITEMS_DIFFER_MAX = 400;
const BREATH = 8_192;

/** A number for each value that equal values share: two halves of 32 bits, with a secret beginning. */
class Prints {
  readonly high: Int32Array;
  readonly low: Int32Array;

  constructor(
    readonly tape: Tape,
    private readonly secret: number,
  ) {
    this.high = new Int32Array(tape.size);
    this.low = new Int32Array(tape.size);
  }

  /** From the last value to the first, so that what is inside comes before what it is in. */
  *take(): Steps<undefined> {
    const { tape, high, low } = this;
    for (let node = tape.size - 1; node >= 0; node -= 1) {
      const kind = tape.kinds[node] ?? 0;
      const inner = isContainer(tape, node);
      const text = inner ? "" : kindOf(tape, node) === "string" ? stringAt(tape, node) : sourceOf(tape, node);
      const [a, b] = this.ofText(text, kind + 1);
      high[node] = mixed((high[node] ?? 0) ^ a);
      low[node] = mixed((low[node] ?? 0) + b);
      const parent = tape.parents[node] ?? -1;
      if (parent >= 0) this.addTo(parent, node);
      if (node % BREATH === 0) yield;
    }
    return;
  }

  private addTo(parent: number, node: number): void {
    const { tape, high, low } = this;
    const key = keyAt(tape, node);
    if (typeof key === "string") {
      // The order of keys says nothing.
      const [a, b] = this.ofText(key, 7);
      high[parent] = (high[parent] ?? 0) + mixed(a ^ (high[node] ?? 0));
      low[parent] = (low[parent] ?? 0) + mixed(b + (low[node] ?? 0));
    } else {
      high[parent] = Math.imul(high[parent] ?? 0, 0x01000193) + (high[node] ?? 0);
      low[parent] = Math.imul(low[parent] ?? 0, 0x85ebca6b) + (low[node] ?? 0);
    }
  }

  private ofText(text: string, kind: number): readonly [number, number] {
    let a = this.secret ^ Math.imul(kind, 0x9e3779b1);
    let b = Math.imul(this.secret, 31) + kind;
    for (let at = 0; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      a = Math.imul(a ^ code, 0x01000193);
      b = Math.imul(b + code, 0x5bd1e995) ^ (b >>> 15);
    }
    return [mixed(a), mixed(b)];
  }
}

function mixed(value: number): number {
  let mix = value | 0;
  mix = Math.imul(mix ^ (mix >>> 16), 0x7feb352d);
  mix = Math.imul(mix ^ (mix >>> 15), 0x846ca68b);
  return mix ^ (mix >>> 16);
}

class Comparison {
  readonly list: Difference[] = [];
  more = false;

  constructor(
    private readonly a: Prints,
    private readonly b: Prints,
    private readonly under: string,
    /** Whether texts that are JSON are looked into. */
    private readonly deep: boolean,
  ) {}

  private note(kind: Difference["kind"], left: number, right: number): void {
    if (this.list.length >= DIFFERENCES_MAX) {
      this.more = true;
      return;
    }
    const path = right >= 0 ? pointerOf(this.b.tape, right) : pointerOf(this.a.tape, left);
    this.list.push({
      kind,
      path: this.under + path,
      left: left < 0 ? null : { tape: this.a.tape, node: left },
      right: right < 0 ? null : { tape: this.b.tape, node: right },
    });
  }

  private equal(left: number, right: number): boolean {
    return this.a.high[left] === this.b.high[right] && this.a.low[left] === this.b.low[right];
  }

  *compare(left: number, right: number): Steps<undefined> {
    if (this.more || this.equal(left, right)) return;
    yield;
    const kind = kindOf(this.a.tape, left);
    if (kind !== kindOf(this.b.tape, right)) this.note("changed", left, right);
    else if (kind === "object") yield* this.objects(left, right);
    else if (kind === "array") yield* this.lists(left, right);
    else if (kind === "string") yield* this.texts(left, right);
    else this.note("changed", left, right);
  }

  private *objects(left: number, right: number): Steps<undefined> {
    const rights = byKey(this.b.tape, right);
    const lefts = byKey(this.a.tape, left);
    for (const [key, node] of lefts) {
      const other = rights.get(key);
      if (other === undefined) this.note("removed", node, -1);
      else yield* this.compare(node, other);
    }
    for (const [key, node] of rights) if (!lefts.has(key)) this.note("added", -1, node);
    // Only repeated keys that are not the last of their name differ.
    if (lefts.size !== countOf(this.a.tape, left) && this.list.length === 0) this.note("changed", left, right);
  }

  private *lists(left: number, right: number): Steps<undefined> {
    const lefts = childList(this.a.tape, left);
    const rights = childList(this.b.tape, right);
    const names = new Map<string, number>();
    const named = ({ high, low }: Prints, nodes: Int32Array) =>
      nodes.map((node) => {
        const print = `${high[node] ?? 0},${low[node] ?? 0}`;
        const name = names.get(print) ?? names.size;
        names.set(print, name);
        return name;
      });
    const [leftNames, rightNames] = [named(this.a, lefts), named(this.b, rights)];
    const found = yield* matchSteps(leftNames, rightNames, ITEMS_DIFFER_MAX);
    const matches = found ?? [];
    let [x, y] = [0, 0];
    for (const [toX, toY] of [...matches, [lefts.length, rights.length] as const]) {
      // What stands between two equal items on both sides was changed; the rest came or went.
      while ((x < toX || y < toY) && !this.more) {
        const [node, other] = [x < toX ? (lefts[x] ?? -1) : -1, y < toY ? (rights[y] ?? -1) : -1];
        if (node >= 0 && other >= 0) yield* this.compare(node, other);
        else this.note(node >= 0 ? "removed" : "added", node, other);
        if (x < toX) x += 1;
        if (y < toY) y += 1;
      }
      x = toX + 1;
      y = toY + 1;
    }
  }

  /** Many tools answer with JSON as a text: it is compared as what it is. */
  private *texts(left: number, right: number): Steps<undefined> {
    const [a, b] = [stringAt(this.a.tape, left), stringAt(this.b.tape, right)];
    if (this.deep && mayBeJson(a) && mayBeJson(b)) {
      const [readA, readB] = [yield* readTape(a), yield* readTape(b)];
      if ("ok" in readA && "ok" in readB) {
        const inner = yield* compareSteps(readA.ok, readB.ok, `${this.under}${pointerOf(this.b.tape, right)} → `, false);
        // The same value, spaced in another way, is no difference worth a word.
        this.list.push(...inner.list.slice(0, DIFFERENCES_MAX - this.list.length));
        this.more ||= inner.more;
        return;
      }
    }
    this.note("changed", left, right);
  }
}

function byKey(tape: Tape, node: number): Map<string, number> {
  const keys = new Map<string, number>();
  for (const child of childrenOf(tape, node)) keys.set(String(keyAt(tape, child)), child);
  return keys;
}

/** Compares two values. */
export function* compareSteps(left: Tape, right: Tape, under = "", deep = true): Steps<Differences> {
  const secret = crypto.getRandomValues(new Int32Array(1))[0] ?? 1;
  const [a, b] = [new Prints(left, secret), new Prints(right, secret)];
  yield* a.take();
  yield* b.take();
  const comparison = new Comparison(a, b, under, deep);
  yield* comparison.compare(0, 0);
  return { list: comparison.list, more: comparison.more };
}
