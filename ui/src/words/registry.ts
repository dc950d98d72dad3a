import { chosen } from "./chosen";
import { de } from "./de/registry";
import { en } from "./en/registry";

export const words = chosen({ en, de });
