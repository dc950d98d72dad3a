import { chosen } from "./chosen";
import { de } from "./de/questions";
import { en } from "./en/questions";

export const words = chosen({ en, de });
