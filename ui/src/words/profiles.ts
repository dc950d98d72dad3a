import { chosen } from "./chosen";
import { de } from "./de/profiles";
import { en } from "./en/profiles";

export const words = chosen({ en, de });
