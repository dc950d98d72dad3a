import { act, render } from "@testing-library/react";
import userEvent from "@testing-library/user-event";

import { App } from "../app/App";
import { actionsOf } from "../app/actions";
import { createStores } from "../app/stores";
import { MockBridge, type MockOptions } from "../ipc/mock";
import { toasts } from "../lib/toasts";

/** Renders the whole window with a mock bridge. Events are applied at once, so that tests need no frames. */
export function openWindow(options: MockOptions = {}) {
  return openOn(new MockBridge(options));
}

/** Renders the whole window with a mock bridge that the test has prepared. */
export function openOn(bridge: MockBridge) {
  // Removes the toasts of earlier tests.
  toasts.set(new Map());
  const stores = createStores(bridge, (work) => act(work));
  stores.hall.open();
  const view = render(<App stores={stores} />);
  return { bridge, stores, actions: () => actionsOf(stores), user: userEvent.setup(), ...view };
}
