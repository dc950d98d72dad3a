import { chosen } from "./chosen";
import { de } from "./de/replay";
import { en } from "./en/replay";

export const words = chosen({ en, de });
