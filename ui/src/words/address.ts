import { chosen } from "./chosen";
import { de } from "./de/address";
import { en } from "./en/address";

export const words = chosen({ en, de });
