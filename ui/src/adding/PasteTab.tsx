/** A server's configuration as its page shows it, pasted or out of a file. */
export default function PasteTab() {
  return (
    <div className="flex flex-col gap-3 p-4">
      <p className="max-w-4xl text-dim">
        Paste what a server&apos;s page shows: JSON, TOML or YAML for any program, a command, or an address. Nothing of it is started until you
        have seen what it would run, and adopt it.
      </p>
    </div>
  );
}
