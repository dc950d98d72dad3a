import { chosen } from "./chosen";
import { de } from "./de/member";
import { en } from "./en/member";

export const words = chosen({ en, de });
