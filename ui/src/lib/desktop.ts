/** Services of the operating system, such as file dialogs and file drops. They are absent in a browser. */
import type { Bridge } from "../ipc/bridge";
import { storeContext } from "./storeContext";

export type Desktop = Pick<Bridge, "pickPath" | "open" | "openApp" | "drops" | "shows" | "presence">;

export const [DesktopContext, useDesktop] = storeContext<Desktop>("useDesktop");
