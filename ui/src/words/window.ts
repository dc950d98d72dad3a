import { chosen } from "./chosen";
import { de } from "./de/window";
import { en } from "./en/window";

export const words = chosen({ en, de });
