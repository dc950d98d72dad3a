import { counted, number } from "../chosen";
import type { en } from "../en/foundCount";

export const de: typeof en = {
  found: (count) => `${number(count)} gefunden`,
  noMemberRuns: (count) =>
    `${counted(count, { one: "Server, den kein Mitglied ausführt, steht", other: "Server, die kein Mitglied ausführt, stehen" })} in Dateien anderer Programme`,
  lookAt: (count) => `${counted(count, { one: "gefundenen Server", other: "gefundene Server" })} ansehen`,
  foundServers: "Gefundene Server",
};
