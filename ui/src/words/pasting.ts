import { chosen } from "./chosen";
import { de } from "./de/pasting";
import { en } from "./en/pasting";

export const words = chosen({ en, de });
