/** One value of a prompt or a template: a text, with what the server would put there as one types. */
import { useEffect, useId, useRef, useState, type KeyboardEvent } from "react";

import { Button } from "../../../components/Button";
import { Sign } from "../../../components/Icon";
import { Tooltip } from "../../../components/Tooltip";

/** How long the typing has to rest before the server is asked. */
const REST_MS = 200;
const SHOWN_MAX = 100;

interface Props {
  readonly name: string;
  readonly title: string | null;
  readonly description: string | null;
  readonly required: boolean;
  /** `undefined` where nothing is given, which is not the same as an empty text. */
  readonly value: string | undefined;
  readonly onValue: (value: string | undefined) => void;
  /** Whether it takes several values, one per line. */
  readonly several?: boolean;
  /** What is wrong with it. */
  readonly problem: string | null;
  /** Returns completions; `null` if the server does not support them. */
  readonly complete: ((typed: string) => Promise<readonly string[]>) | null;
}

const INPUT =
  "w-full min-w-0 rounded-sm border border-control bg-bg px-2 py-0.5 placeholder:text-faint aria-invalid:border-bad";

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
    <div className="grid grid-cols-[minmax(6rem,30%)_minmax(0,1fr)_2.5rem] items-start gap-x-2 py-1">
      <Tooltip text={name}>
        <label htmlFor={id} className="truncate pt-0.75 font-mono text-sm">
          {name}
          {required && <span className="text-bad"> *</span>}
        </label>
      </Tooltip>
      <div className="relative min-w-0">
        {several ? (
          <textarea
            {...shared}
            rows={Math.min(8, (value ?? "").split("\n").length + 1)}
            placeholder="one value per line"
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
            placeholder={value === "" ? "empty text" : ""}
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
              // The field keeps the focus, so that leaving it does not come before the click.
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
      {value === undefined ? (
        <Button look="quiet" aria-label={`Set ${name} to an empty text`} title="Give an empty text, which is not the same as nothing" onClick={() => onValue("")}>
          &quot;&quot;
        </Button>
      ) : (
        <Button look="quiet" aria-label={`Unset ${name}`} title="Give nothing" onClick={() => onValue(undefined)}>
          <Sign of="close" />
        </Button>
      )}
    </div>
  );
}

/** What the server would put there. An answer that comes late, or not at all, changes nothing. */
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
        // Completions help; without them everything can be typed all the same.
        () => undefined,
      );
    }, afterMs);
  };
  return { options, ask, close };
}
