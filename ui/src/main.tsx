import { StrictMode } from "react";
import { flushSync } from "react-dom";
import { createRoot } from "react-dom/client";

import { App } from "./app/App";
import { handOn } from "./app/handOn";
import { House } from "./app/house";
import { NOTHING_EARLY } from "./boot/early";
import type { MemberName } from "./ipc/bindings";
import type { Bridge } from "./ipc/bridge";

/**
 * Replaces the first paint with the app, and continues the actions begun there. Returns the function that
 * removes it again.
 */
export function openApp(root: HTMLElement, bridge: Bridge, pressed: MemberName | null, early = NOTHING_EARLY): () => void {
  const house = new House(bridge);
  house.hall.open();
  if (pressed !== null) {
    house.openMember(pressed);
    house.setExpanded(pressed, true);
  }
  // In one turn: nothing is pressed, and no frame shown, between the first paint and the app.
  const app = createRoot(root);
  flushSync(() =>
    app.render(
      <StrictMode>
        <App house={house} />
      </StrictMode>,
    ),
  );
  handOn(root, early);
  return () => app.unmount();
}
