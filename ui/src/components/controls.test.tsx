import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { expect, it, vi } from "vitest";

import { choose } from "../testing/choose";
import { Button } from "./Button";
import { Menu } from "./Menu";
import { Segmented } from "./Segmented";
import { Select } from "./Select";

const COLOURS = [
  { value: "", label: "Any colour" },
  { value: "red", label: "Red" },
  { value: "blue", label: "Blue", hint: "Like the sea" },
] as const;

function Colour({ as: Control }: { as: typeof Select | typeof Segmented }) {
  const [value, setValue] = useState<"" | "red" | "blue">("");
  return <Control aria-label="Colour" value={value} options={COLOURS} onValue={setValue} />;
}

it("Select takes an option, and the empty value again", async () => {
  const user = userEvent.setup();
  render(<Colour as={Select} />);
  const select = screen.getByRole("combobox", { name: "Colour" });
  await choose(user, select, /^Blue/);
  expect(select).toHaveTextContent("Blue");
  await choose(user, select, "Any colour");
  expect(select).toHaveTextContent("Any colour");
});

it("Select opens and takes an option by keys alone", async () => {
  const user = userEvent.setup();
  render(<Colour as={Select} />);
  await user.tab();
  await user.keyboard("{Enter}{ArrowDown}{Enter}");
  expect(screen.getByRole("combobox")).toHaveTextContent("Red");
});

it("Segmented is a radio group that keeps a value", async () => {
  const user = userEvent.setup();
  render(<Colour as={Segmented} />);
  await user.click(screen.getByRole("radio", { name: "Red" }));
  await user.click(screen.getByRole("radio", { name: "Red" }));
  expect(screen.getByRole("radio", { name: "Red" })).toBeChecked();
  expect(screen.getByRole("radio", { name: "Blue" })).not.toBeChecked();
});

it("Menu runs an action, and shows why another can't", async () => {
  const user = userEvent.setup();
  const open = vi.fn();
  const remove = vi.fn();
  render(
    <Menu items={[{ label: "Open", onSelect: open }, "line", { label: "Remove…", danger: true, unavailable: "It is running", onSelect: remove }]}>
      <button type="button">More</button>
    </Menu>,
  );
  await user.click(screen.getByRole("button", { name: "More" }));
  expect(screen.getByRole("menuitem", { name: /Remove/ })).toHaveTextContent("It is running");
  await user.click(screen.getByRole("menuitem", { name: /Remove/ }));
  await user.click(screen.getByRole("menuitem", { name: "Open" }));
  expect(open).toHaveBeenCalledOnce();
  expect(remove).not.toHaveBeenCalled();
});

it("Button shows its tooltip on keyboard focus", async () => {
  const user = userEvent.setup();
  render(<Button unavailable="Needs a name">Save</Button>);
  await user.tab();
  expect(await screen.findByRole("tooltip", { hidden: true })).toHaveTextContent("Needs a name");
  expect(screen.getByRole("button")).toHaveAccessibleDescription("Needs a name");
});
