/** The footer and the focus handling that all panels of the Add member dialog share. */
import { createContext, use, useEffect, type ReactNode, type RefObject } from "react";
import { createPortal } from "react-dom";

import { Button } from "../../components/Button";

interface Frame {
  /** The footer element, into which panels render their buttons; `null` until the dialog is mounted. */
  readonly foot: HTMLElement | null;
  readonly close: () => void;
  /** Focuses the field if the dialog has just opened. */
  readonly takeFocus: (field: HTMLElement | null) => void;
}

export const FrameContext = createContext<Frame | null>(null);

interface FootProps {
  /** The status text of the panel, at the start of the footer. */
  readonly says?: ReactNode;
  /** The label of the button that closes the dialog. */
  readonly close?: "Cancel" | "Close";
  /** The action buttons of the panel. */
  readonly children?: ReactNode;
}

/** Renders a panel's status text and buttons into the footer of the dialog. */
export function Foot({ says, close = "Cancel", children }: FootProps) {
  const frame = use(FrameContext);
  if (!frame?.foot) return null;
  return createPortal(
    <>
      <div className="me-auto text-sm text-dim scant:sr-only">{says}</div>
      <Button onClick={frame.close}>{close}</Button>
      {children}
    </>,
    frame.foot,
  );
}

/** Focuses the panel's main field if the dialog has just opened with this panel. */
export function useFirstField(field: RefObject<HTMLElement | null>): void {
  const takeFocus = use(FrameContext)?.takeFocus;
  useEffect(() => takeFocus?.(field.current), [takeFocus, field]);
}
