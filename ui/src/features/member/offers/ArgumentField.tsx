/** A field for a prompt's argument or a template's variable, with completions from the server. */
import { useEffect, useId, useRef, useState, type KeyboardEvent } from "react";

import type { CompleteArgument, MemberView } from "../../../ipc/bindings";
import { Sign } from "../../../components/Icon";
import { IconButton } from "../../../components/IconButton";
import { Menu, type MenuItem } from "../../../components/Menu";
import { Tooltip } from "../../../components/Tooltip";
import { useHall } from "../../../lib/hall/hall";
import type { OfferSheet } from "./offerStore";

/** Debounce time of the requests for completions. */
const REST_MS = 200;
const SHOWN_MAX = 100;

interface Props {
  readonly name: string;
  readonly title: string | null;
  readonly description: string | null;
  readonly required: boolean;
  /** The field's value; `undefined` if not set. An empty string is a value and is sent. */
  readonly value: string | undefined;
  readonly onValue: (value: string | undefined) => void;
  /** Whether the field takes several values, one per line. */
  readonly several?: boolean;
  /** The validation error; `null` for a valid value. */
  readonly problem: string | null;
  /** Requests completions for the typed text; `null` if none can be requested now. */
  readonly complete: ((typed: string) => Promise<readonly string[]>) | null;
}

const INPUT =
  "w-full min-w-0 rounded-sm border border-control bg-bg px-2 py-1.25 placeholder:text-faint aria-invalid:border-bad";

export function ArgumentField({ name, title, description, required, value, onValue, several = false, problem, complete }: Props) {
  const id = useId();
  const { options, ask, close } = useCompletions(complete);
  const [active, setActive] = useState(-1);
  const open = options.length > 0;
  const describedBy = [description !== null && `${id}-about`, problem !== null && `${id}-wrong`].filter(Boolean).join(" ") || undefined;

  const take = (option: string) => {
    onValue(option);
    setActive(-1);
    close();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "ArrowDown" && !open) ask(value ?? "", 0);
    else if (!open) return;
    else if (event.key === "ArrowDown") setActive(Math.min(options.length - 1, active + 1));
    else if (event.key === "ArrowUp") setActive(Math.max(-1, active - 1));
    else if (event.key === "Escape") {
      event.stopPropagation();
      close();
    } else if (event.key === "Enter" && options[active] !== undefined) {
      event.stopPropagation();
      take(options[active]);
    } else return;
    event.preventDefault();
  };
  const actions: MenuItem[] = [
    ...(value === undefined ? [] : [{ label: "Clear", onSelect: () => onValue(undefined) }]),
    ...(value === "" ? [] : [{ label: "Send empty text", onSelect: () => onValue("") }]),
  ];
  const shared = {
    id,
    "aria-invalid": problem !== null,
    "aria-required": required,
    "aria-describedby": describedBy,
    autoComplete: "off",
    spellCheck: false,
    className: INPUT,
    value: value ?? "",
  };
  return (
    <div className="flex flex-col gap-1 py-2">
      <div className="flex items-center gap-2">
        <Tooltip text={name}>
          <label htmlFor={id} className="min-w-0 truncate font-medium">
            {name}
            {required && <span className="text-bad"> *</span>}
          </label>
        </Tooltip>
        <span className="ms-auto">
          <Menu items={actions}>
            <IconButton icon="more" label={`More actions for ${name}`} title="More actions" className="h-6! w-6!" />
          </Menu>
        </span>
      </div>
      <div className="relative min-w-0">
        {several ? (
          <textarea
            {...shared}
            rows={Math.min(8, (value ?? "").split("\n").length + 1)}
            placeholder="One value per line"
            onChange={(event) => onValue(event.target.value === "" ? undefined : event.target.value)}
          />
        ) : (
          <input
            {...shared}
            role="combobox"
            aria-autocomplete="list"
            aria-expanded={open}
            aria-controls={`${id}-list`}
            aria-activedescendant={active >= 0 && open ? `${id}-${active}` : undefined}
            placeholder={value === "" ? "Empty text" : "Not set"}
            onChange={(event) => {
              const next = event.target.value;
              onValue(next === "" ? undefined : next);
              setActive(-1);
              ask(next, REST_MS);
            }}
            onBlur={close}
            onKeyDown={onKeyDown}
          />
        )}
        <div
          id={`${id}-list`}
          role="listbox"
          aria-label={`Values for ${name}`}
          hidden={!open}
          className="absolute z-20 max-h-56 w-full overflow-auto rounded-md border border-control bg-raised py-1 shadow-(--shadow)"
        >
          {options.slice(0, SHOWN_MAX).map((option, index) => (
            <div
              key={option}
              id={`${id}-${index}`}
              role="option"
              aria-selected={index === active}
              tabIndex={-1}
              className={`truncate px-2 ${index === active ? "bg-selected" : "hover:bg-hover"}`}
              // Keeps the focus in the field, because the field's blur event would close the list before the click.
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => take(option)}
              onKeyDown={onKeyDown}
            >
              <bdi>{option}</bdi>
            </div>
          ))}
        </div>
        {title !== null && title !== name && <p className="text-sm break-words text-dim" dir="auto">{title}</p>}
        {description !== null && (
          <Tooltip text={description}>
            <p id={`${id}-about`} className="line-clamp-4 text-sm break-words whitespace-pre-wrap text-dim" dir="auto">
              {description}
            </p>
          </Tooltip>
        )}
        {problem !== null && <p id={`${id}-wrong`} className="text-sm text-bad"><Sign of="cross" className="me-1" />{problem}</p>}
      </div>
    </div>
  );
}

/** The server's completions. Outdated responses and errors are ignored. */
function useCompletions(complete: Props["complete"]) {
  const [options, setOptions] = useState<readonly string[]>([]);
  const turn = useRef(0);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const latest = useRef(complete);
  useEffect(() => {
    latest.current = complete;
  });
  useEffect(
    () => () => {
      turn.current += 1;
      clearTimeout(timer.current);
    },
    [],
  );
  const close = () => {
    turn.current += 1;
    clearTimeout(timer.current);
    setOptions([]);
  };
  const ask = (typed: string, afterMs: number) => {
    turn.current += 1;
    const mine = turn.current;
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      latest.current?.(typed).then(
        (values) => {
          // Don't offer the value that is already typed.
          if (mine === turn.current) setOptions([...new Set(values)].filter((value) => value !== typed));
        },
        // An error is ignored, because the field works without completions.
        () => undefined,
      );
    }, afterMs);
  };
  return { options, ask, close };
}

/**
 * Creates the function `complete` of each argument; `null` for a stopped member, because typing must not start a
 * member.
 */
export function useArgumentCompletions({ name: member, status }: MemberView, sheet: OfferSheet, of: CompleteArgument["of"]) {
  const hall = useHall();
  return (argument: string) =>
    status === "ready"
      ? async (value: string) => {
          const known = Object.fromEntries([...sheet.fields].filter(([name]) => name !== argument));
          const { values } = await hall.ask("complete_argument", { member, of, argument, value, known });
          return values;
        }
      : null;
}
