import { chosen } from "./chosen";
import { tour as de } from "./de/tour";
import { tour as en } from "./en/tour";

export const words = chosen({ en, de });
