/** The ways in which a server is brought in by hand, in the order of their tabs. */
import { lazy, type ComponentType } from "react";


export type AddingTab = "paste" | "bundle" | "registry" | "write";

interface AddingWay {
  readonly id: AddingTab;
  readonly title: string;
  readonly Component: ComponentType;
}

export const ADDING_WAYS: readonly AddingWay[] = [
  { id: "paste", title: "Paste", Component: lazy(() => import("./PasteTab")) },
  { id: "bundle", title: "Bundle", Component: lazy(() => import("./bundle/BundleTab")) },
  { id: "registry", title: "Registry", Component: lazy(() => import("./registry/RegistryTab")) },
  { id: "write", title: "New server", Component: lazy(() => import("./writing/WritingTab")) },
];
