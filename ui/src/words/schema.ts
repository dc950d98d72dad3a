import { chosen } from "./chosen";
import { de } from "./de/schema";
import { en } from "./en/schema";

export const words = chosen({ en, de });
