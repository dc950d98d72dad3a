import { act, render } from "@testing-library/react";
import userEvent from "@testing-library/user-event";

import { App } from "../app/App";
import { actionsOf } from "../app/actions";
import { createStores } from "../app/stores";
import { FakeBridge, type FakeOptions } from "../ipc/fake";
import { toasts } from "../lib/toasts";

/** The whole window on a fake hall. Events are applied at once, so that no test waits for a frame. */
export function openWindow(options: FakeOptions = {}) {
  return openOn(new FakeBridge(options));
}

/** The whole window on a fake hall that a test has prepared. */
export function openOn(bridge: FakeBridge) {
  // Messages of an earlier window in the same test file would still be open.
  toasts.set(new Map());
  const stores = createStores(bridge, (work) => act(work));
  stores.hall.open();
  const view = render(<App stores={stores} />);
  return { bridge, stores, actions: () => actionsOf(stores), user: userEvent.setup(), ...view };
}
