import { type ReactNode, useState } from "react";

import { CopyButton } from "../../components/CopyButton";
import { Icon } from "../../components/Icon";
import { SIGNS, type SignName } from "../../components/signs";
import { SaveButton } from "./SaveButton";

interface Props {
  readonly icon: SignName;
  readonly title: ReactNode;
  /** The accessible name of the card. It also names the content in copy and save labels, unless `what` is set. */
  readonly label: string;
  readonly badge?: ReactNode;
  readonly controls?: ReactNode;
  readonly copy?: () => string;
  readonly what?: string;
  readonly file?: { readonly name: string; readonly base64?: () => string };
  /** The reason why the card is collapsed at first; `undefined` if it is expanded. */
  readonly collapsed?: string | undefined;
  readonly children: ReactNode;
}

/** A card for one part of a result: its title, its views, and buttons to copy and save it. */
export function Card({ icon, title, label, badge, controls, copy, what = label, file, collapsed, children }: Props) {
  const [open, setOpen] = useState(collapsed === undefined);
  const name = (
    <>
      <Icon of={SIGNS[icon]} className="text-dim" />
      <span className="min-w-0 font-medium [overflow-wrap:anywhere]">{title}</span>
    </>
  );
  return (
    // The card is a group instead of a landmark, because a result can have many parts with the same name.
    <div role="group" aria-label={label} className="min-w-0 rounded-md border border-line bg-raised">
      <header className={`flex min-h-9 flex-wrap items-center gap-x-2 gap-y-1 px-3 py-1 ${open ? "border-b border-line" : ""}`}>
        {collapsed === undefined ? (
          <span className="flex min-w-0 grow items-center gap-2">{name}{badge}</span>
        ) : (
          <button type="button" aria-expanded={open} className="flex min-w-0 grow items-center gap-2 text-start" onClick={() => setOpen(!open)}>
            {name}
            {badge}
            <span className="ms-auto text-sm text-dim">{collapsed}</span>
            <Icon of={SIGNS[open ? "chevronDown" : "chevronRight"]} className="text-dim" />
          </button>
        )}
        {open && controls}
        {open && copy !== undefined && <CopyButton icon text={copy} what={what} />}
        {open && file !== undefined && <SaveButton what={what} name={file.name} {...(file.base64 ? { base64: file.base64 } : copy && { text: copy })} />}
      </header>
      {open && <div className="flex min-w-0 flex-col gap-2 px-3 py-2">{children}</div>}
    </div>
  );
}
