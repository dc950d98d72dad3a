import { chosen } from "./chosen";
import { de } from "./de/bugReport";
import { en } from "./en/bugReport";

export const words = chosen({ en, de });
