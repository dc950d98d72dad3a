import "./theme.css";

import { StrictMode } from "react";
import { createRoot } from "react-dom/client";

import { App } from "./app/App";
import { House } from "./app/house";
import type { Bridge } from "./bridge/bridge";
import { insideShell, tauriBridge } from "./bridge/tauri";

/** The shell's bridge; in a browser during development, one with scripted members. */
async function chooseBridge(): Promise<Bridge | null> {
  if (insideShell()) return tauriBridge();
  if (import.meta.env.MODE === "production") return null;
  const { demoBridge } = await import("./bridge/demo");
  return demoBridge();
}

function show(root: HTMLElement, bridge: Bridge | null): void {
  if (!bridge) {
    root.textContent = "This page is the window of Guild Hall and works only inside its program.";
    return;
  }
  const house = new House(bridge);
  house.hall.open();
  createRoot(root).render(
    <StrictMode>
      <App house={house} />
    </StrictMode>,
  );
}

const root = document.getElementById("root");
if (root) {
  // Inside the shell nothing is waited for: the first paint is in the first turn.
  if (insideShell()) show(root, tauriBridge());
  else void chooseBridge().then((bridge) => show(root, bridge));
}
