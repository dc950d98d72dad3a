import { chosen } from "./chosen";
import { de } from "./de/palette";
import { en } from "./en/palette";

export const words = chosen({ en, de });
