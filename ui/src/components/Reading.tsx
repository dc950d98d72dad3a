
/** A loading notice, such as "Reading the log…". The CSS class `late` delays its appearance. */
export function Reading({ what, className = "p-6" }: { what: string; className?: string }) {
  return (
    <p role="status" aria-busy className={`late text-dim ${className}`}>
      Reading {what}…
    </p>
  );
}
