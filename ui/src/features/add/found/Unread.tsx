/** A warning that lists the files that were only partly read, each with the error, its line, and the fix. */
import type { FoundFile } from "../../../ipc/bindings";
import { Band } from "../../../components/Badge";
import { exact } from "../../../lib/exact";
import { Reported } from "../../../components/Reported";
import { counted } from "../../../lib/format";
import { scopeWords } from "./faces";

export function Unread({ files }: { files: readonly FoundFile[] }) {
  const broken = files.filter(({ error }) => error !== null);
  if (broken.length === 0) return null;
  return (
    <section aria-labelledby="found-unread">
      <Band tone="warn" icon="warning">
        <h3 id="found-unread" className="font-semibold">{counted(broken.length, { one: "file", other: "files" })} partly read</h3>
        <ul className="flex flex-col gap-1">
          {broken.map(({ error, path, title, scope, folder }) => (
            <li key={`${path} ${folder ?? ""}`} data-code={error?.code} className="wrap-anywhere select-text">
              {title}, {scopeWords({ scope, folder })}: <code className="font-mono text-sm">{exact(path)}</code>
              <br />
              {error && <Reported report={error} />}
            </li>
          ))}
        </ul>
      </Band>
    </section>
  );
}
