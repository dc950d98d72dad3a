/** Which adoption the rows, fields and bars of a page belong to: the found servers' own, unless another is around them. */
import { createContext, use } from "react";

import { useHouse } from "../app/house";
import type { Adoption } from "./adoption";

export interface Adopting {
  readonly adoption: Adoption;
  /** Reads the servers again, because some have become members. */
  read(): Promise<void>;
}

export const AdoptingContext = createContext<Adopting | null>(null);

export function useAdopting(): Adopting {
  const { found } = useHouse();
  return use(AdoptingContext) ?? found;
}
