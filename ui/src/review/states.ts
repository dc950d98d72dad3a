/** The states of a member's review, for the catalogue. */
import type { House } from "../app/house";
import type { FakeBridge } from "../bridge/fake";
import { whenThere } from "../testing/acting";
import type { State } from "../testing/states";
import { differs, fakeToolReview, held, unreviewed, waits, waitsAnew } from "./testing";

function open(prepare: (bridge: FakeBridge) => void) {
  return (house: House, bridge: FakeBridge): void => {
    prepare(bridge);
    house.openReview("forge");
  };
}

const many = (bridge: FakeBridge): void => {
  differs(bridge);
  const tools = Array.from({ length: 1_000 }, (_, index) => fakeToolReview(`piece_number_${index}`, { difference: "new" }));
  bridge.trust.reviews.set("forge", { ...bridge.trust.reviews.get("forge"), tools, more: 1_400 });
};

const warned = (bridge: FakeBridge): void => {
  waits(bridge);
  const warning = { code: "reviews-unreadable", message: "reviews.json is not JSON at line 3.", hint: "What comes from elsewhere waits until it is accepted anew.", member: null } as const;
  bridge.trust.reviews.set("forge", { ...bridge.trust.reviews.get("forge"), warning });
};

export const REVIEW_STATES: readonly State[] = [
  { name: "review-waiting", options: () => unreviewed(), arrive: open(waits), shows: /never started[^]*FORGE_TOKEN[^]*Accept and start/, contrast: true },
  { name: "review-waiting-narrow", options: () => unreviewed(), arrive: open(waits), shows: /Accept and start/, width: 480 },
  { name: "review-launch-changed", options: () => unreviewed(true), arrive: open(waitsAnew), shows: /changed since it was accepted[^]*server@3/ },
  { name: "review-unreadable", options: () => unreviewed(), arrive: open(warned), shows: /not JSON at line 3/ },
  { name: "review-tools", options: held, arrive: open(differs), shows: /agents get 2 tools less[^]*private key[^]*breaking/, contrast: true },
  { name: "review-tools-narrow", options: held, arrive: open(differs), shows: /agents get 2 tools less/, width: 480 },
  {
    name: "review-revision",
    options: held,
    arrive: (house, bridge) => {
      open(differs)(house, bridge);
      whenThere('[data-testid="revision"] button', (button) => button.click());
    },
    shows: /1 new tool, Δ 1 changed, − 1 gone[^]*private key/,
  },
  { name: "review-many", options: held, arrive: open(many), shows: /1,400 more tools/ },
  { name: "review-own", options: () => ({}), arrive: (house) => house.openReview("filesystem"), shows: /yours: its manifest/ },
];
