/** The `Bridge` to the desktop shell. Only files in `ipc` import Tauri. */
import { invoke } from "@tauri-apps/api/core";

import type { Commands } from "./bindings";
import { asRefusal, type Bridge, type Drop, type Opening } from "./bridge";
import { listen } from "./listening";
import type { OpenedApp, Presence, Shown } from "./outside";

declare global {
  interface Window {
    /** The data for the first paint. The shell's initialization script sets it. */
    __GUILD_HALL__?: Opening;
  }
}

/** The name of the DOM event that the shell dispatches for files dragged over the window. */
const DROP = "guild-hall-drop";
/** The name of the DOM event with which the shell requests a page. */
const SHOW = "guild-hall-show";

/** Whether the page runs inside the desktop shell. */
export function insideShell(): boolean {
  return "__TAURI_INTERNALS__" in window;
}

async function ask<T>(name: string, request: unknown): Promise<T> {
  try {
    return await invoke<T>(name, { request });
  } catch (reason) {
    throw asRefusal(reason);
  }
}

/** Subscribes to a DOM event that the shell dispatches with a value. Returns the function that unsubscribes. */
function onShellEvent(name: string, handler: (detail: unknown) => void): () => void {
  const listener = (event: Event) => {
    if (event instanceof CustomEvent) handler(event.detail);
  };
  window.addEventListener(name, listener);
  return () => window.removeEventListener(name, listener);
}

export function tauriBridge(): Bridge {
  return {
    opening: window.__GUILD_HALL__ ?? null,
    call: <K extends keyof Commands>(name: K, request: Commands[K]["request"]) =>
      ask<Commands[K]["response"]>(name, request),
    saveFile: (file) => ask<string | null>("save_file", file),
    pickPath: (wanted) => ask<string | null>("pick_path", wanted),
    open: async (what) => {
      await ask("open", what);
    },
    openApp: (of) => ask<OpenedApp>("open_app", of),
    events: listen,
    ready(listens) {
      // With `listens`, the shell starts the members and sends pending links. If this fails, the members start later.
      invoke("window_ready", { listens }).catch(() => undefined);
    },
    ending(keep) {
      const kept = () => {
        keep()
          .catch(() => undefined)
          .then(() => invoke("drafts_flushed"))
          .catch(() => undefined);
      };
      window.addEventListener("guild-hall-ends", kept);
      return () => window.removeEventListener("guild-hall-ends", kept);
    },
    drops: (handler) => onShellEvent(DROP, (detail) => handler(detail as Drop)),
    shows: (handler) => onShellEvent(SHOW, (detail) => handler(detail as Shown)),
    async presence() {
      try {
        return await invoke<Presence>("presence");
      } catch (reason) {
        throw asRefusal(reason);
      }
    },
    zoom(factor) {
      // A failure is ignored: in a web view that can't zoom, the page keeps its size.
      invoke("plugin:webview|set_webview_zoom", { value: factor }).catch(() => undefined);
    },
  };
}
