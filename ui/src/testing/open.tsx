import { act, render } from "@testing-library/react";
import userEvent from "@testing-library/user-event";

import { App } from "../app/App";
import { actionsOf } from "../app/actions";
import { createStores } from "../app/stores";
import { MockBridge, type MockOptions } from "../ipc/mock";
import { toasts } from "../lib/toasts";

/** The whole window on a mock hall. Events are applied at once, so that no test waits for a frame. */
export function openWindow(options: MockOptions = {}) {
  return openOn(new MockBridge(options));
}

/** The whole window on a mock hall that a test has prepared. */
export function openOn(bridge: MockBridge) {
  // Messages of an earlier window in the same test file would still be open.
  toasts.set(new Map());
  const stores = createStores(bridge, (work) => act(work));
  stores.hall.open();
  const view = render(<App stores={stores} />);
  return { bridge, stores, actions: () => actionsOf(stores), user: userEvent.setup(), ...view };
}
