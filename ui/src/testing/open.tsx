import { act, render } from "@testing-library/react";
import userEvent from "@testing-library/user-event";

import { App } from "../app/App";
import { House } from "../app/house";
import { FakeBridge, type FakeOptions } from "../ipc/fake";
import { toasts } from "../lib/toasts";

/** The whole window on a fake hall. Events are taken in at once, so that no test waits for a frame. */
export function openWindow(options: FakeOptions = {}) {
  // Messages of an earlier window in the same test file would still be open.
  toasts.set(new Map());
  const bridge = new FakeBridge(options);
  const house = new House(bridge, (work) => act(work));
  house.hall.open();
  const view = render(<App house={house} />);
  return { bridge, house, user: userEvent.setup(), ...view };
}
