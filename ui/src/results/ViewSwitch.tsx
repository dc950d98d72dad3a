import type { KeyboardEvent } from "react";

/** The ways in which something can be looked at, as they are called and remembered. */
type View = "Text" | "Markdown" | "Spread out" | "Tree" | "Table" | "Raw" | "As sent" | "By path" | "By line" | "Response" | "Request";

interface Props<V extends View> {
  readonly label: string;
  readonly views: readonly V[];
  readonly view: V;
  readonly onView: (view: V) => void;
}

/** One of a few ways to look at something: a radio group in a row of words. */
export function ViewSwitch<V extends View>({ label, views, view, onView }: Props<V>) {
  if (views.length < 2) return null;
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const index = (views.indexOf(view) + step + views.length) % views.length;
    const next = views[index];
    if (next === undefined) return;
    onView(next);
    const radios = event.currentTarget.querySelectorAll<HTMLElement>("[role=radio]");
    radios[index]?.focus();
  };
  return (
    // The radios hear the keys by way of their group.
    // oxlint-disable-next-line jsx-a11y/interactive-supports-focus
    <span role="radiogroup" aria-label={label} onKeyDown={onKeyDown} className="inline-flex items-center gap-px rounded-sm border border-line">
      {views.map((name) => (
        <button
          key={name}
          type="button"
          role="radio"
          aria-checked={name === view}
          tabIndex={name === view ? 0 : -1}
          onClick={() => onView(name)}
          className="rounded-sm px-1.5 text-sm text-dim hover:text-text aria-checked:bg-selected aria-checked:text-text"
        >
          {name}
        </button>
      ))}
    </span>
  );
}
