import { chosen } from "./chosen";
import { de } from "./de/results";
import { en } from "./en/results";

export const words = chosen({ en, de });
