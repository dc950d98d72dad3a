import { chosen } from "./chosen";
import { de } from "./de/log";
import { en } from "./en/log";

export const words = chosen({ en, de });
