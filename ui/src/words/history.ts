import { chosen } from "./chosen";
import { de } from "./de/history";
import { en } from "./en/history";

export const words = chosen({ en, de });
