import { chosen } from "./chosen";
import { writing as de } from "./de/writing";
import { writing as en } from "./en/writing";

export const words = chosen({ en, de });
