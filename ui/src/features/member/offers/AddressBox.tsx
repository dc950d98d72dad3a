interface Props {
  readonly uri: string;
  /** What it is, for a screen reader. */
  readonly label: string;
  readonly testId?: string;
}

/** An address in full; a long one scrolls, and so is reached by the keyboard. */
export function AddressBox({ uri, label, testId }: Props) {
  return (
    <div
      role="group"
      aria-label={label}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      dir="ltr"
      data-testid={testId}
      className="max-h-40 min-w-0 flex-1 overflow-y-auto font-mono text-sm break-all select-text"
    >
      {uri}
    </div>
  );
}
