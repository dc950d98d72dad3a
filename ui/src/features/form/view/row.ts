/** The row of a place, as lists and objects draw it. */
import { type ComponentType, createContext, use } from "react";

import type { Marks, Place } from "../commands";
import type { Draft } from "../model/draft";
import type { FormNode } from "../model/node";
import type { Part } from "./RowParts";

export interface RowProps {
  readonly node: FormNode;
  readonly draft: Draft;
  readonly place: Place;
  readonly marks: Marks;
  readonly label: string;
  readonly required: boolean;
  /** The effect of other fields' values on this field, in words. */
  readonly condition?: string | undefined;
  /** With the values of other fields it has no meaning. */
  readonly idle?: boolean;
  /** An item or an added key: it is removed, not unset. */
  readonly kept?: boolean;
  /** The list or the object that it can be moved in or removed from. */
  readonly part?: Part | undefined;
}

/** The component that draws a row. A row contains lists and objects, so these cannot import it. */
export const RowContext = createContext<ComponentType<RowProps> | null>(null);

export function useRow(): ComponentType<RowProps> {
  const row = use(RowContext);
  if (row === null) throw new Error("useRow needs a RowContext above it");
  return row;
}
