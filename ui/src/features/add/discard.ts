/** Functions that check whether the Add member dialog has unsaved input, and that discard it. */
import type { AddingStore } from "./addingStore";
import type { BundleStore } from "./bundle/bundleStore";
import type { FoundStore } from "./found/foundStore";
import type { RegistryStore } from "./registry/registryStore";

/** The stores that hold the input of the dialog's tabs. */
interface InputStores {
  readonly adding: AddingStore;
  readonly bundles: BundleStore;
  readonly found: FoundStore;
  readonly registry: RegistryStore;
}

/** Whether closing the dialog would discard typed text. */
export function hasInput({ adding, bundles, found, registry }: InputStores): boolean {
  const typed = [adding.typed, bundles.typed, registry.typed].some(({ drafts, names }) => drafts.size + names.size > 0);
  return typed || adding.text.trim() !== "" || adding.selection.hasInput() || found.selection.hasInput();
}

/** Discards all input, selections and previews of the dialog. A running import or install continues. */
export function discard({ adding, bundles, found, registry }: InputStores): void {
  adding.forget();
  adding.typed.drop();
  found.selection.reset();
  registry.forget();
  bundles.close();
}
