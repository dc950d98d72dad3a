import { act, renderHook } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";

import type { CheckedArguments } from "../bridge/bindings";
import { draftFromJson } from "./model/json";
import { useCheck } from "./useCheck";

afterEach(() => {
  vi.useRealTimers();
});

const BAD: CheckedArguments["errors"] = [{ pointer: "/a", message: "Wrong.", keyword: "type" }];

/** A form whose calls and checks are answered by hand. */
function mount() {
  const answers: ((problems: CheckedArguments["errors"]) => void)[] = [];
  const asked = () => new Promise<CheckedArguments["errors"]>((resolve) => answers.push(resolve));
  const onRun = vi.fn(asked);
  const check = async () => ({ errors: await asked(), notes: [] });
  const ways = (json: string) => ({ draft: draftFromJson(json), check, onRun, onSendAnyway: onRun });
  const hook = renderHook((props) => useCheck(props), { initialProps: ways('{"a":1}') });
  const answer = (index: number, problems: CheckedArguments["errors"]) => act(async () => {
    answers[index]?.(problems);
    await Promise.resolve();
    await Promise.resolve();
  });
  return { ...hook, answer, answers, onRun, edit: (json: string) => hook.rerender(ways(json)) };
}

it("the refusal of an older call is not shown", async () => {
  const form = mount();
  act(() => form.result.current.run());
  form.edit('{"a":2}');
  act(() => form.result.current.run());
  await form.answer(0, BAD);
  expect(form.result.current.problems).toEqual([]);
  await form.answer(1, BAD);
  expect(form.result.current.problems).toEqual(BAD);
  expect(form.onRun).toHaveBeenLastCalledWith('{"a":2}');
});

it("an answer that comes after further typing is not shown", async () => {
  vi.useFakeTimers();
  const form = mount();
  act(() => form.result.current.run());
  await form.answer(0, BAD);
  form.edit('{"a":2}');
  act(() => {
    vi.advanceTimersByTime(1_000);
  });
  form.edit('{"a":3}');
  act(() => {
    vi.advanceTimersByTime(1_000);
  });
  await form.answer(2, []);
  await form.answer(1, BAD);
  expect(form.result.current.problems).toEqual([]);
});

it("a reset forgets a call that is still out", async () => {
  const form = mount();
  act(() => form.result.current.run());
  act(() => form.result.current.forget());
  await form.answer(0, BAD);
  expect(form.result.current.problems).toEqual([]);
});
