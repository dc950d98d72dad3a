/** Pictures and sounds of types that a browser shows without running anything. */

import { type ReactNode, useMemo, useState } from "react";

import { Button } from "../../parts/Button";
import { CopyButton } from "../../parts/CopyButton";
import { Sign } from "../../parts/Icon";
import { base64Bytes, sizeWord } from "../content";
import { SaveButton } from "../SaveButton";

export const BOX = "rounded-md border border-line px-2 py-1";

const EXTENSIONS: Readonly<Record<string, string>> = {
  "image/jpeg": "jpg",
  "image/svg+xml": "svg",
  "audio/mpeg": "mp3",
  "audio/x-wav": "wav",
  "audio/mp4": "m4a",
  "text/plain": "txt",
  "application/octet-stream": "bin",
};

/** How a file of a type is called at its end. */
export function extensionOf(mime: string): string {
  const known = EXTENSIONS[mime];
  if (known !== undefined) return known;
  const sub = mime.split("/")[1] ?? "";
  return /^[a-z0-9]{1,8}$/.test(sub) ? sub : "bin";
}

interface MediaProps {
  readonly mime: string;
  readonly data: string;
  readonly fileName: string;
}

function Caption({ mime, data, fileName, what, size, children }: MediaProps & { what: string; size?: string; children?: ReactNode }) {
  const bytes = useMemo(() => base64Bytes(data), [data]);
  return (
    <figcaption className="flex flex-wrap items-center gap-1 text-sm text-dim">
      <span className="grow">
        {mime} · {size !== undefined && size !== "" && `${size} · `}
        {sizeWord(bytes)}
      </span>
      {children}
      <CopyButton text={() => data} what="base64" />
      <SaveButton what={what} name={`${fileName}.${extensionOf(mime)}`} base64={() => data} />
    </figcaption>
  );
}

export function Sound(props: MediaProps) {
  const [broken, setBroken] = useState(false);
  return (
    <figure className={BOX}>
      {broken ? (
        <p className="text-warn"><Sign of="warning" className="me-1" />This sound can't be played.</p>
      ) : (
        // A server sends no captions with its sounds.
        // oxlint-disable-next-line jsx-a11y/media-has-caption
        <audio
          controls
          preload="metadata"
          aria-label="sent by the tool"
          src={`data:${props.mime};base64,${props.data}`}
          className="w-full"
          onError={() => setBroken(true)}
        />
      )}
      <Caption {...props} what="sound" />
    </figure>
  );
}

/** Squares behind a picture show where it lets through what is behind it. */
const CHECKERS = "repeating-conic-gradient(var(--line) 0 25%, transparent 0 50%) 0 0 / 16px 16px";

export function Picture(props: MediaProps) {
  const [broken, setBroken] = useState(false);
  const [size, setSize] = useState("");
  const [full, setFull] = useState(false);
  return (
    <figure className={BOX}>
      {broken ? (
        <p className="text-warn"><Sign of="warning" className="me-1" />This picture can't be drawn.</p>
      ) : (
        // A region that scrolls has to be reached by the keyboard.
        <div className="max-h-[65vh] overflow-auto" tabIndex={full ? 0 : undefined} role={full ? "region" : undefined} aria-label={full ? "picture in full size" : undefined}>
          <img
            src={`data:${props.mime};base64,${props.data}`}
            alt="sent by the tool"
            style={{ background: CHECKERS }}
            className={full ? "max-w-none" : "max-h-[60vh] max-w-full object-contain"}
            onError={() => setBroken(true)}
            onLoad={(event) => setSize(`${event.currentTarget.naturalWidth} × ${event.currentTarget.naturalHeight} px`)}
          />
        </div>
      )}
      <Caption {...props} what="picture" size={size}>
        {!broken && (
          <Button look="quiet" aria-pressed={full} title="Full size shows each pixel" onClick={() => setFull(!full)}>
            {full ? "Fit" : "100%"}
          </Button>
        )}
      </Caption>
    </figure>
  );
}
