import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { descriptionOf } from "../../testing/text";

import { looksLike } from "./model/formats";
import { showForm } from "./testing/harness";
import { secondOpinion } from "./testing/validate";

it("a text that does not look like its format has a note once it is left, and is sent all the same", async () => {
  const user = userEvent.setup();
  const form = showForm({ type: "object", properties: { day: { type: "string", format: "date" }, other: { type: "string" } } });
  const day = screen.getByLabelText("day");
  await user.type(day, "2026-02-30");
  expect(screen.queryByText(/does not look like/)).toBeNull();
  await user.click(screen.getByLabelText("other"));
  expect(descriptionOf(day)).toMatchInlineSnapshot(`"date Doesn't look like the format date, for example 2026-11-20. It is sent as typed."`);
  expect(day).toHaveAttribute("aria-invalid", "false");
  await form.run();
  expect(form.ran).toEqual(['{"day":"2026-02-30"}']);
  await user.clear(day);
  await user.type(day, "2026-02-28");
  await user.click(screen.getByLabelText("other"));
  expect(screen.queryByText(/does not look like/)).toBeNull();
});

const TEXTS = [
  "2026-11-20", "2024-02-29", "2026-02-29", "2026-13-01", "2026-1-1", "tomorrow", "12:34:56Z", "12:34:56.7+02:00", "24:00:00Z", "12:34",
  "2026-11-20T12:34:56Z", "2026-11-20 12:34:56Z", "2026-11-20T12:34:56", "P1DT2H", "P1W", "P", "PT", "1D", "name@example.com", "name@", "@example.com",
  "a b@c.d", "https://example.com/a?b#c", "urn:isbn:123", "mailto:a@b.c", "example.com", "/a/b", "http://a b", "123e4567-e89b-42d3-a456-426614174000",
  "123e4567", "127.0.0.1", "256.0.0.1", "1.2.3", "::1", "2001:db8::8a2e:370:7334", ":::", "12345::", "example.com", "-a.com", "a..b", "a_b",
];

it.each(["date", "time", "date-time", "duration", "email", "uri", "uuid", "ipv4", "ipv6", "hostname"])("%s is what another validator takes for it", (format) => {
  const check = secondOpinion({ type: "string", format });
  const wrong = TEXTS.filter((text) => looksLike(format, text) !== check?.(JSON.stringify(text)));
  expect(wrong).toEqual([]);
});
