import { chosen } from "./chosen";
import { welcome as de } from "./de/welcome";
import { welcome as en } from "./en/welcome";

export const words = chosen({ en, de });
