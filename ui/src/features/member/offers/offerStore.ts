/**
 * What the window knows of the members' resources and prompts: the lists as they were last read, and
 * for each offer what was filled in and the last answers, kept while a person looks at something
 * else. Bounded, oldest first.
 */
import type { Answered, CallId, MemberName, MemberOffers, Progress, Report } from "../../../ipc/bindings";
import { asRefusal } from "../../../ipc/bridge";
import { newCallId } from "../../../lib/callId";
import type { Hall } from "../../../lib/hall/hall";
import type { Offer, OfferTab } from "../../../lib/navigation/places";
import { Store } from "../../../lib/store";
import { storeContext } from "../../../lib/storeContext";
import { offerKey } from "./offer";

/** A member's lists as far as they were read. */
export interface OfferLists {
  readonly offers: MemberOffers | null;
  readonly error: Report | null;
  readonly reading: boolean;
  /** When they were last read. */
  readonly readAtMs: number | null;
}

/** One request for a resource or prompt, with its answer. */
export interface Reading {
  readonly call: CallId;
  /** Its number among the offer's, from 1. */
  readonly number: number;
  readonly member: MemberName;
  readonly offer: Offer;
  readonly asked: OfferRequest;
  readonly startedAtMs: number;
  readonly progress: Progress | null;
  /** How it ended; `null` while it runs. */
  readonly answered: Answered | null;
}

/** The request that a reading sends. */
export type OfferRequest =
  | { readonly kind: "resource"; readonly uri: string }
  | { readonly kind: "prompt"; readonly prompt: string; readonly arguments: Readonly<Record<string, string>> };

/** The form fields and answers of one offer. */
export interface OfferSheet {
  /** The filled-in values by name; a field that was never edited has no entry. */
  readonly fields: ReadonlyMap<string, string>;
  /** The whole address, where a person edits that instead of a template's variables. */
  readonly whole: string | null;
  /** Oldest first. */
  readonly readings: readonly Reading[];
  /** The answer that is shown; the newest when `null`. */
  readonly shown: CallId | null;
  readonly count: number;
}

/** Answers can be large, so answers per offer and offers are limited. */
const READINGS_MAX = 6;
const SHEETS_MAX = 40;

/** How a person left a member's list. */
interface Look {
  readonly words: string;
  /** The entry that the cursor is on, among those with the words. */
  readonly cursor: number;
}

const NOTHING_READ: OfferLists = { offers: null, error: null, reading: false, readAtMs: null };
const EMPTY: OfferSheet = { fields: new Map(), whole: null, readings: [], shown: null, count: 0 };

export class OfferStore {
  readonly lists = new Store<ReadonlyMap<MemberName, OfferLists>>(new Map());
  readonly sheets = new Store<ReadonlyMap<string, OfferSheet>>(new Map());
  readonly #hall: Hall;
  readonly #now: () => number;
  /** The search words and cursor of each list. Not a store, because no component subscribes to it. */
  readonly #looks = new Map<string, Look>();
  /** The time of the last request for each member's lists. */
  readonly #asked = new Map<MemberName, number>();
  /** The members whose lists changed while they were being read. */
  readonly #again = new Set<MemberName>();

  constructor(hall: Hall, now: () => number = () => Date.now()) {
    this.#hall = hall;
    this.#now = now;
    hall.onEvents((events, missed) => {
      const changed = new Set(events.flatMap((event) => (event.kind === "offers_changed" ? [event.member] : [])));
      // A missed event may have been a change of any list.
      for (const member of missed ? this.lists.get().keys() : changed) this.#readAgain(member);
    });
  }

  list(member: MemberName): OfferLists {
    return this.lists.get().get(member) ?? NOTHING_READ;
  }

  sheet(key: string): OfferSheet {
    return this.sheets.get().get(key) ?? EMPTY;
  }

  look(member: MemberName, tab: OfferTab): Look {
    return this.#looks.get(`${member}/${tab}`) ?? { words: "", cursor: 0 };
  }

  leave(member: MemberName, tab: OfferTab, look: Look): void {
    this.#looks.set(`${member}/${tab}`, look);
  }

