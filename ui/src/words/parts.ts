export const words = {
  reading: (what: string) => `Reading ${what}…`,
  copy: "Copy",
  copyWhat: (what: string) => `Copy ${what}`,
  copied: "Copied",
  notCopied: "Not copied",
  saidOf: (what: string, said: string) => `${what}: ${said}`,
  beingDone: "It is being done",
  divider: "Drag, or use the arrow keys. A double click or Enter resets.",
};
