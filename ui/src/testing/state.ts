/** The type of a state of the window, for the catalog in `states.ts`. */
import type { Stores } from "../app/stores";
import type { Report } from "../ipc/bindings";
import type { MockBridge, MockOptions } from "../ipc/mock";

export type { Stores };

export interface State {
  /** The unique name of the state, and the beginning of its screenshots' file names. */
  name: string;
  options: () => MockOptions;
  /** Brings the window into the state after the window was rendered. */
  arrive?: (stores: Stores, bridge: MockBridge) => void;
  /** Matches the page's text once the window is in the state, and not before. */
  shows: RegExp;
  /** The error code that the state shows. The test checks that the code is a link to its explanation. */
  code?: Report["code"];
  /** The window's width in screenshots, in pixels. */
  width?: number;
  /** Whether to take screenshots with high contrast too. */
  contrast?: boolean;
}
