import type { Status } from "../bridge/bindings";
import { faceOf } from "../words/status";

/** A status as shape, colour and word. */
export function StatusMark({ status, wordClass = "" }: { status: Status; wordClass?: string }) {
  const face = faceOf(status);
  return (
    <span className="inline-flex items-center gap-1 whitespace-nowrap">
      <span aria-hidden className={`w-3.5 text-center ${face.colour}`}>
        {face.shape}
      </span>
      <span className={wordClass}>{face.word}</span>
    </span>
  );
}
