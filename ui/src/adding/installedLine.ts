import type { Installed } from "../app/house";
import { exact } from "../parts/exact";

/** The screen reader announcement of an installed server, including its warnings. */
export function installedLine(said: string, { warning, staysCommand }: Installed): string {
  const stays = staysCommand.length > 0 ? `It stays a command. Its container may go on when the command is ended: ${staysCommand.map(exact).join("; ")}.` : "";
  return [said, stays, warning ? warning.message : ""].filter(Boolean).join(" ");
}
