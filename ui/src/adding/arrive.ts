import type { House, Installed } from "../app/house";
import { installedLine } from "./installedLine";

/**
 * Announces an installed server and opens it. If the user has left the page, it does not open the server, but
 * shows it on the page for adding servers.
 */
export function arrive(house: House, isLeft: boolean, said: string, installed: Installed): void {
  house.spoken.set(installedLine(said, installed));
  if (isLeft) house.adding.meanwhile.set({ said, installed });
  else house.openInstalled(installed);
}
