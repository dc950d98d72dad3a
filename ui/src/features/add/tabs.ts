/** The tabs of the Add member dialog, in the order in which they are shown. */
import { lazy, type ComponentType } from "react";

import type { SignName } from "../../components/signs";
import type { AddingTab } from "../../lib/navigation/places";

interface AddingWay {
  readonly id: AddingTab;
  readonly title: string;
  readonly about: string;
  readonly icon: SignName;
  readonly Component: ComponentType;
}

export const ADDING_WAYS: readonly AddingWay[] = [
  { id: "paste", title: "Paste", about: "Config, command or URL", icon: "paste", Component: lazy(() => import("./PasteTab")) },
  { id: "found", title: "From other apps", about: "Servers on this computer", icon: "import", Component: lazy(() => import("./found/FoundTab")) },
  { id: "registry", title: "Registry", about: "Search and install", icon: "library", Component: lazy(() => import("./registry/RegistryTab")) },
  { id: "bundle", title: ".mcpb bundle", about: "A packaged server file", icon: "package", Component: lazy(() => import("./bundle/BundleTab")) },
  { id: "write", title: "New server", about: "Write your own", icon: "filePlus", Component: lazy(() => import("./writing/WritingTab")) },
];
