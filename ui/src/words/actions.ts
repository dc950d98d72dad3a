import { chosen } from "./chosen";
import { de } from "./de/actions";
import { en } from "./en/actions";

export const words = chosen({ en, de });
