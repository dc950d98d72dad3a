/**
 * The page's first script. It draws the roster from the shell's data with a small amount of code, and imports
 * the app once the roster is on the screen.
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
  // The first frame paints the drawn elements. In the second frame they are on the screen.
  requestAnimationFrame(() => requestAnimationFrame(() => bridge.ready(false)));
  // The app is opened after the same two frames. `nextFrame` has a timeout, because hidden windows get no frames.
  nextFrame(() => nextFrame(() => void open()));
}

/** Opens the app with demo members in a browser. Works only in development. */
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
