import { chosen } from "./chosen";
import { de } from "./de/views";
import { en } from "./en/views";

export type View = keyof typeof en;

export const words: Readonly<Record<View, string>> = chosen({ en, de });
