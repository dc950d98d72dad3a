import { chosen } from "./chosen";
import { de } from "./de/callFilter";
import { en } from "./en/callFilter";

export const words = chosen({ en, de });
