import { chosen } from "./chosen";
import { de } from "./de/gateway";
import { en } from "./en/gateway";

export const words = chosen({ en, de });
