/**
 * Renders the content parts of a result. No address is loaded and no markup from a server is rendered. Links are
 * opened by a button beside the address.
 */

import { createContext, type ReactNode, use } from "react";

import { Button } from "../../components/Button";
import { CopyButton } from "../../components/CopyButton";
import { OpenLink } from "../../components/OpenButton";
import { Card } from "./Card";
import { CodeView } from "./code/CodeView";
import { base64Bytes, type Part, type PartContent, type PartNotes, sizeWord } from "./content";
import { extensionOf, Picture, Sound } from "./media/media";
import { TextPart } from "./text/TextPart";

/** Reads a resource of the member that returned the result; `null` if resources can't be read here. */
export const ReadResourceContext = createContext<((uri: string) => void) | null>(null);

interface ContentProps {
  readonly part: PartContent;
  /** The key under which the user's choice of view is stored, such as `member/tool#0`. */
  readonly place: string;
  /** The name of the saved file, without an extension. */
  readonly fileName: string;
}

export function PartView({ part, ...rest }: ContentProps & { readonly part: Part }) {
  return (
    <div>
      <Content part={part} {...rest} />
      {part.notes !== null && <Notes notes={part.notes} />}
    </div>
  );
}

function Notes({ notes }: { notes: PartNotes }) {
  const words = [
    notes.audience.length > 0 && `for ${notes.audience.join(" and ")}`,
    notes.priority !== null && `priority ${notes.priority}`,
    notes.lastModified !== null && `last modified ${notes.lastModified}`,
  ].filter((word) => word !== false);
  if (words.length === 0) return null;
  return <p className="px-3 py-1 text-sm text-faint [overflow-wrap:anywhere]">Reported by the server: {words.join(" · ")}</p>;
}

function Content({ part, place, fileName }: ContentProps): ReactNode {
  switch (part.kind) {
    case "text":
      return <TextPart text={part.text} place={place} fileName={fileName} />;
    case "image":
      return <Picture mime={part.mime} data={part.data} fileName={fileName} />;
    case "audio":
      return <Sound mime={part.mime} data={part.data} fileName={fileName} />;
    case "link":
      return <Link uri={part.uri} properties={part.properties} />;
    case "resource":
      return (
        <Card icon="file" title="Resource" label="resource" controls={<CopyButton text={() => part.uri} what="address" shown="Copy address" />}>
          <p className="text-sm text-dim [overflow-wrap:anywhere]"><code className="font-mono">{part.uri}</code> {part.mime}</p>
          <Content part={part.inner} place={place} fileName={fileName} />
        </Card>
      );
    case "file":
      return (
        <Card icon="file" title="File" label="file" copy={() => part.data} what="base64" file={{ name: `${fileName}.${extensionOf(part.mime)}`, base64: () => part.data }}>
          <p>
            {part.mime} · {sizeWord(base64Bytes(part.data))} <span data-testid="part-why" className="text-dim">{part.why}</span>
          </p>
        </Card>
      );
    case "other":
      return (
        <Card icon="braces" title={part.title} label={part.title} copy={() => part.json} what="content">
          <CodeView text={part.json} label={part.title} />
        </Card>
      );
  }
}

function Link({ uri, properties }: { uri: string; properties: readonly (readonly [string, string])[] }) {
  const read = use(ReadResourceContext);
  const controls = (
    <>
      {read !== null && <Button look="quiet" onClick={() => read(uri)}>Read</Button>}
      <OpenLink address={uri} />
    </>
  );
  return (
    <Card icon="link" title="Resource link" label="resource link" controls={controls} copy={() => uri} what="address">
      <code className="font-mono text-sm [overflow-wrap:anywhere]">{uri}</code>
      <dl className="text-sm">
        {properties.map(([key, word]) => (
          <div key={key} className="flex gap-2">
            <dt className="text-faint">{key}</dt>
            <dd className="min-w-0 whitespace-pre-wrap [overflow-wrap:anywhere]">{word}</dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}
