/** The actions that open the guide, the tour and the About dialog. */
import { BOOK_TITLES } from "./anchors";
import type { Action } from "../../app/actions";
import type { House } from "../../app/house";

export function helpActions(house: House): Action[] {
  const group = "Find";
  const onHelp = house.place.get().kind === "help";
  return [
    {
      id: "help",
      group,
      title: "Help on this page",
      // The same key leads back.
      run: () => (onHelp ? house.leaveHelp() : house.openHelp()),
    },
    { id: "guide", group, title: BOOK_TITLES["user-guide"], run: () => house.openHelp("user-guide#members") },
    { id: "codes", group, title: BOOK_TITLES.errors, run: () => house.openHelp("errors#errors") },
    { id: "first-steps", group, title: "First steps", run: () => house.showFirstSteps() },
    { id: "tour", group, title: "Take the tour", run: () => house.tour.begin() },
    { id: "about", group, title: "About Guild Hall…", run: () => house.layers.open("about") },
  ];
}
