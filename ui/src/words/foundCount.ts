import { chosen } from "./chosen";
import { de } from "./de/foundCount";
import { en } from "./en/foundCount";

export const words = chosen({ en, de });
