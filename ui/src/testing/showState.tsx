/**
 * Shows one state of the catalog in a browser: `states.html?state=NAME`. This page is not part of the app.
 * `scripts/page.mjs` builds it separately, and `npm run dev` serves it too.
 */
import "../theme.css";

import { createRoot } from "react-dom/client";

import { App } from "../app/App";
import { createStores } from "../app/stores";
import { MockBridge } from "../ipc/mock";
import { STATES } from "./states";

/** The data that the page provides for scripts such as `scripts/states.mjs`. */
interface Told {
  /** All states, with the width and contrast of their screenshots. */
  states: readonly { name: string; width: number | null; contrast: boolean }[];
  /** Whether the page contains the text `State.shows`. */
  isShown: () => boolean;
}

declare global {
  interface Window {
    told?: Told;
  }
}

const wanted = new URLSearchParams(location.search).get("state");
const state = STATES.find(({ name }) => name === wanted);

window.told = {
  states: STATES.map(({ name, width = null, contrast = false }) => ({ name, width, contrast })),
  isShown: () => state?.shows.test(document.body.innerText) === true,
};

if (state) {
  // Removes the values that the previous state stored.
  localStorage.clear();
  const bridge = new MockBridge(state.options());
  const stores = createStores(bridge);
  stores.hall.open();
  const root = document.getElementById("root");
  if (root) createRoot(root).render(<App stores={stores} />);
  // Simulated user input starts after the window was painted.
  requestAnimationFrame(() => requestAnimationFrame(() => state.arrive?.(stores, bridge)));
}
