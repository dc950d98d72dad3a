/** The selection that rows and fields belong to: by default that of the servers in other apps. */
import { createContext, use } from "react";

import type { ServerSelection } from "./selection";
import { useFoundStore } from "./foundStore";

export interface ImportSource {
  readonly selection: ServerSelection;
  /** Reads the servers again after some were imported. */
  read(): Promise<void>;
  /** Forgets everything after all selected servers were imported. */
  finish(): void;
}

export const ImportSourceContext = createContext<ImportSource | null>(null);

export function useImportSource(): ImportSource {
  const found = useFoundStore();
  return use(ImportSourceContext) ?? found;
}
