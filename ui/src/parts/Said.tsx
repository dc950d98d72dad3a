import { Fragment, type ReactNode } from "react";

interface Props {
  /** A sentence with places such as `{file}` in it. */
  readonly text: string;
  /** What stands in each place. */
  readonly with: Readonly<Record<string, ReactNode>>;
}

const PLACE = /\{(\w+)\}/;

/** A sentence with elements in it, in the order that its language wants. */
export function Said({ text, with: given }: Props) {
  // Every second part of the split is the name of a place.
  return text.split(PLACE).map((part, at) => <Fragment key={at}>{at % 2 === 0 ? part : given[part]}</Fragment>);
}
