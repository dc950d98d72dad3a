import type { ReactNode } from "react";

interface Props {
  readonly id: string;
  readonly title: ReactNode;
  /** A badge or text with the page's state, beside its title. */
  readonly state?: ReactNode;
  /** One line below the title. */
  readonly lead?: ReactNode;
  readonly actions?: ReactNode;
}

/** The header of a page. `PageFocus` focuses its title when the page opens. */
export function PageHeader({ id, title, state, lead, actions }: Props) {
  return (
    <header className="flex shrink-0 flex-wrap items-start gap-x-4 gap-y-2 px-5 pt-3.5 pb-3 short:pt-2">
      <div className="min-w-48 flex-1">
        <div className="flex flex-wrap items-center gap-x-3">
          <h1 id={id} tabIndex={-1} className="min-w-0 text-xl font-semibold tracking-[-0.012em] break-words">{title}</h1>
          {state}
        </div>
        {lead !== undefined && <div className="text-dim">{lead}</div>}
      </div>
      {actions !== undefined && <div className="flex flex-wrap items-center gap-2">{actions}</div>}
    </header>
  );
}
