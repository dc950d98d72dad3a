import type { House, Installed } from "../app/house";
import { installedLine } from "./installedLine";

/**
 * Says that something was installed, and leads to it. Of whoever has left for something else by then it
 * takes nothing away: it waits for them on the page for adding.
 */
export function arrive(house: House, isLeft: boolean, said: string, installed: Installed): void {
  house.spoken.set(installedLine(said, installed));
  if (isLeft) house.adding.meanwhile.set({ said, installed });
  else house.openInstalled(installed);
}
