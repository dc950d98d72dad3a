/** A profile's override of one tool: its name, description and permission. */
import { useEffect, useId, useRef } from "react";

import type { MemberName, ToolChange, ToolName } from "../../../ipc/bindings";
import { useHall } from "../../../lib/hall/hall";
import { useStore } from "../../../lib/store";
import { IconButton } from "../../../components/IconButton";
import { Select } from "../../../components/Select";
import { POLICY_FACES } from "../faces";
import { NAME_MAX, STRICTER } from "./edited";

const DESCRIPTION_MAX = 4_000;

interface Props {
  readonly member: MemberName;
  readonly tool: ToolName;
  /** Whether the names of the member's tools have no prefix. */
  readonly bare: boolean;
  readonly chosen: boolean;
  readonly change: ToolChange;
  readonly onChosen: () => void;
  readonly onChange: (change: Partial<ToolChange>) => void;
  readonly onClose: () => void;
}

export function ToolChangeForm({ member, tool, bare, chosen, change, onChosen, onChange, onClose }: Props) {
  const hall = useHall();
  const id = useId();
  const own = useStore(hall.lists, (lists) => lists.get(member)?.tools?.tools.find(({ name }) => name === tool)?.summary ?? "");
  const first = useRef<HTMLInputElement>(null);
  const from = useRef<Element | null>(null);
  // The form takes the focus when it opens. When it closes, the focus returns to the element that had it before.
  useEffect(() => {
    from.current = document.activeElement;
    first.current?.focus();
  }, []);
  const close = () => {
    const back = from.current;
    onClose();
    if (back instanceof HTMLElement && back.isConnected) back.focus();
  };
  const prefix = bare ? "" : `${member}__`;
  const policies = change.policy !== null && !STRICTER.includes(change.policy) ? [change.policy, ...STRICTER] : STRICTER;
  return (
    <div
      role="group"
      aria-label={`Override of ${tool}`}
      className="flex flex-col gap-2 rounded-sm border border-line bg-sidebar px-3 py-2"
    >
      <div className="flex flex-wrap items-center gap-x-3">
        <h3 className="min-w-0 flex-1 font-medium break-words">{tool}</h3>
        <label className="inline-flex items-center gap-1">
          <input type="checkbox" checked={chosen} onChange={onChosen} />
          In the profile
        </label>
        <IconButton icon="close" label={`Close ${tool}`} onClick={close} />
      </div>
      <div className="grid grid-cols-[max-content_minmax(0,1fr)] items-baseline gap-x-3 gap-y-2 max-narrow:grid-cols-1">
        <label htmlFor={`${id}-name`}>Name</label>
        <span className="flex min-w-0 flex-wrap items-center gap-1">
          {prefix !== "" && <code className="font-mono text-sm break-all text-dim">{prefix}</code>}
          <input
            ref={first}
            id={`${id}-name`}
            autoComplete="off"
            spellCheck={false}
            maxLength={NAME_MAX}
            placeholder={tool}
            value={change.name ?? ""}
            onChange={(event) => onChange({ name: event.target.value || null })}
            onKeyDown={(event) => event.key === "Enter" && event.preventDefault()}
            className="h-7 min-w-0 flex-[0_1_320px] rounded-sm border border-control bg-bg px-2 font-mono text-sm placeholder:text-faint"
          />
        </span>
        <label htmlFor={`${id}-description`}>Description</label>
        <textarea
          id={`${id}-description`}
          dir="auto"
          rows={3}
          maxLength={DESCRIPTION_MAX}
          placeholder={own}
          value={change.description ?? ""}
          onChange={(event) => onChange({ description: event.target.value || null })}
          className="min-w-0 rounded-sm border border-control bg-bg px-2 py-1 placeholder:text-faint"
        />
        <label htmlFor={`${id}-policy`}>Permission</label>
        <span className="flex flex-wrap items-center gap-2">
          <Select
            id={`${id}-policy`}
            value={change.policy ?? ""}
            options={[{ value: "" as const, label: "Inherit" }, ...policies.map((one) => ({ value: one, label: POLICY_FACES[one].word }))]}
            onValue={(one) => onChange({ policy: one === "" ? null : one })}
          />
          <span className="text-sm text-dim">A profile can restrict permissions, not loosen them.</span>
        </span>
      </div>
    </div>
  );
}
