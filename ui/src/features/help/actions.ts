/** The actions that open the guide, the first steps, the tour and the About dialog. */
import type { Action } from "../../lib/actions";
import type { Layers } from "../../lib/layers";
import type { Navigation } from "../../lib/navigation/navigation";
import { type FirstRun, showFirstSteps } from "../home/firstRun";
import type { Tour } from "../tour/tour";
import { BOOK_TITLES } from "../../lib/navigation/books";

/** The stores that the actions need. */
interface HelpStores {
  readonly firstRun: FirstRun;
  readonly layers: Layers;
  readonly navigation: Navigation;
  readonly tour: Tour;
}

export function helpActions({ firstRun, layers, navigation, tour }: HelpStores): Action[] {
  const group = "Find";
  const onHelp = navigation.place.get().kind === "help";
  return [
    {
      id: "help",
      group,
      title: "Help on this page",
      // On the Help page, the same shortcut returns to the previous page.
      run: () => (onHelp ? navigation.leaveHelp() : navigation.openHelp()),
    },
    { id: "guide", group, title: BOOK_TITLES["user-guide"], run: () => navigation.openHelp("user-guide#members") },
    { id: "codes", group, title: BOOK_TITLES.errors, run: () => navigation.openHelp("errors#errors") },
    { id: "first-steps", group, title: "First steps", run: () => showFirstSteps({ firstRun, navigation }) },
    { id: "tour", group, title: "Take the tour", run: () => tour.begin() },
    { id: "about", group, title: "About Guild Hall…", run: () => layers.open("about") },
  ];
}
