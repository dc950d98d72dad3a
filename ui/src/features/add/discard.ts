/** The input of the Add member dialog: whether there is any, and how it is discarded. */
import type { AddingBook } from "./addingBook";
import type { BundleBook } from "./bundle/bundleBook";
import type { FoundBook } from "./found/foundBook";
import type { RegistryBook } from "./registry/registryBook";

/** The stores of the typed input, one for each way to add a member. */
interface InputStores {
  readonly adding: AddingBook;
  readonly bundles: BundleBook;
  readonly found: FoundBook;
  readonly registry: RegistryBook;
}

/** Whether closing the dialog would lose typed text. */
export function hasInput({ adding, bundles, found, registry }: InputStores): boolean {
  const typed = [adding.typed, bundles.typed, registry.typed].some(({ drafts, names }) => drafts.size + names.size > 0);
  return typed || adding.text.trim() !== "" || adding.adoption.hasInput() || found.adoption.hasInput();
}

/** Forgets input, selections and previews. A running import or install continues. */
export function discard({ adding, bundles, found, registry }: InputStores): void {
  adding.forget();
  adding.typed.drop();
  found.adoption.reset();
  registry.forget();
  bundles.close();
}
