import { chosen } from "./chosen";
import { de } from "./de/adding";
import { en } from "./en/adding";

export const words = chosen({ en, de });
