import { chosen } from "./chosen";
import { de } from "./de/suspicions";
import { en } from "./en/suspicions";

export const words = chosen({ en, de });
