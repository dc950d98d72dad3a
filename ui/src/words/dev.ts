import { chosen } from "./chosen";
import { de } from "./de/dev";
import { en } from "./en/dev";

export const words = chosen({ en, de });
