/** States of a member's review for the catalog of UI states. */
import type { MockBridge } from "../../ipc/mock";
import { whenThere } from "../../testing/acting";
import type { State, Stores } from "../../testing/state";
import { differs, mockLaunch, mockToolReview, held, unreviewed, waits, waitsAnew } from "./testing";

function open(prepare: (bridge: MockBridge) => void) {
  return (stores: Stores, bridge: MockBridge): void => {
    prepare(bridge);
    stores.navigation.openReview("forge");
  };
}

/** Like `open`, but also scrolls to the element that the state shows. */
function scrolledTo(selector: string, prepare: (bridge: MockBridge) => void) {
  return (stores: Stores, bridge: MockBridge): void => {
    open(prepare)(stores, bridge);
    whenThere(selector, (part) => part.scrollIntoView());
  };
}

const TOOLS = '[data-testid="review"] section:nth-of-type(2)';

const many = (bridge: MockBridge): void => {
  differs(bridge);
  const tools = Array.from({ length: 1_000 }, (_, index) => mockToolReview(`piece_number_${index}`, { difference: "new" }));
  bridge.trust.reviews.set("forge", { ...bridge.trust.reviews.get("forge"), tools, more: 1_400 });
};

const warned = (bridge: MockBridge): void => {
  waits(bridge);
  const warning = { code: "reviews-unreadable", message: "reviews.json is not JSON at line 3.", hint: "Members from elsewhere need your review again.", member: null } as const;
  bridge.trust.reviews.set("forge", { ...bridge.trust.reviews.get("forge"), warning });
};

const openOwn = (stores: Stores, bridge: MockBridge): void => {
  bridge.trust.reviews.set("filesystem", { launch: mockLaunch("guildhall member filesystem --root ./files") });
  stores.navigation.openReview("filesystem");
};

export const REVIEW_STATES: readonly State[] = [
  { name: "review-waiting", options: () => unreviewed(), arrive: open(waits), shows: /Needs review[^]*FORGE_TOKEN[^]*Approve and start/, contrast: true },
  { name: "review-waiting-narrow", options: () => unreviewed(), arrive: open(waits), shows: /Approve and start/, width: 480 },
  { name: "review-launch-changed", options: () => unreviewed(true), arrive: scrolledTo('[data-testid="review"]', waitsAnew), shows: /Changed, needs review[^]*server@3/ },
  { name: "review-unreadable", options: () => unreviewed(), arrive: open(warned), shows: /not JSON at line 3/ },
  { name: "review-tools", options: held, arrive: scrolledTo(TOOLS, differs), shows: /2 are hidden from agents[^]*private key[^]*Breaking/, contrast: true },
  { name: "review-tools-narrow", options: held, arrive: scrolledTo(TOOLS, differs), shows: /2 are hidden from agents/, width: 480 },
  {
    name: "review-revision",
    options: held,
    arrive: (stores, bridge) => {
      open(differs)(stores, bridge);
      whenThere('[data-testid="revision"] button', (button) => button.click());
      whenThere('[data-testid="revision"] [data-testid="review-tool"]', (tool) => tool.scrollIntoView());
    },
    shows: /1 new tool, 1 changed, 1 removed[^]*private key/,
  },
  { name: "review-many", options: held, arrive: scrolledTo(TOOLS, many), shows: /1,400 more tools/ },
  { name: "review-own", options: () => ({}), arrive: openOwn, shows: /Created by you[^]*--root/ },
];
