// The frame after the first one begins when the first has been painted.
requestAnimationFrame(() =>
  requestAnimationFrame(() => window.__TAURI_INTERNALS__.invoke("painted")),
);
