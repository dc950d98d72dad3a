/** The adoption that rows and fields belong to: by default that of the servers in other apps. */
import { createContext, use } from "react";

import type { Adoption } from "./adoption";
import { useFoundBook } from "./foundBook";

export interface Adopting {
  readonly adoption: Adoption;
  /** Reads the servers again after some were imported. */
  read(): Promise<void>;
  /** Forgets everything after all selected servers were imported. */
  finish(): void;
}

export const AdoptingContext = createContext<Adopting | null>(null);

export function useAdopting(): Adopting {
  const found = useFoundBook();
  return use(AdoptingContext) ?? found;
}
