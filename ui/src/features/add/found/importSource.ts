/**
 * The source of servers that a list and its fields import from. The default source is the store of servers found
 * in other apps.
 */
import { createContext, use } from "react";

import type { ServerSelection } from "./selection";
import { useFoundStore } from "./foundStore";

export interface ImportSource {
  readonly selection: ServerSelection;
  /** Reads the servers again, after some of them were imported. */
  read(): Promise<void>;
  /** Called after all selected servers were imported. Forgets the selection. */
  finish(): void;
}

export const ImportSourceContext = createContext<ImportSource | null>(null);

export function useImportSource(): ImportSource {
  const found = useFoundStore();
  return use(ImportSourceContext) ?? found;
}
