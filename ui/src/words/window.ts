
export const words = {
  dock: "Dock",

  close: "Close",
  warnings: "Warnings",
};
