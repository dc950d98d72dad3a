/** The parts of a result. Nothing here follows a link, loads an address, or renders markup. */

import { useState } from "react";

import { CopyButton } from "../parts/CopyButton";
import { base64Bytes, type Part, sizeWord } from "./content";
import { LongText, TextPart } from "./TextPart";

const BOX = "rounded-md border border-line px-2 py-1";

export function PartView({ part }: { part: Part }) {
  switch (part.kind) {
    case "text":
      return <TextPart text={part.text} />;
    case "image":
      return <Picture mime={part.mime} data={part.data} />;
    case "audio":
      return <Sound mime={part.mime} data={part.data} />;
    case "link":
      return (
        <section aria-label="link to a resource" className={BOX}>
          <header className="flex items-center gap-1 text-sm text-dim">
            <span className="grow">link to a resource, not opened</span>
            <CopyButton text={() => part.uri} what="address" />
          </header>
          <code className="font-mono text-sm [overflow-wrap:anywhere]">{part.uri}</code>
          <dl className="text-sm">
            {part.words.map(([key, word]) => (
              <div key={key} className="flex gap-2">
                <dt className="text-faint">{key}</dt>
                <dd className="min-w-0 whitespace-pre-wrap [overflow-wrap:anywhere]">{word}</dd>
              </div>
            ))}
          </dl>
        </section>
      );
    case "resource":
      return (
        <section aria-label="resource" className={BOX}>
          <header className="text-sm text-dim [overflow-wrap:anywhere]">
            resource <code className="font-mono">{part.uri}</code> {part.mime}
          </header>
          <PartView part={part.inner} />
        </section>
      );
    case "file":
      return (
        <section aria-label="file" className={BOX}>
          <p>
            {part.mime} · {sizeWord(base64Bytes(part.data))} <span className="text-dim">{part.why}</span>
          </p>
          <CopyButton text={() => part.data} what="base64" />
        </section>
      );
    case "other":
      return (
        <section aria-label={`content ${part.type}`} className={BOX}>
          <header className="flex items-center text-sm text-dim">
            <span className="grow">content {part.type}</span>
            <CopyButton text={() => part.json} what="content" />
          </header>
          <LongText text={part.json} label={`content ${part.type}`} />
        </section>
      );
  }
}

function Sound({ mime, data }: { mime: string; data: string }) {
  const [broken, setBroken] = useState(false);
  return (
    <figure className={BOX}>
      {broken ? (
        <p className="text-warn">▲ This sound can&apos;t be played.</p>
      ) : (
        // A server sends no captions with its sounds.
        // eslint-disable-next-line jsx-a11y/media-has-caption
        <audio
          controls
          preload="metadata"
          aria-label="sent by the tool"
          src={`data:${mime};base64,${data}`}
          className="w-full"
          onError={() => setBroken(true)}
        />
      )}
      <figcaption className="flex items-center gap-1 text-sm text-dim">
        <span className="grow">
          {mime} · {sizeWord(base64Bytes(data))}
        </span>
        <CopyButton text={() => data} what="base64" />
      </figcaption>
    </figure>
  );
}

function Picture({ mime, data }: { mime: string; data: string }) {
  const [broken, setBroken] = useState(false);
  const [size, setSize] = useState("");
  return (
    <figure className={BOX}>
      {broken ? (
        <p className="text-warn">▲ This picture can&apos;t be drawn.</p>
      ) : (
        <img
          src={`data:${mime};base64,${data}`}
          alt="sent by the tool"
          className="max-h-[60vh] max-w-full object-contain"
          onError={() => setBroken(true)}
          onLoad={(event) => setSize(`${event.currentTarget.naturalWidth} × ${event.currentTarget.naturalHeight} · `)}
        />
      )}
      <figcaption className="flex items-center gap-1 text-sm text-dim">
        <span className="grow">
          {mime} · {size}
          {sizeWord(base64Bytes(data))}
        </span>
        <CopyButton text={() => data} what="base64" />
      </figcaption>
    </figure>
  );
}
