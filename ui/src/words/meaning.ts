import { chosen } from "./chosen";
import { de } from "./de/meaning";
import { en } from "./en/meaning";

export const words = chosen({ en, de });
