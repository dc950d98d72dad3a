import { chosen } from "./chosen";
import { about as de } from "./de/about";
import { about as en } from "./en/about";

export const words = chosen({ en, de });
