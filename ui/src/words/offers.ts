import { chosen } from "./chosen";
import { de } from "./de/offers";
import { en } from "./en/offers";

export const words = chosen({ en, de });
