interface Props {
  readonly uri: string;
  /** The accessible name, such as "Template". */
  readonly label: string;
  readonly testId?: string;
}

/** The full text of a URI. A long URI scrolls, so the box is a Tab stop for keyboard users. */
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