  /** Reads a member's lists from its server, which starts the member if it is stopped. */
  async read(member: MemberName): Promise<void> {
    if (this.list(member).reading) return;
    this.#asked.set(member, this.#now());
    const keep = (list: OfferLists) => this.lists.update((lists) => new Map(lists).set(member, list));
    keep({ ...this.list(member), reading: true });
    try {
      const offers = await this.#hall.ask("member_offers", { member });
      keep({ offers, error: null, reading: false, readAtMs: this.#now() });
    } catch (reason) {
      keep({ ...this.list(member), error: asRefusal(reason).report, reading: false });
    }
    if (this.#again.delete(member)) await this.read(member);
  }

  /**
   * Reads lists again that were read before and have changed. If a read is running, it is repeated
   * afterwards.
   */
  #readAgain(member: MemberName): void {
    const { offers, reading } = this.list(member);
    // Don't start a stopped member for this: its next run is read anyway.
    if (this.#hall.state.get().byName.get(member)?.status !== "ready") return;
    if (reading) this.#again.add(member);
    else if (offers !== null) void this.read(member);
  }

  /** Reads the lists of a member that runs since `sinceMs`, where that run was not asked yet. */
  ensure(member: MemberName, sinceMs: number): void {
    if ((this.#asked.get(member) ?? -1) < sinceMs) void this.read(member);
  }

  fill(key: string, name: string, value: string | undefined): void {
    this.#change(key, (sheet) => {
      const fields = new Map(sheet.fields);
      if (value === undefined) fields.delete(name);
      else fields.set(name, value);
      return { ...sheet, fields };
    });
  }

  editWhole(key: string, whole: string | null): void {
    this.#change(key, (sheet) => ({ ...sheet, whole }));
  }

  show(key: string, call: CallId): void {
    this.#change(key, (sheet) => ({ ...sheet, shown: call }));
  }

  /** Requests a resource or a prompt. The answer or error is added to the offer's sheet. */
  async ask(member: MemberName, offer: Offer, asked: OfferRequest, timeoutMs: number | null = null): Promise<void> {
    const key = offerKey(member, offer);
    const startedAtMs = this.#now();
    const call = newCallId();
    this.#change(key, (sheet) => {
      const number = sheet.count + 1;
      const reading: Reading = { call, number, member, offer, asked, startedAtMs, progress: null, answered: null };
      return { ...sheet, readings: trimmed([...sheet.readings, reading]), shown: call, count: number };
    });
    const change = (changes: Partial<Reading>) =>
      this.#change(key, (sheet) => ({
        ...sheet,
        readings: sheet.readings.map((reading) => (reading.call === call ? { ...reading, ...changes } : reading)),
      }));
    const endProgress = this.#hall.onProgress(call, (progress) => change({ progress }));
    const answered = await this.#answer(call, member, asked, timeoutMs).catch(
      (reason: unknown): Answered => ({
        call,
        member,
        startedAtMs,
        durationMs: this.#now() - startedAtMs,
        request: null,
        end: { kind: "failed", report: asRefusal(reason).report, rpc: null, arguments: [], stderr: [] },
      }),
    );
    endProgress();
    change({ answered });
  }

  #answer(call: CallId, member: MemberName, asked: OfferRequest, timeoutMs: number | null): Promise<Answered> {
    return asked.kind === "resource"
      ? this.#hall.ask("read_resource", { call, member, uri: asked.uri, timeoutMs })
      : this.#hall.ask("get_prompt", { call, member, prompt: asked.prompt, arguments: { ...asked.arguments }, timeoutMs });
  }

  #change(key: string, change: (sheet: OfferSheet) => OfferSheet): void {
    this.sheets.update((sheets) => {
      const next = new Map(sheets);
      const sheet = change(next.get(key) ?? EMPTY);
      // The key moves to the end, so that the first ones are those not touched for longest.
      next.delete(key);
      next.set(key, sheet);
      if (next.size > SHEETS_MAX) {
        for (const [oldest, { readings }] of next) {
          if (readings.some(({ answered }) => !answered)) continue;
          next.delete(oldest);
          break;
        }
      }
      return next;
    });
  }
}

export const [OfferStoreContext, useOfferStore] = storeContext<OfferStore>("useOfferStore");

/** Drops the oldest answers past the limit, but never a running request. */
function trimmed(readings: readonly Reading[]): readonly Reading[] {
  let surplus = readings.length - READINGS_MAX;
  return readings.filter(({ answered }) => {
    if (surplus <= 0 || !answered) return true;
    surplus -= 1;
    return false;
  });
}

/** The answer that is shown. */
export function shownReading(sheet: OfferSheet): Reading | null {
  return sheet.readings.find(({ call }) => call === sheet.shown) ?? sheet.readings.at(-1) ?? null;
}

/** All unanswered requests, newest first. */
export function runningReadings(sheets: ReadonlyMap<string, OfferSheet>): readonly Reading[] {
  return [...sheets.values()]
    .flatMap(({ readings }) => readings.filter(({ answered }) => !answered))
    .sort((a, b) => b.startedAtMs - a.startedAtMs);
}
