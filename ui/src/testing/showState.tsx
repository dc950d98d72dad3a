/**
 * Shows one state of the catalogue in a browser: `states.html?state=NAME`. Not part of the app;
 * `scripts/states.mjs` builds it apart, and `npm run dev` serves it too.
 */
import "../theme.css";

import { createRoot } from "react-dom/client";

import { App } from "../app/App";
import { createStores } from "../app/stores";
import { MockBridge } from "../ipc/mock";
import { STATES } from "./states";

/** The data that the page gives to an inspecting script. */
interface Told {
  /** The names of all states, with what their pictures need. */
  states: readonly { name: string; width: number | null; contrast: boolean }[];
  /** Whether what the state shows can be read. */
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
  // Removes everything that the previous state left.
  localStorage.clear();
  const bridge = new MockBridge(state.options());
  const stores = createStores(bridge);
  stores.hall.open();
  const root = document.getElementById("root");
  if (root) createRoot(root).render(<App stores={stores} />);
  // After the window was drawn, as a person would.
  requestAnimationFrame(() => requestAnimationFrame(() => state.arrive?.(stores, bridge)));
}
