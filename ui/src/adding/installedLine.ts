import type { Installed } from "../app/house";
import { exact } from "../parts/exact";
import { words } from "../words/foundServers";

/** That something was installed, and what is to be known of it besides, as it is read aloud. */
export function installedLine(said: string, { warning, staysCommand }: Installed): string {
  const stays = staysCommand.length > 0 ? `${words.staysCommand} ${staysCommand.map(exact).join("; ")}.` : "";
  return [said, stays, warning ? warning.message : ""].filter(Boolean).join(" ");
}
