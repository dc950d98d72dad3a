import { chosen } from "./chosen";
import { de } from "./de/tool";
import { en } from "./en/tool";

export const words = chosen({ en, de });
