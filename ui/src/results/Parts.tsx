/** The parts of a result. Nothing here loads an address or renders markup. A person opens a link beside its address. */

import { createContext, use } from "react";

import { Button } from "../parts/Button";
import { CopyButton } from "../parts/CopyButton";
import { OpenLink } from "../parts/OpenButton";
import { base64Bytes, type Part, type PartContent, type PartNotes, sizeWord } from "./content";
import { BOX, extensionOf, Picture, Sound } from "./media/media";
import { SaveButton } from "./SaveButton";
import { LongText } from "./text/LongText";
import { TextPart } from "./text/TextPart";

/** Reads a resource of the result's member; absent where nobody can. */
export const ReadResourceContext = createContext<((uri: string) => void) | null>(null);

interface Props {
  readonly part: Part;
  /** Names the part among all parts of all tools, for what is remembered of it. */
  readonly place: string;
  /** What a saved file is called, without its ending. */
  readonly fileName: string;
}

export function PartView({ part, place, fileName }: Props) {
  return (
    <div>
      <Content {...{ part, place, fileName }} />
      {part.notes !== null && <Notes notes={part.notes} />}
    </div>
  );
}

function Notes({ notes }: { notes: PartNotes }) {
  const said = [
    notes.audience.length > 0 && `for ${notes.audience.join(" and ")}`,
    notes.priority !== null && `priority ${notes.priority}`,
    notes.lastModified !== null && `last modified ${notes.lastModified}`,
  ].filter((word) => word !== false);
  if (said.length === 0) return null;
  return (
    <p className="px-2 text-sm text-faint [overflow-wrap:anywhere]" title="Annotations of this part, as the server says">
      the server says: {said.join(" · ")}
    </p>
  );
}

function Content({ part, place, fileName }: { part: PartContent; place: string; fileName: string }) {
  switch (part.kind) {
    case "text":
      return <TextPart text={part.text} place={place} fileName={fileName} />;
    case "image":
      return <Picture mime={part.mime} data={part.data} fileName={fileName} />;
    case "audio":
      return <Sound mime={part.mime} data={part.data} fileName={fileName} />;
    case "link":
      return <Link uri={part.uri} said={part.said} />;
    case "resource":
      return (
        <div role="group" aria-label="resource" className={BOX}>
          <header className="flex items-center gap-1 py-0.5 text-sm text-dim">
            <span className="grow [overflow-wrap:anywhere]">
              resource <code className="font-mono">{part.uri}</code> {part.mime}
            </span>
            <CopyButton text={() => part.uri} what="address" />
          </header>
          <Content part={part.inner} place={place} fileName={fileName} />
        </div>
      );
    case "file":
      return (
        <div role="group" aria-label="file" className={BOX}>
          <p>
            {part.mime} · {sizeWord(base64Bytes(part.data))} <span data-testid="part-why" className="text-dim">{part.why}</span>
          </p>
          <CopyButton text={() => part.data} what="base64" />
          <SaveButton what="file" name={`${fileName}.${extensionOf(part.mime)}`} base64={() => part.data} />
        </div>
      );
    case "other":
      return (
        <div role="group" aria-label={part.title} className={BOX}>
          <header className="flex items-center text-sm text-dim">
            <span className="grow">{part.title}</span>
            <CopyButton text={() => part.json} what="content" />
          </header>
          <LongText text={part.json} label={part.title} />
        </div>
      );
  }
}

function Link({ uri, said }: { uri: string; said: readonly (readonly [string, string])[] }) {
  const read = use(ReadResourceContext);
  return (
    <div role="group" aria-label="link to a resource" className={BOX}>
      <header className="flex items-center gap-1 text-sm text-dim">
        <span className="grow">link to a resource, not opened</span>
        {read !== null && <Button look="quiet" onClick={() => read(uri)}>Read</Button>}
        <OpenLink address={uri} />
        <CopyButton text={() => uri} what="address" />
      </header>
      <code className="font-mono text-sm [overflow-wrap:anywhere]">{uri}</code>
      <dl className="text-sm">
        {said.map(([key, word]) => (
          <div key={key} className="flex gap-2">
            <dt className="text-faint">{key}</dt>
            <dd className="min-w-0 whitespace-pre-wrap [overflow-wrap:anywhere]">{word}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
