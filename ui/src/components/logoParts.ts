/** The SVG shapes of the logo, the same as in icons/icon.svg. */
export const LOGO = [
  ["rect", { x: "16", y: "16", width: "480", height: "480", rx: "104", fill: "#2f5d62" }],
  ["path", { d: "M256 96 424 208H88ZM88 220h336v24H88Zm24 36h48v124h-48Zm240 0h48v124h-48ZM80 392h352v32H80Z", fill: "#f4ede0" }],
  ["path", { d: "M200 380v-68a56 56 0 0 1 112 0v68Z", fill: "#e2a94b" }],
] as const;
