import { chosen } from "./chosen";
import { de } from "./de/review";
import { en } from "./en/review";

export const words = chosen({ en, de });
