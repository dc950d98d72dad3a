import { screen } from "@testing-library/react";
import type { UserEvent } from "@testing-library/user-event";

/** Opens a select and clicks the option with the name `option`. */
export async function choose(user: UserEvent, select: HTMLElement, option: string | RegExp): Promise<void> {
  await user.click(select);
  await user.click(await screen.findByRole("option", { name: option }));
}
