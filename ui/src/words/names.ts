import { chosen } from "./chosen";
import { de } from "./de/names";
import { en } from "./en/names";

export const words = chosen({ en, de });
