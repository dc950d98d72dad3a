import { chosen } from "./chosen";
import { de } from "./de/team";
import { en } from "./en/team";

export const words = chosen({ en, de });
