import { chosen } from "./chosen";
import { help as de } from "./de/help";
import { help as en } from "./en/help";

export const words = chosen({ en, de });
