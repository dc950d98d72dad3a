/** States of a member's resources, prompts and skills for the catalog of UI states. */
import type { CallEnd, MemberOffers, MemberView } from "../../../ipc/bindings";
import type { MockOptions } from "../../../ipc/mock";
import { mockMember, mockTool, mockView } from "../../../ipc/mock/members";
import { NO_OFFERS } from "../../../ipc/mock/offers";
import type { Offer } from "../../../lib/navigation/places";
import { recorded } from "../../../testing/recorded";
import type { State, Stores } from "../../../testing/state";
import { readResource } from "./readResource";

const LEDGER = "ledger://2026/november";
const BY_DAY = "ledger://{year}/{month}{?day,kind}";

const LIBRARY: Omit<MemberOffers, "member"> = {
  resources: [
    { uri: LEDGER, name: "november", title: "Ledger of November", description: "What was forged, sold and paid. It grows by a page a day.", mimeType: "application/json", size: 18_432 },
    { uri: "ledger://marks", name: "marks", title: "Makers' marks", description: null, mimeType: "image/png", size: 3_120 },
    { uri: "file:///srv/forge/recipes/damascus.md", name: "damascus.md", title: null, description: "How the layers are folded", mimeType: "text/markdown", size: null },
    { uri: "ledger://books.zip", name: "All books", title: null, description: null, mimeType: "application/zip", size: 48_300_111 },
  ],
  templates: [{ uriTemplate: BY_DAY, variables: ["year", "month", "day", "kind"], name: "by day", title: "Pages of some days", description: "One page for each day of the month.", mimeType: "application/json" }],
  prompts: [
    {
      name: "quote",
      title: "Write a quotation",
      description: "Asks for a quotation in the words of the forge.",
      arguments: [
        { name: "piece", title: "What is forged", description: "Such as `horseshoe`", required: true },
        { name: "tone", title: null, description: "How it is written", required: false },
      ],
    },
    { name: "inventory", title: null, description: "Counts what lies on the shelves.", arguments: [] },
  ],
  skills: [
    {
      uri: "skill://forge/appraisal/SKILL.md",
      name: "appraisal",
      description: "Appraises a piece by its marks, weight and wear.",
      files: [
        { uri: "skill://forge/appraisal/SKILL.md", size: 2_314, digest: `sha256:${"a".repeat(64)}` },
        { uri: "skill://forge/appraisal/references/marks.md", size: 18_433, digest: `sha256:${"b".repeat(64)}` },
      ],
    },
    { uri: "skill://daily-report/SKILL.md", name: "daily-report", description: "Writes the report of the day.", files: null },
  ],
  problems: [],
};

function books(offers: Partial<Omit<MemberOffers, "member">> | null = LIBRARY, view: Partial<MemberView> = {}, more: MockOptions = {}) {
  return (): MockOptions => {
    const member = mockMember(mockView("books", { description: "What the forge writes down", pid: 41_411, ...view }), [
      mockTool("books", { name: "note", description: "Writes a line into the ledger." }),
    ]);
    if (offers) member.offers = { ...NO_OFFERS, ...offers };
    return { members: [member], ...more };
  };
}

const at = (offer: Offer) => (stores: Stores): void => {
  void stores.offers.read("books");
  stores.navigation.openOffer("books", offer);
};

const reads = (value: unknown): MockOptions => ({
  onRead: () => Promise.resolve<CallEnd>({ kind: "result", result: JSON.stringify(value), isError: false }),
});

const inbox: Offer = { kind: "resource", uri: LEDGER };
const byDay: Offer = { kind: "template", uriTemplate: BY_DAY };
const quote: Offer = { kind: "prompt", prompt: "quote" };
const appraisal = { kind: "skill", uri: "skill://forge/appraisal/SKILL.md" } as const;
const PICTURE = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const PAGE = { day: "2026-11-20", forged: [{ piece: "horseshoe", count: 8, paid: 36.5 }, { piece: "blade", count: 1, paid: 240 }] };

function read(stores: Stores): void {
  at(inbox)(stores);
  void stores.offers.ask("books", inbox, { kind: "resource", uri: LEDGER });
}

