import { chosen } from "./chosen";
import { de } from "./de/updates";
import { en } from "./en/updates";

export const words = chosen({ en, de });
