import { chosen } from "./chosen";
import { de } from "./de/signIn";
import { en } from "./en/signIn";

export const words = chosen({ en, de });
