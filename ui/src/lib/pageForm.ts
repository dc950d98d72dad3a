/** Gives the shortcuts and the palette access to the form on the current page. */
import { focusFirstField, isInForm } from "./regions";
import { storeContext } from "./storeContext";

/** The functions of a form that shortcuts and the palette call. */
export interface ToolFormHandle {
  readonly run: () => void;
  readonly sendAnyway: () => void;
  /**
   * Focuses the first required field without a value. If there is no such field, focuses the first field if `isEdit` is
   * true, otherwise Run.
   */
  readonly focusFirst?: (isEdit: boolean) => void;
  /** Switches between the form and its JSON text. */
  readonly toggleJson: () => void;
  /** Writes the text of the focused control to the draft, which otherwise happens when the control loses the focus. */
  readonly commit: () => void;
}

interface FormRef {
  readonly current: ToolFormHandle | null;
}

export class PageForm {
  #form: FormRef | null = null;
  /** Whether the next registered form focuses a field: to `run` the form, or to `edit` its values first. */
  #wantsField: "run" | "edit" | null = null;

  /** The form on the page; `null` if the page has none. */
  current(): ToolFormHandle | null {
    return this.#form?.current ?? null;
  }

  /** Registers the form of a page. Returns the function that removes it. */
  register(form: FormRef): () => void {
    this.#form = form;
    requestAnimationFrame(() => {
      // If the user has already focused a field of the form, it keeps the focus.
      if (isInForm()) this.#wantsField = null;
      this.#focusField();
    });
    return () => {
      if (this.#form === form) this.#form = null;
    };
  }

  /**
   * Makes the next registered form focus a field. The caller opens the page and then calls the returned
   * function, which handles a form that was already on the page and is therefore not registered again.
   */
  focusNext(wanted: "run" | "edit"): () => void {
    this.#wantsField = wanted;
    const before = this.#form;
    return () => requestAnimationFrame(() => before?.current && before === this.#form && this.#focusField());
  }

  /** Revokes `focusNext`: the next registered form does not move the focus. */
  keepFocus(): void {
    this.#wantsField = null;
  }

  #focusField(): void {
    const wanted = this.#wantsField;
    if (wanted === null) return;
    this.#wantsField = null;
    const form = this.current();
    if (form?.focusFirst) form.focusFirst(wanted === "edit");
    else focusFirstField();
  }
}

export const [PageFormContext, usePageForm] = storeContext<PageForm>("usePageForm");
