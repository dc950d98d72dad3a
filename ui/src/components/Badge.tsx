import type { ReactNode } from "react";

import { Icon } from "./Icon";
import { SIGNS, type SignName } from "./signs";

type Tone = "plain" | "ok" | "info" | "warn" | "bad";

const TONES: Record<Tone, string> = {
  plain: "bg-hover text-dim",
  ok: "bg-ok-fill text-ok",
  info: "bg-info-fill text-info",
  warn: "bg-warn-fill text-warn",
  bad: "bg-bad-fill text-bad",
};

interface BadgeProps {
  readonly tone?: Tone;
  readonly icon?: SignName;
  readonly children: ReactNode;
  readonly className?: string;
  readonly testId?: string;
}

/** A colored label of one or two words, such as a state. */
export function Badge({ tone = "plain", icon, children, className = "", testId }: BadgeProps) {
  return (
    <span data-testid={testId} className={`inline-flex min-w-0 items-center gap-1 rounded-full px-2 text-xs font-medium leading-5 whitespace-nowrap ${TONES[tone]} ${className}`}>
      {icon && <Icon of={SIGNS[icon]} size={12} />}
      {children}
    </span>
  );
}

interface BandProps {
  readonly tone: Exclude<Tone, "plain">;
  readonly icon?: SignName;
  readonly role?: "status" | "alert";
  readonly children: ReactNode;
  readonly actions?: ReactNode;
}

/** A banner: a colored message over the full width of a page or card, with buttons. */
export function Band({ tone, icon, role, children, actions }: BandProps) {
  return (
    <div role={role} className={`flex flex-wrap items-start gap-x-3 gap-y-2 rounded-md px-3 py-2 ${TONES[tone]}`}>
      {icon && <Icon of={SIGNS[icon]} className="mt-0.5" />}
      <div className="min-w-48 flex-1 break-words text-text">{children}</div>
      {actions !== undefined && <div className="flex flex-wrap items-center gap-2 text-text">{actions}</div>}
    </div>
  );
}
