import { chosen } from "./chosen";
import { de } from "./de/installing";
import { en } from "./en/installing";

export const words = chosen({ en, de });
