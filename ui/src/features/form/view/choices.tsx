/** Controls for `enum` values: one value from several, or a list of several values. */

import { type KeyboardEvent, useId, useLayoutEffect, useState } from "react";

import { Segmented } from "../../../components/Segmented";
import { Select } from "../../../components/Select";
import { number } from "../../../lib/format";
import { put, useFormCommands } from "../commands";
import { ABSENT, ADDED, type Draft, list, sameValue, text } from "../model/draft";
import type { ChoiceNode, Option } from "../model/node";
import { indexOf } from "../model/places";
import { fallbackOf } from "../model/start";
import { jsonLabel, looks, valueLabel } from "../model/labels";
import { ASIDE } from "./aside";
import { BUTTON, type ControlProps, FieldBox, LINE, spoken, unsetWords } from "./controls";
import { Tooltip } from "../../../components/Tooltip";

const onceMore = (option: string) => `Add ${option} once more`;

/** A search field replaces the menu if there are more options than this. */
const MENU_MAX = 20;
/** Maximum options shown at once in a search result or as checkboxes. */
const SHOWN_MAX = 50;

/** Maximum options of a segmented control, and maximum total characters of their labels. */
const SEGMENTS_MAX = 5;
const SEGMENT_CHARACTERS_MAX = 32;

export function ChoiceControl(props: ControlProps<ChoiceNode>) {
  return props.node.options.length > MENU_MAX ? <ChoiceSearch {...props} /> : <ChoiceList {...props} />;
}

function unsetLabel(node: ChoiceNode): string {
  return unsetWords(node, (value) => node.options[indexOf(node.options, value)]?.label ?? valueLabel(value, 60));
}

function isShort(options: readonly Option[]): boolean {
  const characters = options.reduce((sum, { label }) => sum + label.length, 0);
  return options.length <= SEGMENTS_MAX && characters <= SEGMENT_CHARACTERS_MAX && options.every(({ description }) => description === undefined);
}

function ChoiceList(props: ControlProps<ChoiceNode>) {
  const { node, draft, place, required, kept } = props;
  const form = useFormCommands();
  const chosen = indexOf(node.options, draft);
  const other = draft.kind === "string" && chosen < 0;
  const segmented = isShort(node.options) && !other;
  const fallback = draft.kind === "absent" ? fallbackOf(node) : undefined;
  const unset = segmented ? "Not set" : unsetLabel(node);
  // An option that looks like the entry for "not set" is shown as JSON.
  const labelOf = (option: Option) => (looks(option.label) === looks(unset) ? jsonLabel(option.value) : option.label);
  const shared = {
    ...spoken(props, form.idOf(place.pointer)),
    value: other ? "other" : chosen < 0 ? "" : String(chosen),
    onValue: (value: string) => {
      const option = node.options[Number(value)];
      if (value === "") put(form, place, kept ? ADDED : ABSENT);
      else if (option !== undefined) put(form, place, option.value);
    },
  };
  if (segmented) {
    const isDefault = (option: Option) => fallback !== undefined && sameValue(option.value, fallback);
    const options = node.options.map((option, index) => ({ value: String(index), label: `${labelOf(option)}${isDefault(option) ? " (default)" : ""}` }));
    return <Segmented {...shared} options={required || kept ? options : [{ value: "", label: unset }, ...options]} />;
  }
  const faint = <span className="text-faint">{unset}</span>;
  return (
    <Select
      {...shared}
      className="h-8! w-full"
      placeholder={faint}
      options={[
        ...(required || kept ? [] : [{ value: "", label: faint }]),
        ...(other ? [{ value: "other", label: `${draft.value} (not in the list)` }] : []),
        ...node.options.map((option, index) => ({ value: String(index), label: labelOf(option), hint: option.description })),
      ]}
    />
  );
}

/** The indices of options whose labels contain the search text. Labels that start with it come first. */
function matching(options: readonly Option[], words: string): readonly number[] {
  const wanted = words.trim().toLowerCase();
  const starts: number[] = [];
  const contains: number[] = [];
  for (const [index, option] of options.entries()) {
    const place = option.label.toLowerCase().indexOf(wanted);
    if (place === 0) starts.push(index);
    else if (place > 0) contains.push(index);
  }
  return [...starts, ...contains];
}

