
/** Says what is being read, where that takes long enough to be noticed. */
export function Reading({ what, className = "p-6" }: { what: string; className?: string }) {
  return (
    <p role="status" aria-busy className={`late text-dim ${className}`}>
      Reading {what}…
    </p>
  );
}
