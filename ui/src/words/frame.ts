import { chosen } from "./chosen";
import { de } from "./de/frame";
import { en } from "./en/frame";

/** What the first paint says, and the app in its place. It is loaded before anything else: no more than that. */
export const words = chosen({ en, de });
