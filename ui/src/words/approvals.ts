import { chosen } from "./chosen";
import { de } from "./de/approvals";
import { en } from "./en/approvals";

export const words = chosen({ en, de });
