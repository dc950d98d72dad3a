import { chosen } from "./chosen";
import { de } from "./de/doctor";
import { en } from "./en/doctor";

export const words = chosen({ en, de });
