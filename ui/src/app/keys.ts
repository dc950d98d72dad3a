/** The keyboard: which action a key press means. */
import { useEffect } from "react";

import type { Action } from "../lib/actions";
import { actionsOf } from "./actions";
import { isMeant, isTyping, type Press } from "../lib/keys/pressing";
import type { Stores } from "./stores";

/** A reload would discard the drafts, and the page is not a website. */
function isReload(press: Press): boolean {
  return press.key === "F5" || ((press.ctrlKey || press.metaKey) && press.key.toLowerCase() === "r");
}

function isAsked(action: Action, press: KeyboardEvent): boolean {
  return [action.keys, action.alsoKeys].some((keys) => keys !== undefined && isMeant(keys, press));
}

/** What a key that is held does once. */
const ONCE: ReadonlySet<string> = new Set(["run", "send-anyway", "cancel", "palette", "tools"]);

/** What is meant for the window as a whole, so that it counts above an open dialog too. */
const ABOVE_DIALOGS: ReadonlySet<string> = new Set(["palette", "tools", "zoom-in", "zoom-out", "zoom-reset"]);

/** Actions that also work in the Add member dialog, which is a place to go to and to leave. */
const IN_ADDING: ReadonlySet<string> = new Set(["back", "forward", "help"]);

/** Whether an open layer must be answered or closed before this action can run. */
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
      // Most key presses are typing; skip the comparison for those.
      if (event.key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey && isTyping(event.target)) return;
      const action = actionsOf(stores).find((each) => isAsked(each, event));
      if (!action) return;
      event.preventDefault();
      if (event.repeat && ONCE.has(action.id)) return;
      if (!ABOVE_DIALOGS.has(action.id) && isCovered(stores, action.id)) return;
      if (action.unavailable === undefined) action.run();
    };
    // The web view's own menu offers a reload; it is kept where it has text to copy or to paste.
    const onMenu = (event: MouseEvent) => {
      if (!isTyping(event.target) && window.getSelection()?.isCollapsed !== false) event.preventDefault();
    };
    // The buttons beside a mouse's wheel go back and forward, as in a browser.
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
