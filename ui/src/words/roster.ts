import { chosen } from "./chosen";
import { de } from "./de/roster";
import { en } from "./en/roster";

export const words = chosen({ en, de });
