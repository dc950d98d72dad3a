import { chosen } from "./chosen";
import { de } from "./de/agentView";
import { en } from "./en/agentView";

export const words = chosen({ en, de });
