import { chosen } from "./chosen";
import { de } from "./de/form";
import { en } from "./en/form";

export const words = chosen({ en, de });
