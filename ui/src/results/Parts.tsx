/** The parts of a result. Nothing here follows a link, loads an address, or renders markup. */

import { useState } from "react";

import { Button } from "../parts/Button";
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
      return (
        <figure className={BOX}>
          {/* A server sends no captions with its sounds. */}
          {/* eslint-disable-next-line jsx-a11y/media-has-caption */}
          <audio controls preload="metadata" src={`data:${part.mime};base64,${part.data}`} className="w-full" />
          <figcaption className="text-sm text-dim">
            {part.mime} · {sizeWord(base64Bytes(part.data))}
          </figcaption>
        </figure>
      );
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
          <span className="flex gap-1">
            <SaveButton mime={part.mime} data={part.data} />
            <CopyButton text={() => part.data} what="base64" />
          </span>
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
        <SaveButton mime={mime} data={data} />
        <CopyButton text={() => data} what="base64" />
      </figcaption>
    </figure>
  );
}

/** Types that a file's name ends with; anything else ends with `.bin`, which no system opens. */
const ENDINGS: ReadonlyMap<string, string> = new Map([
  ["image/png", "png"],
  ["image/jpeg", "jpg"],
  ["image/gif", "gif"],
  ["image/webp", "webp"],
  ["application/pdf", "pdf"],
  ["text/plain", "txt"],
]);

function SaveButton({ mime, data }: { mime: string; data: string }) {
  const [problem, setProblem] = useState(false);
  const save = () => {
    try {
      const bytes = Uint8Array.from(atob(data.replace(/\s/g, "")), (character) => character.charCodeAt(0));
      // Never the server's own type: a saved file must not be opened as a page.
      const address = URL.createObjectURL(new Blob([bytes], { type: "application/octet-stream" }));
      const link = document.createElement("a");
      link.href = address;
      link.download = `result.${ENDINGS.get(mime) ?? "bin"}`;
      link.click();
      setTimeout(() => URL.revokeObjectURL(address), 10_000);
    } catch {
      setProblem(true);
    }
  };
  return (
    <Button look="quiet" onClick={save} unavailable={problem ? "The data is not valid base64" : undefined}>
      Save
    </Button>
  );
}
