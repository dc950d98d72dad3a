import { StrictMode } from "react";
import { flushSync } from "react-dom";
import { createRoot } from "react-dom/client";

import { App } from "./app/App";
import { replayEarlyInput } from "./app/replayEarlyInput";
import { NO_EARLY_INPUT } from "./boot/earlyInput";
import { createStores } from "./app/stores";
import type { MemberName } from "./ipc/bindings";
import type { Bridge } from "./ipc/bridge";

/**
 * Replaces the first paint with the app, and replays the user's input from before. `pressed` is the member that
 * the user clicked in the first paint. Returns the function that unmounts the app.
 */
export function openApp(root: HTMLElement, bridge: Bridge, pressed: MemberName | null, early = NO_EARLY_INPUT): () => void {
  const stores = createStores(bridge);
  stores.hall.open();
  if (pressed !== null) {
    stores.navigation.openMember(pressed);
    stores.roster.setExpanded(pressed, true);
  }
  // The app is rendered synchronously, so that no input event and no frame comes between the first paint and the app.
  const app = createRoot(root);
  flushSync(() =>
    app.render(
      <StrictMode>
        <App stores={stores} />
      </StrictMode>,
    ),
  );
  replayEarlyInput(root, early);
  return () => app.unmount();
}
