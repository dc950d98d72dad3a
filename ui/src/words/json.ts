import { chosen } from "./chosen";
import { de } from "./de/json";
import { en } from "./en/json";

export const words = chosen({ en, de });
