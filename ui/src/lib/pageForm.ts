/** The form on the page, for the keys and the palette outside it. */
import { focusFirstField, isInForm } from "./regions";
import { storeContext } from "./storeContext";

/** The actions that a form offers to keys and palette. */
export interface ToolFormHandle {
  readonly run: () => void;
  readonly sendAnyway: () => void;
  /** Focuses the first required field without a value, or else the Run button. */
  readonly focusFirst?: () => void;
  /** Changes between the form and the JSON. */
  readonly toggleJson: () => void;
  /** Takes in what the focused control keeps until it is left. */
  readonly commit: () => void;
}

interface FormRef {
  readonly current: ToolFormHandle | null;
}

export class PageForm {
  #form: FormRef | null = null;
  /** Whether the next form focuses its first field. */
  #wantsField = false;

  /** The form on the page; `null` if the page has none. */
  current(): ToolFormHandle | null {
    return this.#form?.current ?? null;
  }

  /** Registers the form of a page. Returns the function that removes it. */
  register(form: FormRef): () => void {
    this.#form = form;
    requestAnimationFrame(() => {
      // If the user has already focused a field of the form, keep the focus there.
      if (isInForm()) this.#wantsField = false;
      this.#focusField();
    });
    return () => {
      if (this.#form === form) this.#form = null;
    };
  }

  /**
   * The next registered form focuses its first field. Call the returned function after the page was opened: if
   * the form is on the page already, it is not registered again.
   */
  focusNext(): () => void {
    this.#wantsField = true;
    const before = this.#form;
    return () => requestAnimationFrame(() => before?.current && before === this.#form && this.#focusField());
  }

  /** The next registered form leaves the focus where it is. */
  keepFocus(): void {
    this.#wantsField = false;
  }

  #focusField(): void {
    if (!this.#wantsField) return;
    this.#wantsField = false;
    const form = this.current();
    if (form?.focusFirst) form.focusFirst();
    else focusFirstField();
  }
}

export const [PageFormContext, usePageForm] = storeContext<PageForm>("usePageForm");
