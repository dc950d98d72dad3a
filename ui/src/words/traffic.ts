import { chosen } from "./chosen";
import { de } from "./de/traffic";
import { en } from "./en/traffic";

export const words = chosen({ en, de });
