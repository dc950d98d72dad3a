/** Files that were not read to the end: which, where, and what to do. */
import type { FoundFile } from "../bridge/bindings";
import { Sign } from "../parts/Icon";
import { Reported } from "../parts/Reported";
import { exact } from "../parts/exact";
import { scopeWords } from "./faces";

export function Unread({ files }: { files: readonly FoundFile[] }) {
  const broken = files.filter(({ error }) => error !== null);
  if (broken.length === 0) return null;
  return (
    <section aria-labelledby="found-unread" className="flex flex-col gap-1 rounded-md border border-warn bg-warn-fill px-3 py-2">
      <h2 id="found-unread" className="font-semibold">
        <Sign of="warning" className="text-warn me-1" />Not read to the end
      </h2>
      <ul className="flex flex-col gap-1">
        {broken.map(({ error, path, title, scope, folder }) => (
          <li key={`${path} ${folder ?? ""}`} data-code={error?.code} className="wrap-anywhere select-text">
            {title}, {scopeWords({ scope, folder })}: <code className="font-mono text-sm">{exact(path)}</code>
            <br />
            {error && <Reported report={error} />}
          </li>
        ))}
      </ul>
    </section>
  );
}
