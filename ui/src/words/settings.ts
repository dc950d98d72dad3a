import { chosen } from "./chosen";
import { de } from "./de/settings";
import { en } from "./en/settings";

/** In the order in which the page shows them. */
export const SECTIONS = [
  "general",
  "window",
  "notifications",
  "appearance",
  "keys",
  "agents",
  "limits",
  "safety",
  "privacy",
  "updates",
  "file",
] as const;
export type SectionName = (typeof SECTIONS)[number];

export const words = chosen({ en, de });
