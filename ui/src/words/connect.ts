import { chosen } from "./chosen";
import { de } from "./de/connect";
import { en } from "./en/connect";

export const words = chosen({ en, de });
