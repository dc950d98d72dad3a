import { chosen } from "./chosen";
import { de } from "./de/mcpb";
import { en } from "./en/mcpb";

export const words = chosen({ en, de });
