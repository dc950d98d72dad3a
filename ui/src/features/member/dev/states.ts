/** States of the Dev tab for the catalog of UI states. */
import type { MockBridge } from "../../../ipc/mock";
import { mockRound } from "../../../ipc/mock/dev";
import { mockToolReview } from "../../review/testing";
import type { State, Stores } from "../../../testing/state";
import { examples, followed, WARM } from "./testing";

function open(prepare: (bridge: MockBridge) => void) {
  return (stores: Stores, bridge: MockBridge): void => {
    prepare(bridge);
    stores.roster.setExpanded("forge", true);
    stores.navigation.place.set({ kind: "member", member: "forge", first: "dev" });
  };
}

const passed = (bridge: MockBridge): void => {
  examples(bridge);
  const tools = [
    mockToolReview("heat", { parts: [{ part: "description", text: [{ side: "both", text: "Heats a piece" }, { side: "new", text: " until it glows" }, { side: "both", text: "." }], schema: [] }] }),
    mockToolReview("melt", { difference: "new" }),
  ];
  bridge.dev.tell(mockRound(1, { build: { tookMs: 2_310, error: null, output: [] }, tools, examples: [{ name: "repeats", tool: "heat", end: "passed", tookMs: 12, differences: [] }] }));
};

const failed = (bridge: MockBridge): void => {
  examples(bridge);
  bridge.dev.tell(
    mockRound(2, {
      step: "examples-failed",
      examples: [
        { name: "repeats", tool: "heat", end: "passed", tookMs: 12, differences: [] },
        { name: "is warm", tool: "heat", end: "failed", tookMs: 31, differences: [WARM, { part: "text", place: "", expected: "The bar is red hot.", got: "The bar is cold.\nThere is no fire." }] },
      ],
    }),
  );
};

const unbuilt = (bridge: MockBridge): void => {
  examples(bridge);
  const error = { code: "build-failed", message: "`make` failed with exit code 2.", hint: "All that it wrote is in the member's log. The server runs on as it was.", member: "forge" } as const;
  bridge.dev.tell(mockRound(3, { step: "build-failed", build: { tookMs: 640, error, output: ["src/forge.py:3: SyntaxError: '(' was never closed", "make: *** [forge] Error 1"] } }));
};

export const DEV_STATES: readonly State[] = [
  { name: "dev-off", options: followed, arrive: open(() => undefined), shows: /Not watched[^]*No examples/ },
  { name: "dev-passed", options: followed, arrive: open(passed), shows: /Watched[^]*Passed[^]*2 tools changed/, contrast: true },
  { name: "dev-examples-failed", options: followed, arrive: open(failed), shows: /1 example failed[^]*Expected[^]*900[^]*Got[^]*20/, contrast: true },
  { name: "dev-examples-failed-narrow", options: followed, arrive: open(failed), shows: /1 example failed/, width: 480 },
  { name: "dev-build-failed", options: followed, arrive: open(unbuilt), shows: /Build failed[^]*never closed/ },
];
