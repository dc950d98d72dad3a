/** Services of the operating system, such as file dialogs and file drops. They are absent in a browser. */
import type { Bridge } from "../ipc/bridge";
import { storeContext } from "./storeContext";

export type Desktop = Pick<Bridge, "pickPath" | "open" | "openApp" | "drops" | "shows" | "presence">;

/** The services that the bridge offers. Each call looks the bridge's function up again, as tests replace them. */
export function desktopOf(bridge: Bridge): Desktop {
  return {
    ...(bridge.pickPath && { pickPath: (wanted) => bridge.pickPath?.(wanted) ?? Promise.resolve(null) }),
    ...(bridge.open && { open: (what) => bridge.open?.(what) ?? Promise.resolve() }),
    ...(bridge.openApp && { openApp: (of) => bridge.openApp?.(of) ?? Promise.reject(new Error("there is none")) }),
    ...(bridge.drops && { drops: (handler) => bridge.drops?.(handler) ?? (() => undefined) }),
    ...(bridge.shows && { shows: (handler) => bridge.shows?.(handler) ?? (() => undefined) }),
    ...(bridge.presence && { presence: () => bridge.presence?.() ?? Promise.reject(new Error("there is none")) }),
  };
}

export const [DesktopContext, useDesktop] = storeContext<Desktop>("useDesktop");