/** A combobox that searches the options. Typed text that matches no option is kept as a string. */
function ChoiceSearch(props: ControlProps<ChoiceNode>) {
  const { node, draft, place, kept } = props;
  const form = useFormCommands();
  const listId = useId();
  const chosen = indexOf(node.options, draft);
  const held = node.options[chosen]?.label ?? (draft.kind === "string" ? draft.value : "");
  const [typed, setTyped] = useState<string | null>(null);
  /** The position in the list of the option that Enter picks; -1 if no option is active. */
  const [active, setActive] = useState(-1);
  const matches = typed === null ? [] : matching(node.options, typed === held ? "" : typed);
  const shown = matches.slice(0, SHOWN_MAX);

  // The list scrolls, so the active option has to be scrolled into view.
  useLayoutEffect(() => {
    if (typed !== null) document.getElementById(`${listId}-${active}`)?.scrollIntoView({ block: "nearest" });
  }, [active, typed, listId]);

  // Until the user types, the list shows all options, and the current one is active.
  const open = () => {
    setTyped(held);
    setActive(chosen);
  };
  const pick = (index: number) => {
    const option = node.options[index];
    if (option !== undefined) put(form, place, option.value);
    setTyped(null);
  };
  const leave = () => {
    if (typed === null) return;
    const exact = node.options.findIndex((option) => option.label === typed);
    if (typed === "") put(form, place, kept ? ADDED : ABSENT);
    else if (exact >= 0) pick(exact);
    else if (typed !== held) put(form, place, text(typed));
    setTyped(null);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing || event.ctrlKey || event.metaKey) return;
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      if (typed === null) open();
      else setActive(Math.max(0, Math.min(shown.length - 1, active + (event.key === "ArrowDown" ? 1 : -1))));
    } else if (event.key === "Enter" && typed !== null) {
      const index = shown[active];
      // If the user has not searched or moved to another option, Enter bubbles to the form, which runs the tool.
      if (active < 0 || (typed === held && index === chosen)) {
        leave();
        return;
      }
      event.preventDefault();
      if (index === undefined) leave();
      else pick(index);
    } else if (event.key === "Escape" && typed !== null) {
      event.preventDefault();
      event.stopPropagation();
      setTyped(null);
    }
  };
  return (
    <FieldBox props={props}>
      <input
        {...spoken(props, form.idOf(place.pointer))}
        role="combobox"
        aria-autocomplete="list"
        aria-expanded={typed !== null}
        aria-controls={listId}
        aria-activedescendant={typed !== null && shown[active] !== undefined ? `${listId}-${active}` : undefined}
        autoComplete="off"
        spellCheck={false}
        className={`${LINE} pe-9`}
        value={typed ?? held}
        placeholder={`${unsetLabel(node)} · search ${number(node.options.length)} options`}
        onClick={() => {
          if (typed === null) open();
        }}
        onChange={(event) => {
          const words = event.target.value;
          setTyped(words);
          setActive(words === held ? chosen : words === "" ? -1 : 0);
        }}
        onBlur={leave}
        onKeyDown={onKeyDown}
      />
      <div
        id={listId}
        role="listbox"
        aria-label="Options"
        hidden={typed === null}
        className="absolute z-20 max-h-64 w-full overflow-auto rounded-md border border-control bg-raised py-1 shadow-(--shadow)"
      >
        {shown.map((index, position) => (
          <div
            key={index}
            id={`${listId}-${position}`}
            role="option"
            aria-selected={index === chosen}
            tabIndex={-1}
            className={`px-2 ${position === active ? "bg-selected" : "hover:bg-hover"}`}
            // Keeps the focus in the field, because the field's blur event would close the list before the click.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => pick(index)}
            onKeyDown={onKeyDown}
          >
            {node.options[index]?.label}
          </div>
        ))}
        {typed !== null && matches.length !== shown.length && (
          <div role="presentation" className="px-2 text-faint">
            {number(matches.length - shown.length)} more, type to narrow them down
          </div>
        )}
        {typed !== null && matches.length === 0 && (
          <div role="presentation" className="px-2 text-faint">
            No matching options
          </div>
        )}
      </div>
    </FieldBox>
  );
}

/** Checkboxes for a list of options. Items are sent in the order in which they were checked. */
export function Ticks({
  options,
  draft,
  label,
  repeats,
  onItems,
}: {
  options: readonly Option[];
  draft: Draft;
  label: string;
  /** Whether the list may contain an option more than once. Buttons then add or remove one occurrence. */
  repeats: boolean;
  onItems: (next: Draft) => void;
}) {
  const [words, setWords] = useState("");
  const items = draft.kind === "array" ? draft.items : [];
  const many = options.length > SHOWN_MAX;
  const ticked = items.map((item) => indexOf(options, item));
  const found = words === "" ? options.map((_, index) => index) : matching(options, words);
  const shown = many ? [...new Set([...ticked, ...found])].slice(0, SHOWN_MAX) : found;
  return (
    <>
      {many && (
        <input
          type="search"
          aria-label={`Filter the options of ${label}`}
          placeholder={`filter ${number(options.length)} options`}
          className={LINE}
          value={words}
          onChange={(event) => setWords(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === "Enter" && !event.ctrlKey && !event.metaKey) event.preventDefault();
          }}
        />
      )}
      <div className="flex flex-wrap gap-x-4 gap-y-0.5">
        {shown.map((index) => {
          const option = options[index];
          if (option === undefined) return null;
          const times = ticked.filter((one) => one === index).length;
          return (
            // The element structure is the same with and without the buttons, so that the checkbox keeps the focus.
            <span key={index} className="flex items-center gap-1">
              <label className="flex items-center gap-1">
                <input
                  type="checkbox"
                  checked={times > 0}
                  onChange={(event) => {
                    const others = items.filter((item) => !sameValue(item, option.value));
                    onItems(list(event.target.checked ? [...others, option.value] : others));
                  }}
                />
                {option.label}
                {times > 1 && <span className="text-dim"> ×{times}</span>}
              </label>
              {repeats && times > 1 && (
                <button
                  type="button"
                  {...ASIDE}
                  className={BUTTON}
                  aria-label={`Take ${option.label} out once`}
                  onClick={() => onItems(list(items.filter((_, at) => at !== ticked.lastIndexOf(index))))}
                >
                  −
                </button>
              )}
              {repeats && times > 0 && (
                <Tooltip text={onceMore(option.label)}>
                  <button
                    type="button"
                    {...ASIDE}
                    className={BUTTON}
                    aria-label={onceMore(option.label)}
                    onClick={() => onItems(list([...items, option.value]))}
                  >
                    +
                  </button>
                </Tooltip>
              )}
            </span>
          );
        })}
      </div>
    </>
  );
}
