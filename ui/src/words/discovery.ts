import { chosen } from "./chosen";
import { de } from "./de/discovery";
import { en } from "./en/discovery";

export const words = chosen({ en, de });
