/** One state of the window, for the catalog of states. */
import type { Stores } from "../app/stores";
import type { Report } from "../ipc/bindings";
import type { MockBridge, MockOptions } from "../ipc/mock";

export type { Stores };

export interface State {
  /** The picture's file is called so. */
  name: string;
  options: () => MockOptions;
  /** Goes there, once the window is drawn. */
  arrive?: (stores: Stores, bridge: MockBridge) => void;
  /** What can be read once the state is there. */
  shows: RegExp;
  /** The code of the error that it is about, which leads to what it means. */
  code?: Report["code"];
  /** The window's width in a picture, where it matters. */
  width?: number;
  /** Whether a picture is taken in high contrast too. */
  contrast?: boolean;
}
