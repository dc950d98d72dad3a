import { chosen } from "./chosen";
import { de } from "./de/policies";
import { en } from "./en/policies";

export const words = chosen({ en, de });
