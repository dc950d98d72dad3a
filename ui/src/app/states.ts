/** The states of the diagnostics dialog for the catalog of UI states (`testing/states.ts`). */
import type { Report } from "../ipc/bindings";
import { press } from "../testing/acting";
import type { State, Stores } from "../testing/state";

const UNWRITABLE: Report = {
  code: "data-unwritable",
  message: "/home/me/bundle.tar.gz can't be written: no space left on device (os error 28).",
  hint: "Choose another place.",
  member: null,
};
const CLOSING: Report = { code: "shutting-down", message: "Guild Hall is closing.", hint: "", member: null };
const PICKS = "/home/me/bundle.tar.gz";

const open = (stores: Stores): void => stores.layers.open("bundle");

function save(stores: Stores): void {
  open(stores);
  press('[data-testid="bundle"] button', "Save");
}

export const BUNDLE_STATES: readonly State[] = [
  { name: "bundle", options: () => ({ picks: PICKS }), arrive: open, shows: /the manifest of forge/, contrast: true },
  { name: "bundle-reading", options: () => ({ picks: PICKS, silent: ["preview_bundle"] }), arrive: open, shows: /Reading the contents/ },
  { name: "bundle-refused", options: () => ({ picks: PICKS, refusing: { preview_bundle: CLOSING } }), arrive: open, shows: /is closing/ },
  { name: "bundle-saved", options: () => ({ picks: PICKS }), arrive: save, shows: /Saved to/ },
  { name: "bundle-failed", options: () => ({ picks: PICKS, refusing: { write_bundle: UNWRITABLE } }), arrive: save, shows: /no space left/ },
  {
    name: "bundle-many",
    options: () => ({ picks: PICKS }),
    arrive: (stores, bridge) => {
      const many = Array.from({ length: 60 }, (_, index) => ({
        name: `logs/member-${String(index).padStart(2, "0")}-of-a-name-that-is-rather-long.log`,
        what: "the end of what it wrote to stderr",
        bytes: 1_048_576,
        masked: index % 4,
      }));
      bridge.logs.bundled = { ...bridge.logs.bundled, files: many, leftOut: ["logs of 12 members: the bundle would be larger than 20 MiB"] };
      open(stores);
    },
    shows: /member-00/,
  },
  { name: "bundle-narrow", options: () => ({ picks: PICKS }), arrive: save, shows: /Saved to/, width: 360 },
];
