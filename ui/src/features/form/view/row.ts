/** The props of a form row, and the context through which lists and objects get the component that draws rows. */
import type { ComponentType } from "react";

import type { Marks, Place } from "../commands";
import type { Draft } from "../model/draft";
import type { FormNode } from "../model/node";
import { storeContext } from "../../../lib/storeContext";
import type { Part } from "./RowParts";

export interface RowProps {
  readonly node: FormNode;
  readonly draft: Draft;
  readonly place: Place;
  readonly marks: Marks;
  readonly label: string;
  readonly required: boolean;
  /** A text that explains how other fields' values affect this field, such as why it is required. */
  readonly condition?: string | undefined;
  /** Whether the field does not apply with the current values of other fields. An unset field is then dimmed. */
  readonly idle?: boolean;
  /**
   * Whether the row is a list item or an added key. Clearing its value keeps the row; removing the row deletes the item
   * or the key.
   */
  readonly kept?: boolean;
  /** The list or object that contains the row, if the user can move, rename or remove the row in it. */
  readonly part?: Part | undefined;
}

/** The component that draws a row. Lists and objects can't import it, because that would be a circular import. */
export const [RowContext, useRow] = storeContext<ComponentType<RowProps>>("useRow");
