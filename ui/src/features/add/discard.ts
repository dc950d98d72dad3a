/** The input of the Add member dialog: whether there is any, and how it is discarded. */
import type { House } from "../../app/house";

/** Whether closing the dialog would lose typed text. */
export function hasInput({ adding, found, bundles, registry }: House): boolean {
  const typed = [adding.typed, bundles.typed, registry.typed].some(({ drafts, names }) => drafts.size + names.size > 0);
  return typed || adding.text.trim() !== "" || adding.adoption.hasInput() || found.adoption.hasInput();
}

/** Forgets input, selections and previews. A running import or install continues. */
export function discard({ adding, found, bundles, registry }: House): void {
  adding.forget();
  adding.typed.drop();
  found.adoption.reset();
  registry.forget();
  bundles.close();
}
