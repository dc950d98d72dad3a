/** The ways in which a server is brought in by hand, in the order of their tabs. */
import { lazy, type ComponentType } from "react";

import { words } from "../words/adding";

export type AddingTab = "paste" | "bundle" | "registry" | "write";

interface AddingWay {
  readonly id: AddingTab;
  readonly title: string;
  readonly Component: ComponentType;
}

export const ADDING_WAYS: readonly AddingWay[] = [
  { id: "paste", title: words.ways.paste, Component: lazy(() => import("./PasteTab")) },
  { id: "bundle", title: words.ways.bundle, Component: lazy(() => import("./bundle/BundleTab")) },
  { id: "registry", title: words.ways.registry, Component: lazy(() => import("./registry/RegistryTab")) },
  { id: "write", title: words.ways.write, Component: lazy(() => import("./writing/WritingTab")) },
];
