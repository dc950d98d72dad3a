/** The parts of the Add member dialog that its panels use. */
import { createContext, use, useEffect, type ReactNode, type RefObject } from "react";
import { createPortal } from "react-dom";

import { Button } from "../../components/Button";

interface Frame {
  /** The footer; `null` before the dialog is drawn. */
  readonly foot: HTMLElement | null;
  readonly close: () => void;
  /** Moves the focus to a field if the dialog has just opened. */
  readonly takeFocus: (field: HTMLElement | null) => void;
}

export const FrameContext = createContext<Frame | null>(null);

interface FootProps {
  /** The state of the panel. */
  readonly says?: ReactNode;
  /** The label of the button that closes the dialog. */
  readonly close?: "Cancel" | "Close";
  /** The buttons of the panel. */
  readonly children?: ReactNode;
}

/** The footer of the dialog while a panel is shown. */
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

/** Moves the focus to the panel's main field when the dialog opens at it. */
export function useFirstField(field: RefObject<HTMLElement | null>): void {
  const takeFocus = use(FrameContext)?.takeFocus;
  useEffect(() => takeFocus?.(field.current), [takeFocus, field]);
}
