import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterAll, beforeAll, expect, it, vi } from "vitest";

// Test files in one worker share their modules, so the form's modules are loaded again with the mock.
beforeAll(() => {
  vi.resetModules();
  vi.doMock("./view/NodeBody", () => ({
    NodeBody: () => {
      throw new Error("A mistake of the program.");
    },
  }));
});

afterAll(() => {
  vi.doUnmock("./view/NodeBody");
  vi.resetModules();
});

it("a form that can't be drawn is edited as JSON, and the call goes through", async () => {
  vi.spyOn(console, "error").mockImplementation(() => undefined);
  const { showForm } = await import("./testing/harness");
  const user = userEvent.setup();
  const form = showForm({ type: "object", properties: { a: { type: "string" } } }, { json: '{"a":"x"}' });
  expect(screen.getByText(/could not be drawn/)).toBeVisible();
  expect(await screen.findByLabelText("Arguments as JSON")).toHaveTextContent("x");
  await user.click(screen.getByRole("button", { name: /^Run/ }));
  await waitFor(() => expect(form.ran).toEqual(['{"a":"x"}']));
});
