/**
 * Stores the lists of members' resources, templates, prompts and skills, and for each offer a sheet: the form's values and the
 * last responses. The store keeps them while another page is open. If it is full, the oldest sheets are removed first.
 */
import type { Answered, CallId, MemberName, MemberOffers, Progress, Report } from "../../../ipc/bindings";
import { asRefusal } from "../../../ipc/bridge";
import { newCallId } from "../../../lib/callId";
import { failedEnd, shownCall, trimmed, withSheet } from "../../../lib/callSheets";
import type { Hall } from "../../../lib/hall/hall";
import type { Offer, OfferTab } from "../../../lib/navigation/places";
import { Store } from "../../../lib/store";
import { storeContext } from "../../../lib/storeContext";
import { offerKey } from "./offer";

/** A member's lists and the state of reading them. */
export interface OfferLists {
  readonly offers: MemberOffers | null;
  readonly error: Report | null;
  readonly reading: boolean;
  /** The time of the last successful read. */
  readonly readAtMs: number | null;
}

/** One request for a resource or a prompt, with its response. */
export interface Reading {
  readonly call: CallId;
  /** The number of the request among all requests of the offer, from 1. */
  readonly number: number;
  readonly member: MemberName;
  readonly offer: Offer;
  readonly asked: OfferRequest;
  readonly startedAtMs: number;
  readonly progress: Progress | null;
  /** The response or error; `null` while the request is pending. */
  readonly answered: Answered | null;
}

/** The content of a request: a resource to read, or a prompt to get. */
export type OfferRequest =
  | { readonly kind: "resource"; readonly uri: string }
  | { readonly kind: "prompt"; readonly prompt: string; readonly arguments: Readonly<Record<string, string>> };

/** The form values and responses of one offer. */
export interface OfferSheet {
  /** The entered values by the name of the argument or variable. A value that is not set has no entry. */
  readonly fields: ReadonlyMap<string, string>;
  /** The URI that the user edits instead of the template's variables; `null` while the user edits the variables. */
  readonly whole: string | null;
  /** The last requests, oldest first. */
  readonly readings: readonly Reading[];
  /** The request whose response is shown; `null` for the newest. */
  readonly shown: CallId | null;
  readonly count: number;
}

/** Responses can be large, so the number of requests per offer and the number of sheets are limited. */
const READINGS_MAX = 6;
const SHEETS_MAX = 40;

/** The state of a member's list, which is restored when the user returns to the list. */
interface Look {
  readonly words: string;
  /** The index of the active entry among the entries that match `words`. */
  readonly cursor: number;
}

const NOTHING_READ: OfferLists = { offers: null, error: null, reading: false, readAtMs: null };
const EMPTY: OfferSheet = { fields: new Map(), whole: null, readings: [], shown: null, count: 0 };

export class OfferStore {
  readonly lists = new Store<ReadonlyMap<MemberName, OfferLists>>(new Map());
  readonly sheets = new Store<ReadonlyMap<string, OfferSheet>>(new Map());
  readonly #hall: Hall;
  /** The search words and the active entry of each list. This is a plain map, because no component subscribes to it. */
  readonly #looks = new Map<string, Look>();
  /** The time of the last request for each member's lists. */
  readonly #asked = new Map<MemberName, number>();
  /** Members whose lists changed during a read, so that another read is needed. */
  readonly #again = new Set<MemberName>();

  constructor(hall: Hall) {
    this.#hall = hall;
    hall.onEvents((events, missed) => {
      const changed = new Set(events.flatMap((event) => (event.kind === "offers_changed" ? [event.member] : [])));
      // A missed event may have reported a change of any list.
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
    this.#asked.set(member, Date.now());
    const keep = (list: OfferLists) => this.lists.update((lists) => new Map(lists).set(member, list));
    keep({ ...this.list(member), reading: true });
    try {
      const offers = await this.#hall.ask("member_offers", { member });
      keep({ offers, error: null, reading: false, readAtMs: Date.now() });
    } catch (reason) {
      keep({ ...this.list(member), error: asRefusal(reason).report, reading: false });
    }
    if (this.#again.delete(member)) await this.read(member);
  }

  /**
   * Reads changed lists of a running member again if they were read before. During a read, the next read starts
   * afterwards.
   */
  #readAgain(member: MemberName): void {
    const { offers, reading } = this.list(member);
    // A read would start a stopped member. Its lists are read in its next run anyway.
    if (this.#hall.state.get().byName.get(member)?.status !== "ready") return;
    if (reading) this.#again.add(member);
    else if (offers !== null) void this.read(member);
  }

  /** Reads a member's lists unless they were requested since `sinceMs`, when the member's current run began. */
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

  /** Requests a resource or a prompt. The response or error is added to the offer's sheet. */
  async ask(member: MemberName, offer: Offer, asked: OfferRequest, timeoutMs: number | null = null): Promise<void> {
    const key = offerKey(member, offer);
    const startedAtMs = Date.now();
    const call = newCallId();
    this.#change(key, (sheet) => {
      const number = sheet.count + 1;
      const reading: Reading = { call, number, member, offer, asked, startedAtMs, progress: null, answered: null };
      return { ...sheet, readings: trimmed([...sheet.readings, reading], READINGS_MAX, isPending), shown: call, count: number };
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
        durationMs: Date.now() - startedAtMs,
        request: null,
        end: failedEnd(reason),
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
    this.sheets.update((sheets) => withSheet(sheets, key, change(sheets.get(key) ?? EMPTY), SHEETS_MAX, ({ readings }) => readings.some(isPending)));
  }
}

export const [OfferStoreContext, useOfferStore] = storeContext<OfferStore>("useOfferStore");

function isPending({ answered }: Reading): boolean {
  return answered === null;
}

/** The request whose response is shown; `null` before the first request. */
export function shownReading(sheet: OfferSheet): Reading | null {
  return shownCall(sheet.readings, sheet.shown);
}

/** All pending requests. */
export function runningReadings(sheets: ReadonlyMap<string, OfferSheet>): readonly Reading[] {
  return [...sheets.values()].flatMap(({ readings }) => readings.filter(isPending));
}
