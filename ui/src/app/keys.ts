/** Handles the window's keyboard shortcuts, the Back and Forward mouse buttons, and the context menu. */
import { useEffect } from "react";

import type { Action } from "../lib/actions";
import { actionsOf } from "./actions";
import { isMeant, isTyping, type Press } from "../lib/keys/pressing";
import type { Stores } from "./stores";

/** Whether a key press would reload the page. Reloading is prevented because it would discard unsaved drafts. */
function isReload(press: Press): boolean {
  return press.key === "F5" || ((press.ctrlKey || press.metaKey) && press.key.toLowerCase() === "r");
}

function isAsked(action: Action, press: KeyboardEvent): boolean {
  return [action.keys, action.alsoKeys].some((keys) => keys !== undefined && isMeant(keys, press));
}

/** Actions that run only once while their key is held down. */
const ONCE: ReadonlySet<string> = new Set(["run", "send-anyway", "cancel", "palette", "tools"]);

/** Actions that work while a dialog is open, because they apply to the whole window. */
const ABOVE_DIALOGS: ReadonlySet<string> = new Set(["palette", "tools", "zoom-in", "zoom-out", "zoom-reset"]);

/** Actions that also work while the Add member dialog is open. Back leaves this dialog like a page. */
const IN_ADDING: ReadonlySet<string> = new Set(["back", "forward", "help"]);

/** Whether an open dialog blocks this action. */
function isCovered(stores: Stores, action: string): boolean {
  if (stores.layers.has("palette") || stores.layers.has("keys")) return true;
  const covers = IN_ADDING.has(action) ? '[role="dialog"]:not(#adding), [role="alertdialog"]' : '[role="dialog"], [role="alertdialog"]';
  return document.querySelector(covers) !== null;
}

export function useKeys(stores: Stores): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (isReload(event)) event.preventDefault();
      else if (event.defaultPrevented) return;
      if (event.key === "Escape") {
        if (stores.layers.closeTop()) event.preventDefault();
        return;
      }
      // Most key presses are text input. Skipping them here avoids creating the list of actions.
      if (event.key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey && isTyping(event.target)) return;
      const action = actionsOf(stores).find((each) => isAsked(each, event));
      if (!action) return;
      event.preventDefault();
      if (event.repeat && ONCE.has(action.id)) return;
      if (!ABOVE_DIALOGS.has(action.id) && isCovered(stores, action.id)) return;
      if (action.unavailable === undefined) action.run();
    };
    // The web view's context menu offers a reload, so it is shown only for text fields and selected text.
    const onMenu = (event: MouseEvent) => {
      if (!isTyping(event.target) && window.getSelection()?.isCollapsed !== false) event.preventDefault();
    };
    // The mouse buttons 3 and 4 are Back and Forward, as in a browser.
    const onMouse = (event: MouseEvent) => {
      if (event.button !== 3 && event.button !== 4) return;
      event.preventDefault();
      if (!isCovered(stores, "back")) stores.navigation.travel(event.button === 3);
    };
    window.addEventListener("keydown", onKey);
    window.addEventListener("mouseup", onMouse);
    window.addEventListener("contextmenu", onMenu);
    return () => {
      window.removeEventListener("keydown", onKey);
      window.removeEventListener("mouseup", onMouse);
      window.removeEventListener("contextmenu", onMenu);
    };
  }, [stores]);
}
