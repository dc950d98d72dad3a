/** Test helpers that use the menus, lists and segmented controls of a form. */

import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";

type Name = string | RegExp;

async function fromButton(button: Name, item: Name): Promise<void> {
  await userEvent.click(screen.getByRole("button", { name: button }));
  await userEvent.click(await screen.findByRole("menuitem", { name: item }));
}

/** Selects an item of a field's menu. */
export const fromMenu = (field: string, item: Name): Promise<void> => fromButton(`Actions for ${field}`, item);

/** Selects an item of the form's menu. */
export const fromFormMenu = (item: Name): Promise<void> => fromButton("More actions for the form", item);

/** Selects a value of a list or a segmented control. */
export async function select(control: string, value: Name): Promise<void> {
  const [segments] = screen.queryAllByRole("radiogroup", { name: control });
  if (segments) {
    await userEvent.click(within(segments).getByRole("radio", { name: value }));
    return;
  }
  await userEvent.click(screen.getByRole("combobox", { name: control }));
  await userEvent.click(await screen.findByRole("option", { name: value }));
}

/** The texts of all values of a list or a segmented control. */
export async function valuesOf(control: string): Promise<readonly (string | null)[]> {
  const texts = (all: readonly HTMLElement[]) => all.map((one) => one.textContent);
  const [segments] = screen.queryAllByRole("radiogroup", { name: control });
  if (segments) return texts(within(segments).getAllByRole("radio"));
  await userEvent.click(screen.getByRole("combobox", { name: control }));
  const found = texts(await screen.findAllByRole("option"));
  await userEvent.keyboard("{Escape}");
  return found;
}
