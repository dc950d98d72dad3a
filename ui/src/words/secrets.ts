import { chosen } from "./chosen";
import { de } from "./de/secrets";
import { en } from "./en/secrets";

export const words = chosen({ en, de });
