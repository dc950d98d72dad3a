import { chosen } from "./chosen";
import { de } from "./de/foundServers";
import { en } from "./en/foundServers";

export const words = chosen({ en, de });
