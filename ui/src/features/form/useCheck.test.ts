import { act, renderHook } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";

import type { CheckedArguments } from "../../ipc/bindings";
import { draftFromJson } from "./model/json";
import { useCheck, useCheckFirst } from "./useCheck";

afterEach(() => {
  vi.useRealTimers();
});

const GOOD: CheckedArguments = { errors: [], notes: [] };
const BAD: CheckedArguments = { errors: [{ pointer: "/a", message: "Wrong.", keyword: "type" }], notes: [] };

function mount() {
  const answers: ((checked: CheckedArguments) => void)[] = [];
  const onRun = vi.fn();
  const check = () => new Promise<CheckedArguments>((resolve) => answers.push(resolve));
  const ways = (json: string) => ({ draft: draftFromJson(json), check, onRun, onSendAnyway: onRun });
  const hook = renderHook((props) => useCheckFirst(props), { initialProps: ways('{"a":1}') });
  const answer = (index: number, checked: CheckedArguments) => act(async () => {
    answers[index]?.(checked);
    await Promise.resolve();
  });
  return { ...hook, answer, answers, onRun, edit: (json: string) => hook.rerender(ways(json)) };
}

it("a run is not lost when the check after typing comes in between", async () => {
  vi.useFakeTimers();
  const form = mount();
  act(() => form.result.current.run());
  await form.answer(0, BAD);
  expect(form.result.current.problems).toHaveLength(1);
  form.edit('{"a":2}');
  act(() => form.result.current.run());
  act(() => {
    vi.advanceTimersByTime(1_000);
  });
  expect(form.answers).toHaveLength(3);
  await form.answer(2, GOOD);
  await form.answer(1, GOOD);
  expect(form.onRun).toHaveBeenCalledExactlyOnceWith('{"a":2}');
  expect(form.result.current.problems).toEqual([]);
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
  await form.answer(2, GOOD);
  await form.answer(1, BAD);
  expect(form.result.current.problems).toEqual([]);
});

it("a reset forgets a check that is still out", async () => {
  const form = mount();
  act(() => form.result.current.run());
  act(() => form.result.current.forget());
  await form.answer(0, GOOD);
  expect(form.onRun).not.toHaveBeenCalled();
  expect(form.result.current.checking).toBe(false);
});

it("a refused call shows its errors until the values change", async () => {
  vi.useFakeTimers();
  const { errors } = BAD;
  const check = vi.fn(() => Promise.resolve(GOOD));
  const onRun = vi.fn();
  const ways = (json: string, refused: CheckedArguments["errors"]) => ({ draft: draftFromJson(json), check, onRun, onSendAnyway: onRun, refused });
  const form = renderHook((props) => useCheck(props), { initialProps: ways('{"a":1}', []) });
  act(() => form.result.current.run());
  expect(onRun).toHaveBeenCalledExactlyOnceWith('{"a":1}');
  expect(check).not.toHaveBeenCalled();
  form.rerender(ways('{"a":1}', errors));
  form.rerender(ways('{"a":2}', []));
  await act(() => vi.advanceTimersByTimeAsync(1_000));
  expect(check).toHaveBeenLastCalledWith('{"a":2}');
  expect(form.result.current.problems).toEqual([]);
});
