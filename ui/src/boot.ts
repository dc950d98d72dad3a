/**
 * The page's first script. It draws the roster that the shell handed over, with nothing of the
 * large script in it, and fetches that script once the roster is on the screen.
 */
import "./theme.css";

import { keptZoom, NORMAL_ZOOM } from "./lib/kept";
import { NO_EARLY_INPUT, recordEarlyInput } from "./boot/earlyInput";
import { drawFirstPaint } from "./boot/firstPaint";
import type { MemberName } from "./ipc/bindings";
import { insideShell, tauriBridge } from "./ipc/tauri";
import { nextFrame } from "./lib/store";

function openInShell(root: HTMLElement): void {
  const bridge = tauriBridge();
  const zoom = bridge.opening?.settings.settings.appearance.zoom ?? keptZoom();
  if (zoom !== NORMAL_ZOOM) bridge.zoom(zoom / NORMAL_ZOOM);
  let pressed: MemberName | null = null;
  let early = () => NO_EARLY_INPUT;
  const open = async () => {
    const { openApp } = await import("./main");
    openApp(root, bridge, pressed, early());
  };
  if (!bridge.opening) {
    void open();
    return;
  }
  const press = (member: MemberName) => {
    pressed = member;
  };
  root.replaceChildren(...drawFirstPaint(bridge.opening, bridge.opening.settings.settings.keys, press));
  early = recordEarlyInput(root);
  // The first frame paints what was just drawn; at the second it is on the screen.
  requestAnimationFrame(() => requestAnimationFrame(() => bridge.ready(false)));
  // The same two frames, which a hidden window does not get and must not wait for.
  nextFrame(() => nextFrame(() => void open()));
}

/** In a browser during development there are scripted members. */
async function openInBrowser(root: HTMLElement): Promise<void> {
  if (import.meta.env.MODE === "production") {
    root.textContent = "This page is the window of Guild Hall and works only inside its program.";
    return;
  }
  const { demoBridge } = await import("./ipc/mock/demo");
  const { openApp } = await import("./main");
  openApp(root, demoBridge(), null);
}

const root = document.getElementById("root");
if (root) {
  if (insideShell()) openInShell(root);
  else void openInBrowser(root);
}
