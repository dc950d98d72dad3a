import { chosen } from "./chosen";
import { de } from "./de/callFaces";
import { en } from "./en/callFaces";

export const words = chosen({ en, de });
