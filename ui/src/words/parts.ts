import { chosen } from "./chosen";
import { de } from "./de/parts";
import { en } from "./en/parts";

export const words = chosen({ en, de });
