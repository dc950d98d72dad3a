import type { ReactNode } from "react";

import { Icon } from "./Icon";
import { SIGNS, type SignName } from "./signs";

interface Props {
  readonly icon: SignName;
  readonly title: string;
  /** One sentence about the content that belongs here. */
  readonly children?: ReactNode;
  /** One primary button, and at most one more. */
  readonly actions?: ReactNode;
}

/** The placeholder in a page or pane without content. */
export function EmptyState({ icon, title, children, actions }: Props) {
  return (
    <div className="flex flex-col items-center gap-2 px-6 py-10 text-center short:py-4">
      <Icon of={SIGNS[icon]} size={28} className="text-faint" />
      <p className="font-semibold">{title}</p>
      {children !== undefined && <div className="max-w-md text-dim">{children}</div>}
      {actions !== undefined && <div className="mt-2 flex flex-wrap justify-center gap-2">{actions}</div>}
    </div>
  );
}