export const OFFER_STATES: readonly State[] = [
  { name: "offers", options: books(), arrive: (stores) => stores.navigation.openOffers("books", "resources"), shows: /4 resources, 1 template/, contrast: true },
  { name: "offers-prompts", options: books(), arrive: (stores) => stores.navigation.openOffers("books", "prompts"), shows: /2 prompts/ },
  { name: "offers-skills", options: books(), arrive: (stores) => stores.navigation.openOffers("books", "skills"), shows: /2 skills/ },
  {
    name: "offers-many",
    options: books({
      resources: Array.from({ length: 5_000 }, (_, index) => ({
        uri: `ledger://pages/${String(index).padStart(4, "0")}`,
        name: `page ${index}`,
        title: null,
        description: null,
        mimeType: "application/json",
        size: 900 + index,
      })),
    }),
    arrive: (stores) => stores.navigation.openOffers("books", "resources"),
    shows: /5,000 resources/,
  },
  {
    name: "offers-down",
    options: books(LIBRARY, { status: "stopped", freshness: "cached", pid: null }),
    arrive: (stores) => stores.navigation.openOffers("books", "resources"),
    shows: /Its resources load when it starts/,
  },
  { name: "offers-reading", options: books(LIBRARY, {}, { silent: ["member_offers"] }), arrive: (stores) => stores.navigation.openOffers("books", "resources"), shows: /Loading the resources of books/ },
  {
    name: "offers-failed",
    options: books(LIBRARY, {}, {
      refusing: { member_offers: { code: "list-failed", message: "The list of resources could not be read: the connection broke.", hint: "Restart the member.", member: "books" } },
    }),
    arrive: (stores) => stores.navigation.openOffers("books", "resources"),
    shows: /the connection broke/,
  },
  { name: "offers-no-capability", options: books(null), arrive: (stores) => stores.navigation.openOffers("books", "prompts"), shows: /doesn't support prompts/ },
  { name: "offers-none", options: books({}), arrive: (stores) => stores.navigation.openOffers("books", "prompts"), shows: /books has no prompts/ },
  {
    name: "offers-left-out",
    options: books({
      ...LIBRARY,
      problems: [
        { list: "resources", index: 4, name: "attic", reason: "its `uri` is a number" },
        { list: "templates", index: null, name: null, reason: "the server answered with error -32603 on the second page" },
      ],
    }),
    arrive: (stores) => stores.navigation.openOffers("books", "resources"),
    shows: /1 entry of the list can't be used/,
  },
  { name: "offer-resource", options: books(), arrive: at(inbox), shows: /Read the resource to see its contents/ },
  {
    name: "offer-resource-read",
    options: books(LIBRARY, {}, reads({
      contents: [
        { uri: LEDGER, mimeType: "application/json", text: JSON.stringify(PAGE) },
        { uri: "ledger://marks", mimeType: "image/png", blob: PICTURE },
        { uri: "ledger://books.zip", mimeType: "application/zip", blob: "UEsDBAoAAAAAAA==" },
      ],
    })),
    arrive: read,
    shows: /application\/zip · 10 B/,
    contrast: true,
  },
  {
    name: "offer-resource-reading",
    options: books(LIBRARY, {}, {
      onRead: (_method, _params, progress) => {
        progress(3, 12, "third page of twelve");
        return new Promise(() => undefined);
      },
    }),
    arrive: read,
    shows: /third page of twelve/,
  },
  {
    name: "offer-resource-failed",
    options: books(LIBRARY, {}, { onRead: () => Promise.resolve(recorded("read_resource", { uri: "fixture://nowhere" }).end) }),
    arrive: (stores) => {
      readResource(stores, "books", "attic://trunk");
      void stores.offers.read("books");
    },
    shows: /Not in the list[^]*-32002/,
  },
  {
    name: "offer-template",
    options: books(),
    arrive: (stores) => {
      at(byDay)(stores);
      const key = `books/template ${BY_DAY}`;
      stores.offers.fill(key, "year", "2026");
      stores.offers.fill(key, "month", "März / April");
    },
    shows: /ledger:\/\/2026\/M%C3%A4rz/,
  },
  {
    name: "offer-skill",
    options: books(LIBRARY, {}, reads({
      contents: [{ uri: appraisal.uri, mimeType: "text/markdown", text: "---\nname: appraisal\ndescription: Values a piece by its marks\n---\n\n# Appraisal\n\nCompare the marks with [the list](references/marks.md).\n" }],
    })),
    arrive: at(appraisal),
    shows: /2 files, 20.7 KB[^]*Compare the marks/,
  },
  { name: "offer-template-unknown", options: books(), arrive: at({ kind: "template", uriTemplate: "ledger://{=year}/{!month}" }), shows: /Enter the whole address/ },
  { name: "offer-prompt", options: books(), arrive: at(quote), shows: /What is forged/ },
  {
    name: "offer-prompt-answered",
    options: books(LIBRARY, {}, reads({
      description: "A quotation in the words of the forge",
      messages: [
        { role: "user", content: { type: "text", text: "Write a quotation for one horseshoe.\n\nBe brief." } },
        { role: "assistant", content: { type: "text", text: "Gladly. Which metal?" } },
        { role: "user", content: { type: "resource", resource: { uri: "file:///srv/forge/recipes/damascus.md", mimeType: "text/markdown", text: "# Damascus\n\nFold *seven* times." } } },
      ],
    })),
    arrive: (stores) => {
      at(quote)(stores);
      stores.offers.fill("books/prompt quote", "piece", "horseshoe");
      void stores.offers.ask("books", quote, { kind: "prompt", prompt: "quote", arguments: { piece: "horseshoe" } });
    },
    shows: /Which metal\?/,
  },
  {
    name: "offer-long-right-to-left",
    options: books({
      resources: [
        { uri: `ledger://${"a-very-long-part/".repeat(60)}end`, name: "סוף", title: `ספר החשבונות של ${"הנפחייה הגדולה ".repeat(12)}`, description: "תיאור של הספר", mimeType: `application/${"x".repeat(120)}`, size: 9_007_199_254_740_991 },
      ],
    }),
    arrive: (stores) => {
      void stores.offers.read("books");
      stores.navigation.openOffer("books", { kind: "resource", uri: `ledger://${"a-very-long-part/".repeat(60)}end` });
    },
    shows: /תיאור של הספר/,
  },
];
