import { chosen } from "./chosen";
import { de } from "./de/savedCalls";
import { en } from "./en/savedCalls";

export const words = chosen({ en, de });
