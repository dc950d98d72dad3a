/** Images and audio of types that a browser renders without running code. */

import { useMemo, useState } from "react";

import { Button } from "../../../components/Button";
import { Sign } from "../../../components/Icon";
import { Card } from "../Card";
import { base64Bytes, sizeWord } from "../content";

const EXTENSIONS: Readonly<Record<string, string>> = {
  "image/jpeg": "jpg",
  "image/svg+xml": "svg",
  "audio/mpeg": "mp3",
  "audio/x-wav": "wav",
  "audio/mp4": "m4a",
  "text/plain": "txt",
  "application/octet-stream": "bin",
};

/** The file extension for a MIME type. */
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

function fileOf({ mime, data, fileName }: MediaProps) {
  return { copy: () => data, file: { name: `${fileName}.${extensionOf(mime)}`, base64: () => data } };
}

function About({ mime, data, size = "" }: { mime: string; data: string; size?: string }) {
  const bytes = useMemo(() => base64Bytes(data), [data]);
  return <span className="text-sm text-dim">{mime} · {size !== "" && `${size} · `}{sizeWord(bytes)}</span>;
}

export function Sound(props: MediaProps) {
  const [broken, setBroken] = useState(false);
  return (
    <Card icon="play" title="Audio" label="audio" badge={<About {...props} />} {...fileOf(props)}>
      {broken ? (
        <p className="text-warn"><Sign of="warning" className="me-1" />This audio can't be played.</p>
      ) : (
        // Servers send no captions with audio.
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
    </Card>
  );
}

/** A checkered background, which shows through the transparent areas of an image. */
const CHECKERS = "repeating-conic-gradient(var(--line) 0 25%, transparent 0 50%) 0 0 / 16px 16px";

export function Picture(props: MediaProps) {
  const [broken, setBroken] = useState(false);
  const [size, setSize] = useState("");
  const [full, setFull] = useState(false);
  const zoom = !broken && <Button look="quiet" aria-pressed={full} onClick={() => setFull(!full)}>{full ? "Fit" : "Actual size"}</Button>;
  return (
    <Card icon="image" title="Image" label="image" badge={<About {...props} size={size} />} controls={zoom} {...fileOf(props)}>
      {broken ? (
        <p className="text-warn"><Sign of="warning" className="me-1" />This image can't be shown.</p>
      ) : (
        // A scrollable region needs a `tabIndex`, so that the keyboard can scroll it.
        <div className="max-h-[65vh] overflow-auto" tabIndex={full ? 0 : undefined} role={full ? "region" : undefined} aria-label={full ? "image in its actual size" : undefined}>
          {/* The button above does the same for the keyboard. */}
          {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions */}
          <img
            src={`data:${props.mime};base64,${props.data}`}
            alt="sent by the tool"
            style={{ background: CHECKERS }}
            className={full ? "max-w-none cursor-zoom-out" : "max-h-[60vh] max-w-full cursor-zoom-in object-contain"}
            onClick={() => setFull(!full)}
            onError={() => setBroken(true)}
            onLoad={(event) => setSize(`${event.currentTarget.naturalWidth} × ${event.currentTarget.naturalHeight} px`)}
          />
        </div>
      )}
    </Card>
  );
}
