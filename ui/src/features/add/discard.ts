/** The input of the Add member dialog: whether there is any, and how it is discarded. */
import type { AddingStore } from "./addingStore";
import type { BundleStore } from "./bundle/bundleStore";
import type { FoundStore } from "./found/foundStore";
import type { RegistryStore } from "./registry/registryStore";

/** The stores of the typed input, one for each way to add a member. */
interface InputStores {
  readonly adding: AddingStore;
  readonly bundles: BundleStore;
  readonly found: FoundStore;
  readonly registry: RegistryStore;
}

/** Whether closing the dialog would lose typed text. */
export function hasInput({ adding, bundles, found, registry }: InputStores): boolean {
  const typed = [adding.typed, bundles.typed, registry.typed].some(({ drafts, names }) => drafts.size + names.size > 0);
  return typed || adding.text.trim() !== "" || adding.selection.hasInput() || found.selection.hasInput();
}

/** Forgets input, selections and previews. A running import or install continues. */
export function discard({ adding, bundles, found, registry }: InputStores): void {
  adding.forget();
  adding.typed.drop();
  found.selection.reset();
  registry.forget();
  bundles.close();
}
