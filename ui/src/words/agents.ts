import { chosen } from "./chosen";
import { de } from "./de/agents";
import { en } from "./en/agents";

export const words = chosen({ en, de });
